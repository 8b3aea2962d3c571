//! What stands before several workers that are one to the engine: connections go to a worker that answers, in turn.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The port of a balancer before workers on these ports. It lives as long as the process.
pub(crate) fn before(workers: Vec<u16>) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        let turn = AtomicUsize::new(0);
        for client in listener.incoming().flatten() {
            let first = turn.fetch_add(1, Ordering::Relaxed);
            let ports = (0..workers.len()).map(|place| workers[(first + place) % workers.len()]);
            let worker = ports.into_iter().find_map(|port| TcpStream::connect(("127.0.0.1", port)).ok());
            // A connection that is dropped tells the engine to try again.
            let Some(worker) = worker else { continue };
            pump(client.try_clone().unwrap(), worker.try_clone().unwrap());
            pump(worker, client);
        }
    });
    port
}

fn pump(mut from: TcpStream, mut to: TcpStream) {
    std::thread::spawn(move || {
        let mut bytes = [0; 64 * 1024];
        while let Ok(count @ 1..) = from.read(&mut bytes) {
            if to.write_all(&bytes[..count]).is_err() {
                break;
            }
        }
        to.shutdown(Shutdown::Both).ok();
        from.shutdown(Shutdown::Both).ok();
    });
}
