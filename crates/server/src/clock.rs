//! The time, also where the process has no clock.
//!
//! Input: the clocks of the system. In WebAssembly there are none, and each message comes with the time. Output:
//! moments, and the time since 1970. Invariant: reading the time never fails.

use std::time::Duration;

#[cfg(not(target_family = "wasm"))]
pub(crate) use std::time::Instant as Moment;
#[cfg(target_family = "wasm")]
pub(crate) use wasm_clock::Moment;
#[cfg(target_family = "wasm")]
pub(crate) use wasm_clock::set;

/// The time since the beginning of 1970.
#[cfg(not(target_family = "wasm"))]
pub(crate) fn since_1970() -> Duration {
    std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default()
}

/// The time since the beginning of 1970.
#[cfg(target_family = "wasm")]
pub(crate) fn since_1970() -> Duration {
    wasm_clock::now()
}

/// Nothing to do: the system has a clock.
#[cfg(not(target_family = "wasm"))]
pub(crate) fn set(_since_1970: Duration) {}

#[cfg(target_family = "wasm")]
mod wasm_clock {
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::time::Duration;

    static NOW_MS: AtomicU64 = AtomicU64::new(0);

    /// A moment. It is as precise as messages are frequent, because only messages set the clock.
    #[derive(Debug, Clone, Copy)]
    pub(crate) struct Moment(Duration);

    impl Moment {
        pub(crate) fn now() -> Moment {
            Moment(now())
        }

        /// The time since this moment.
        pub(crate) fn elapsed(self) -> Duration {
            now().saturating_sub(self.0)
        }
    }

    /// Sets the clock to the time that came with a message.
    pub(crate) fn set(since_1970: Duration) {
        NOW_MS.store(u64::try_from(since_1970.as_millis()).unwrap_or(u64::MAX), Ordering::Relaxed);
    }

    pub(super) fn now() -> Duration {
        Duration::from_millis(NOW_MS.load(Ordering::Relaxed))
    }
}
