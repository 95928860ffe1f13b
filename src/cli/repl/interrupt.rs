//! Ctrl-C while a text or a command runs.

use std::{
    io,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use signal_hook::{consts::SIGINT, flag};

/// Whether the user wants what runs to end. Between [`begin`](Self::begin) and [`end`](Self::end) Ctrl-C is noted, at all
/// other times it does what it always does.
#[derive(Debug)]
pub(super) struct Interruption {
    raised: Arc<AtomicBool>,
    /// Nothing runs that could be ended.
    is_idle: Arc<AtomicBool>,
}

impl Interruption {
    /// Listens from now on, for the rest of the process.
    pub(super) fn listen() -> io::Result<Self> {
        let (raised, is_idle) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(true)));
        // In this order: what was registered first comes first.
        flag::register_conditional_default(SIGINT, Arc::clone(&is_idle))?;
        flag::register(SIGINT, Arc::clone(&raised))?;
        Ok(Self { raised, is_idle })
    }

    /// Something runs now that can be ended.
    pub(super) fn begin(&self) {
        self.raised.store(false, Ordering::SeqCst);
        self.is_idle.store(false, Ordering::SeqCst);
    }

    /// Nothing runs any more.
    pub(super) fn end(&self) {
        self.is_idle.store(true, Ordering::SeqCst);
    }

    /// Whether Ctrl-C was pressed since it began or was last asked.
    pub(super) fn take(&self) -> bool {
        self.raised.swap(false, Ordering::SeqCst)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Signals belong to the process, so this is one test.
    #[test]
    fn a_signal_is_noted_once_while_something_runs() {
        let interruption = Interruption::listen().expect("a handler");
        interruption.begin();
        assert!(!interruption.take());
        signal_hook::low_level::raise(SIGINT).expect("a signal");
        assert!(interruption.take());
        assert!(!interruption.take());
        signal_hook::low_level::raise(SIGINT).expect("a signal");
        interruption.begin();
        assert!(!interruption.take(), "what came before is over");
        interruption.end();
    }
}
