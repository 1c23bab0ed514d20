//! Members of events, invitations, and whose uploads are whose.

use std::time::Duration;

use domain::accounts::EmailAddress;
use domain::accounts::tokens::hash_token;
use domain::photos::Photo;
use domain::team::{Invitation, MemberRole};
use domain::{DAY, EventId, InvitationId, UserId};
use storage::accounts::users;
use storage::operations::integrity;
use storage::photos::{self, Collection, PhotoQuery, UploaderFilter, trash};
use storage::{events, team};

use crate::parity::change;
use crate::world::{World, insert, worlds};

struct Shoot {
    owner: UserId,
    manager: UserId,
    contributor: UserId,
    event: EventId,
}

async fn add(world: &World, event: EventId, user: UserId, role: MemberRole) -> bool {
    world.clock.advance(Duration::from_millis(1));
    let mut tx = world.begin().await;
    let added = team::add(&mut tx, event, user, role, world.now()).await.unwrap();
    tx.commit().await.unwrap();
    added
}

async fn shoot(world: &World) -> Shoot {
    let owner = world.user("owner@example.com").await;
    let (manager, contributor) = (world.user("m@example.com").await, world.user("c@example.com").await);
    let event = world.event(owner, "2026-11-14").await;
    assert!(add(world, event, manager, MemberRole::Manager).await);
    assert!(add(world, event, contributor, MemberRole::Contributor).await);
    Shoot { owner, manager, contributor, event }
}

async fn upload(world: &World, shoot: &Shoot, uploader: Option<UserId>) -> Photo {
    let photo = Photo { uploader, ..world.new_photo(shoot.owner, Some(shoot.event)) };
    let mut tx = world.begin().await;
    insert(&mut tx, &photo).await;
    tx.commit().await.unwrap();
    photo
}

fn invitation(world: &World, shoot: &Shoot, email: &str, role: MemberRole) -> Invitation {
    Invitation {
        id: world.id::<InvitationId>(),
        event: shoot.event,
        email: EmailAddress::parse(email).unwrap(),
        role,
        invited_by: shoot.owner,
        sent_at: world.now(),
        expires_at: world.now().plus(DAY),
    }
}

#[tokio::test]
async fn members_have_one_role_until_they_go() {
    for world in worlds().await {
        let db = &world.db;
        let shoot = shoot(&world).await;
        let Shoot { owner, manager, contributor, event } = shoot;
        assert!(!add(&world, event, contributor, MemberRole::Manager).await, "a member already");
        let role = async |user| team::role(db, event, user).await.unwrap();
        assert_eq!(role(manager).await, Some(MemberRole::Manager));
        assert_eq!(role(contributor).await, Some(MemberRole::Contributor));
        assert_eq!(role(owner).await, None);
        let photo = upload(&world, &shoot, Some(contributor)).await;
        upload(&world, &shoot, None).await;
        let listed = team::members(db, event).await.unwrap();
        let told: Vec<_> = listed.iter().map(|found| (found.user, found.role, found.photos)).collect();
        assert_eq!(told, [(manager, MemberRole::Manager, 0), (contributor, MemberRole::Contributor, 1)]);
        assert_eq!((listed[1].name.as_str(), listed[1].email.as_str()), ("Meera", "c@example.com"));
        assert_eq!(team::uploads(db, event).await.unwrap(), 1);
        let of_contributor = team::memberships(db, contributor).await.unwrap();
        assert_eq!(of_contributor.len(), 1);
        assert_eq!(
            (of_contributor[0].event, of_contributor[0].role, of_contributor[0].owner_name.as_str()),
            (event, MemberRole::Contributor, "Meera")
        );
        assert_eq!(of_contributor[0].event_name, "Sangeet");
        assert_eq!((of_contributor[0].since, listed[1].since), (listed[1].since, of_contributor[0].since));
        assert_eq!(team::memberships(db, owner).await.unwrap(), []);
        assert_eq!(team::names(db, &[]).await.unwrap(), []);
        assert_eq!(team::names(db, &[owner, world.id()]).await.unwrap().len(), 1);

        let mut tx = world.begin().await;
        assert!(team::set_role(&mut tx, event, contributor, MemberRole::Manager).await.unwrap());
        assert!(!team::set_role(&mut tx, event, owner, MemberRole::Manager).await.unwrap());
        tx.commit().await.unwrap();
        assert_eq!(role(contributor).await, Some(MemberRole::Manager));
        // A locked account is none for as long as it is locked.
        change(db, "UPDATE users SET locked_at = 1 WHERE email_key = 'c@example.com'").await;
        assert_eq!(role(contributor).await, None);
        change(db, "UPDATE users SET locked_at = NULL WHERE email_key = 'c@example.com'").await;

        let mut tx = world.begin().await;
        assert_eq!(team::remove(&mut tx, event, manager).await.unwrap(), Some(MemberRole::Manager));
        assert_eq!(team::remove(&mut tx, event, manager).await.unwrap(), None);
        tx.commit().await.unwrap();
        assert_eq!(role(manager).await, None);

        // With an account its memberships go; its photos are the event's.
        let mut tx = world.begin().await;
        assert!(users::close(&mut tx, contributor, world.now()).await.unwrap());
        tx.commit().await.unwrap();
        assert_eq!(team::members(db, event).await.unwrap(), []);
        assert_eq!(team::names(db, &[contributor]).await.unwrap(), []);
        let stays = photos::by_id(db, photo.id).await.unwrap().unwrap();
        assert_eq!((stays.owner, stays.uploader), (owner, Some(contributor)));
    }
}

#[tokio::test]
async fn an_address_has_one_invitation_to_an_event() {
    // [TEAM028]
    for world in worlds().await {
        let db = &world.db;
        let shoot = shoot(&world).await;
        let event = shoot.event;
        let first = invitation(&world, &shoot, "New@example.com", MemberRole::Contributor);
        let mut tx = world.begin().await;
        assert_eq!(team::invite(&mut tx, &first).await.unwrap(), first.id);
        assert!(team::set_token(&mut tx, first.id, &hash_token("one")).await.unwrap());
        assert!(!team::set_token(&mut tx, world.id(), &hash_token("other")).await.unwrap());
        tx.commit().await.unwrap();
        assert_eq!(team::by_token(db, &hash_token("one")).await.unwrap(), Some(first.clone()));
        assert_eq!(team::invitation(db, first.id).await.unwrap(), Some(first.clone()));
        assert_eq!(team::count(db, event, world.now()).await.unwrap(), 3);

        // Another to the same address takes its place, and its link ends.
        let second = Invitation {
            id: world.id(),
            ..invitation(&world, &shoot, "new@example.com", MemberRole::Manager)
        };
        let mut tx = world.begin().await;
        assert_eq!(team::invite(&mut tx, &second).await.unwrap(), first.id);
        tx.commit().await.unwrap();
        let stored = Invitation { id: first.id, ..second.clone() };
        assert_eq!(team::invitations(db, event).await.unwrap(), [stored]);
        assert_eq!(team::by_token(db, &hash_token("one")).await.unwrap(), None);

        // One that has expired counts no more, and is deleted some time.
        assert_eq!(team::count(db, event, second.expires_at).await.unwrap(), 2);
        let mut tx = world.begin().await;
        assert_eq!(team::delete_expired(&mut tx, world.now()).await.unwrap(), 0);
        assert_eq!(team::delete_expired(&mut tx, second.expires_at).await.unwrap(), 1);
        assert!(!team::end_invitation(&mut tx, first.id).await.unwrap());
        team::invite(&mut tx, &first).await.unwrap();
        assert!(team::end_invitation(&mut tx, first.id).await.unwrap());
        team::invite(&mut tx, &first).await.unwrap();
        // With whoever has invited, the invitation goes.
        users::close(&mut tx, shoot.owner, world.now()).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(team::invitations(db, event).await.unwrap(), []);
    }
}

#[tokio::test]
async fn an_invitation_is_taken_by_its_newest_link_as_what_it_is_by_then() {
    // [TEAM047]
    for world in worlds().await {
        let shoot = shoot(&world).await;
        let first = invitation(&world, &shoot, "new@example.com", MemberRole::Manager);
        let again = Invitation { id: world.id(), role: MemberRole::Contributor, ..first.clone() };
        let (former, newest) = (hash_token("one"), hash_token("two"));
        let mut tx = world.begin().await;
        let id = team::invite(&mut tx, &first).await.unwrap();
        assert!(team::set_token(&mut tx, id, &former).await.unwrap());
        assert_eq!(team::invite(&mut tx, &again).await.unwrap(), id);
        assert_eq!(team::take_invitation(&mut tx, id, &former).await.unwrap(), None, "it was sent again");
        assert!(team::set_token(&mut tx, id, &newest).await.unwrap());
        assert_eq!(team::take_invitation(&mut tx, id, &former).await.unwrap(), None);
        assert_eq!(team::take_invitation(&mut tx, world.id(), &newest).await.unwrap(), None);
        let taken = team::take_invitation(&mut tx, id, &newest).await.unwrap();
        assert_eq!(taken, Some(MemberRole::Contributor));
        assert_eq!(team::take_invitation(&mut tx, id, &newest).await.unwrap(), None, "once");
        tx.commit().await.unwrap();
    }
}

#[tokio::test]
async fn invitations_end_with_the_right_of_whoever_has_sent_them() {
    // [TEAM046]
    for world in worlds().await {
        let db = &world.db;
        let shoot = shoot(&world).await;
        let other = Shoot { event: world.event(shoot.owner, "2026-11-14").await, ..shoot };
        let of_owner = invitation(&world, &shoot, "a@example.com", MemberRole::Contributor);
        let by_manager = |shoot: &Shoot, email: &str| Invitation {
            invited_by: shoot.manager,
            ..invitation(&world, shoot, email, MemberRole::Contributor)
        };
        let (theirs, elsewhere) = (by_manager(&shoot, "b@example.com"), by_manager(&other, "b@example.com"));
        let mut tx = world.begin().await;
        for invitation in [&of_owner, &theirs, &elsewhere] {
            team::invite(&mut tx, invitation).await.unwrap();
        }
        assert_eq!(team::delete_invitations_by(&mut tx, shoot.event, shoot.contributor).await.unwrap(), 0);
        assert_eq!(team::delete_invitations_by(&mut tx, shoot.event, shoot.manager).await.unwrap(), 1);
        tx.commit().await.unwrap();
        assert_eq!(team::invitations(db, shoot.event).await.unwrap(), [of_owner]);
        assert_eq!(team::invitations(db, other.event).await.unwrap(), [elsewhere]);
    }
}

#[tokio::test]
async fn all_invitations_that_an_account_has_sent_end_together() {
    // [TEAM048]
    for world in worlds().await {
        let db = &world.db;
        let shoot = shoot(&world).await;
        let other = Shoot { event: world.event(shoot.owner, "2026-11-14").await, ..shoot };
        let (first, second) = (
            invitation(&world, &shoot, "a@example.com", MemberRole::Contributor),
            invitation(&world, &other, "a@example.com", MemberRole::Manager),
        );
        let managers = Invitation {
            invited_by: shoot.manager,
            ..invitation(&world, &shoot, "b@example.com", MemberRole::Contributor)
        };
        let mut tx = world.begin().await;
        for invitation in [&first, &second, &managers] {
            team::invite(&mut tx, invitation).await.unwrap();
        }
        assert_eq!(team::delete_all_invitations_by(&mut tx, shoot.owner).await.unwrap(), 2);
        assert_eq!(team::delete_all_invitations_by(&mut tx, shoot.owner).await.unwrap(), 0);
        tx.commit().await.unwrap();
        assert_eq!(team::invitations(db, shoot.event).await.unwrap(), [managers]);
        assert_eq!(team::invitations(db, other.event).await.unwrap(), []);
    }
}

#[tokio::test]
async fn a_locked_account_is_no_member_while_it_is_locked() {
    // [TEAM013]
    for world in worlds().await {
        let shoot = shoot(&world).await;
        for (at, role) in [("1", None), ("NULL", Some(MemberRole::Contributor))] {
            let lock = format!("UPDATE users SET locked_at = {at} WHERE email_key = 'c@example.com'");
            change(&world.db, &lock).await;
            assert_eq!(team::role(&world.db, shoot.event, shoot.contributor).await.unwrap(), role, "{at}");
            let manager = team::role(&world.db, shoot.event, shoot.manager).await.unwrap();
            assert_eq!(manager, Some(MemberRole::Manager), "{at}");
        }
    }
}

#[tokio::test]
async fn teams_go_with_their_event() {
    // [TEAM016]
    for world in worlds().await {
        let db = &world.db;
        let shoot = shoot(&world).await;
        let (event, waiting) =
            (shoot.event, invitation(&world, &shoot, "new@example.com", MemberRole::Manager));
        let mut tx = world.begin().await;
        team::invite(&mut tx, &waiting).await.unwrap();
        events::close(&mut tx, event, shoot.owner, world.id(), world.now()).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(team::count(db, event, world.now()).await.unwrap(), 0);
        assert_eq!(integrity::leftover_teams(db).await.unwrap(), []);

        // What should not be is found, and deleted.
        assert!(add(&world, event, shoot.manager, MemberRole::Manager).await);
        assert_eq!(integrity::leftover_teams(db).await.unwrap(), [event]);
        let mut tx = world.begin().await;
        team::delete_of(&mut tx, event).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(integrity::leftover_teams(db).await.unwrap(), []);
    }
}

#[tokio::test]
async fn photos_are_found_by_who_has_uploaded_them() {
    // [TEAM006]
    for world in worlds().await {
        let db = &world.db;
        let shoot = shoot(&world).await;
        let Shoot { owner, contributor, event, .. } = shoot;
        let (own, theirs) =
            (upload(&world, &shoot, None).await, upload(&world, &shoot, Some(contributor)).await);
        let found = async |uploader| {
            let query =
                PhotoQuery { event: Some(event), uploader: Some(uploader), ..PhotoQuery::all(owner, 9) };
            let found = photos::search(db, &query).await.unwrap();
            assert_eq!(photos::count(db, &query).await.unwrap(), found.len() as i64);
            found
        };
        assert_eq!(found(UploaderFilter::Owner).await, std::slice::from_ref(&own));
        assert_eq!(found(UploaderFilter::Member(contributor)).await, std::slice::from_ref(&theirs));
        assert_eq!(found(UploaderFilter::Member(owner)).await, []);
        let collection = Collection::Event(event);
        assert_eq!(photos::ids(db, collection, None).await.unwrap(), [own.id, theirs.id]);
        assert_eq!(photos::ids(db, collection, Some(contributor)).await.unwrap(), [theirs.id]);
        let named = async |uploader| {
            let names = [String::from("DSC_0001.JPG")];
            let found = photos::namesakes(db, owner, Some(event), uploader, &names).await.unwrap();
            found.iter().map(|namesakes| namesakes.photos).sum::<i64>()
        };
        assert_eq!((named(None).await, named(Some(contributor)).await), (2, 1));

        // In the trash, and back.
        let mut tx = world.begin().await;
        trash::put(&mut tx, collection, &[own.id, theirs.id], world.now()).await.unwrap();
        tx.commit().await.unwrap();
        let trashed = async |uploader| {
            let page = trash::page(db, collection, uploader, None, 9).await.unwrap();
            assert_eq!(trash::count(db, collection, uploader).await.unwrap(), page.len() as i64);
            page.into_iter().map(|trashed| trashed.photo.id).collect::<Vec<_>>()
        };
        assert_eq!(trashed(None).await, [theirs.id, own.id]);
        assert_eq!(trashed(Some(contributor)).await, [theirs.id]);
        let mut tx = world.begin().await;
        trash::restore(&mut tx, collection, owner, &["a"], &[theirs.id]).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(photos::by_id(db, theirs.id).await.unwrap(), Some(theirs));
    }
}
