//! The delay after wrong passwords, by account.

use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use app::operations::runtime::limits::LimitSettings;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::Request;
use serde_json::{Value, json};
use tracing::Subscriber;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id};
use tracing_subscriber::layer::{Context, Layer, SubscriberExt as _};

use crate::harness::{Answer, PASSWORD, World, on_both_engines};

const OWNER: &str = "meera@example.com";
const NOBODY: &str = "nobody@example.com";
const HOME: [u8; 4] = [192, 0, 2, 1];
const CAFE: [u8; 4] = [198, 51, 100, 1];

/// A service that limits wrong passwords, and nothing else.
fn with_delays<F: Future<Output = ()>>(test: impl Fn(World) -> F) {
    on_both_engines(async |world: World| {
        let limits = LimitSettings { wrong_passwords: 5, ..LimitSettings::OFF };
        test(World::limited(world.parts.db.clone(), limits, "").await).await;
    });
}

async fn post(world: &World, from: [u8; 4], path: &str, token: &str, body: Value) -> Answer {
    let method = if path == "/api/auth/me" { "DELETE" } else { "POST" };
    let request = Request::builder().method(method).uri(path).header("content-type", "application/json");
    let request = request.header("authorization", format!("Bearer {token}"));
    let peer = ConnectInfo(SocketAddr::new(IpAddr::from(from), 4_000));
    world.send(request.extension(peer).body(Body::from(body.to_string())).unwrap()).await
}

async fn log_in(world: &World, from: [u8; 4], email: &str, password: &str) -> Answer {
    post(world, from, "/api/auth/login", "", json!({"email": email, "password": password})).await
}

/// Tries wrong passwords, each as soon as it is admitted and from an address of its own; the waits in seconds.
async fn attack(world: &World, email: &str, attempts: u8) -> Vec<u64> {
    let mut waits = Vec::new();
    for number in 0..attempts {
        let from = [203, 0, 113, number];
        let mut answer = log_in(world, from, email, "wrong horse").await;
        let mut waited = 0;
        if answer.status == 429 {
            waited = answer.header("retry-after").parse().unwrap();
            world.clock.advance(Duration::from_secs(waited - 1));
            assert_eq!(log_in(world, from, email, "wrong horse").await.status, 429);
            world.clock.advance(Duration::from_secs(1));
            answer = log_in(world, from, email, "wrong horse").await;
        }
        assert_eq!(answer.error(), (401, String::from("Invalid email or password")));
        waits.push(waited);
    }
    waits
}

#[test]
fn wrong_passwords_wait_ever_longer_for_every_address() {
    // [SAFE102] [SAFE243] [SAFE244] [SAFE245]
    with_delays(async |world| {
        world.photographer(OWNER).await;
        for email in [OWNER, NOBODY] {
            let waits = attack(&world, email, 12).await;
            assert_eq!(waits, [0, 0, 0, 0, 0, 30, 60, 120, 240, 480, 900, 900], "{email}");
            // The spelling of the address makes no difference, and neither does the right password.
            let refused = log_in(&world, CAFE, &email.to_uppercase(), PASSWORD).await;
            assert_eq!(
                refused.error(),
                (429, String::from("Too many requests. Please try again in 15 minutes."))
            );
            // A restart forgets nothing.
            let restarted = world.second_process(&world.parts.db).await;
            assert_eq!(log_in(&restarted, CAFE, email, PASSWORD).await.status, 429);
        }
        world.clock.advance(Duration::from_secs(900));
        assert_eq!(log_in(&world, CAFE, OWNER, PASSWORD).await.status, 200);
        assert_eq!(attack(&world, OWNER, 5).await, [0; 5], "a right password has ended it");
        world.clock.advance(Duration::from_secs(24 * 60 * 60));
        assert_eq!(attack(&world, OWNER, 5).await, [0; 5], "and so does a day");
        app::operations::maintenance::all(&world.app).await.unwrap();
    });
}

#[test]
fn simultaneous_attempts_are_all_counted() {
    // [SAFE102]
    with_delays(async |world| {
        world.photographer(OWNER).await;
        let attempts = (0..20).map(|number| log_in(&world, [203, 0, 113, number], OWNER, "wrong horse"));
        let answers = futures::future::join_all(attempts).await;
        let tried = answers.iter().filter(|answer| answer.status == 401).count();
        assert!((1..=5).contains(&tried), "{tried} of 20 were tried");
    });
}

#[test]
fn an_owner_is_not_kept_out_by_others() {
    // [SAFE103]
    with_delays(async |world| {
        world.photographer(OWNER).await;
        assert_eq!(log_in(&world, HOME, OWNER, PASSWORD).await.status, 200);
        attack(&world, OWNER, 9).await;
        assert_eq!(log_in(&world, CAFE, OWNER, PASSWORD).await.status, 429);
        let answer = log_in(&world, HOME, OWNER, PASSWORD).await;
        assert_eq!(answer.status, 200, "they have logged in from here before");
        let token = answer.json()["token"].as_str().unwrap().to_owned();
        // At home too, passwords are not guessed for ever.
        for _ in 0..5 {
            assert_eq!(log_in(&world, HOME, OWNER, "wrong horse").await.status, 401);
        }
        assert_eq!(log_in(&world, HOME, OWNER, PASSWORD).await.status, 429);
        // Whoever is logged in changes their password.
        let change = json!({"current_password": PASSWORD, "new_password": "another horse"});
        assert_eq!(post(&world, CAFE, "/api/auth/change-password", &token, change).await.status, 200);

        attack(&world, OWNER, 1).await;
        assert_eq!(log_in(&world, CAFE, OWNER, "another horse").await.status, 429);
        world.post("/api/auth/forgot-password", "", json!({"email": OWNER})).await;
        let reset = world.token_mailed_to(OWNER, "reset-password").await;
        let body = json!({"token": reset, "password": PASSWORD});
        assert_eq!(post(&world, CAFE, "/api/auth/reset-password", "", body).await.status, 200);
        attack(&world, OWNER, 6).await;
        assert_eq!(
            log_in(&world, CAFE, OWNER, PASSWORD).await.status,
            200,
            "the link has proved who they are"
        );
    });
}

#[test]
fn a_stolen_session_does_not_guess_the_password() {
    // [SAFE235]
    with_delays(async |world| {
        let token = world.photographer(OWNER).await;
        let change = json!({"current_password": "wrong horse", "new_password": "another horse"});
        for _ in 0..5 {
            let answer = post(&world, CAFE, "/api/auth/change-password", &token, change.clone()).await;
            assert_eq!(answer.status, 400);
        }
        let deletion = json!({"password": PASSWORD});
        let refused = post(&world, CAFE, "/api/auth/me", &token, deletion.clone()).await;
        assert_eq!(
            refused.error(),
            (429, String::from("Too many requests. Please try again in 30 seconds."))
        );
        let email = json!({"email": "new@example.com", "current_password": PASSWORD});
        assert_eq!(world.put("/api/auth/update-profile", &token, email).await.status, 429);
        assert_eq!(log_in(&world, CAFE, OWNER, PASSWORD).await.status, 200, "a login has another count");
        world.clock.advance(Duration::from_secs(30));
        assert_eq!(post(&world, CAFE, "/api/auth/me", &token, deletion).await.status, 200);
    });
}

#[test]
fn the_owner_is_told_of_ten_wrong_passwords() {
    // [SAFE104]
    with_delays(async |world| {
        world.photographer(OWNER).await;
        world.drain().await;
        world.mails.take();
        attack(&world, NOBODY, 11).await;
        attack(&world, OWNER, 9).await;
        world.drain().await;
        assert_eq!(world.mails.sent().len(), 0);
        attack(&world, OWNER, 3).await;
        world.drain().await;
        let sent = world.mails.take();
        assert_eq!(sent.len(), 1, "once");
        assert_eq!(sent[0].mail.to.as_str(), OWNER);
        assert_eq!(sent[0].mail.subject, "Somebody tries to log in to your Afterglow account");
        assert_eq!(sent[0].mail.links, ["http://localhost:8080/forgot-password"]);
    });
}

/// The statements of a request, each as its operation and table. All of its tasks must run on this thread.
async fn recorded<T>(request: impl Future<Output = T>) -> (T, Vec<String>) {
    #[derive(Clone, Default)]
    struct Recorder(Arc<Mutex<Vec<String>>>);

    impl<S: Subscriber> Layer<S> for Recorder {
        fn on_new_span(&self, attributes: &Attributes<'_>, _: &Id, _: Context<'_, S>) {
            if attributes.metadata().target() == "storage" {
                let mut words = Words::default();
                attributes.record(&mut words);
                self.0.lock().unwrap().push(format!("{} {}", words.operation, words.table));
            }
        }
    }

    #[derive(Default)]
    struct Words {
        operation: String,
        table: String,
    }

    impl Visit for Words {
        fn record_str(&mut self, field: &Field, value: &str) {
            match field.name() {
                "db.operation.name" => value.clone_into(&mut self.operation),
                "db.collection.name" => value.clone_into(&mut self.table),
                _ => {}
            }
        }

        fn record_debug(&mut self, _: &Field, _: &dyn std::fmt::Debug) {}
    }

    let recorder = Recorder::default();
    let subscriber = tracing_subscriber::registry().with(recorder.clone());
    // With a single subscriber in the process, `tracing` lets the thread that meets a call site first decide for all threads
    // whether it is enabled.
    let _second = tracing::Dispatch::new(tracing::subscriber::NoSubscriber::default());
    let recording = tracing::subscriber::set_default(subscriber);
    let answer = request.await;
    drop(recording);
    let statements = recorder.0.lock().unwrap().clone();
    (answer, statements)
}

#[test]
fn a_request_for_a_mail_does_the_same_for_every_address() {
    // [SAFE109] [SAFE236]
    let test = async |world: World| {
        world.photographer(OWNER).await;
        world.register("new@example.com").await;
        world.drain().await;
        for path in ["/api/auth/forgot-password", "/api/auth/resend-verification"] {
            let mut expected = None;
            for email in [OWNER, "new@example.com", NOBODY] {
                let body = json!({"email": email});
                let (answer, statements) = recorded(world.post(path, "", body)).await;
                assert_eq!(answer.status, 200);
                assert!(statements.contains(&String::from("INSERT jobs")), "{statements:?}");
                let as_before = expected.get_or_insert_with(|| statements.clone());
                assert_eq!(*as_before, statements, "{path} {email}");
                // One job of the same kind, whatever the address: only it looks for an account.
                let queued = storage::operations::runtime::jobs::JobState::Queued;
                let jobs = storage::operations::runtime::jobs::in_state(&world.parts.db, queued, None, 9)
                    .await
                    .unwrap();
                let [row] = jobs.as_slice() else { panic!("{} jobs", jobs.len()) };
                assert!(matches!(row.job, Some(domain::Job::AnswerMailRequest { .. })), "{path} {email}");
                world.drain().await;
            }
        }
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        for database in storage::testing::engines().await {
            test(World::new(database.db.clone()).await).await;
        }
    });
}
