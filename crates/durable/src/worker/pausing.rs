//! Lets a run leave the memory of its worker as soon as it only waits for people.
//!
//! Input: the stream of a request; output: the same stream, with an end where the run asks for one. An engine ends the input of a run
//! that has been quiet for some time, and the SDK then suspends the run. Here the worker does it itself, without the quiet time.
//! Invariant: nothing that the engine has sent is skipped, and the input ends early at most once for each request.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};

use hyper::body::{Body, Bytes, Frame, SizeHint};

tokio::task_local! {
    /// The input of the request that this task answers.
    static INPUT: Arc<InputEnd>;
}

/// Whether the input of a request ends as soon as no more of it has arrived. Then the SDK suspends the run.
#[derive(Debug, Default)]
pub(super) struct InputEnd(AtomicBool);

/// Sets whether the run of the current request is suspended when it waits next, or stays in memory.
pub(super) fn suspend_when_waiting(is_suspended: bool) {
    // Outside of a request there is nothing to suspend.
    INPUT.try_with(|input| input.0.store(is_suspended, Ordering::Relaxed)).ok();
}

/// The body of a request, which may end early.
pub(super) struct EndingInput<B> {
    inner: B,
    end: Arc<InputEnd>,
}

/// The body of an answer. The handler of the request runs while the body is read.
pub(super) struct HandlerOutput<B> {
    inner: B,
    end: Arc<InputEnd>,
}

impl<B> EndingInput<B> {
    pub(super) fn new(inner: B, end: Arc<InputEnd>) -> EndingInput<B> {
        EndingInput { inner, end }
    }
}

impl<B> HandlerOutput<B> {
    pub(super) fn new(inner: B, end: Arc<InputEnd>) -> HandlerOutput<B> {
        HandlerOutput { inner, end }
    }
}

impl<B: Body<Data = Bytes> + Unpin> Body for EndingInput<B> {
    type Data = Bytes;
    type Error = B::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, B::Error>>> {
        match Pin::new(&mut self.inner).poll_frame(context) {
            // Only once, which `swap` ensures: after that, the SDK reads on until the engine has ended the input, too.
            Poll::Pending if self.end.0.swap(false, Ordering::Relaxed) => Poll::Ready(None),
            polled => polled,
        }
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}

impl<B: Body<Data = Bytes> + Unpin> Body for HandlerOutput<B> {
    type Data = Bytes;
    type Error = B::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, B::Error>>> {
        let end = Arc::clone(&self.end);
        INPUT.sync_scope(end, || Pin::new(&mut self.inner).poll_frame(context))
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;
    use std::convert::Infallible;
    use std::task::Waker;

    use super::*;

    /// What an engine has sent; it may send more.
    struct OpenInput(VecDeque<&'static str>);

    impl Body for OpenInput {
        type Data = Bytes;
        type Error = Infallible;

        fn poll_frame(
            mut self: Pin<&mut Self>,
            _: &mut Context<'_>,
        ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
            match self.0.pop_front() {
                Some(sent) => Poll::Ready(Some(Ok(Frame::data(Bytes::from_static(sent.as_bytes()))))),
                None => Poll::Pending,
            }
        }
    }

    /// A handler that reads its input in this way, and then waits.
    struct Handler<F>(F);

    impl<F: FnMut() + Unpin> Body for Handler<F> {
        type Data = Bytes;
        type Error = Infallible;

        fn poll_frame(
            mut self: Pin<&mut Self>,
            _: &mut Context<'_>,
        ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
            (self.0)();
            Poll::Pending
        }
    }

    fn read<B: Body<Data = Bytes, Error = Infallible> + Unpin>(body: &mut B) -> String {
        match Pin::new(body).poll_frame(&mut Context::from_waker(Waker::noop())) {
            Poll::Pending => "pending".to_owned(),
            Poll::Ready(None) => "end".to_owned(),
            Poll::Ready(Some(Ok(frame))) => frame
                .into_data()
                .map_or_else(|_| String::new(), |bytes| String::from_utf8_lossy(&bytes).into_owned()),
            Poll::Ready(Some(Err(never))) => match never {},
        }
    }

    fn check_reads(is_suspended: bool, expected: &[&str]) {
        let end = Arc::<InputEnd>::default();
        let mut input = EndingInput::new(OpenInput(["a", "b"].into()), Arc::clone(&end));
        let mut reads = Vec::new();
        let handler = Handler(|| {
            suspend_when_waiting(is_suspended);
            reads.extend((0..expected.len()).map(|_| read(&mut input)));
        });
        assert_eq!(read(&mut HandlerOutput::new(handler, end)), "pending");
        assert_eq!(reads, expected);
    }

    #[test]
    fn the_input_of_a_run_that_only_waits_for_people_ends_once_and_after_what_was_sent() {
        check_reads(true, &["a", "b", "end", "pending"]);
    }

    #[test]
    fn the_input_of_other_runs_stays_open() {
        check_reads(false, &["a", "b", "pending"]);
    }

    #[test]
    fn outside_of_a_request_nothing_is_suspended() {
        suspend_when_waiting(true);
        let mut input = EndingInput::new(OpenInput(VecDeque::new()), Arc::default());
        assert_eq!(read(&mut input), "pending");
    }
}
