//! An installation without a server: a database, a media store, and what puts photos there.

use std::collections::BTreeMap;
use std::time::Duration;

use app::operations::operators::OperatorContext;
use domain::accounts::EmailAddress;
use domain::guests::guest_photos::GuestPhoto;
use domain::payments::ledger::LedgerKind;
use domain::photos::{MediaKey, Photo, PhotoStatus, Size};
use domain::{Clock, EventId, LedgerId, Paise, Randomness, Timestamp, UserId};
use futures::TryStreamExt as _;
use media::checksums::Checksums;
use media::stores::{Memory, Source, Store};
use storage::photos::Indexed;
use storage::testing::TestDb;

const INDEXED: Indexed<'static> = Indexed {
    pack: "pack",
    average_color: domain::photos::pixels::Color { red: 128, green: 128, blue: 128 },
    preview_bytes: 7,
    preview_crc32: 7,
    medium_bytes: 7,
    appearance: None,
    faces: &[],
};
/// A database and a media store with nothing in them.
pub(crate) struct Installation {
    pub(crate) context: OperatorContext,
    pub(crate) store: Store,
    pub(crate) files: Memory,
    _database: TestDb,
}

impl Installation {
    pub(crate) fn new(database: TestDb) -> Self {
        let clock = Clock::fixed(Timestamp::from_millis(1_795_165_200_000));
        let store = Store::memory(clock.clone());
        let Store::Memory(files) = store.clone() else { unreachable!("it was just made") };
        let context = OperatorContext {
            db: database.db.clone(),
            clock,
            randomness: Randomness::seeded(3),
            seller: None,
        };
        Self { context, store, files, _database: database }
    }

    pub(crate) async fn each() -> Vec<Self> {
        storage::testing::engines().await.into_iter().map(Self::new).collect()
    }

    /// A photographer with an event.
    pub(crate) async fn photographer(&self) -> (UserId, EventId) {
        let OperatorContext { db, clock, randomness, .. } = &self.context;
        let (user, event) = (randomness.id(clock), randomness.id(clock));
        let mut tx = db.begin().await.unwrap();
        let new = storage::accounts::users::NewUser {
            id: user,
            email: EmailAddress::parse("meera@example.com").unwrap(),
            name: String::from("Meera"),
            password_hash: String::from("none"),
            is_photographer: true,
            language: domain::accounts::languages::AccountLanguage::English,
            created_at: clock.now(),
        };
        assert!(storage::accounts::users::create(&mut tx, &new).await.unwrap());
        let entry = |amount| storage::payments::ledger::Entry {
            id: randomness.id::<LedgerId>(clock),
            user,
            kind: LedgerKind::Adjustment,
            amount: Paise::new(amount),
            reference: None,
            event: None,
            at: clock.now(),
        };
        storage::payments::ledger::grant(&mut tx, &entry(10_000)).await.unwrap();
        let new = storage::events::NewEvent {
            id: event,
            owner: user,
            name: String::from("Sangeet"),
            date: domain::events::parse_date("2026-11-20").unwrap(),
            slug: String::from("sangeet"),
            description: None,
            created_at: clock.now(),
            keep_days: None,
            payment_amount: None,
            coupon_code: None,
        };
        storage::events::create(&mut tx, &new).await.unwrap();
        tx.commit().await.unwrap();
        (user, event)
    }

    /// A photo with these bytes, which has files and no row.
    async fn stored(&self, (owner, event): (UserId, EventId), bytes: &'static [u8]) -> Photo {
        let OperatorContext { clock, randomness, .. } = &self.context;
        clock.advance(Duration::from_millis(1));
        let photo =
            storage::testing::new_photo(randomness.id(clock), clock.now(), randomness, owner, Some(event));
        for size in Size::ALL {
            self.put(&photo.key.sized(size), bytes).await;
        }
        let read = self.store.read(&photo.key, None).await.unwrap().unwrap();
        let Checksums { blake3, crc32 } = Checksums::of(read).await.unwrap();
        Photo {
            content_hash: blake3,
            crc32: Some(crc32),
            size_bytes: i64::try_from(bytes.len()).unwrap(),
            ..photo
        }
    }

    /// A photo with these bytes that a guest has added, which waits, and its files.
    pub(crate) async fn photo_of_guest(&self, owner: (UserId, EventId), bytes: &'static [u8]) -> GuestPhoto {
        let photo = self.stored(owner, bytes).await;
        let photo = Photo {
            status: PhotoStatus::Ready,
            preview_bytes: Some(photo.size_bytes),
            medium_bytes: Some(photo.size_bytes),
            ..photo
        };
        let added = GuestPhoto {
            photo,
            event: owner.1,
            device: [7; 32],
            name: Some(String::from("Asha")),
            warned_at: None,
            became: None,
        };
        let mut tx = self.context.db.begin().await.unwrap();
        assert!(
            storage::guests::guest_photos::insert(&mut tx, &added, 4 * added.photo.size_bytes).await.unwrap()
        );
        tx.commit().await.unwrap();
        added
    }

    /// An indexed photo with these bytes, paid for, and its files.
    pub(crate) async fn photo(&self, (owner, event): (UserId, EventId), bytes: &'static [u8]) -> Photo {
        let OperatorContext { db, clock, randomness, .. } = &self.context;
        let photo = self.stored((owner, event), bytes).await;
        let mut tx = db.begin().await.unwrap();
        assert_eq!(storage::photos::insert(&mut tx, &photo).await.unwrap(), storage::photos::Inserted::Added);
        assert!(storage::photos::count_insertion(&mut tx, &photo).await.unwrap());
        let entry = storage::payments::ledger::Entry {
            id: randomness.id::<LedgerId>(clock),
            user: owner,
            kind: LedgerKind::Upload,
            amount: Paise::new(100),
            reference: Some(photo.id.to_string()),
            event: photo.event,
            at: clock.now(),
        };
        let spent = storage::payments::ledger::spend(&mut tx, &entry).await.unwrap();
        assert!(matches!(spent, storage::payments::ledger::Spending::Charged { .. }), "{spent:?}");
        assert!(storage::photos::finish_indexing(&mut tx, photo.id, &INDEXED).await.unwrap().is_some());
        tx.commit().await.unwrap();
        photo
    }

    pub(crate) async fn put(&self, key: &MediaKey, bytes: &'static [u8]) {
        self.store.put(key, Source::Bytes(bytes::Bytes::from_static(bytes))).await.unwrap();
    }

    /// Every file of the media store.
    pub(crate) async fn contents(&self) -> BTreeMap<MediaKey, bytes::Bytes> {
        let keys: Vec<_> = self.store.list("").map_ok(|entry| entry.key).try_collect().await.unwrap();
        let mut contents = BTreeMap::new();
        for key in keys {
            let bytes = self.store.read(&key, None).await.unwrap().unwrap().whole().await.unwrap();
            contents.insert(key, bytes);
        }
        contents
    }
}
