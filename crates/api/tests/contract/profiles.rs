//! Changing an account, and closing it.

use serde_json::{Value, json};

use crate::harness::{Field, PASSWORD, RED, World, on_both_engines, photo};

pub(crate) async fn close(world: &World, token: &str, body: Value) -> crate::harness::Answer {
    let request = axum::http::Request::delete("/api/auth/me")
        .header("authorization", format!("Bearer {token}"))
        .header("content-type", "application/json");
    world.send(request.body(axum::body::Body::from(body.to_string())).unwrap()).await
}

#[test]
fn a_name_changes_at_once() {
    // [ACC020] [API016] [API018]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let change = |body: Value| world.put("/api/auth/update-profile", &token, body);
        let answer = change(json!({"name": "  Meera K "})).await;
        assert_eq!((answer.status.as_u16(), &answer.json()["user"]["name"]), (200, &json!("Meera K")));
        assert_eq!(world.get("/api/auth/me", &token).await.json(), answer.json());
        for (body, text) in [
            (json!({"name": "  "}), "Name is required"),
            (json!({"name": "n".repeat(201)}), "Name must be at most 200 characters long"),
            (json!({}), "Please change either your name or your email"),
            (json!({"name": "A", "email": "a@b"}), "Please change either your name or your email"),
            (json!({"email": ""}), "Email is required"),
            (json!({"email": "nowhere"}), "Please enter a valid email address"),
        ] {
            assert_eq!(change(body).await.error(), (400, text.to_owned()));
        }
    });
}

#[test]
fn a_new_address_takes_effect_once_it_is_verified() {
    // [ACC033] [ACC034] [ACC035] [ACC036] [API017]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        world.photographer("ravi@example.com").await;
        let change = |email: &'static str| {
            world.put(
                "/api/auth/update-profile",
                &token,
                json!({"email": email, "current_password": PASSWORD}),
            )
        };
        assert_eq!(change("Ravi@example.com").await.error(), (400, String::from("Email already registered")));

        let answer = change("new@example.com").await.json();
        assert_eq!(
            (&answer["user"]["email"], &answer["user"]["pending_email"]),
            (&json!("meera@example.com"), &json!("new@example.com"))
        );
        let link = world.mailed_token("new@example.com").await;
        let sent = world.mails.sent();
        let notice = sent
            .iter()
            .rev()
            .find(|sent| sent.mail.subject == "Your Afterglow email is about to change")
            .unwrap();
        assert_eq!(notice.mail.to.as_str(), "meera@example.com");
        assert_eq!(world.log_in("meera@example.com").await.status, 200);
        assert_eq!(world.log_in("new@example.com").await.status, 401);

        assert_eq!(world.post("/api/auth/verify-email", "", json!({"token": link})).await.status, 200);
        assert_eq!(world.log_in("new@example.com").await.status, 200);
        assert_eq!(world.log_in("meera@example.com").await.status, 401);
        let me = world.get("/api/auth/me", &token).await.json();
        assert_eq!(
            (&me["user"]["email"], &me["user"]["pending_email"]),
            (&json!("new@example.com"), &Value::Null)
        );
    });
}

#[test]
fn a_link_to_a_corrected_address_has_no_effect() {
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let change = |email: &'static str| {
            world.put(
                "/api/auth/update-profile",
                &token,
                json!({"email": email, "current_password": PASSWORD}),
            )
        };
        change("typo@example.com").await;
        let stranger = world.mailed_token("typo@example.com").await;
        change("new@example.com").await;
        let verified = world.post("/api/auth/verify-email", "", json!({"token": stranger})).await;
        assert_eq!(verified.error(), (400, String::from("Invalid or expired verification token")));
        assert_eq!(world.log_in("meera@example.com").await.status, 200);
    });
}

#[test]
fn a_closed_account_leaves_only_its_ledger() {
    // [ACC050] [ACC051] [ACC052]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let (full, _empty) = (world.event(&token, "Full").await, world.event(&token, "Empty").await);
        world.upload(&token, &full, "a.jpg", &photo(&[RED], 0)).await;
        world.form("/api/photos/upload", &token, &[Field::file("photos", "b.jpg", &photo(&[RED], 1))]).await;
        world.drain().await;
        let user =
            world.get("/api/auth/me", &token).await.json()["user"]["id"].as_str().unwrap().parse().unwrap();

        assert_eq!(
            close(&world, &token, json!({"password": "wrong horse"})).await.error(),
            (400, String::from("Invalid current password"))
        );
        assert_eq!(
            close(&world, &token, json!({})).await.error(),
            (400, String::from("Password is required"))
        );
        world.drain().await;
        assert_eq!(world.get("/api/photos/count", &token).await.json()["total_count"], 2);
        assert_eq!(world.get("/api/events/", &token).await.json().as_array().unwrap().len(), 2);
        assert_eq!(world.stored_files().await.len(), 8, "nothing is deleted");

        assert_eq!(
            close(&world, &token, json!({"password": PASSWORD})).await.json(),
            json!({"success": true})
        );
        assert_eq!(world.get("/api/auth/me", &token).await.status, 401);
        assert_eq!(world.log_in("meera@example.com").await.status, 401);
        assert_eq!(
            world.get(&format!("/api/events/{}", full["slug"].as_str().unwrap()), "").await.status,
            404
        );
        world.drain().await;
        assert_eq!(world.stored_files().await.len(), 0);
        let events = storage::events::all_by_owner(&world.parts.db, user).await.unwrap();
        assert!(events.iter().all(|event| event.deleted_at.is_some() && event.name.is_empty()));
        assert_eq!(storage::payments::ledger::entries(&world.parts.db, user).await.unwrap().len(), 3);
        assert_eq!(storage::accounts::users::by_id(&world.parts.db, user).await.unwrap(), None);
        // The address can be registered again.
        assert_eq!(world.register("meera@example.com").await.status, 200);
    });
}
