//! The fixture of the stories.

use std::sync::atomic::{AtomicBool, Ordering};

use app::accounts::{self, registrations};
use app::operations::operators::OperatorContext;
use app::photos::{self, Accepted, Upload};
use app::{App, Parts, Settings, events};
use domain::accounts::User;
use domain::photos::{Photo, PhotoStatus};
use domain::{Clock, Randomness};
use gateway::Mailer;
use media::stores::Store;

pub(crate) struct World {
    pub(crate) app: App,
    /// The parts of `app`, for access without its verbs.
    pub(crate) parts: Parts,
    pub(crate) clock: Clock,
    pub(crate) mails: gateway::mails::Memory,
    pub(crate) files: media::stores::Memory,
    /// Whether the last registration reported that its mail was sent.
    pub(crate) email_sent: AtomicBool,
    pub(crate) database: storage::testing::TestDb,
    _incoming: tempfile::TempDir,
}

impl World {
    pub(crate) async fn new() -> Self {
        Self::with(|_| ()).await
    }

    /// One whose settings are not those of most tests.
    pub(crate) async fn with(change: impl FnOnce(&mut Settings)) -> Self {
        let (database, incoming) = (storage::testing::sqlite().await, tempfile::tempdir().unwrap());
        let mut parts = app::testing::parts(database.db.clone(), incoming.path());
        change(&mut parts.settings);
        let (Mailer::Memory(mails), Store::Memory(files)) = (parts.mailer.clone(), parts.store.clone())
        else {
            unreachable!("the parts for tests keep both in memory")
        };
        let clock = parts.clock.clone();
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
        let registration = registrations::Registration { name, email, password };
        let registered = accounts::register(&self.app, registration.parse().unwrap()).await.unwrap();
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
        app::operations::runtime::worker::drain(&self.app).await.unwrap()
    }

    pub(crate) fn operator(&self) -> OperatorContext {
        OperatorContext {
            db: self.parts.db.clone(),
            clock: self.clock.clone(),
            randomness: Randomness::seeded(2),
            seller: None,
        }
    }

    pub(crate) async fn status(&self, user: &User, photo: &Photo) -> PhotoStatus {
        photos::by_id(&self.app, user, photo.id).await.unwrap().status
    }
}

pub(crate) fn red_square() -> Vec<u8> {
    square([230, 20, 20])
}

pub(crate) fn square(color: [u8; 3]) -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    let picture = image::RgbImage::from_pixel(200, 100, image::Rgb(color));
    picture.write_to(&mut bytes, image::ImageFormat::Png).unwrap();
    bytes.into_inner()
}
