//! Receipts of deletions (decision 0072): counted while data is removed, signed once nothing of it is left, and checked.
//!
//! A receipt is a JSON document: `receipt` for people, and `jws`, the same signed with Ed25519 as a JSON Web Signature (RFC 7515,
//! RFC 8037), whose header has the public key.

use std::collections::{BTreeMap, BTreeSet};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use domain::accounts::User;
use domain::accounts::deletion_receipts::{
    BackupCopies, DestroyedKey, EventPart, NOT_COVERED, Receipt, Removed, Subject, removed_by,
};
use domain::events::Event;
use domain::photos::Photo;
use domain::{DeletionReceiptId, EventId, Job, ObjectionId, Randomness, Timestamp, UserId};
use ring::signature::{ED25519, Ed25519KeyPair, KeyPair as _, UnparsedPublicKey};
use serde::{Deserialize, Serialize};
use storage::Db;
use storage::accounts::deletion_receipts::{self, Deletion};

use crate::operations::mails;
use crate::operations::operators::OperatorContext;
use crate::operations::runtime::queue::Tx;
use crate::{App, Failure, Result};

/// The secret of the database from which the key is derived that signs.
const SIGNING_KEY: &str = "deletion_receipts";

#[derive(Serialize, Deserialize)]
struct Document {
    receipt: Receipt,
    jws: String,
}

/// The key of an installation.
struct Signer(Ed25519KeyPair);

impl Signer {
    async fn of(db: &Db, randomness: &Randomness) -> Result<Self> {
        let fresh = randomness.bytes::<32>();
        let seed = storage::operations::runtime::secrets::get_or_insert(db, SIGNING_KEY, &fresh).await?;
        let pair = Ed25519KeyPair::from_seed_unchecked(&seed)
            .map_err(|_| Failure::Internal(String::from("the key of receipts does not have 32 bytes")))?;
        Ok(Self(pair))
    }

    fn sign(&self, receipt: Receipt) -> Result<String> {
        let encode = |bytes: &[u8]| URL_SAFE_NO_PAD.encode(bytes);
        let x = encode(self.0.public_key().as_ref());
        let header = format!(r#"{{"alg":"EdDSA","jwk":{{"crv":"Ed25519","kty":"OKP","x":"{x}"}}}}"#);
        let signed =
            format!("{}.{}", encode(header.as_bytes()), encode(&json(serde_json::to_vec(&receipt))?));
        let signature = encode(self.0.sign(signed.as_bytes()).as_ref());
        json(serde_json::to_string_pretty(&Document { receipt, jws: format!("{signed}.{signature}") }))
    }

    /// What a document says; none when this installation has not signed it, or it was changed since.
    fn verify(&self, document: &str) -> Option<Receipt> {
        let Document { receipt, jws } = serde_json::from_str(document).ok()?;
        let (signed, signature) = jws.rsplit_once('.')?;
        let (_, payload) = signed.split_once('.')?;
        let signature = URL_SAFE_NO_PAD.decode(signature).ok()?;
        // With the key of the installation, whatever key the document names.
        let key = UnparsedPublicKey::new(&ED25519, self.0.public_key().as_ref());
        key.verify(signed.as_bytes(), &signature).ok()?;
        let payload: Receipt = serde_json::from_slice(&URL_SAFE_NO_PAD.decode(payload).ok()?).ok()?;
        (payload == receipt).then_some(receipt)
    }
}

fn json<T>(written: serde_json::Result<T>) -> Result<T> {
    written.map_err(|error| Failure::Internal(format!("a receipt cannot be written: {error}")))
}

/// Makes the key if there is none yet, so that a backup has it: receipts of after the backup are verified after its restoration.
pub(crate) async fn make_key(context: &OperatorContext) -> Result<()> {
    Signer::of(&context.db, &context.randomness).await.map(|_| ())
}

/// Begins to count what is removed of an event, before anything of it is.
pub(crate) async fn begin_event(tx: &mut Tx, event: EventId, owner: UserId) -> Result<()> {
    let (removed, keys) = deletion_receipts::left_by_guests(tx, event).await?;
    let deletion = Deletion { removed, keys, ..begun(tx, owner, Subject::Event, event.to_string()) };
    Ok(deletion_receipts::begin(tx, &deletion).await?)
}

/// Counts photos of an event that are removed in the same transaction because their time, which ended at `due`, is over; `before` is
/// what guests had left there before that ([`left_by_guests`]).
pub(crate) async fn count_expired(
    tx: &mut Tx,
    event: &Event,
    due: Timestamp,
    photos: &[Photo],
    before: LeftByGuests,
) -> Result<()> {
    let subject_id = format!("{} {}", event.id, event.time_zone.date(due));
    let deletion = begun(tx, event.owner, Subject::Photos, subject_id.clone());
    deletion_receipts::begin(tx, &deletion).await?;
    count(tx, &subject_id, photos).await?;
    let after = left_by_guests(tx, event.id).await?;
    let removed = Removed {
        subscriptions: before.0.subscriptions - after.0.subscriptions,
        requests: before.0.requests - after.0.requests,
        ..Removed::default()
    };
    let keys: Vec<_> = before.1.into_iter().filter(|key| !after.1.contains(key)).collect();
    if removed != Removed::default() || !keys.is_empty() {
        deletion_receipts::count_left_by_guests(tx, &subject_id, &removed, &keys).await?;
    }
    Ok(())
}

/// What guests have left in an event, and the keys of that.
pub(crate) type LeftByGuests = (Removed, Vec<DestroyedKey>);

/// See [`LeftByGuests`]. It locks the event.
pub(crate) async fn left_by_guests(tx: &mut Tx, event: EventId) -> Result<LeftByGuests> {
    Ok(deletion_receipts::left_by_guests(tx, event).await?)
}

/// Signs the receipts of deletions that are over and whose process ended before it had signed them.
pub(crate) async fn settle_open(app: &App) -> Result<()> {
    for owner in deletion_receipts::owners_of_open(&app.db).await? {
        settle(app, owner).await?;
    }
    Ok(())
}

/// Begins to count what is removed of an account that is closed.
pub(crate) async fn begin_account(tx: &mut Tx, user: &User) -> Result<()> {
    let email = user.email_verified_at.map(|_| user.email.clone());
    let deletion = Deletion { email, ..begun(tx, user.id, Subject::Account, user.id.to_string()) };
    Ok(deletion_receipts::begin(tx, &deletion).await?)
}

fn begun(tx: &Tx, owner: UserId, subject: Subject, subject_id: String) -> Deletion {
    Deletion {
        id: tx.id(),
        owner,
        subject,
        subject_id,
        email: None,
        begun_at: tx.clock(),
        completed_at: None,
        removed: Removed::default(),
        keys: Vec::new(),
        document: None,
    }
}

/// Counts photos of an event or a library that are removed in the same transaction.
pub(crate) async fn count(tx: &mut Tx, subject_id: &str, photos: &[Photo]) -> Result<()> {
    let removed = photos.iter().fold(Removed::default(), |sum, photo| sum.plus(removed_with(photo)));
    Ok(deletion_receipts::count(tx, subject_id, &removed).await?)
}

/// The same for photos of any events and libraries.
pub(crate) async fn count_each(tx: &mut Tx, photos: &[Photo]) -> Result<()> {
    // In the same order for everybody, so that none waits in a circle.
    let mut subjects = BTreeMap::<String, Removed>::new();
    for photo in photos {
        let removed = subjects.entry(subject_of(photo)).or_default();
        *removed = removed.plus(removed_with(photo));
    }
    for (subject_id, removed) in &subjects {
        deletion_receipts::count(tx, subject_id, removed).await?;
    }
    Ok(())
}

/// Those of photos whose event or account is being removed for good: nobody can restore them, and a receipt counts them.
pub(crate) async fn being_removed(app: &App, photos: Vec<Photo>) -> Result<Vec<Photo>> {
    let subjects: BTreeSet<String> = photos.iter().map(subject_of).collect();
    let subjects: Vec<String> = subjects.into_iter().collect();
    let open = deletion_receipts::open_among(&app.db, &subjects).await?;
    Ok(photos.into_iter().filter(|photo| open.contains(&subject_of(photo))).collect())
}

fn subject_of(photo: &Photo) -> String {
    photo.event.map_or_else(|| photo.owner.to_string(), |event| event.to_string())
}

fn removed_with(photo: &Photo) -> Removed {
    Removed { photos: 1, faces: photo.faces, bytes: photo.size_bytes, ..Removed::default() }
}

/// Signs the receipts of an owner's deletions of which nothing is left. Of an account that is closed there is one, once all its
/// events are removed; it is mailed.
pub(crate) async fn settle(app: &App, owner: UserId) -> Result<()> {
    let signer = Signer::of(&app.db, &app.randomness).await?;
    let mut tx = app.begin().await?;
    // Whoever completes another event of a closed account at the same time has ended before.
    let account = deletion_receipts::lock_account(&mut tx, owner).await?;
    let completed = deletion_receipts::complete(&mut tx, owner, app.now()).await?;
    if completed.is_empty() {
        return Ok(());
    }
    let backups = backups(app).await?;
    match account {
        None => {
            for deletion in completed {
                let (id, receipt) = (deletion.id, receipt(app, deletion, Vec::new(), backups.clone()));
                deletion_receipts::sign(&mut tx, id, &signer.sign(receipt)?).await?;
            }
        }
        Some(id) => {
            let all = deletion_receipts::of_owner(&mut *tx, owner).await?;
            if all.iter().all(|deletion| deletion.completed_at.is_some()) {
                let (account, events): (Vec<_>, Vec<_>) =
                    all.into_iter().partition(|deletion| deletion.id == id);
                for account in account {
                    let receipt = receipt(app, account, events.iter().map(part).collect(), backups.clone());
                    deletion_receipts::sign(&mut tx, id, &signer.sign(receipt)?).await?;
                }
                tx.enqueue(&Job::SendDeletionReceipt { user: owner }).await?;
            }
        }
    }
    tx.commit().await
}

async fn backups(app: &App) -> Result<Vec<BackupCopies>> {
    let folders = storage::operations::backups::folders(&app.db).await?;
    let copies = folders.into_iter().map(|folder| BackupCopies {
        newest_snapshot_at: folder.newest_at.to_rfc3339(),
        snapshots: folder.snapshots,
        keeps: folder.keeps,
        removed_by: removed_by(folder.oldest_at, folder.newest_at, folder.snapshots, folder.keeps)
            .map(Timestamp::to_rfc3339),
    });
    Ok(copies.collect())
}

fn part(deletion: &Deletion) -> EventPart {
    EventPart {
        id: deletion.subject_id.clone(),
        completed_at: deletion.completed_at.map(Timestamp::to_rfc3339).unwrap_or_default(),
        removed: deletion.removed,
        destroyed_keys: deletion.keys.clone(),
    }
}

fn receipt(app: &App, of: Deletion, events: Vec<EventPart>, backups: Vec<BackupCopies>) -> Receipt {
    Receipt {
        id: of.id.to_string(),
        installation: app.settings.public_url.clone(),
        subject: of.subject,
        subject_id: of.subject_id,
        requested_at: of.begun_at.to_rfc3339(),
        completed_at: of.completed_at.map(Timestamp::to_rfc3339).unwrap_or_default(),
        removed: events.iter().fold(of.removed, |sum, event| sum.plus(event.removed)),
        destroyed_keys: of.keys,
        events,
        backups,
        not_covered: NOT_COVERED.to_owned(),
    }
}

/// The receipt of the descriptions of a guest's face that the request `id` has removed, in photos that stay.
pub(crate) async fn of_person(
    app: &App,
    id: ObjectionId,
    photos: usize,
    faces: usize,
    now: Timestamp,
) -> Result<String> {
    let count = |number: usize| i64::try_from(number).unwrap_or(i64::MAX);
    let receipt = Receipt {
        id: app.id::<DeletionReceiptId>().to_string(),
        installation: app.settings.public_url.clone(),
        subject: Subject::Person,
        subject_id: id.to_string(),
        requested_at: now.to_rfc3339(),
        completed_at: now.to_rfc3339(),
        removed: Removed { photos: count(photos), faces: count(faces), ..Removed::default() },
        destroyed_keys: Vec::new(),
        events: Vec::new(),
        backups: backups(app).await?,
        not_covered: NOT_COVERED.to_owned(),
    };
    Signer::of(&app.db, &app.randomness).await?.sign(receipt)
}

/// The job that mails the receipt of a closed account; after it nothing of the account's deletions is kept.
pub(crate) async fn send(app: &App, user: UserId) -> Result<()> {
    let all = deletion_receipts::of_owner(&app.db, user).await?;
    let language = storage::accounts::users::language(&app.db, user).await?;
    for deletion in all.into_iter().filter(|deletion| deletion.subject == Subject::Account) {
        if let (Some(email), Some(document)) = (deletion.email, deletion.document) {
            mails::deliver(app, &mails::deletion_receipt(&app.settings, language, email, document)?).await?;
        }
    }
    forget(app, user).await
}

/// Deletes what is kept of the deletions of a closed account.
pub(crate) async fn forget(app: &App, user: UserId) -> Result<()> {
    Ok(deletion_receipts::forget(&app.db, user).await?)
}

/// A receipt in a photographer's list.
pub struct Listed {
    /// Its id.
    pub id: DeletionReceiptId,
    /// The name of the event.
    pub event_name: String,
    /// When everything was removed.
    pub completed_at: Timestamp,
    /// How many photos were.
    pub photos: i64,
    /// The signed document.
    pub document: String,
}

/// The receipts of the caller's events that were removed, the newest first.
///
/// # Errors
/// When the database fails.
pub async fn list(app: &App, user: &User) -> Result<Vec<Listed>> {
    let mut listed = Vec::new();
    for deletion in deletion_receipts::of_owner(&app.db, user.id).await?.into_iter().rev() {
        let (Some(completed_at), Some(document)) = (deletion.completed_at, deletion.document) else {
            continue;
        };
        let event = match deletion.subject_id.split(' ').next().map(str::parse::<EventId>) {
            Some(Ok(event)) => storage::events::by_id(&app.db, event).await?,
            _ => None,
        };
        let event_name = event.map(|event| event.name).unwrap_or_default();
        listed.push(Listed {
            id: deletion.id,
            event_name,
            completed_at,
            photos: deletion.removed.photos,
            document,
        });
    }
    Ok(listed)
}

/// What is found of a receipt.
pub struct Checked {
    /// What it says.
    pub receipt: Receipt,
    /// How many rows there are of what it says was removed.
    pub left: i64,
}

/// Checks a receipt: none when this installation has not signed it, or it was changed since.
///
/// # Errors
/// When the database fails.
pub async fn check(context: &OperatorContext, document: &str) -> Result<Option<Checked>> {
    let Some(receipt) = Signer::of(&context.db, &context.randomness).await?.verify(document) else {
        return Ok(None);
    };
    let subjects = receipt.events.iter().map(|event| &event.id).chain([&receipt.subject_id]);
    let mut left = 0;
    for subject in subjects {
        left += deletion_receipts::count_left(&context.db, subject).await?;
    }
    Ok(Some(Checked { receipt, left }))
}
