//! Changing a password, and setting a new one by mail.

use std::time::Duration;

use serde_json::{Value, json};

use crate::harness::{PASSWORD, World, on_both_engines};

#[test]
fn changing_a_password_ends_every_other_session() {
    // [ACC043] [ACC044] [AUTH071] [AUTH072] [AUTH082] [AUTH128] [API019] [API020]
    on_both_engines(async |world: World| {
        let here = world.photographer("meera@example.com").await;
        let there = world.log_in("meera@example.com").await.json()["token"].as_str().unwrap().to_owned();
        let change = |current: &str, new: &str| {
            world.post(
                "/api/auth/change-password",
                &here,
                json!({"current_password": current, "new_password": new}),
            )
        };
        let long = "l".repeat(129);
        for (current, new, text) in [
            ("wrong horse", "new horse", "Invalid current password"),
            ("", "new horse", "Password is required"),
            (PASSWORD, "", "Password is required"),
            (PASSWORD, "short", "Password must be at least 6 characters long"),
            (PASSWORD, long.as_str(), "Password must be at most 128 characters long"),
        ] {
            assert_eq!(change(current, new).await.error(), (400, text.to_owned()));
        }
        assert_eq!(world.get("/api/auth/me", &there).await.status, 200);
        assert_eq!(
            change(PASSWORD, "new horse").await.json(),
            json!({"message": "Password changed successfully!"})
        );
        assert_eq!(world.get("/api/auth/me", &here).await.status, 200);
        // The session that was ended is told why; a token of nobody is not.
        let told = || async { world.get("/api/auth/me", &there).await.error() };
        assert_eq!(told().await, (401, String::from("Your password was changed. Please log in again.")));
        let unknown = world.get("/api/auth/me", "made-up").await.error();
        assert_eq!(unknown, (401, String::from("Please log in to continue.")));
        world.drain().await;
        let notice = world.mails.sent().pop().unwrap().mail;
        assert_eq!(
            (notice.to.as_str(), &*notice.subject),
            ("meera@example.com", "Your Afterglow password was changed")
        );
        assert_eq!(world.log_in("meera@example.com").await.status, 401);
        let body = json!({"email": "meera@example.com", "password": "new horse"});
        assert_eq!(world.post("/api/auth/login", "", body).await.status, 200);
    });
}

#[test]
fn a_reset_link_sets_a_password_once_within_an_hour() {
    // [AUTH074] [AUTH075] [AUTH076] [AUTH077]
    on_both_engines(async |world: World| {
        let session = world.photographer("meera@example.com").await;
        let ask = || world.post("/api/auth/forgot-password", "", json!({"email": "Meera@example.com"}));
        let reset = |token: &str, password: &str| {
            world.post("/api/auth/reset-password", "", json!({"token": token, "password": password}))
        };
        assert_eq!(ask().await.json(), json!({"email_sent": true}));
        let old = world.token_mailed_to("meera@example.com", "reset-password").await;
        world.clock.advance(Duration::from_secs(60 * 60));
        assert_eq!(reset(&old, "new horse").await.error(), (400, String::from("Reset link has expired")));

        ask().await;
        let token = world.token_mailed_to("meera@example.com", "reset-password").await;
        assert_eq!(reset(&token, "short").await.status, 400, "and the link is still good");
        assert_eq!(reset("", "new horse").await.error(), (400, String::from("Reset token is required")));
        assert_eq!(
            reset("made-up", "new horse").await.error(),
            (400, String::from("Invalid or expired reset token"))
        );
        assert_eq!(reset(&token, "new horse").await.status, 200);
        assert_eq!(
            reset(&token, "newer horse").await.error(),
            (400, String::from("Invalid or expired reset token"))
        );
        let ended = world.get("/api/auth/me", &session).await.error();
        assert_eq!(
            ended,
            (401, String::from("Your password was changed. Please log in again.")),
            "every session ends"
        );
        let body = json!({"email": "meera@example.com", "password": "new horse"});
        assert_eq!(world.post("/api/auth/login", "", body).await.status, 200);
        // A verification link sets no password.
        world.register("ravi@example.com").await;
        let verification = world.mailed_token("ravi@example.com").await;
        assert_eq!(reset(&verification, "new horse").await.status, 400);
    });
}

#[test]
fn of_two_reset_links_that_are_followed_at_one_moment_one_sets_the_password() {
    // [AUTH077]
    on_both_engines(async |world: World| {
        world.photographer("meera@example.com").await;
        for round in 0..8 {
            world.clock.advance(Duration::from_secs(60 * 60));
            let mut links = vec![];
            for _ in 0..2 {
                world.post("/api/auth/forgot-password", "", json!({"email": "meera@example.com"})).await;
                links.push(world.token_mailed_to("meera@example.com", "reset-password").await);
            }
            let follow = |token: &str| {
                let body = json!({"token": token, "password": format!("horse {round}")});
                world.post("/api/auth/reset-password", "", body)
            };
            let (one, other) = tokio::join!(follow(&links[0]), follow(&links[1]));
            let mut statuses = [one.status.as_u16(), other.status.as_u16()];
            statuses.sort_unstable();
            assert_eq!(statuses, [200, 400], "round {round}");
        }
    });
}

#[test]
fn requesting_a_reset_does_not_disclose_who_is_registered() {
    on_both_engines(async |world: World| {
        world.photographer("meera@example.com").await;
        let ask = |body: Value| world.post("/api/auth/forgot-password", "", body);
        let before = world.mails.sent().len();
        let known = ask(json!({"email": "meera@example.com"})).await;
        let unknown = ask(json!({"email": "nobody@example.com"})).await;
        assert_eq!((known.status, &known.bytes), (unknown.status, &unknown.bytes));
        world.drain().await;
        assert_eq!(world.mails.sent().len(), before + 1);
        assert_eq!(ask(json!({})).await.error(), (400, String::from("Email is required")));
        assert_eq!(ask(json!({"email": "x"})).await.status, 400);
    });
}

#[test]
fn a_reset_verifies_the_address() {
    on_both_engines(async |world: World| {
        world.register("meera@example.com").await;
        world.post("/api/auth/forgot-password", "", json!({"email": "meera@example.com"})).await;
        let token = world.token_mailed_to("meera@example.com", "reset-password").await;
        let body = json!({"token": token, "password": PASSWORD});
        assert_eq!(world.post("/api/auth/reset-password", "", body).await.status, 200);
        assert_eq!(world.log_in("meera@example.com").await.status, 200);
    });
}

#[test]
fn a_password_is_right_from_every_keyboard_whichever_has_set_it() {
    // [AUTH221]
    // 'pässwörter' as a version before has stored it from a keyboard that types accents apart.
    const FORMER: &str =
        "$argon2id$v=19$m=8,t=1,p=1$BwcHBwcHBwcHBwcHBwcHBw$OFIx5u1qfaiXhe+M5NpfOWA6NctVcld3050/uSPmD8k";
    on_both_engines(async |world: World| {
        let here = world.photographer("meera@example.com").await;
        let log_in = async |password: &str| {
            let body = json!({"email": "meera@example.com", "password": password});
            world.post("/api/auth/login", "", body).await.status.as_u16()
        };
        let (composed, apart) = ("p\u{e4}ssw\u{f6}rter", "pa\u{308}sswo\u{308}rter");
        let store = async || {
            let former = format!("UPDATE users SET password_hash = '{FORMER}'");
            storage::testing::change(&world.parts.db, &former).await;
        };
        let stored = async || {
            let email = domain::accounts::EmailAddress::parse("meera@example.com").unwrap();
            let found = storage::accounts::users::credentials(&world.parts.db, &email).await.unwrap();
            found.unwrap().password_hash
        };
        store().await;
        assert_eq!(log_in("passworter").await, 401);
        assert_eq!(stored().await, FORMER, "a wrong one changes nothing");
        for entered in [apart, composed] {
            store().await;
            assert_eq!(log_in(entered).await, 200);
            let renewed = stored().await;
            assert_ne!(renewed, FORMER);
            assert_eq!((log_in(apart).await, log_in(composed).await), (200, 200));
            assert_eq!(stored().await, renewed, "it is stored anew once");
        }

        // So it is where the password is asked for once more, and when it is changed.
        store().await;
        let change = json!({"current_password": composed, "new_password": apart});
        assert_eq!(world.post("/api/auth/change-password", &here, change).await.status, 200);
        assert_eq!((log_in(apart).await, log_in(composed).await), (200, 200));
        let change = json!({"current_password": apart, "new_password": "drei\u{a0}alte h\u{fc}te"});
        assert_eq!(world.post("/api/auth/change-password", &here, change).await.status, 200);
        assert_eq!(log_in("drei alte hu\u{308}te").await, 200);
    });
}
