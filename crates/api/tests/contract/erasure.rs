//! What a closed account leaves in the database: no name and no address, in whatever table.

use axum::body::Body;
use axum::http::Request;
use gateway::MailError;
use serde_json::json;

use crate::harness::{PASSWORD, RED, World, on_both_engines, photo};
use crate::payments::{paid, verify};

/// Where one of these words is in a fresh copy of all rows, which has no deleted ones.
async fn found(world: &World, words: &[&str]) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("snapshot.sqlite");
    storage::operations::snapshots::write(&world.parts.db, &file).await.unwrap();
    let rows = std::fs::read(&file).unwrap().to_ascii_lowercase();
    let around = |word: &str| {
        let word = word.to_ascii_lowercase();
        let at = rows.windows(word.len()).position(|window| window == word.as_bytes())?;
        let text = &rows[at.saturating_sub(120)..(at + 120).min(rows.len())];
        Some(format!("{word}: {}", String::from_utf8_lossy(text)))
    };
    words.iter().filter_map(|word| around(word)).collect()
}

#[test]
fn no_row_has_the_name_or_an_address_after_an_account_is_closed() {
    // [ACC175] [ACC217]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera.k@example.com").await;
        let event = world.event(&token, "Party").await;
        world.upload(&token, &event, "a.jpg", &photo(&[RED], 0)).await;
        world.drain().await;
        let selfie = world.search(&event, &photo(&[RED], 9)).await.json();
        let body = json!({"token": selfie["subscription_token"], "email": "guest.g@example.com",
            "notice_version": "2026-11", "language": "en-IN"});
        assert_eq!(world.post("/api/face/subscriptions", "", body).await.status, 202);
        let proof = paid(&world, &token, json!({"amount": 10_000})).await;
        assert_eq!(verify(&world, &token, &proof).await.status, 200);
        let change = json!({"email": "later.l@example.com", "current_password": PASSWORD});
        assert_eq!(world.put("/api/auth/update-profile", &token, change).await.status, 200);
        world.drain().await;
        // A server repeats the address in its refusal, which is kept with the job.
        let refusal = "550 5.1.1 <Meera.K@example.com>: no such user";
        world.mails.fail_with(Some(MailError::Permanent(String::from(refusal))));
        let forgot = json!({"email": "meera.k@example.com"});
        assert_eq!(world.post("/api/auth/forgot-password", "", forgot).await.status, 200);
        world.drain().await;
        world.mails.fail_with(None);
        assert_eq!(found(&world, &["<(address)>: no such user"]).await.len(), 1);
        let export = world.post("/api/auth/export", &token, json!({"password": PASSWORD})).await;
        assert_eq!(export.status, 201);

        let words = ["meera.k@example.com", "later.l@example.com", "guest.g@example.com", "Meera Kapoor"];
        assert_eq!(found(&world, &words).await.len(), words.len(), "they are there before");
        let close = Request::delete("/api/auth/me")
            .header("authorization", format!("Bearer {token}"))
            .header("content-type", "application/json")
            .body(Body::from(json!({"password": PASSWORD}).to_string()));
        assert_eq!(world.send(close.unwrap()).await.status, 200);
        world.drain().await;
        assert_eq!(found(&world, &words).await, Vec::<String>::new());
    });
}
