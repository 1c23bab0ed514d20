//! What the stories begin with.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use app::operators::OperatorContext;
use app::photos::{Accepted, Upload};
use app::{App, Parts, Settings, accounts, events, photos};
use domain::accounts::{EmailAddress, User};
use domain::photos::{Photo, PhotoStatus};
use domain::{Clock, Randomness, Timestamp};
use gateway::Mailer;
use media::stores::Store;

pub(crate) struct World {
    pub(crate) app: App,
    /// What `app` is made of, to reach behind its verbs.
    pub(crate) parts: Parts,
    pub(crate) clock: Clock,
    pub(crate) mails: gateway::mails::Memory,
    pub(crate) files: media::stores::Memory,
    /// What the last registration said.
    pub(crate) email_sent: AtomicBool,
    pub(crate) database: storage::testing::TestDb,
    _incoming: tempfile::TempDir,
}

impl World {
    pub(crate) async fn new() -> Self {
        let (database, incoming) = (storage::testing::sqlite().await, tempfile::tempdir().unwrap());
        let clock = Clock::fixed(Timestamp::from_millis(1_795_165_200_000));
        let (mailer, store) = (Mailer::memory(), Store::memory(clock.clone()));
        let (Mailer::Memory(mails), Store::Memory(files)) = (mailer.clone(), store.clone()) else {
            unreachable!("both were just made")
        };
        let settings = Settings {
            public_url: String::from("http://localhost:8080"),
            support_email: EmailAddress::parse("support@example.com").unwrap(),
            social: app::SocialLinks::default(),
            retention_days: 30,
            trash_days: 14,
            incoming_dir: incoming.path().to_owned(),
            link_lifetime: Duration::from_secs(6 * 60 * 60),
            index_workers: 1,
            inspections: 1,
            searches: 1,
            decode_memory_bytes: 1 << 30,
            gallery_cache_bytes: 1 << 20,
            limits: app::limits::LimitSettings::OFF,
            metrics_token: None,
            trusted_proxies: app::proxies::TrustedProxies::default(),
        };
        let parts = Parts {
            settings,
            clock: clock.clone(),
            randomness: Randomness::seeded(1),
            db: database.db.clone(),
            store,
            engine: vision::Engine::fake(),
            mailer,
            payments: None,
        };
        let app = App::new(parts.clone()).await.unwrap();
        Self {
            app,
            parts,
            clock,
            mails,
            files,
            email_sent: AtomicBool::default(),
            database,
            _incoming: incoming,
        }
    }

    pub(crate) async fn register(&self) -> User {
        let (name, email, password) = ("Meera".into(), "meera@example.com".into(), "correct horse".into());
        let registration = accounts::Registration { name, email, password };
        let registered = accounts::register(&self.app, registration).await.unwrap();
        self.email_sent.store(registered.email_sent, Ordering::SeqCst);
        registered.user
    }

    /// A registered photographer and a photo that waits for its index.
    pub(crate) async fn with_photo(&self) -> (User, Photo) {
        let user = self.register().await;
        self.drain().await;
        let new = events::NewEvent {
            name: "Party".into(),
            date: "2026-11-14".into(),
            ..events::NewEvent::default()
        };
        let event = events::create(&self.app, &user, new).await.unwrap();
        let mut upload = Upload::begin(&self.app).await.unwrap();
        upload.write(&red_square()).await.unwrap();
        let received = upload.finish().await.unwrap();
        let accepted = photos::accept(&self.app, &user, Some(event.id), "red.png", received).await.unwrap();
        let Accepted::New(photo) = accepted else { panic!("nothing was there before") };
        (user, photo)
    }

    pub(crate) async fn drain(&self) -> usize {
        app::worker::drain(&self.app).await.unwrap()
    }

    pub(crate) fn operator(&self) -> OperatorContext {
        OperatorContext {
            db: self.parts.db.clone(),
            clock: self.clock.clone(),
            randomness: Randomness::seeded(2),
        }
    }

    pub(crate) async fn status(&self, user: &User, photo: &Photo) -> PhotoStatus {
        photos::own_by_id(&self.app, user, photo.id).await.unwrap().status
    }
}

pub(crate) fn red_square() -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    let picture = image::RgbImage::from_pixel(200, 100, image::Rgb([230, 20, 20]));
    picture.write_to(&mut bytes, image::ImageFormat::Png).unwrap();
    bytes.into_inner()
}
