//! Memory that a burst of pictures leaves to this process: the engine keeps some for the next photo, the allocator what was
//! freed between blocks in use, and processes that read pictures wait for more.

use std::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::operations::runtime::tasks;
use crate::{App, Failure, Result};

/// How long nothing must have been decoded. Photos that come one after the other find the memory of the one before.
const QUIET: Duration = Duration::from_secs(5);

/// Gives memory back to the system whenever no picture was decoded for a while, until `stop` is cancelled; `trim` is what the
/// allocator does. Processes that read pictures and have nothing to do are ended. Guests and photographers who come then cost what the first ones cost.
pub async fn give_back_when_idle(app: &App, stop: CancellationToken, trim: fn()) {
    let mut idle = Idle::default();
    while !stop.is_cancelled() {
        tokio::select! {
            () = stop.cancelled() => {}
            () = tokio::time::sleep(QUIET) => {}
        }
        let memory = &app.decode_memory;
        if idle.is_due(memory.acquisitions(), memory.is_unused())
            && let Err(failure) = give_back(app, trim).await
        {
            tracing::warn!(error = failure.chain(), "memory could not be given back");
        }
    }
}

async fn give_back(app: &App, trim: fn()) -> Result<()> {
    let (engine, decoders) = (app.engine.clone(), app.decoders.clone());
    tasks::background(move || {
        decoders.retire_idle();
        let released = engine.release_memory();
        trim();
        released.map_err(Failure::from)
    })
    .await?
}

/// What was seen the last times.
#[derive(Default)]
struct Idle {
    decoded: u64,
    /// How much was decoded when memory was given back.
    given_back: Option<u64>,
}

impl Idle {
    /// Whether nothing was decoded since the last call, but something since memory was given back. The start of the process
    /// counts too: it loads models and tries them.
    fn is_due(&mut self, decoded: u64, unused: bool) -> bool {
        let quiet = unused && decoded == self.decoded;
        self.decoded = decoded;
        let due = quiet && self.given_back != Some(decoded);
        if due {
            self.given_back = Some(decoded);
        }
        due
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_given_back_once_after_each_burst() {
        let mut idle = Idle::default();
        assert!(idle.is_due(0, true), "after the start");
        assert!(!idle.is_due(0, true), "there is nothing new");
        assert!(!idle.is_due(3, false), "a burst");
        assert!(!idle.is_due(3, false), "a large picture");
        assert!(!idle.is_due(4, true), "one was decoded meanwhile");
        assert!(idle.is_due(4, true));
        assert!(!idle.is_due(4, true));
    }
}
