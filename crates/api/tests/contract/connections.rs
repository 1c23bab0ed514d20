//! What a connection may do without asking for anything, over real ones.

use std::net::SocketAddr;
use std::time::Duration;

use app::{ConnectionCapacity, Settings};
use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::{CancellationToken, DropGuard};

use crate::harness::{RED, World, photo};

/// A limit of these tests that is reached.
const SHORT: Duration = Duration::from_millis(300);
/// A limit that is not.
const LONG: Duration = Duration::from_secs(60);
/// In which what is limited by [`SHORT`] has ended, on a machine that is busy.
const PATIENCE: Duration = Duration::from_secs(20);

const HEALTH: &str = "GET /api/health HTTP/1.1\r\nhost: localhost\r\n\r\n";

/// Limits none of which is reached.
const GENEROUS: ConnectionCapacity = ConnectionCapacity {
    connections: 100,
    per_address: 0,
    head: LONG,
    idle: LONG,
    body_bytes: 1,
    body_window: LONG,
    request: LONG,
    stalled_write: LONG,
};

/// A service on a port of this machine, until it is dropped.
struct Service {
    world: World,
    address: SocketAddr,
    _stop: DropGuard,
    _database: storage::testing::TestDb,
}

impl Service {
    async fn start(limits: ConnectionCapacity) -> Self {
        Self::with(|settings| settings.connection_capacity = limits).await
    }

    async fn with(change: impl FnOnce(&mut Settings)) -> Self {
        let database = storage::testing::sqlite().await;
        let world = World::with_settings(database.db.clone(), change).await;
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let stop = CancellationToken::new();
        let router = api::router(world.app.clone(), api::WebApp::new(|_| None));
        tokio::spawn(api::serve(listener, router, world.app.clone(), stop.clone().cancelled_owned()));
        Self { world, address, _stop: stop.drop_guard(), _database: database }
    }

    async fn connect(&self) -> TcpStream {
        TcpStream::connect(self.address).await.unwrap()
    }
}

/// Sends bytes. The service may have closed the connection.
async fn send(connection: &mut TcpStream, bytes: impl AsRef<[u8]>) {
    let _ = connection.write_all(bytes.as_ref()).await;
}

/// Reads an answer that has a length: its head and its body.
async fn answer(connection: &mut TcpStream) -> (String, Value) {
    let read = async {
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            head.push(connection.read_u8().await.unwrap());
        }
        let head = String::from_utf8(head).unwrap().to_lowercase();
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap();
        let mut body = vec![0; length.parse().unwrap()];
        connection.read_exact(&mut body).await.unwrap();
        (head, serde_json::from_slice(&body).unwrap())
    };
    tokio::time::timeout(PATIENCE, read).await.expect("an answer")
}

/// How many bytes come until the service ends the connection.
async fn bytes_until_end(connection: &mut TcpStream) -> usize {
    let (mut total, mut buffer) = (0, vec![0; 64 << 10]);
    let read = async {
        // Ended without all of its bytes read, a connection is reset.
        while let Ok(read @ 1..) = connection.read(&mut buffer).await {
            total += read;
        }
    };
    tokio::time::timeout(PATIENCE, read).await.expect("the end of the connection");
    total
}

#[tokio::test(flavor = "multi_thread")]
async fn a_head_that_comes_too_slowly_ends_the_connection() {
    let service = Service::start(ConnectionCapacity { head: SHORT, ..GENEROUS }).await;
    let (mut silent, mut slow) = (service.connect().await, service.connect().await);
    send(&mut slow, &HEALTH[..10]).await;
    assert_eq!(bytes_until_end(&mut silent).await, 0);
    assert_eq!(bytes_until_end(&mut slow).await, 0);
    let mut next = service.connect().await;
    send(&mut next, HEALTH).await;
    assert!(answer(&mut next).await.0.starts_with("http/1.1 200"));
    tokio::time::sleep(SHORT * 3).await;
    send(&mut next, &HEALTH[..10]).await;
    assert_eq!(bytes_until_end(&mut next).await, 0, "the head of a later request has the same time");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_idle_connection_has_a_time_of_its_own() {
    let service = Service::start(ConnectionCapacity { idle: SHORT, ..GENEROUS }).await;
    let (mut idle, mut new) = (service.connect().await, service.connect().await);
    for _ in 0..2 {
        send(&mut idle, HEALTH).await;
        assert!(answer(&mut idle).await.0.starts_with("http/1.1 200"));
    }
    assert_eq!(bytes_until_end(&mut idle).await, 0);
    send(&mut new, HEALTH).await;
    assert!(answer(&mut new).await.0.starts_with("http/1.1 200"), "it waited for its first request");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_has_to_come_in_at_a_rate_and_may_take_any_time() {
    // For so long the service drops what still comes after its answer.
    let head = Duration::from_secs(5);
    let limits = ConnectionCapacity { head, body_bytes: 1_000, body_window: SHORT, ..GENEROUS };
    let service = Service::start(limits).await;
    let login = r#"{"email": "nobody@example.com", "password": "wrong"}"#;
    let body = format!("{login}{}", " ".repeat(40_000 - login.len()));
    let head = "POST /api/auth/login HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 40000\r\n\r\n";

    let mut steady = service.connect().await;
    send(&mut steady, head).await;
    for part in body.as_bytes().chunks(2_000) {
        send(&mut steady, part).await;
        tokio::time::sleep(SHORT / 5).await;
    }
    let (head_of_answer, error) = answer(&mut steady).await;
    assert!(head_of_answer.starts_with("http/1.1 401"), "{head_of_answer}");
    assert_eq!(error["error"], "Invalid email or password");

    let mut slow = service.connect().await;
    send(&mut slow, head).await;
    let dribble = async {
        for byte in body.as_bytes() {
            if slow.write_all(&[*byte]).await.is_err() {
                return;
            }
            tokio::time::sleep(SHORT / 20).await;
        }
    };
    tokio::time::timeout(PATIENCE, dribble).await.expect("the end of the connection");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_takes_too_long_is_503() {
    let service = Service::start(ConnectionCapacity { request: Duration::from_secs(2), ..GENEROUS }).await;
    let world = &service.world;
    let vision::Engine::Fake(engine) = world.parts.engine.clone() else { panic!("it is the double") };
    let token = world.photographer("meera@example.com").await;
    let event = world.event(&token, "Party").await;
    let paused = engine.pause_selfies();
    let late = world.search(&event, &photo(&[RED], 0)).await;
    assert_eq!((late.error().0, late.header("retry-after")), (503, "2"));
    drop(paused);
    assert_eq!(world.search(&event, &photo(&[RED], 0)).await.status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_does_not_take_what_is_sent_loses_the_connection() {
    let service = Service::start(ConnectionCapacity { stalled_write: SHORT, ..GENEROUS }).await;
    let world = &service.world;
    let token = world.photographer("meera@example.com").await;
    let event = world.event(&token, "Party").await;
    // What follows a picture's end is kept with it.
    let large = [photo(&[RED], 0), vec![0; 40 << 20]].concat();
    let id = world.upload(&token, &event, "a.jpg", &large).await.json()["id"].as_str().unwrap().to_owned();
    let request = format!(
        "GET /api/photos/{id}/file?size=original HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {token}\r\n\r\n"
    );
    let (mut stalled, mut reading) = (service.connect().await, service.connect().await);
    send(&mut stalled, &request).await;
    tokio::time::sleep(SHORT * 5).await;
    assert!(bytes_until_end(&mut stalled).await < large.len());

    send(&mut reading, &request).await;
    let (mut total, mut buffer) = (0, vec![0; 4 << 20]);
    while total < large.len() {
        // Slowly, but at every moment.
        tokio::time::sleep(SHORT / 6).await;
        total += reading.read(&mut buffer).await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_before_the_end_of_the_body_reaches_the_client() {
    let service = Service::with(|settings| {
        settings.searches = 0;
        settings.search_capacity.queue = 0;
    })
    .await;
    let token = service.world.photographer("meera@example.com").await;
    let event = service.world.event(&token, "Party").await;
    let mut connection = service.connect().await;
    let length = 8 << 20;
    let head = format!(
        "POST /api/face/search/{} HTTP/1.1\r\nhost: localhost\r\ncontent-type: multipart/form-data; boundary=line\r\n\
         content-length: {length}\r\n\r\n",
        event["slug"].as_str().unwrap()
    );
    send(&mut connection, head).await;
    connection.write_all(&vec![0; length]).await.unwrap();
    let (head, error) = answer(&mut connection).await;
    assert!(head.starts_with("http/1.1 503") && head.contains("retry-after: 2"), "{head}");
    assert_eq!(error["code"], "busy");
}

#[tokio::test(flavor = "multi_thread")]
async fn one_connection_too_many_is_refused_in_words() {
    let service = Service::start(ConnectionCapacity { connections: 2, ..GENEROUS }).await;
    let held = [service.connect().await, service.connect().await];
    // The service has accepted them once it refuses another.
    let (head, error) = asked(&service).await;
    assert!(head.starts_with("http/1.1 503") && head.contains("retry-after: 2"), "{head}");
    assert_eq!(error["code"], "busy");
    drop(held);
    wait_until_let_in(&service).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_has_a_part_of_the_connections_unless_it_is_a_proxy() {
    let limits = ConnectionCapacity { per_address: 1, ..GENEROUS };
    let service = Service::start(limits).await;
    let held = service.connect().await;
    let (head, error) = asked(&service).await;
    assert!(head.starts_with("http/1.1 429") && head.contains("retry-after: 2"), "{head}");
    assert_eq!(error["code"], "too_many_requests");
    drop(held);
    wait_until_let_in(&service).await;

    let service = Service::with(|settings| {
        settings.connection_capacity = limits;
        settings.trusted_proxies = "127.0.0.1".parse().unwrap();
    })
    .await;
    let mut held = Vec::new();
    for _ in 0..5 {
        let mut connection = service.connect().await;
        send(&mut connection, HEALTH).await;
        assert!(answer(&mut connection).await.0.starts_with("http/1.1 200"));
        held.push(connection);
    }
}

/// What a new connection is answered.
async fn asked(service: &Service) -> (String, Value) {
    let mut connection = service.connect().await;
    send(&mut connection, HEALTH).await;
    answer(&mut connection).await
}

/// Waits until the service has seen that others are gone.
async fn wait_until_let_in(service: &Service) {
    let let_in = async {
        while !asked(service).await.0.starts_with("http/1.1 200") {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(PATIENCE, let_in).await.expect("a connection");
}
