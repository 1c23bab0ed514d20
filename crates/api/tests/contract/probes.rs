//! How a request arrives: the question of `afterglow doctor`.

use std::net::SocketAddr;
use std::time::Duration;

use app::operations::runtime::limits::LimitSettings;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::Request;

use crate::harness::{Answer, World, on_both_engines};

async fn ask(world: &World, token: &str, headers: &[(&str, &str)], bytes: usize) -> Answer {
    let mut request = Request::post("/api/probe").header("authorization", format!("Bearer {token}"));
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let peer = ConnectInfo(SocketAddr::new([192, 0, 2, 9].into(), 4_000));
    world.send(request.extension(peer).body(Body::from(vec![0; bytes])).unwrap()).await
}

#[test]
fn a_token_is_told_once_how_its_request_arrived() {
    // [RUN320]
    on_both_engines(async |world: World| {
        let world = World::limited(world.parts.db.clone(), LimitSettings::default(), "192.0.2.9").await;
        let token = app::operations::probes::create(&world.operator()).await.unwrap();
        let headers = [("x-forwarded-for", "198.51.100.1, 203.0.113.7"), ("x-forwarded-proto", "https")];
        let answer = ask(&world, &token, &headers, 3_000_000).await;
        assert_eq!(answer.status, 200);
        let expected = serde_json::json!({
            "peer": "192.0.2.9",
            "is_trusted": true,
            "hops": ["198.51.100.1", "203.0.113.7"],
            "is_forwarded": true,
            "client": "203.0.113.7",
            "scheme": "https",
            "bytes": 3_000_000,
        });
        assert_eq!(answer.json(), expected);
        assert_eq!(ask(&world, &token, &headers, 0).await.status, 404, "once");

        let token = app::operations::probes::create(&world.operator()).await.unwrap();
        let direct = ask(&world, &token, &[], 0).await.json();
        assert_eq!((&direct["is_forwarded"], &direct["client"]), (&false.into(), &"192.0.2.9".into()));
        assert_eq!((&direct["scheme"], &direct["hops"]), (&serde_json::Value::Null, &serde_json::json!([])));
    });
}

#[test]
fn without_a_token_there_is_no_such_path() {
    // [RUN312]
    on_both_engines(async |world: World| {
        let unknown = world.get("/api/no/such/path", "").await.error();
        let token = app::operations::probes::create(&world.operator()).await.unwrap();
        for wrong in ["", "made-up", &token[1..]] {
            let answer = ask(&world, wrong, &[], 10).await;
            assert_eq!(answer.error(), unknown, "{wrong}");
        }
        world.clock.advance(Duration::from_secs(10 * 60));
        assert_eq!(ask(&world, &token, &[], 0).await.status, 404, "it has expired");
        let token = app::operations::probes::create(&world.operator()).await.unwrap();
        let too_much = api_limit() + 1;
        assert_eq!(ask(&world, &token, &[], too_much).await.status, 413);
    });
}

/// The largest form with a photo.
fn api_limit() -> usize {
    usize::try_from(domain::photos::MAX_BYTES).unwrap() + 64 * 1024
}
