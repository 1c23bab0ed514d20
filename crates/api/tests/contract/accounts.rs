//! /api/auth

use std::time::Duration;

use serde_json::json;

use crate::harness::{PASSWORD, World, on_both_engines};

const HOUR: Duration = Duration::from_secs(60 * 60);
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

#[test]
fn registering_creates_a_photographer_with_100_credits_and_mails_a_link() {
    // [AUTH001] [AUTH032] [API010] [API011] [PAY003] [CONST003] [RUN025]
    // [AUTH024] [AUTH025] [API007] [API008] [API009] [API042] [PAY042]
    on_both_engines(async |world: World| {
        let body = json!({"name": " Meera ", "email": "Meera@Example.com", "password": PASSWORD, "is_photographer": false});
        let answer = world.post("/api/auth/register", "", body).await;
        assert_eq!(answer.status, 200);
        assert_eq!(answer.json()["email_sent"], true);
        let token = world.mailed_token("Meera@Example.com").await;
        assert!(token.len() >= 43, "256 bits");
        world.post("/api/auth/verify-email", "", json!({"token": token})).await;
        let login = world.log_in("meera@example.COM").await.json();
        assert_eq!(login["user"]["is_photographer"], true);
        assert_eq!(login["user"]["email"], "Meera@Example.com");
        assert_eq!(login["user"]["name"], "Meera");
        let credits = world.get("/api/subscription/credits", login["token"].as_str().unwrap()).await.json();
        assert_eq!(
            credits,
            json!({"credits": 100.0, "total_credits_earned": 100.0, "total_credits_spent": 0.0, "is_first_recharge": true})
        );
    });
}

#[test]
fn whoever_was_registered_by_somebody_else_has_the_account_removed() {
    // [AUTH190] [AUTH191]
    on_both_engines(async |world: World| {
        let revoke = async |token: &str| {
            world.post("/api/auth/revoke-registration", "", json!({"token": token})).await
        };
        let unknown = (400, String::from("Invalid or expired verification token"));
        let email = "victim@example.com";
        world.register(email).await;
        world.drain().await;
        let mail = world.mails.sent().pop().unwrap().mail;
        assert!(mail.text.contains("Somebody who is called Meera Kapoor has registered"), "{}", mail.text);
        let link = "http://localhost:8080/revoke-registration#token=";
        let token = mail.links[1].strip_prefix(link).unwrap().to_owned();
        assert_eq!(revoke("").await.error(), (400, String::from("Verification token is required")));
        assert_eq!(revoke(&token[1..]).await.error(), unknown);
        assert_eq!(revoke(&token).await.status, 200);
        assert_eq!(revoke(&token).await.error(), unknown, "there is nothing left");
        assert_eq!(world.post("/api/auth/verify-email", "", json!({"token": token})).await.error(), unknown);
        assert_eq!(world.log_in(email).await.error().0, 401);
        world.drain().await;
        assert_eq!(
            app::operations::checks::inspect(&world.operator(), &world.parts.store).await.unwrap(),
            []
        );

        // The address is free for its owner, whose verified account no link removes: neither a used one nor an older one.
        world.register(email).await;
        let older = world.mailed_token(email).await;
        world.post("/api/auth/resend-verification", "", json!({"email": email})).await;
        let newer = world.mailed_token(email).await;
        assert_ne!(older, newer);
        assert_eq!(world.post("/api/auth/verify-email", "", json!({"token": newer})).await.status, 200);
        for link in [&older, &newer] {
            assert_eq!(revoke(link).await.error(), unknown);
        }
        assert_eq!(world.log_in(email).await.status, 200);

        world.register("late@example.com").await;
        let late = world.mailed_token("late@example.com").await;
        world.clock.advance(DAY);
        assert_eq!(revoke(&late).await.error(), (400, String::from("Verification link has expired")));
    });
}

#[test]
fn registration_refuses_what_is_missing_or_out_of_bounds() {
    // [AUTH015] [AUTH018] [AUTH019] [AUTH020] [AUTH021]
    on_both_engines(async |world: World| {
        let try_with = async |name: &str, email: &str, password: &str| {
            let body = json!({"name": name, "email": email, "password": password});
            world.post("/api/auth/register", "", body).await
        };
        for (name, email, password, text) in [
            ("", "a@b.c", PASSWORD, "Name is required"),
            ("  ", "a@b.c", PASSWORD, "Name is required"),
            ("M", "", PASSWORD, "Email is required"),
            ("M", "a.b.c", PASSWORD, "Please enter a valid email address"),
            ("M", "a@b.c", "", "Password is required"),
            ("M", "a@b.c", "12345", "Password must be at least 6 characters long"),
            ("M", "a@b.c", &"x".repeat(129), "Password must be at most 128 characters long"),
        ] {
            assert_eq!(try_with(name, email, password).await.error(), (400, text.to_owned()));
        }
        assert_eq!(world.post("/api/auth/register", "", json!({})).await.status, 400);
        assert_eq!(try_with("M", "six@b.c", "k7#qWz").await.status, 200);
        assert_eq!(try_with("M", "long@b.c", &"x".repeat(128)).await.status, 200);
    });
}

#[test]
fn an_address_is_one_account_whatever_its_case() {
    // [AUTH022] [AUTH023]
    on_both_engines(async |world: World| {
        assert_eq!(world.register("meera@example.com").await.status, 200);
        let again = world.register("MEERA@example.com").await;
        assert_eq!(again.error(), (409, String::from("Email already registered")));
    });
}

#[test]
fn concurrent_registrations_of_one_address_create_one_account() {
    on_both_engines(async |world: World| {
        let (one, two) =
            tokio::join!(world.register("meera@example.com"), world.register("Meera@example.com"));
        let mut statuses = [one.status.as_u16(), two.status.as_u16()];
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 409]);
        world.drain().await;
        assert_eq!(world.mails.sent().len(), 1);
    });
}

#[test]
fn a_failed_login_does_not_tell_which_of_the_two_was_wrong() {
    // [AUTH008] [AUTH009] [AUTH011]
    on_both_engines(async |world: World| {
        world.register("meera@example.com").await;
        let unverified = world.log_in("meera@example.com").await;
        assert_eq!(unverified.error(), (403, String::from("Please verify your email before logging in.")));
        let wrong = |email: &'static str| {
            world.post("/api/auth/login", "", json!({"email": email, "password": "wrong horse"}))
        };
        let known = wrong("meera@example.com").await;
        let unknown = wrong("nobody@example.com").await;
        assert_eq!(known.error(), (401, String::from("Invalid email or password")));
        assert_eq!(unknown.bytes, known.bytes);
        assert_eq!(wrong("no address").await.bytes, known.bytes);
        for body in [json!({}), json!({"email": "meera@example.com"}), json!({"password": PASSWORD})] {
            assert_eq!(world.post("/api/auth/login", "", body).await.status, 400);
        }
    });
}

#[test]
fn a_verification_link_is_valid_for_24_hours_and_idempotent() {
    // [AUTH058] [AUTH059] [AUTH060] [AUTH061] [AUTH062] [API021] [API022] [API023] [API024]
    on_both_engines(async |world: World| {
        world.register("meera@example.com").await;
        let token = world.mailed_token("meera@example.com").await;
        let status = async |token: &str| {
            let path = format!("/api/auth/check-verification-status?token={token}");
            world.get(&path, "").await.json()["already_verified"].clone()
        };
        let verify = |token: &str| world.post("/api/auth/verify-email", "", json!({"token": token}));
        assert_eq!(status(&token).await, false);
        assert_eq!(
            verify("made-up").await.error(),
            (400, String::from("Invalid or expired verification token"))
        );
        assert_eq!(verify("").await.status, 400);

        world.clock.advance(DAY);
        assert_eq!(verify(&token).await.error(), (400, String::from("Verification link has expired")));

        world.post("/api/auth/resend-verification", "", json!({"email": "meera@example.com"})).await;
        let fresh = world.mailed_token("meera@example.com").await;
        assert_ne!(fresh, token);
        assert_eq!(status(&fresh).await, false);
        world.clock.advance(DAY - Duration::from_secs(1));
        let verified = verify(&fresh).await;
        assert_eq!(
            verified.json(),
            json!({"verified": true, "needs_agreement": false, "message": "Email verified successfully! You can now log in."})
        );
        assert_eq!(verify(&fresh).await.json(), verified.json());
        assert_eq!(status(&fresh).await, true, "used");
        assert_eq!(status(&token).await, true, "the address is verified, by another link");
        assert_eq!(world.log_in("meera@example.com").await.status, 200);
    });
}

#[test]
fn resending_a_link_does_not_disclose_who_is_registered() {
    // [AUTH063] [AUTH064] [API025] [API026]
    on_both_engines(async |world: World| {
        world.register("waiting@example.com").await;
        world.photographer("done@example.com").await;
        let before = world.mails.sent().len();
        let ask = |email: &str| world.post("/api/auth/resend-verification", "", json!({"email": email}));
        let waiting = ask("waiting@example.com").await;
        assert_eq!(waiting.json(), json!({"email_sent": true}));
        assert_eq!(ask("nobody@example.com").await.bytes, waiting.bytes);
        assert_eq!(ask("done@example.com").await.bytes, waiting.bytes);
        world.drain().await;
        assert_eq!(world.mails.sent().len(), before + 1);
        assert_eq!(ask("").await.error(), (400, String::from("Email is required")));
    });
}

#[test]
fn a_session_lasts_30_days_and_use_renews_it() {
    // [AUTH065] [AUTH067] [AUTH068] [API013] [API014] [API015]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        // 256 bits in base64url, six a character, and nothing of them twice: neither a name nor a counter.
        assert_eq!(token.len(), 43);
        assert!(token.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte)), "{token}");
        let other = world.log_in("meera@example.com").await.json()["token"].as_str().unwrap().to_owned();
        let same = token.bytes().zip(other.bytes()).filter(|(one, two)| one == two).count();
        assert!(same < 10, "{same} of 43 characters of two tokens are the same");
        let me = || world.get("/api/auth/me", &token);
        world.clock.advance(DAY * 29);
        let answer = me().await.json();
        assert_eq!(answer["user"]["email"], "meera@example.com");
        assert_eq!(answer["user"]["name"], "Meera Kapoor");
        world.clock.advance(DAY * 29);
        assert_eq!(me().await.status, 200, "renewed by the use 29 days ago");
        world.clock.advance(DAY * 30 + HOUR);
        assert_eq!(me().await.error(), (401, String::from("Please log in to continue.")));
        assert_eq!(world.get("/api/auth/me", "").await.status, 401);
        assert_eq!(world.get("/api/auth/me", "made-up").await.status, 401);
    });
}

#[test]
fn logging_out_ends_this_session_and_no_other() {
    // [AUTH069]
    on_both_engines(async |world: World| {
        let one = world.photographer("meera@example.com").await;
        let two = world.log_in("meera@example.com").await.json()["token"].as_str().unwrap().to_owned();
        assert_eq!(world.post("/api/auth/logout", &one, json!({})).await.status, 200);
        assert_eq!(world.get("/api/auth/me", &one).await.status, 401);
        assert_eq!(world.get("/api/auth/me", &two).await.status, 200);
        assert_eq!(world.post("/api/auth/logout", &one, json!({})).await.status, 401);
    });
}

#[test]
fn one_mailbox_has_one_account_however_its_address_is_written() {
    // [AUTH220] [SAFE370]
    on_both_engines(async |world: World| {
        world.photographer("j\u{fc}rgen@m\u{fc}ller.example").await;
        for same in [
            "ju\u{308}rgen@m\u{fc}ller.example",
            "J\u{dc}RGEN@MU\u{308}LLER.example",
            "j\u{fc}rgen@xn--mller-kva.example",
            "\u{feff}j\u{fc}rgen@m\u{fc}ller.example\u{200b}\u{a0}",
        ] {
            let again = world.register(same).await;
            assert_eq!(again.error(), (409, String::from("Email already registered")), "{same:?}");
            assert_eq!(world.log_in(same).await.status, 200, "{same:?}");
        }
        assert_eq!(world.register("jurgen@m\u{fc}ller.example").await.status, 200);
    });
}
