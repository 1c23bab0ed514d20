//! Use cases that change the same rows, one before each statement of the other: what both were answered holds in the end.
//! PostgreSQL only: SQLite has one writer.

use std::future::Future;

use app::accounts::{self, LoggedIn, api_tokens, passwords, registrations};
use app::events::recently_deleted;
use app::payments::orders::{self, OrderRequest};
use app::photos::albums::{self, Move};
use app::photos::selections::Chosen;
use app::studio::{studios, watermarks};
use app::team::invitations;
use app::testing::rows;
use app::{App, Failure, events};
use domain::accounts::tokens::hash_token;
use domain::accounts::{EmailAddress, LinkPurpose, User};
use domain::payments::coupons::{Coupon, Discount};
use domain::payments::orders::Purpose;
use domain::studio::studios::Ground;
use domain::team::{INVITATION_LIFETIME, Invitation, MemberRole, TEAM_MAX};
use domain::{CouponId, DAY, EventId, InvitationId, Refusal, UserId};
use storage::accounts::links::NewLink;
use storage::testing::{TestDb, rival_before};

/// Most statements that a use case of these tests can have.
const STATEMENTS: usize = 80;
const OLD: &str = "correct horse";
const NEW: &str = "battery staple";
/// Good for one account alone, whose address it ends with.
const LINK: &str = "link of ";

struct World {
    app: App,
    database: TestDb,
    _incoming: tempfile::TempDir,
}

impl World {
    async fn new() -> Self {
        let (database, incoming) = (storage::testing::postgres().await, tempfile::tempdir().unwrap());
        let parts = app::testing::parts(database.db.clone(), incoming.path());
        Self { app: App::new(parts).await.unwrap(), database, _incoming: incoming }
    }

    async fn user(&self, id: UserId) -> User {
        storage::accounts::users::by_id(&self.database.db, id).await.unwrap().unwrap()
    }

    async fn photographer(&self) -> User {
        self.user(rows::photographer(&self.app).await.unwrap()).await
    }

    /// Somebody with the old password, who can log in and has got a link to reset it.
    async fn registered(&self, number: usize) -> User {
        let email = format!("meera{number}@example.com");
        let registration =
            registrations::Registration { name: "Meera".into(), email: email.clone(), password: OLD.into() };
        let user = accounts::register(&self.app, registration.parse().unwrap()).await.unwrap().user;
        let now = self.app.now();
        let link = NewLink {
            hash: hash_token(&format!("{LINK}{email}")),
            purpose: LinkPurpose::ResetPassword,
            user: user.id,
            email: user.email.clone(),
            new_email: None,
            created_at: now,
            expires_at: now.plus(DAY),
        };
        let mut tx = self.database.db.begin().await.unwrap();
        storage::accounts::links::create(&mut tx, &link).await.unwrap();
        assert!(storage::accounts::users::verify_email(&mut tx, user.id, &user.email, now).await.unwrap());
        tx.commit().await.unwrap();
        user
    }

    /// The token of a session that the old password has opened, where it has.
    async fn log_in(&self, user: &User) -> Option<String> {
        let device = domain::accounts::devices::Device::default();
        let (given, from) = (accounts::second_factors::Given::NOTHING, [192, 0, 2, 1].into());
        match accounts::log_in(&self.app, user.email.as_str(), OLD.into(), given, from, device).await {
            Ok(LoggedIn::Session(token, _)) => Some(token.reveal()),
            Ok(LoggedIn::SecondFactor(_)) => panic!("there is no second factor"),
            Err(Failure::Refused(Refusal::WrongCredentials)) => None,
            Err(other) => panic!("{other:?}"),
        }
    }

    async fn reset(&self, user: &User) {
        let link = format!("{LINK}{}", user.email.as_str());
        accounts::reset_password(&self.app, &link, NEW.into(), [192, 0, 2, 2].into()).await.unwrap();
    }

    fn invitation(&self, event: EventId, by: UserId, email: &str) -> Invitation {
        let now = self.app.now();
        Invitation {
            id: self.app.id::<InvitationId>(),
            event,
            email: EmailAddress::parse(email).unwrap(),
            role: MemberRole::Contributor,
            invited_by: by,
            sent_at: now,
            expires_at: now.plus(INVITATION_LIFETIME),
        }
    }

    /// An invitation to an event, with its token.
    async fn invited(&self, event: EventId, by: UserId, token: &str) -> InvitationId {
        let invitation = self.invitation(event, by, "friend@example.com");
        let mut tx = self.database.db.begin().await.unwrap();
        let id = storage::team::invite(&mut tx, &invitation).await.unwrap();
        assert!(storage::team::set_token(&mut tx, id, &hash_token(token)).await.unwrap());
        tx.commit().await.unwrap();
        id
    }

    async fn event(&self, owner: &User) -> EventId {
        rows::event(&self.app, owner.id).await.unwrap()
    }
}

/// Whether something succeeded; what else comes of it is one of these refusals.
fn succeeded<T>(what: &str, outcome: Result<T, Failure>, refusals: &[Refusal]) -> bool {
    match outcome {
        Ok(_) => true,
        Err(Failure::Refused(refusal)) if refusals.contains(&refusal) => false,
        Err(failure) => panic!("{what}: {failure:?}"),
    }
}

/// Lets a rival come before each statement: `run` is told the place and answers whether the rival came before the end.
async fn each_place(run: impl AsyncFn(usize) -> bool) {
    for place in 0..STATEMENTS {
        if !run(place).await {
            assert!(place > 3, "the first one has statements to come before");
            return;
        }
    }
    panic!("there are more statements than {STATEMENTS}");
}

/// Performs both with the rival before the statement `place` of the first one; answers whether it came before its end.
async fn both<A, B>(
    place: usize,
    first: impl Future<Output = A>,
    rival: impl Future<Output = B>,
) -> (A, B, bool) {
    let outcome = rival_before(place, first, rival).await;
    (outcome.first, outcome.rival, outcome.is_between)
}

#[tokio::test]
async fn no_session_of_a_password_outlives_it() {
    // [SAFE342]
    let world = World::new().await;
    for resets_first in [false, true] {
        each_place(async |place| {
            let user = world.registered(place + if resets_first { STATEMENTS } else { 0 }).await;
            let (token, is_between) = if resets_first {
                let (_, token, is_between) = both(place, world.reset(&user), world.log_in(&user)).await;
                (token, is_between)
            } else {
                let (token, _, is_between) = both(place, world.log_in(&user), world.reset(&user)).await;
                (token, is_between)
            };
            if let Some(token) = token {
                let authenticated = accounts::authenticate(&world.app, &token).await.unwrap();
                assert!(authenticated.is_none(), "place {place}, the reset comes first: {resets_first}");
            }
            is_between
        })
        .await;
    }
}

#[tokio::test]
async fn a_team_never_has_more_people_than_there_is_room_for() {
    let world = World::new().await;
    let owner = world.photographer().await;
    each_place(async |place| {
        let event = world.event(&owner).await;
        let mut tx = world.database.db.begin().await.unwrap();
        for number in 1..TEAM_MAX {
            let invitation = world.invitation(event, owner.id, &format!("friend{number}@example.com"));
            storage::team::invite(&mut tx, &invitation).await.unwrap();
        }
        tx.commit().await.unwrap();
        let invite = async |email: &'static str| {
            invitations::create(&world.app, &owner, event, email, "contributor").await
        };
        let (first, rival, is_between) =
            both(place, invite("first@example.com"), invite("rival@example.com")).await;
        let invited = usize::from(succeeded("first", first, &[Refusal::TeamFull]))
            + usize::from(succeeded("rival", rival, &[Refusal::TeamFull]));
        let count = storage::team::count(&world.database.db, event, world.app.now()).await.unwrap();
        assert_eq!((invited, count), (1, i64::try_from(TEAM_MAX).unwrap()), "place {place}");
        is_between
    })
    .await;
}

#[tokio::test]
async fn an_invitation_is_accepted_once_or_withdrawn() {
    let world = World::new().await;
    let (owner, friend, other) =
        (world.photographer().await, world.photographer().await, world.photographer().await);
    let gone = [Refusal::InvitationExpired, Refusal::InvitationNotFound];
    each_place(async |place| {
        let event = world.event(&owner).await;
        let token = format!("withdrawn {place}");
        let id = world.invited(event, owner.id, &token).await.to_string();
        let (accepted, withdrawn, is_between) = both(
            place,
            invitations::accept(&world.app, &friend, &token),
            invitations::withdraw(&world.app, &owner, event, &id),
        )
        .await;
        let (accepted, withdrawn) =
            (succeeded("accepting", accepted, &gone), succeeded("withdrawing", withdrawn, &gone));
        assert!(accepted != withdrawn, "place {place}");
        let role = storage::team::role(&world.database.db, event, friend.id).await.unwrap();
        assert_eq!(role.is_some(), accepted, "place {place}");
        is_between
    })
    .await;
    each_place(async |place| {
        let event = world.event(&owner).await;
        let token = format!("shared {place}");
        world.invited(event, owner.id, &token).await;
        let (first, rival, is_between) = both(
            place,
            invitations::accept(&world.app, &friend, &token),
            invitations::accept(&world.app, &other, &token),
        )
        .await;
        assert!(succeeded("first", first, &gone) != succeeded("rival", rival, &gone), "place {place}");
        is_between
    })
    .await;
    each_place(async |place| {
        let event = world.event(&owner).await;
        let token = format!("closed {place}");
        world.invited(event, owner.id, &token).await;
        let (accepted, deleted, is_between) = both(
            place,
            invitations::accept(&world.app, &friend, &token),
            events::delete::delete(&world.app, &owner, event),
        )
        .await;
        // Accepted before the event was deleted, the event was gone when it was to be shown.
        succeeded("accepting", accepted, &[Refusal::InvitationExpired, Refusal::EventNotFound]);
        assert!(deleted.is_ok());
        let left = storage::team::invitations(&world.database.db, event).await.unwrap();
        assert!(left.is_empty(), "place {place}: {left:?}");
        is_between
    })
    .await;
}

fn wanted_token() -> api_tokens::Wanted {
    let lifetime = domain::accounts::api_tokens::Lifetime::Usual;
    api_tokens::Wanted { name: "Lightroom".into(), scope: "upload".into(), lifetime, password: OLD.into() }
}

#[tokio::test]
async fn nothing_that_was_made_with_a_password_outlives_it() {
    // [SAFE346]
    let world = World::new().await;
    for changes_first in [false, true] {
        each_place(async |place| {
            let user = world.registered(place + if changes_first { STATEMENTS } else { 0 }).await;
            let create = async || api_tokens::create(&world.app, &user, "", wanted_token()).await;
            let change = async || {
                let change =
                    passwords::Change { current: OLD.into(), new: NEW.into(), keeps_api_tokens: false };
                passwords::change(&world.app, &user, "none", change).await
            };
            let (made, changed, is_between) = if changes_first {
                let (changed, made, is_between) = both(place, change(), create()).await;
                (made, changed, is_between)
            } else {
                both(place, create(), change()).await
            };
            succeeded("making a token", made, &[Refusal::CurrentPasswordWrong]);
            changed.unwrap();
            let left = api_tokens::list(&world.app, &user).await.unwrap();
            assert!(left.is_empty(), "place {place}, the change comes first: {changes_first}");
            is_between
        })
        .await;
    }
}

#[tokio::test]
async fn an_account_never_has_more_api_tokens_than_it_may() {
    let world = World::new().await;
    let most = domain::accounts::api_tokens::PER_ACCOUNT;
    each_place(async |place| {
        let owner = world.registered(place).await;
        let mut tx = world.database.db.begin().await.unwrap();
        for number in 1..most {
            let token = storage::accounts::api_tokens::NewApiToken {
                id: world.app.id(),
                hash: hash_token(&format!("{place} {number}")),
                user: owner.id,
                name: "Lightroom".into(),
                scope: domain::accounts::api_tokens::Scope::Upload,
                created_at: world.app.now(),
                expires_at: None,
            };
            storage::accounts::api_tokens::create(&mut tx, &token).await.unwrap();
        }
        tx.commit().await.unwrap();
        let (first, rival, is_between) = both(
            place,
            api_tokens::create(&world.app, &owner, "", wanted_token()),
            api_tokens::create(&world.app, &owner, "", wanted_token()),
        )
        .await;
        let full = [Refusal::ApiTokensTooMany];
        assert!(succeeded("first", first, &full) != succeeded("rival", rival, &full), "place {place}");
        assert_eq!(api_tokens::list(&world.app, &owner).await.unwrap().len(), most, "place {place}");
        is_between
    })
    .await;
}

#[tokio::test]
async fn the_last_use_of_a_coupon_is_one_accounts() {
    let world = World::new().await;
    each_place(async |place| {
        let (one, other) = (world.photographer().await, world.photographer().await);
        let code = format!("LAST{place}");
        let coupon = Coupon {
            id: world.app.id::<CouponId>(),
            code: code.clone(),
            discount: Discount::Percent(100),
            valid_from: None,
            valid_until: None,
            max_uses: Some(1),
            max_uses_per_user: None,
            uses: 0,
            created_at: world.app.now(),
        };
        let mut tx = world.database.db.begin().await.unwrap();
        assert!(storage::payments::coupons::create(&mut tx, &coupon).await.unwrap());
        tx.commit().await.unwrap();
        let request =
            || OrderRequest { purpose: Purpose::PremiumPlan, amount: None, coupon: Some(code.clone()) };
        let (first, rival, is_between) = both(
            place,
            orders::create(&world.app, &one, request()),
            orders::create(&world.app, &other, request()),
        )
        .await;
        let used_up = [Refusal::CouponUsedUp];
        let (first, rival) = (succeeded("first", first, &used_up), succeeded("rival", rival, &used_up));
        let (one, other) = (world.user(one.id).await, world.user(other.id).await);
        assert_eq!(
            (one.premium_since.is_some(), other.premium_since.is_some()),
            (first, rival),
            "place {place}"
        );
        assert!(first != rival, "place {place}");
        is_between
    })
    .await;
}

#[tokio::test]
async fn photos_are_in_no_album_that_is_deleted_meanwhile() {
    let world = World::new().await;
    let owner = world.photographer().await;
    let event = world.event(&owner).await;
    let photo = rows::photo(&world.app, owner.id, Some(event)).await.unwrap();
    each_place(async |place| {
        let album = albums::create(&world.app, &owner, event, &format!("Album {place}")).await.unwrap();
        let id = album.id.to_string();
        let (put, deleted, is_between) = both(
            place,
            albums::put(&world.app, &owner, event, Move::Into(&id), Chosen::Photos(vec![photo])),
            albums::delete(&world.app, &owner, &id),
        )
        .await;
        succeeded("putting", put, &[Refusal::AlbumNotFound]);
        assert!(deleted.is_ok(), "place {place}");
        let photo = storage::photos::by_id(&world.database.db, photo).await.unwrap().unwrap();
        assert_eq!(photo.albums, [], "place {place}");
        is_between
    })
    .await;
}

#[tokio::test]
async fn a_deleted_event_is_restored_or_removed_for_good_as_both_are_told() {
    // [SAFE344]
    let world = World::new().await;
    let owner = world.photographer().await;
    let gone = [Refusal::EventNotRestorable, Refusal::EventNotFound];
    for restores_first in [true, false] {
        each_place(async |place| {
            let event = world.event(&owner).await;
            events::delete::delete(&world.app, &owner, event).await.unwrap();
            let (restore, purge) = (
                recently_deleted::restore(&world.app, &owner, event),
                recently_deleted::purge(&world.app, &owner, event),
            );
            let (restored, purged, is_between) = if restores_first {
                both(place, restore, purge).await
            } else {
                let (purged, restored, is_between) = both(place, purge, restore).await;
                (restored, purged, is_between)
            };
            let (restored, purged) =
                (succeeded("restoring", restored, &gone), succeeded("purging", purged, &gone));
            assert!(restored != purged, "place {place}, restored: {restored}, purged: {purged}");
            let now = storage::events::by_id(&world.database.db, event).await.unwrap().unwrap();
            assert_eq!(now.deleted_at.is_none(), restored, "place {place}");
            is_between
        })
        .await;
    }
}

#[tokio::test]
async fn no_photo_comes_back_into_an_event_that_is_deleted_meanwhile() {
    // [SAFE349]
    let world = World::new().await;
    let owner = world.photographer().await;
    each_place(async |place| {
        let (event, db) = (world.event(&owner).await, &world.database.db);
        let photo = rows::photo(&world.app, owner.id, Some(event)).await.unwrap();
        let mut tx = db.begin().await.unwrap();
        let of_event = storage::photos::Collection::Event(event);
        storage::photos::trash::put(&mut tx, of_event, &[photo], world.app.now()).await.unwrap();
        tx.commit().await.unwrap();
        let chosen = Chosen::Photos(vec![photo]);
        let (restored, deleted, is_between) = both(
            place,
            app::photos::trash::restore(&world.app, &owner, Some(event), chosen),
            events::delete::delete(&world.app, &owner, event),
        )
        .await;
        succeeded("restoring", restored, &[Refusal::EventBeingDeleted, Refusal::EventNotFound]);
        assert!(deleted.is_ok());
        let is_deleted = storage::events::by_id(db, event).await.unwrap().unwrap().deleted_at.is_some();
        let is_back = storage::photos::by_id(db, photo).await.unwrap().is_some();
        assert!(!(is_deleted && is_back), "place {place}");
        is_between
    })
    .await;
}

#[tokio::test]
async fn a_watermark_of_the_logo_has_the_logo_that_the_studio_has() {
    // [BRAND035]
    let world = World::new().await;
    let logo = |side: u32| {
        let mut file = std::io::Cursor::new(Vec::new());
        let picture = image::RgbaImage::from_pixel(side, side, image::Rgba([20, 20, 20, 255]));
        picture.write_to(&mut file, image::ImageFormat::Png).unwrap();
        bytes::Bytes::from(file.into_inner())
    };
    for saves_first in [true, false] {
        let owner = world.photographer().await;
        each_place(async |place| {
            let db = &world.database.db;
            let studio = studios::Form { name: "Meera".into(), ..Default::default() };
            studios::save(&world.app, &owner, &studio).await.unwrap();
            studios::set_logo(&world.app, &owner, Ground::Light, logo(40)).await.unwrap();
            watermarks::remove(&world.app, &owner).await.unwrap();
            let form = watermarks::Form {
                position: "center".into(),
                opacity: "40".into(),
                ..watermarks::Form::default()
            };
            let save = watermarks::save(&world.app, &owner, form);
            let replace = studios::set_logo(&world.app, &owner, Ground::Light, logo(80));
            let (saved, replaced, is_between) = if saves_first {
                both(place, save, replace).await
            } else {
                let (replaced, saved, is_between) = both(place, replace, save).await;
                (saved, replaced, is_between)
            };
            let (watermark, studio) = (saved.unwrap(), replaced.unwrap());
            let now = watermarks::of_photographer(&world.app, &owner).await.unwrap().unwrap();
            assert_eq!(now.opacity, watermark.opacity);
            let picture = storage::studio::watermarks::picture(db, &now.name).await.unwrap().unwrap();
            let logo = studios::logo(&world.app, Ground::Light, &studio.logo.unwrap().name).await.unwrap();
            assert_eq!((picture.len(), picture == *logo), (logo.len(), true), "place {place}");
            is_between
        })
        .await;
    }
}
