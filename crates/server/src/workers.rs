//! Where work runs: on threads, or on the thread that brings the messages, if there is no other.
//!
//! Input: work, and futures. Output: they run. Invariant: with threads, no caller waits for work. Without them, work is done when the
//! call returns, and futures run when [`CallerFutures::run`] is called.

use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Wake, Waker};

use futures::StreamExt;
use futures::future::BoxFuture;
use futures::stream::FuturesUnordered;
use tokio::runtime::Handle;

/// Where work runs.
#[derive(Debug, Clone)]
pub(crate) enum Workers {
    /// On threads of the process, and futures on this runtime.
    Threads(Handle),
    /// On the thread of the caller, because there is no other.
    Caller(Arriving),
}

/// Futures that were given since the last call of [`CallerFutures::run`].
#[derive(Clone, Default)]
pub(crate) struct Arriving(Arc<Mutex<Vec<BoxFuture<'static, ()>>>>);

/// The unfinished futures of a process with one thread.
#[derive(Default)]
pub(crate) struct CallerFutures {
    arriving: Arriving,
    unfinished: FuturesUnordered<BoxFuture<'static, ()>>,
}

/// Whether something woke a future.
#[derive(Default)]
struct Woken(AtomicBool);

impl Workers {
    /// Runs a future. No one gets its output.
    pub(crate) fn spawn<T>(&self, future: impl Future<Output = T> + Send + 'static) {
        let future = async { drop(future.await) };
        match self {
            Workers::Threads(runtime) => drop(runtime.spawn(future)),
            Workers::Caller(arriving) => arriving.lock().push(Box::pin(future)),
        }
    }

    /// Runs work on one of the threads that answer requests.
    pub(crate) fn answer(&self, work: impl FnOnce() + Send + 'static) {
        match self {
            Workers::Threads(runtime) => drop(runtime.spawn_blocking(work)),
            Workers::Caller(_) => work(),
        }
    }

    /// Runs work that may take any time on a thread of its own.
    pub(crate) fn start(&self, name: &str, work: impl FnOnce() + Send + 'static) -> std::io::Result<()> {
        match self {
            Workers::Threads(_) => std::thread::Builder::new().name(name.to_owned()).spawn(work).map(drop),
            Workers::Caller(_) => {
                work();
                Ok(())
            }
        }
    }

    /// Whether there are threads.
    pub(crate) fn has_threads(&self) -> bool {
        matches!(self, Workers::Threads(_))
    }
}

impl Arriving {
    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<BoxFuture<'static, ()>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl std::fmt::Debug for Arriving {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_tuple("Arriving").field(&self.lock().len()).finish()
    }
}

impl CallerFutures {
    /// The workers whose futures these are.
    pub(crate) fn workers(&self) -> Workers {
        Workers::Caller(self.arriving.clone())
    }

    /// Runs the futures until each of them waits for something.
    pub(crate) fn run(&mut self) {
        let woken = Arc::new(Woken::default());
        let waker = Waker::from(Arc::clone(&woken));
        let mut context = Context::from_waker(&waker);
        loop {
            let arrived = std::mem::take(&mut *self.arriving.lock());
            self.unfinished.extend(arrived);
            woken.0.store(false, Ordering::Relaxed);
            while let Poll::Ready(Some(())) = Pin::new(&mut self.unfinished).poll_next_unpin(&mut context) {}
            if !woken.0.load(Ordering::Relaxed) && self.arriving.lock().is_empty() {
                return;
            }
        }
    }
}

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use tokio::sync::oneshot;

    use super::CallerFutures;

    #[test]
    fn futures_run_as_far_as_they_can() {
        let mut futures = CallerFutures::default();
        let workers = futures.workers();
        let count = Arc::new(AtomicUsize::new(0));
        let (send, receive) = oneshot::channel::<()>();
        let (counted, inner) = (Arc::clone(&count), workers.clone());
        workers.spawn(async move {
            receive.await.ok();
            let counted_later = Arc::clone(&counted);
            inner.spawn(async move { counted_later.fetch_add(10, Ordering::Relaxed) });
            counted.fetch_add(1, Ordering::Relaxed);
        });
        futures.run();
        assert_eq!(count.load(Ordering::Relaxed), 0);
        send.send(()).ok();
        futures.run();
        assert_eq!(count.load(Ordering::Relaxed), 11);
    }
}
