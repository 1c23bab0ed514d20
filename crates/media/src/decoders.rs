//! Strangers' pictures, read where nothing else is: in processes that have no files, no network and no secrets.
//!
//! Whatever parses the bytes of a picture can have a mistake that a picture was made for. So the program runs itself once
//! more (`serve`), with an empty environment, three descriptors, and a filter of system calls that lets it compute and answer
//! (`confinement.rs`). It is given the file of a picture, and answers with pixels, or with what is known of the file. What
//! it answers is believed no more than the picture was: sizes are checked, and nothing in it is parsed by a codec.
//!
//! Everything here blocks.

mod child;
mod confinement;
mod errors;
mod picture;
mod pool;
mod process;
mod protocol;

use std::path::PathBuf;
use std::sync::Arc;

use crate::temp_files::Contents;
use pool::Pool;

pub use child::serve;
pub use confinement::Confinement;
pub use errors::Error;
pub use picture::{Examined, Picture};
pub use pool::{NICENESS, Priority};
pub use protocol::{Purpose, SUCCEEDED, Trial};

/// Where pictures are read. Clones share their processes.
#[derive(Clone)]
pub struct Decoders(Option<Arc<Pool>>);

impl Decoders {
    /// In this process: for tests, and for what has neither secrets nor a database.
    pub const fn in_process() -> Self {
        Self(None)
    }

    /// In processes of their own: `program` with the argument `decoder`, which calls [`serve`]. None is started yet.
    ///
    /// # Errors
    /// When no thread can be started.
    pub fn processes(program: PathBuf) -> Result<Self, Error> {
        Ok(Self(Some(Arc::new(Pool::new(program)?))))
    }

    /// The same, in which a picture may take only so many seconds of a processor.
    #[must_use]
    pub fn within_seconds(self, seconds: u64) -> Self {
        Self(self.0.map(|pool| Arc::new(pool.within_seconds(seconds))))
    }

    /// A picture that is to be read.
    pub fn open(&self, contents: Contents, priority: Priority) -> Picture {
        Picture::new(self.0.clone(), contents, priority)
    }

    /// What the processes are denied, by one that runs; none where pictures are read in this process.
    ///
    /// # Errors
    /// When none can be started.
    pub fn confinement(&self) -> Result<Option<Confinement>, Error> {
        let Some(pool) = &self.0 else { return Ok(None) };
        let process = pool.checkout(Priority::Foreground)?;
        let confinement = process.confinement();
        pool.put_back(process, Priority::Foreground);
        Ok(Some(confinement))
    }

    /// Ends the processes that have nothing to do. The next picture starts another.
    pub fn retire_idle(&self) {
        if let Some(pool) = &self.0 {
            pool.retire_idle();
        }
    }
}
