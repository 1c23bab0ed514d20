//! Teams of events: who is invited and how, and what each of their members may do.

mod members;
mod uploads;

use std::time::Duration;

use domain::DAY;
use serde_json::{Value, json};

use crate::harness::{Answer, PASSWORD, World, on_both_engines};

/// What is to be in an order comes so long after what is before it.
pub(crate) const SECOND: Duration = Duration::from_secs(1);
pub(crate) const OWNER: &str = "meera@example.com";
const GONE: (u16, &str) = (404, "This invitation has expired, was withdrawn or was used. Ask for a new one.");

pub(crate) struct Team {
    pub(crate) owner: String,
    pub(crate) manager: String,
    pub(crate) contributor: String,
    pub(crate) event: Value,
}

pub(crate) fn id(value: &Value) -> &str {
    value["id"].as_str().unwrap()
}

pub(crate) fn of(event: &Value, rest: &str) -> String {
    format!("/api/events/{}{rest}", id(event))
}

pub(crate) async fn invite(world: &World, token: &str, event: &Value, email: &str, role: &str) -> Answer {
    world.post(&of(event, "/invitations"), token, json!({"email": email, "role": role})).await
}

/// The token of the newest invitation that was mailed to an address.
pub(crate) async fn invited(world: &World, email: &str) -> String {
    world.drain().await;
    let sent = world.mails.sent();
    let mut links = sent.iter().rev().filter(|sent| sent.mail.to.as_str() == email).filter_map(|sent| {
        sent.mail.links.first()?.strip_prefix("http://localhost:8080/invitation#").map(str::to_owned)
    });
    links.next().expect("an invitation was mailed")
}

pub(crate) async fn answer(world: &World, verb: &str, token: &str, invitation: &str) -> Answer {
    world.post(&format!("/api/invitations/{verb}"), token, json!({"token": invitation})).await
}

/// Invites an account and accepts; answers its session.
pub(crate) async fn join(world: &World, owner: &str, event: &Value, email: &str, role: &str) -> String {
    let token = world.photographer(email).await;
    assert_eq!(invite(world, owner, event, email, role).await.status, 201);
    let invitation = invited(world, email).await;
    assert_eq!(answer(world, "accept", &token, &invitation).await.status, 200);
    token
}

/// The path of somebody's membership.
pub(crate) async fn membership(world: &World, owner: &str, event: &Value, email: &str) -> String {
    let team = world.get(&of(event, "/team"), owner).await.json();
    let mut members = team["members"].as_array().unwrap().iter();
    let member = members.find(|member| member["email"] == email).expect("they are in the team");
    of(event, &format!("/members/{}", id(member)))
}

pub(crate) async fn team(world: &World) -> Team {
    let owner = world.photographer(OWNER).await;
    let event = world.event(&owner, "Party").await;
    let manager = join(world, &owner, &event, "manager@example.com", "manager").await;
    // Whoever came first is listed first.
    world.clock.advance(SECOND);
    let contributor = join(world, &owner, &event, "second@example.com", "contributor").await;
    Team { owner, manager, contributor, event }
}

#[test]
fn an_invitation_is_mailed_looked_at_and_accepted_once() {
    // [TEAM002] [TEAM026] [TEAM030] [TEAM005] [TEAM034]
    on_both_engines(async |world: World| {
        let owner = world.photographer(OWNER).await;
        let event = world.event(&owner, "Party").await;
        let sent = invite(&world, &owner, &event, " Second@example.com ", "contributor").await;
        assert_eq!(sent.status, 201);
        let sent = sent.json();
        assert_eq!(sent["email"], "Second@example.com");
        assert_eq!((&sent["role"], &sent["invited_by"]), (&json!("contributor"), &json!("Meera Kapoor")));
        assert_eq!((&sent["expired"], &sent["sent_at"]), (&json!(false), &json!("2026-11-20T09:00:00.000Z")));
        assert_eq!(sent["expires_at"], "2026-11-27T09:00:00.000Z");
        let invitation = invited(&world, "Second@example.com").await;
        let mail = world.mails.sent().pop().unwrap().mail;
        assert_eq!(mail.subject, "You are invited to an event on Afterglow");
        assert!(mail.text.starts_with("Hello,\n\nMeera Kapoor invites you to the event \"Party\" as a contributor: you can upload photos, and see and delete your own. Meera Kapoor pays for the photos."), "{}", mail.text);

        // Whoever has the link sees what it is to, without an account.
        let shown = answer(&world, "look", "", &invitation).await;
        assert_eq!(shown.status, 200);
        assert_eq!(
            shown.json(),
            json!({"event_name": "Party", "event_date": "2026-11-14", "owner_name": "Meera Kapoor",
                "invited_by": "Meera Kapoor", "role": "contributor", "expires_at": "2026-11-27T09:00:00.000Z"})
        );
        assert_eq!(answer(&world, "accept", "", &invitation).await.status, 401);
        let own = answer(&world, "accept", &owner, &invitation).await;
        assert_eq!(own.error(), (409, String::from("You are in this event's team already")));

        // An account with any address, which the owner is told of.
        let member = world.photographer("ravi@example.com").await;
        assert_eq!(world.get("/api/events/", &member).await.json(), json!([]));
        let joined = answer(&world, "accept", &member, &invitation).await;
        assert_eq!(joined.status, 200);
        let joined = joined.json();
        assert_eq!((&joined["id"], &joined["role"]), (&event["id"], &json!("contributor")));
        assert_eq!(joined["owner_name"], "Meera Kapoor");
        world.drain().await;
        let mail = world.mails.sent().pop().unwrap().mail;
        assert_eq!(
            (mail.to.as_str(), mail.subject.as_str()),
            (OWNER, "Somebody has joined the team of your event")
        );
        assert!(mail.text.contains("has accepted the invitation to \"Party\" as a contributor, and can upload photos, and see and delete their own."), "{}", mail.text);
        for verb in ["look", "accept", "decline"] {
            let again = answer(&world, verb, &member, &invitation).await;
            assert_eq!(again.error(), (GONE.0, GONE.1.to_owned()), "{verb}");
        }
        let listed = world.get(&of(&event, "/team"), &owner).await.json();
        assert_eq!(listed["owner"], json!({"name": "Meera Kapoor", "photos": 0}));
        assert_eq!(listed["invitations"], json!([]));
        assert_eq!(listed["members"][0]["email"], "ravi@example.com");
        assert_eq!(listed["members"][0]["is_you"], false);
    });
}

#[test]
fn an_invitation_ends_when_it_is_sent_again_withdrawn_declined_or_old() {
    // [TEAM027] [TEAM028] [TEAM029] [TEAM030]
    on_both_engines(async |world: World| {
        let owner = world.photographer(OWNER).await;
        let event = world.event(&owner, "Party").await;
        let email = "second@example.com";
        let gone = (GONE.0, GONE.1.to_owned());
        let first = invite(&world, &owner, &event, email, "contributor").await.json();
        let link = invited(&world, email).await;
        let second = invite(&world, &owner, &event, "SECOND@example.com", "manager").await.json();
        assert_eq!((&second["id"], &second["role"]), (&first["id"], &json!("manager")));
        assert_eq!(answer(&world, "look", "", &link).await.error(), gone, "at once, not with the mail");
        let link = invited(&world, "SECOND@example.com").await;
        assert_eq!(answer(&world, "look", "", &link).await.json()["role"], "manager");

        let path = of(&event, &format!("/invitations/{}", id(&second)));
        assert_eq!(world.delete(&path, &owner).await.status, 204);
        assert_eq!(answer(&world, "look", "", &link).await.error(), gone);
        let again = world.delete(&path, &owner).await;
        assert_eq!(again.error(), (404, String::from("This invitation is no longer there")));

        invite(&world, &owner, &event, email, "contributor").await;
        let link = invited(&world, email).await;
        // Whoever has the link can say no, without an account.
        assert_eq!(answer(&world, "decline", "", &link).await.status, 204);
        assert_eq!(answer(&world, "look", "", &link).await.error(), gone);

        invite(&world, &owner, &event, email, "contributor").await;
        let link = invited(&world, email).await;
        world.clock.advance(DAY.saturating_mul(7));
        assert_eq!(answer(&world, "look", "", &link).await.error(), gone);
        let owner = world.log_in(OWNER).await.json()["token"].as_str().unwrap().to_owned();
        let listed = world.get(&of(&event, "/team"), &owner).await.json();
        assert_eq!(listed["invitations"][0]["expired"], true);
        // Its row goes some time later.
        world.clock.advance(DAY.saturating_mul(30));
        world.run_due().await;
        let owner = world.log_in(OWNER).await.json()["token"].as_str().unwrap().to_owned();
        assert_eq!(world.get(&of(&event, "/team"), &owner).await.json()["invitations"], json!([]));
    });
}

#[test]
fn what_cannot_be_an_invitation_is_refused() {
    // [TEAM004]
    on_both_engines(async |world: World| {
        let Team { owner, manager, contributor, event } = team(&world).await;
        let refused = async |token: &str, email: &str, role: &str| {
            invite(&world, token, &event, email, role).await.error()
        };
        for (email, role, status, text) in [
            ("", "contributor", 400, "Email is required"),
            ("nobody", "contributor", 400, "Please enter a valid email address"),
            ("new@example.com", "owner", 400, "Role must be manager or contributor"),
            ("Meera@example.com", "manager", 400, "You are in this event's team already"),
            ("SECOND@example.com", "manager", 409, "This person is in the event's team already"),
        ] {
            assert_eq!(refused(&owner, email, role).await, (status, text.to_owned()), "{email} {role}");
        }
        // Managers invite contributors alone, and leave the owner's invitations to managers as they are.
        let owners = (403, String::from("Only the photographer whose event this is can do this"));
        assert_eq!(refused(&manager, "new@example.com", "manager").await, owners);
        assert_eq!(invite(&world, &manager, &event, "new@example.com", "contributor").await.status, 201);
        let to_manager = invite(&world, &owner, &event, "new@example.com", "manager").await;
        assert_eq!(to_manager.status, 201);
        assert_eq!(refused(&manager, "new@example.com", "contributor").await, owners);
        let path = of(&event, &format!("/invitations/{}", id(&to_manager.json())));
        assert_eq!(world.delete(&path, &manager).await.error(), owners);
        let managers =
            (403, String::from("Only the photographer of this event and its managers can do this"));
        assert_eq!(refused(&contributor, "new@example.com", "contributor").await, managers);
        assert_eq!(world.delete(&path, &contributor).await.error(), managers);
        // To a manager the owner's address is no different from others.
        assert_eq!(invite(&world, &manager, &event, OWNER, "contributor").await.status, 201);
        let stranger = world.photographer("stranger@example.com").await;
        assert_eq!(
            refused(&stranger, "new@example.com", "contributor").await,
            (404, String::from("Event not found"))
        );

        let inviter = crate::hostile::user_id(&world, &owner).await;
        for n in 4..50 {
            let mut tx = world.parts.db.begin().await.unwrap();
            let invitation = domain::team::Invitation {
                id: world.app.id(),
                event: id(&event).parse().unwrap(),
                email: domain::accounts::EmailAddress::parse(&format!("{n}@example.com")).unwrap(),
                role: domain::team::MemberRole::Contributor,
                invited_by: inviter,
                sent_at: world.app.now(),
                expires_at: world.app.now().plus(DAY),
            };
            storage::team::invite(&mut tx, &invitation).await.unwrap();
            tx.commit().await.unwrap();
        }
        let full = (409, String::from("An event's team can have at most 50 people, with invitations"));
        assert_eq!(refused(&owner, "more@example.com", "contributor").await, full);
        assert_eq!(
            invite(&world, &owner, &event, "49@example.com", "contributor").await.status,
            201,
            "again"
        );
    });
}

#[test]
fn invitations_are_limited_by_account_and_by_recipient() {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        for database in storage::testing::engines().await {
            let limits = app::operations::runtime::limits::LimitSettings {
                invitations: 8,
                ..app::operations::runtime::limits::LimitSettings::OFF
            };
            let world = World::limited(database.db.clone(), limits, "").await;
            let owner = world.photographer(OWNER).await;
            let event = world.event(&owner, "Party").await;
            let other = world.photographer("other@example.com").await;
            let others = world.event(&other, "Ball").await;
            let status = async |token: &str, event: &Value, email: &str| {
                invite(&world, token, event, email, "contributor").await.status.as_u16()
            };
            // The same address gets a quarter of them, whoever sends.
            assert_eq!(status(&owner, &event, "second@example.com").await, 201);
            assert_eq!(status(&other, &others, "second@example.com").await, 201);
            assert_eq!(status(&owner, &event, "SECOND@example.com").await, 429);
            for n in 0..7 {
                assert_eq!(status(&owner, &event, &format!("{n}@example.com")).await, 201, "{n}");
            }
            assert_eq!(status(&owner, &event, "more@example.com").await, 429);
            world.clock.advance(DAY);
            let owner = world.log_in(OWNER).await.json()["token"].as_str().unwrap().to_owned();
            assert_eq!(status(&owner, &event, "more@example.com").await, 201);
        }
    });
}

#[test]
fn an_invitation_is_withdrawn_by_those_who_manage_its_event() {
    // [TEAM029]
    on_both_engines(async |world: World| {
        let Team { owner, manager, contributor, event } = team(&world).await;
        let email = "fifth@example.com";
        let invitation = invite(&world, &owner, &event, email, "contributor").await.json();
        let link = invited(&world, email).await;
        let path = |event: &Value| of(event, &format!("/invitations/{}", id(&invitation)));
        let stranger = world.photographer("stranger@example.com").await;
        let another = world.event(&stranger, "Another").await;
        let through_another = world.delete(&path(&another), &stranger).await;
        assert_eq!(through_another.error(), (404, String::from("This invitation is no longer there")));
        assert_eq!(world.delete(&path(&event), &stranger).await.status, 404);
        assert_eq!(world.delete(&path(&event), &contributor).await.status, 403);
        assert_eq!(answer(&world, "look", "", &link).await.status, 200);
        assert_eq!(world.delete(&path(&event), &manager).await.status, 204);
        assert_eq!(answer(&world, "look", "", &link).await.status, 404);
    });
}

#[test]
fn the_invitations_of_somebody_end_who_manages_the_event_no_more() {
    // [TEAM046]
    on_both_engines(async |world: World| {
        let owner = world.photographer(OWNER).await;
        let event = world.event(&owner, "Party").await;
        let other = world.photographer("other@example.com").await;
        invite(&world, &owner, &event, "friend@example.com", "contributor").await;
        let of_owner = invited(&world, "friend@example.com").await;
        for end in ["removed", "demoted", "left"] {
            let email = format!("{end}@example.com");
            let manager = join(&world, &owner, &event, &email, "manager").await;
            let mailbox = format!("{end}.too@example.com");
            assert_eq!(invite(&world, &manager, &event, &mailbox, "contributor").await.status, 201);
            let link = invited(&world, &mailbox).await;
            assert_eq!(answer(&world, "look", "", &link).await.status, 200, "{end}");
            let path = membership(&world, &owner, &event, &email).await;
            let ended = match end {
                "removed" => world.delete(&path, &owner).await,
                "demoted" => world.patch(&path, &owner, json!({"role": "contributor"})).await,
                _ => world.delete(&of(&event, "/membership"), &manager).await,
            };
            assert!(ended.status.is_success(), "{end}");
            for verb in ["look", "accept"] {
                let gone = (GONE.0, GONE.1.to_owned());
                assert_eq!(answer(&world, verb, &other, &link).await.error(), gone, "{end} {verb}");
            }
        }
        assert_eq!(answer(&world, "accept", &other, &of_owner).await.status, 200, "the owner's goes on");
    });
}

#[test]
fn invitations_end_with_a_password_that_a_mail_sets_or_takes_away() {
    // [TEAM048]
    on_both_engines(async |world: World| {
        let Team { owner, manager, contributor, event } = team(&world).await;
        let link = async |session: &str, email: &str| {
            assert_eq!(invite(&world, session, &event, email, "contributor").await.status, 201);
            invited(&world, email).await
        };
        let look = async |link: &str| answer(&world, "look", "", link).await;
        let gone = (GONE.0, GONE.1.to_owned());
        let of_manager = link(&manager, "first@example.com").await;
        let of_owner = link(&owner, "friend@example.com").await;
        let body = json!({"current_password": PASSWORD, "new_password": "another horse"});
        assert_eq!(world.post("/api/auth/change-password", &owner, body).await.status, 200);
        assert_eq!(look(&of_owner).await.status, 200, "whoever is logged in can look at it");

        world.post("/api/auth/forgot-password", "", json!({"email": OWNER})).await;
        let reset = world.token_mailed_to(OWNER, "reset-password").await;
        let body = json!({"token": reset, "password": PASSWORD});
        assert_eq!(world.post("/api/auth/reset-password", "", body).await.status, 200);
        assert_eq!(look(&of_owner).await.error(), gone);

        let owner = world.log_in(OWNER).await.json()["token"].as_str().unwrap().to_owned();
        let of_owner = link(&owner, "friend@example.com").await;
        let body = json!({"email": "intruder@example.com", "current_password": PASSWORD});
        assert_eq!(world.put("/api/auth/update-profile", &owner, body).await.status, 200);
        let revoke = world.token_mailed_to(OWNER, "revoke-email-change").await;
        let revoked = world.post("/api/auth/revoke-email-change", "", json!({"token": revoke})).await;
        assert_eq!(revoked.status, 200);
        assert_eq!(look(&of_owner).await.error(), gone);
        assert_eq!(look(&of_manager).await.status, 200, "another account's");
        let events = world.get("/api/events/", &contributor).await.json();
        assert_eq!(events[0]["id"], event["id"], "whoever has accepted stays");
    });
}

#[test]
fn an_invitation_that_is_sent_again_is_not_accepted_by_its_former_link() {
    // [TEAM047]
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        // SQLite has one writer.
        let database = storage::testing::postgres().await;
        let world = World::new(database.db.clone()).await;
        let owner = world.photographer(OWNER).await;
        let other = world.photographer("other@example.com").await;
        for place in 0.. {
            let event = world.event(&owner, "Party").await;
            let email = format!("friend{place}@example.com");
            invite(&world, &owner, &event, &email, "manager").await;
            let link = invited(&world, &email).await;
            let outcome = storage::testing::rival_before(
                place,
                answer(&world, "accept", &other, &link),
                invite(&world, &owner, &event, &email, "contributor"),
            )
            .await;
            assert_eq!(outcome.rival.status, 201, "{place}");
            assert!([200, 404].contains(&outcome.first.status.as_u16()), "{place}");
            let team = world.get(&of(&event, "/team"), &owner).await.json();
            let left = team["invitations"].as_array().unwrap();
            assert_eq!(left.len(), 1, "{place}: the newer one waits");
            assert_eq!(left[0]["role"], "contributor", "{place}");
            if !outcome.is_between {
                assert!(place > 3, "there are statements to come before");
                break;
            }
        }
    });
}
