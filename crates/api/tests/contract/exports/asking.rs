//! Who gets an export, and how often.

use app::operations::runtime::limits::LimitSettings;
use domain::DAY;
use serde_json::json;

use super::{ask, export};
use crate::harness::{PASSWORD, World, on_both_engines};

#[test]
fn an_export_needs_the_password() {
    // [ACC176] [ACC192]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let zip = export(&world, &token).await;
        for (body, text) in [
            (json!({}), "Password is required"),
            (json!({"password": ""}), "Password is required"),
            (json!({"password": "wrong"}), "Invalid current password"),
        ] {
            let refused = world.post("/api/auth/export", &token, body).await;
            assert_eq!(refused.error(), (400, String::from(text)));
        }
        assert_eq!(world.get(&zip, "").await.status, 200, "the last one is still there");
        let anybody = world.post("/api/auth/export", "", json!({"password": PASSWORD})).await;
        assert_eq!(anybody.status, 401);
    });
}

#[test]
fn the_6th_export_of_an_account_within_a_day_waits() {
    // [ACC184] [ACC198]
    on_both_engines(async |world: World| {
        let world = World::limited(world.parts.db.clone(), LimitSettings::default(), "").await;
        let token = world.photographer("meera@example.com").await;
        let other = world.photographer("ravi@example.com").await;
        let wrong = world.post("/api/auth/export", &token, json!({"password": "wrong"})).await;
        assert_eq!(wrong.status, 400, "it does not count");
        for _ in 0..5 {
            assert_eq!(ask(&world, &token).await.status, 201);
        }
        let refused = ask(&world, &token).await;
        let text = "Too many requests. Please try again in 24 hours.";
        assert_eq!(refused.error(), (429, String::from(text)));
        assert_eq!(refused.header("retry-after"), "86400");
        assert_eq!(ask(&world, &other).await.status, 201);
        world.clock.advance(DAY);
        assert_eq!(ask(&world, &token).await.status, 201);
    });
}
