//! What the workspace uses of `rayon`, on the thread that calls it.
//!
//! Input and output are those of `rayon`. Invariant: work is done when the function returns.

/// The number of threads.
#[must_use]
pub fn current_num_threads() -> usize {
    1
}

/// Runs both, one after the other.
pub fn join<A, B>(one: impl FnOnce() -> A, other: impl FnOnce() -> B) -> (A, B) {
    (one(), other())
}

pub fn spawn(work: impl FnOnce()) {
    work();
}

/// Runs `work` once for each thread, and there is one.
pub fn broadcast<R>(work: impl Fn(()) -> R) -> Vec<R> {
    vec![work(())]
}

pub mod prelude {
    /// Collections that can be iterated over, like rayon's trait of that name.
    pub trait IntoParallelIterator: IntoIterator + Sized {
        /// The items, in their order.
        fn into_par_iter(self) -> Self::IntoIter {
            self.into_iter()
        }
    }

    impl<I: IntoIterator> IntoParallelIterator for I {}

    /// Collections that can be iterated over by reference, like rayon's trait of that name.
    pub trait IntoParallelRefIterator<'i> {
        type Iter: Iterator;

        fn par_iter(&'i self) -> Self::Iter;
    }

    impl<'i, I: ?Sized + 'i> IntoParallelRefIterator<'i> for I
    where
        &'i I: IntoIterator,
    {
        type Iter = <&'i I as IntoIterator>::IntoIter;

        fn par_iter(&'i self) -> Self::Iter {
            self.into_iter()
        }
    }

    /// Slices that can be divided into parts.
    pub trait ParallelSlice<T> {
        /// Parts of `size` items; the last one may be shorter.
        fn par_chunks(&self, size: usize) -> std::slice::Chunks<'_, T>;
    }

    impl<T> ParallelSlice<T> for [T] {
        fn par_chunks(&self, size: usize) -> std::slice::Chunks<'_, T> {
            self.chunks(size)
        }
    }

    /// Mutable slices that can be divided into parts.
    pub trait ParallelSliceMut<T> {
        /// Parts of `size` items; the last one may be shorter.
        fn par_chunks_mut(&mut self, size: usize) -> std::slice::ChunksMut<'_, T>;
    }

    impl<T> ParallelSliceMut<T> for [T] {
        fn par_chunks_mut(&mut self, size: usize) -> std::slice::ChunksMut<'_, T> {
            self.chunks_mut(size)
        }
    }
}

#[cfg(test)]
mod tests {
    /// What both compute in the same words.
    macro_rules! computed {
        ($from:path) => {{
            use threads::prelude::*;
            use $from as threads;

            let numbers: Vec<u32> = (0..1000).collect();
            let even = |number: &u32| number.is_multiple_of(2).then_some(number / 2);
            let halves: Vec<u32> = numbers.par_iter().filter_map(even).collect();
            let placed: Vec<(usize, u32)> = halves.clone().into_par_iter().enumerate().collect();
            let all: Option<Vec<u32>> = numbers.par_iter().map(|number| number.checked_sub(1)).collect();
            let sums: Vec<u32> = numbers.par_chunks(64).map(|part| part.iter().sum()).collect();
            let mut parts = numbers;
            parts.par_chunks_mut(64).enumerate().for_each(|(at, part)| part.reverse_from(at));
            let joined = threads::join(|| 1, || "two");
            let mut shared = threads::broadcast(|_| 7);
            shared.dedup();
            assert!(threads::current_num_threads() > 0);
            let (sender, receiver) = std::sync::mpsc::channel();
            threads::spawn(move || sender.send("done").unwrap_or_default());
            (halves, placed, all, sums, parts, joined, shared, receiver.recv())
        }};
    }

    trait ReverseFrom {
        fn reverse_from(&mut self, at: usize);
    }

    impl ReverseFrom for [u32] {
        fn reverse_from(&mut self, at: usize) {
            if at % 3 == 1 {
                self.reverse();
            }
        }
    }

    #[test]
    fn one_thread_gives_what_several_give() {
        assert_eq!(computed!(super), computed!(rayon));
    }
}
