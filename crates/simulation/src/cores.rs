//! The threads that explorations run on.
//!
//! Input: works of the engine; output: none. Invariant: the engine starts no thread itself.

use nodewise_engine::explore::ThreadPool;
use nodewise_engine::explore::thread_pool::SharedWork;
use nodewise_platform::threads;
use nodewise_platform::threads::prelude::*;

/// Runs `work` on a thread of the pool. Otherwise a thread would be woken for each small batch of work of [`AllCores`].
pub(crate) fn on_a_thread<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    threads::join(work, || ()).0
}

/// All cores that the program may use.
pub(crate) struct AllCores;

impl ThreadPool for AllCores {
    fn threads(&self) -> usize {
        threads::current_num_threads()
    }

    fn do_all(&self, works: Vec<SharedWork<'_>>) {
        works.into_par_iter().for_each(|work| work());
    }
}
