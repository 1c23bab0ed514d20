//! What may be done in Afterglow, by whom, and in which order: one module per noun, every verb of the product.
//!
//! Nothing here knows HTTP, and nothing above here knows SQL. A verb takes the [`App`], does its work and
//! answers what happened or a [`Failure`].

pub mod accounts;
pub mod analytics;
pub mod checks;
pub mod coupons;
pub mod covers;
pub mod credits;
pub mod deletions;
pub mod downloads;
pub mod evaluations;
pub mod events;
mod failure;
pub mod files;
pub mod folders;
pub mod indexing;
pub mod jobs;
pub mod limits;
mod mails;
pub mod maintenance;
pub mod messages;
pub mod metrics;
pub mod operators;
pub mod orders;
pub mod passwords;
pub mod payments;
pub mod photos;
pub mod profiles;
pub mod retention;
pub mod search;
mod settings;

use std::sync::Arc;

use domain::ids::Id;
use domain::{Clock, Randomness, Timestamp};
use secrecy::SecretString;
use tokio::sync::{Notify, Semaphore};

pub use failure::{Failure, Result};
pub use settings::{Settings, Social};

/// Everything a verb needs; cheap to clone.
#[derive(Clone)]
pub struct App {
    /// What the operator chose.
    pub settings: Arc<Settings>,
    /// The present.
    pub clock: Clock,
    /// Ids, tokens and slugs come from here.
    pub randomness: Randomness,
    /// All rows.
    pub db: storage::Db,
    /// All files.
    pub store: media::stores::Store,
    /// What finds and describes faces.
    pub engine: vision::Engine,
    /// What carries mails away.
    pub mailer: gateway::Mailer,
    /// Who takes the money.
    pub payments: gateway::Payments,
    /// What this process has counted.
    pub metrics: Arc<metrics::Metrics>,
    inner: Arc<Inner>,
}

struct Inner {
    link_key: [u8; 32],
    galleries: search::Galleries,
    job_added: Notify,
    /// Uploads whose bytes are being judged at one moment: each may hold a decoded picture.
    inspections: Semaphore,
    /// Searches whose selfies are being looked at at one moment.
    searches: Semaphore,
    /// Covers being drawn at one moment.
    drawings: Semaphore,
    /// Passwords being hashed at one moment: each takes 19 MiB.
    hashings: Semaphore,
    limits: limits::Limits,
    files_origin: Option<String>,
}

/// The parts of an [`App`] that differ between the real thing and a test.
pub struct Parts {
    /// What the operator chose.
    pub settings: Settings,
    /// The present.
    pub clock: Clock,
    /// Where random bits come from.
    pub randomness: Randomness,
    /// A migrated database.
    pub db: storage::Db,
    /// The media store.
    pub store: media::stores::Store,
    /// The face engine.
    pub engine: vision::Engine,
    /// The mail transport.
    pub mailer: gateway::Mailer,
    /// Who takes the money; without one, the sandbox with the key that the database keeps.
    pub payments: Option<gateway::Payments>,
}

impl App {
    /// Puts the parts together and reads, or makes, the secrets that every node shares.
    ///
    /// # Errors
    /// When the database cannot be used or the folder for incoming files cannot be made.
    pub async fn new(parts: Parts) -> Result<Self> {
        let Parts { settings, clock, randomness, db, store, engine, mailer, payments } = parts;
        tokio::fs::create_dir_all(&settings.incoming_dir).await?;
        let fresh: [u8; 32] = randomness.bytes();
        let link_key = storage::secrets::get_or_insert(&db, "link_signing", &fresh).await?;
        let link_key = link_key.try_into().map_err(|_| {
            Failure::Internal(String::from("the link signing secret in the database does not have 32 bytes"))
        })?;
        let payments = match payments {
            Some(payments) => payments,
            None => sandbox(&db, &randomness).await?,
        };
        let inner = Inner {
            link_key,
            galleries: search::Galleries::new(settings.gallery_cache_bytes),
            job_added: Notify::new(),
            inspections: Semaphore::new(settings.inspections),
            searches: Semaphore::new(settings.searches),
            drawings: Semaphore::new(1),
            hashings: Semaphore::new(2),
            limits: limits::Limits::new(settings.limits),
            files_origin: files::find_origin(&store).await?,
        };
        Ok(Self {
            settings: Arc::new(settings),
            clock,
            randomness,
            db,
            store,
            engine,
            mailer,
            payments,
            metrics: Arc::new(metrics::Metrics::new()),
            inner: Arc::new(inner),
        })
    }

    /// The present.
    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// A new identifier.
    pub fn id<I: Id>(&self) -> I {
        self.randomness.id(&self.clock)
    }

    /// Which of the things it needs cannot be used now, each as a sentence; empty when it is ready.
    pub async fn unready(&self) -> Vec<(&'static str, String)> {
        let mut missing = Vec::new();
        if let Err(error) = self.db.ping().await {
            tracing::error!(error = failure::chain(&error), "the database cannot be used");
            missing.push(("database", String::from("The database cannot be used.")));
        }
        if let Err(error) = self.store.ping().await {
            tracing::error!(error = failure::chain(&error), "the media store cannot be used");
            missing.push(("media", String::from("The media store cannot be used.")));
        }
        let engine = self.engine.clone();
        if let Err(failure) = blocking(move || engine.ping()).await.and_then(|pong| Ok(pong?)) {
            tracing::error!(error = failure.chain(), "the face models cannot be used");
            missing.push(("models", String::from("The face models cannot be used.")));
        }
        missing
    }
}

/// The sandbox, whose key is made once and is the same on every node.
async fn sandbox(db: &storage::Db, randomness: &Randomness) -> Result<gateway::Payments> {
    let key = storage::secrets::get_or_insert(db, "sandbox_payments", randomness.word(43).as_bytes()).await?;
    let key = String::from_utf8(key)
        .map_err(|_| Failure::Internal(String::from("the sandbox's key in the database is not a text")))?;
    Ok(gateway::Payments::sandbox(SecretString::from(key), randomness.clone()))
}

/// Runs a blocking function on a thread of its own kind and waits for it.
async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
    let span = tracing::Span::current();
    tokio::task::spawn_blocking(move || span.in_scope(work))
        .await
        .map_err(|error| Failure::Internal(format!("a blocking task did not finish: {error}")))
}
