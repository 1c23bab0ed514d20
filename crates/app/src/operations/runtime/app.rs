//! The state that every verb works with.

use std::ops::Deref;
use std::sync::{Arc, Mutex};

use domain::ids::Id;
use domain::studio::hosts::{HostName, url_at};
use domain::{Clock, Randomness, Timestamp, UserId};
use media::decoders::Decoders;
use media::stores::Place;
use secrecy::SecretString;

use crate::events::cover_cache::CoverCache;
use crate::faces::admission::SearchAdmission;
use crate::faces::index_cache::IndexCache;
use crate::operations::administration::totals::TotalsCache;
use crate::operations::metrics::Metrics;
use crate::operations::readiness::ReadinessCache;
use crate::operations::runtime::concurrency::Concurrency;
use crate::operations::runtime::decode_memory::DecodeMemory;
use crate::operations::runtime::queue::{JobQueue, Tx};
use crate::operations::runtime::rate_limiter::RateLimiter;
use crate::operations::runtime::settings::Settings;
use crate::operations::runtime::shared_limits::SharedLimits;
use crate::photos::rendition_cache::RenditionCache;
use crate::photos::signed_links::{self, LinkSigner};
use crate::statistics::tallies::Tallies;
use crate::studio::host_cache::HostCache;
use crate::{Failure, Result};

/// Everything a verb needs. The layers above reach the database, files and payments through verbs alone.
///
/// One pointer: every request clones it several times.
#[derive(Clone)]
pub struct App(Arc<dyn Shared>);

/// A trait object, so that the proof that the state can be sent to and shared by threads is made here, once. Behind a plain pointer
/// the compiler walks through all types in the state, those of connections and clients too, wherever a future with an [`App`] is
/// generic code's: once for each handler and each function that a handler goes through (docs/decisions/0108-proofs-of-send.md).
trait Shared: Send + Sync {
    fn state(&self) -> &State;

    #[cfg(test)]
    fn state_mut(&mut self) -> &mut State;
}

impl Shared for State {
    fn state(&self) -> &State {
        self
    }

    #[cfg(test)]
    fn state_mut(&mut self) -> &mut State {
        self
    }
}

/// What all clones of an [`App`] share.
#[doc(hidden)]
#[derive(Clone)]
pub struct State {
    /// The operator's settings.
    pub(crate) settings: Arc<Settings>,
    /// The source of the current time.
    pub(crate) clock: Clock,
    /// The source of ids, tokens and slugs.
    pub(crate) randomness: Randomness,
    /// The database.
    pub(crate) db: storage::Db,
    /// The media store.
    pub(crate) store: media::stores::Store,
    /// Where pictures are read.
    pub(crate) decoders: Decoders,
    /// The face engine.
    pub(crate) engine: vision::Engine,
    /// The mail transport.
    pub(crate) mailer: gateway::Mailer,
    /// The payment provider.
    pub(crate) payments: gateway::Payments,
    /// The typefaces of documents; none in a binary that was built without the web app.
    pub(crate) typefaces: Option<media::documents::Typefaces>,
    /// What sends messages to endpoints of webhooks.
    pub(crate) webhooks: gateway::webhooks::Sender,
    /// The provider at which people log in.
    pub(crate) single_sign_on: Option<gateway::single_sign_on::Provider>,
    /// What asks DNS; none where no studio can have a host of its own.
    pub(crate) resolver: Option<gateway::dns::Resolver>,
    /// The studio at whose own host this is served; none at the service's own.
    pub(crate) studio: Option<StudioSite>,
    pub(crate) hosts: Arc<HostCache>,
    /// When this process began.
    pub(crate) started_at: Timestamp,
    /// Where the media store was when it was found to be this database's; [`crate::operations::stores`] finds out.
    pub(crate) own_store: Arc<Mutex<Option<Place>>>,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) queue: JobQueue,
    pub(crate) face_indexes: Arc<IndexCache>,
    pub(crate) rate_limiter: Arc<RateLimiter>,
    pub(crate) shared_limits: Arc<SharedLimits>,
    pub(crate) link_signer: Arc<LinkSigner>,
    /// Where the object store serves files itself.
    pub(crate) files_origin: Option<Arc<str>>,
    pub(crate) concurrency: Arc<Concurrency>,
    pub(crate) decode_memory: Arc<DecodeMemory>,
    pub(crate) search_admission: Arc<SearchAdmission>,
    pub(crate) covers: Arc<CoverCache>,
    pub(crate) renditions: Arc<RenditionCache>,
    pub(crate) readiness: Arc<ReadinessCache>,
    pub(crate) totals: Arc<TotalsCache>,
    pub(crate) tallies: Arc<Tallies>,
}

/// The studio at whose host the service is met.
#[derive(Clone)]
pub(crate) struct StudioSite {
    /// Whose events are known there.
    pub(crate) owner: UserId,
    /// The host.
    pub(crate) host: HostName,
    /// Where the service itself is.
    pub(crate) operator_url: String,
}

impl Deref for App {
    type Target = State;

    fn deref(&self) -> &State {
        self.0.state()
    }
}

/// The parts of an [`App`], which tests replace by doubles. All but the settings share their state with their clones.
#[derive(Clone)]
pub struct Parts {
    /// The operator's settings.
    pub settings: Settings,
    /// The source of the current time.
    pub clock: Clock,
    /// The source of ids, tokens and slugs.
    pub randomness: Randomness,
    /// A migrated database.
    pub db: storage::Db,
    /// The media store.
    pub store: media::stores::Store,
    /// Where pictures are read.
    pub decoders: Decoders,
    /// The face engine.
    pub engine: vision::Engine,
    /// The mail transport.
    pub mailer: gateway::Mailer,
    /// The payment provider; when none, the sandbox.
    pub payments: Option<gateway::Payments>,
    /// The typefaces of documents; without them none are drawn.
    pub typefaces: Option<media::documents::Typefaces>,
}

impl App {
    /// Puts the parts together and reads, or creates, the secrets that all processes share.
    ///
    /// # Errors
    /// When the database cannot be used or the folder for incoming files cannot be made.
    pub async fn new(parts: Parts) -> Result<Self> {
        let Parts { settings, clock, randomness, db, store, decoders, engine, mailer, payments, typefaces } =
            parts;
        tokio::fs::create_dir_all(&settings.incoming_dir).await?;
        let link_signer = link_signer(&db, &randomness).await?;
        let payments = match payments {
            Some(payments) => payments,
            None => sandbox(&db, &randomness).await?,
        };
        let webhooks = gateway::webhooks::Sender::new(settings.webhook_reach());
        let webhooks = webhooks.map_err(|error| Failure::Internal(error.to_string()))?;
        let single_sign_on = settings.provider().transpose();
        let single_sign_on = single_sign_on.map_err(|error| Failure::Internal(error.to_string()))?;
        let resolver = settings
            .studio_hosts
            .then(|| gateway::dns::Resolver::new(settings.dns_server.as_slice()))
            .transpose();
        let resolver = resolver.map_err(|error| Failure::Internal(error.to_string()))?;
        let metrics = Arc::new(Metrics::new());
        metrics.set_face_detector(&engine.arithmetic());
        let queue = JobQueue::new(db.clone(), clock.clone(), randomness.clone());
        let limits_key = link_signer.derived_key("limits");
        Ok(Self(Arc::new(State {
            started_at: clock.now(),
            own_store: Arc::default(),
            face_indexes: Arc::new(IndexCache::new(settings.index_cache_bytes, metrics.clone())),
            metrics,
            rate_limiter: Arc::new(RateLimiter::new(settings.limits)),
            shared_limits: Arc::new(SharedLimits::new(
                db.clone(),
                settings.limits,
                queue.clone(),
                limits_key,
            )),
            queue,
            link_signer: Arc::new(link_signer),
            files_origin: signed_links::store_origin(&store).await?.map(Arc::from),
            concurrency: Arc::new(Concurrency::new(&settings)),
            search_admission: Arc::new(SearchAdmission::new(&settings)),
            covers: Arc::default(),
            renditions: Arc::new(RenditionCache::new(settings.rendition_memory_bytes)),
            readiness: Arc::default(),
            totals: Arc::default(),
            tallies: Arc::default(),
            decode_memory: Arc::new(DecodeMemory::new(settings.decode_memory_bytes)),
            settings: Arc::new(settings),
            clock,
            randomness,
            db,
            store,
            decoders,
            engine,
            mailer,
            payments,
            typefaces,
            webhooks,
            single_sign_on,
            resolver,
            studio: None,
            hosts: Arc::default(),
        })))
    }

    /// For a test that changes a part before the first clone is made.
    #[cfg(test)]
    pub(crate) fn state_mut(&mut self) -> &mut State {
        Arc::get_mut(&mut self.0).expect("there is no clone yet").state_mut()
    }

    /// The same service on other connections to its database: those of workers take none from requests.
    pub fn with_connections(&self, db: storage::Db) -> Self {
        let queue = self.queue.with_connections(db.clone());
        Self(Arc::new(State { queue, db, ..State::clone(self) }))
    }

    /// The same service at the host of a studio, whose own key signs what is worth something there.
    pub(crate) fn with_host(&self, owner: UserId, name: &HostName) -> Self {
        let public_url = url_at(name, &self.settings.public_url);
        // A cache answers the service's own pages alone, and so does a bucket, whose CORS rules name one origin.
        let settings = Settings { public_url, files_url: None, ..Settings::clone(&self.settings) };
        let studio = StudioSite { owner, host: name.clone(), operator_url: self.settings.public_url.clone() };
        Self(Arc::new(State {
            link_signer: Arc::new(LinkSigner::new(self.link_signer.derived_key(name.as_str()))),
            settings: Arc::new(settings),
            files_origin: None,
            studio: Some(studio),
            ..State::clone(self)
        }))
    }

    /// The operator's settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The current time.
    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// Begins a transaction that may enqueue jobs.
    pub(crate) async fn begin(&self) -> Result<Tx> {
        self.queue.begin().await
    }

    /// A new identifier of a request, for the log.
    pub fn request_id(&self) -> String {
        self.randomness.alphanumeric(16)
    }

    /// A new identifier.
    pub fn id<I: Id>(&self) -> I {
        self.randomness.id(&self.clock)
    }
}

/// The signer of links, whose key is created once and shared by all processes.
async fn link_signer(db: &storage::Db, randomness: &Randomness) -> Result<LinkSigner> {
    let key =
        storage::operations::runtime::secrets::get_or_insert(db, "link_signing", &randomness.bytes::<32>())
            .await?;
    let key = key.try_into().map_err(|_| {
        Failure::Internal(String::from("the link signing secret in the database does not have 32 bytes"))
    })?;
    Ok(LinkSigner::new(key))
}

/// The payment sandbox, whose key is created once and shared by all processes.
///
/// # Errors
/// When the database cannot be used.
pub async fn sandbox(db: &storage::Db, randomness: &Randomness) -> Result<gateway::Payments> {
    let key = storage::operations::runtime::secrets::get_or_insert(
        db,
        "sandbox_payments",
        randomness.alphanumeric(43).as_bytes(),
    )
    .await?;
    let key = String::from_utf8(key)
        .map_err(|_| Failure::Internal(String::from("the sandbox's key in the database is not a text")))?;
    Ok(gateway::Payments::sandbox(SecretString::from(key), randomness.clone()))
}
