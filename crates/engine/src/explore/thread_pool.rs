//! Threads of the caller, for work whose order makes no difference.
//!
//! Input: independent works; output: their results, in the order of the works. Invariant: this crate starts no thread; the
//! results are the same with any number of them.

/// A piece of work that does not depend on any other.
pub type SharedWork<'w> = Box<dyn FnOnce() + Send + 'w>;

/// Threads that run independent pieces of work.
pub trait ThreadPool: Sync {
    /// How many pieces of work run at the same time.
    fn threads(&self) -> usize;

    /// Runs all pieces of work, in any order; returns when all are finished.
    fn do_all(&self, works: Vec<SharedWork<'_>>);
}

/// Runs everything on the thread of the caller.
#[derive(Debug, Clone, Copy)]
pub struct OneThread;

impl ThreadPool for OneThread {
    fn threads(&self) -> usize {
        1
    }

    fn do_all(&self, works: Vec<SharedWork<'_>>) {
        works.into_iter().for_each(|work| work());
    }
}

/// The results of the same work for each item, in the order of the items.
pub(super) fn map_all<T: Send, R: Send>(
    pool: &dyn ThreadPool,
    items: Vec<T>,
    work: impl Fn(T) -> R + Sync,
) -> Vec<R> {
    let mut results: Vec<Option<R>> = items.iter().map(|_| None).collect();
    let work = &work;
    let works = items.into_iter().zip(&mut results);
    pool.do_all(
        works
            .map(|(item, result)| -> SharedWork<'_> { Box::new(move || *result = Some(work(item))) })
            .collect(),
    );
    results.into_iter().flatten().collect()
}
