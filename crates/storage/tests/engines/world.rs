//! The fixture of the tests: an empty database, a fixed clock, and functions that insert rows.

use domain::accounts::{EmailAddress, User};
use domain::faces::{BoundingBox, Embedding};
use domain::guests::objections::{Choice, Objection};
use domain::ids::Id;
use domain::payments::ledger::LedgerKind;
use domain::photos::pixels::Color;
use domain::photos::{Photo, TRASH_PERIOD};
use domain::studio::studios::Studio;
use domain::{Clock, EventId, FaceId, LedgerId, Paise, PhotoId, Randomness, Timestamp, UserId};
use std::time::Duration;
use storage::accounts::users::NewUser;
use storage::events::{Deletion, NewEvent};
use storage::faces::NewFace;
use storage::payments::ledger::Entry;
use storage::photos::{self, Indexed, Inserted};
use storage::testing::TestDb;
use storage::{Db, Tx};

/// 2026-11-20T12:00:00Z.
pub(crate) const NOON: Timestamp = Timestamp::from_millis(1_795_176_000_000);
/// The average color of a photo when it is uploaded.
pub(crate) const UPLOAD_COLOR: Color = Color { red: 0, green: 40, blue: 250 };
/// The average color of a photo once it is indexed.
pub(crate) const COLOR: Color = Color { red: 1, green: 35, blue: 255 };
/// The size of a photo's preview once it is indexed.
pub(crate) const PREVIEW_BYTES: i64 = 345_678;
/// The size of its rendition of medium size.
pub(crate) const MEDIUM_BYTES: i64 = 98_765;
/// A day.
pub(crate) const DAY: Duration = Duration::from_secs(24 * 60 * 60);

pub(crate) struct World {
    pub(crate) db: Db,
    pub(crate) clock: Clock,
    pub(crate) randomness: Randomness,
    pub(crate) test: TestDb,
}

/// A new world on each engine.
pub(crate) async fn worlds() -> Vec<World> {
    crate::plans::record_statements();
    let mut worlds = Vec::new();
    for test in storage::testing::engines().await {
        worlds.push(World {
            db: test.db.clone(),
            clock: Clock::fixed(NOON),
            randomness: Randomness::seeded(7),
            test,
        });
    }
    worlds
}

/// Inserts and counts a photo, as an upload does.
pub(crate) async fn insert(tx: &mut Tx, photo: &Photo) -> Inserted {
    let inserted = photos::insert(tx, photo).await.unwrap();
    if inserted == Inserted::Added {
        assert!(photos::count_insertion(tx, photo).await.unwrap());
    }
    inserted
}

impl World {
    pub(crate) fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// A new id; each is later than the one before.
    pub(crate) fn id<I: Id>(&self) -> I {
        self.clock.advance(Duration::from_millis(1));
        self.randomness.id(&self.clock)
    }

    pub(crate) async fn begin(&self) -> Tx {
        self.db.begin().await.unwrap()
    }

    pub(crate) async fn user(&self, email: &str) -> UserId {
        let user = self.new_user(email);
        let mut tx = self.begin().await;
        assert!(storage::accounts::users::create(&mut tx, &user).await.unwrap());
        tx.commit().await.unwrap();
        user.id
    }

    pub(crate) fn new_user(&self, email: &str) -> NewUser {
        NewUser {
            id: self.id(),
            email: EmailAddress::parse(email).unwrap(),
            name: String::from("Meera"),
            password_hash: String::from("$argon2id$…"),
            is_photographer: true,
            language: domain::accounts::languages::AccountLanguage::English,
            created_at: self.now(),
        }
    }

    pub(crate) async fn grant(&self, user: UserId, kind: LedgerKind, amount: Paise) -> Paise {
        let mut tx = self.begin().await;
        let balance =
            storage::payments::ledger::grant(&mut tx, &self.entry(user, kind, amount)).await.unwrap();
        tx.commit().await.unwrap();
        balance
    }

    pub(crate) fn entry(&self, user: UserId, kind: LedgerKind, amount: Paise) -> Entry {
        Entry { id: self.id::<LedgerId>(), user, kind, amount, reference: None, event: None, at: self.now() }
    }

    pub(crate) async fn loaded(&self, user: UserId) -> User {
        storage::accounts::users::by_id(&self.db, user).await.unwrap().unwrap()
    }

    pub(crate) async fn event(&self, owner: UserId, date: &str) -> EventId {
        let id = self.id::<EventId>();
        let event = NewEvent {
            id,
            owner,
            name: String::from("Sangeet"),
            date: domain::events::parse_date(date).unwrap(),
            slug: format!("sangeet-{id}"),
            description: None,
            created_at: self.now(),
            keep_days: None,
            payment_amount: None,
            coupon_code: None,
        };
        let mut tx = self.begin().await;
        assert!(storage::events::create(&mut tx, &event).await.unwrap());
        tx.commit().await.unwrap();
        id
    }

    /// Gives an account a studio with a name alone.
    pub(crate) async fn open_studio(&self, user: UserId) {
        let studio = Studio {
            name: String::from("Meera"),
            accent: None,
            website: None,
            instagram: None,
            contact: None,
            logo: None,
            dark_logo: None,
        };
        let mut tx = self.begin().await;
        assert!(storage::studio::studios::save(&mut tx, user, &studio).await.unwrap());
        tx.commit().await.unwrap();
    }

    /// A guest's request to hide a photo of an event, which is not in the database yet.
    pub(crate) fn request_to_hide(&self, event: EventId) -> Objection {
        Objection {
            id: self.id(),
            event,
            choice: Choice::Hide,
            notice_version: String::from("2026-11"),
            template: None,
            created_at: self.now(),
            told_at: None,
            seen_at: None,
            waits: false,
            provisional_for: None,
            without_capture: false,
        }
    }

    /// Begins the deletion of an event, which can be restored for a week.
    pub(crate) async fn begin_deletion(&self, tx: &mut Tx, event: EventId, owner: UserId) -> Deletion {
        let (job, now) = (self.id(), self.now());
        let until = now.plus(TRASH_PERIOD);
        storage::events::begin_deletion(tx, event, owner, job, now, until).await.unwrap()
    }

    pub(crate) async fn seen(&self, event: EventId) -> domain::events::Event {
        storage::events::by_id(&self.db, event).await.unwrap().unwrap()
    }

    /// A photo that is not in the database yet; its bytes are like no other's.
    pub(crate) fn new_photo(&self, owner: UserId, event: Option<EventId>) -> Photo {
        let photo = storage::testing::new_photo(self.id(), self.now(), &self.randomness, owner, event);
        Photo { average_color: Some(UPLOAD_COLOR), ..photo }
    }

    pub(crate) async fn photo(&self, owner: UserId, event: Option<EventId>) -> Photo {
        let photo = self.new_photo(owner, event);
        let mut tx = self.begin().await;
        assert_eq!(insert(&mut tx, &photo).await, Inserted::Added);
        tx.commit().await.unwrap();
        photo
    }

    pub(crate) fn face(&self, direction: f32) -> NewFace {
        NewFace {
            id: self.id::<FaceId>(),
            bounds: BoundingBox { x: 0.25, y: -0.125, width: 0.5, height: 1.5 },
            score: 0.875,
            is_blurred: false,
            embedding: Embedding::normalised(vec![direction, 1.0, 0.5]).unwrap(),
        }
    }

    pub(crate) async fn index(&self, photo: PhotoId, pack: &str, faces: &[NewFace]) -> bool {
        let mut tx = self.begin().await;
        let indexed = Indexed {
            pack,
            average_color: COLOR,
            preview_bytes: PREVIEW_BYTES,
            preview_crc32: 7,
            medium_bytes: MEDIUM_BYTES,
            appearance: None,
            faces,
        };
        let before = storage::photos::finish_indexing(&mut tx, photo, &indexed).await.unwrap();
        tx.commit().await.unwrap();
        before.is_some()
    }
}
