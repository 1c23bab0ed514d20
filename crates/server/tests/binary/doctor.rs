//! `afterglow healthcheck` and `afterglow doctor`, beside a running server and without one.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::Output;

use serde_json::Value;

use crate::bucket::Bucket;
use crate::harness::{Server, afterglow, text};
use crate::smtp_server::SmtpServer;

fn command(folder: &Path, arguments: &[&str], settings: &[(&str, &str)]) -> Output {
    afterglow(folder).args(arguments).envs(settings.iter().copied()).output().unwrap()
}

#[test]
fn a_container_asks_whether_its_server_is_ready() {
    let folder = tempfile::tempdir().unwrap();
    let everywhere = [
        ("AFTERGLOW_LISTEN", "0.0.0.0:0"),
        ("AFTERGLOW_PLAIN_HTTP", "on"),
        ("AFTERGLOW_SANDBOX_PAYMENTS", "on"),
        ("AFTERGLOW_MAIL_URL", "outbox:///tmp/unused"),
    ];
    let mut server = Server::start_with(folder.path(), &["serve"], &everywhere);
    assert!(server.address.starts_with("0.0.0.0:"), "{}", server.address);
    let listen = server.address.clone();
    let ask = || {
        let output = command(folder.path(), &["healthcheck"], &[("AFTERGLOW_LISTEN", &listen)]);
        (output.status.code(), text(&output.stdout))
    };
    assert_eq!(ask(), (Some(0), String::from("Ready.\n")));
    std::fs::remove_dir_all(folder.path().join("data/media")).unwrap();
    let (code, said) =
        crate::harness::wait_for("the store's loss", || Some(ask()).filter(|(code, _)| *code == Some(1)));
    assert!(said.starts_with("Not ready: The media store"), "{said}");
    assert_eq!(code, Some(1));
    server.signal("-TERM");
    server.end();
    let (code, said) = ask();
    assert_eq!(code, Some(1));
    assert!(said.starts_with(&listen.replace("0.0.0.0", "No answer from 127.0.0.1")), "{said}");
    // Somebody listens and says nothing.
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = silent.local_addr().unwrap().to_string();
    let output =
        command(folder.path(), &["healthcheck", "--timeout", "1"], &[("AFTERGLOW_LISTEN", &address)]);
    assert_eq!(output.status.code(), Some(1));
    let left_open = command(folder.path(), &["healthcheck"], &[("AFTERGLOW_LISTEN", "127.0.0.1:0")]);
    assert!(text(&left_open.stderr).contains("`listen`"), "{}", text(&left_open.stderr));
}

/// Without them the pace of indexing is not measured, which takes seconds, and which few of these tests are about.
const WITHOUT_MODELS: (&str, &str) = ("AFTERGLOW_MODEL_DIR", "nowhere");

/// The report of a doctor, and whether it ended with 0.
fn doctor(folder: &Path, settings: &[(&str, &str)]) -> (bool, Value) {
    let output = command(folder, &["doctor", "--json"], settings);
    let report = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {} {}", text(&output.stdout), text(&output.stderr)));
    (output.status.success(), report)
}

/// Name and status of each check.
fn statuses(report: &Value) -> Vec<(&str, &str)> {
    let checks = report["checks"].as_array().unwrap().iter();
    checks.map(|check| (check["name"].as_str().unwrap(), check["status"].as_str().unwrap())).collect()
}

fn check<'a>(report: &'a Value, name: &str) -> &'a Value {
    let mut checks = report["checks"].as_array().unwrap().iter();
    checks.find(|check| check["name"] == name).unwrap_or_else(|| panic!("{name} is not in {report}"))
}

/// Asserts that a check has this status, and that it says these words.
fn assert_says(report: &Value, name: &str, status: &str, words: &[&str]) {
    let found = check(report, name);
    assert_eq!(found["status"], status, "{found}");
    let said = format!("{} {}", found["seen"].as_str().unwrap(), found["cure"].as_str().unwrap_or_default());
    for word in words {
        assert!(said.contains(word), "{word} is not in {found}");
    }
    assert_eq!(found["cure"].is_string(), ["warning", "failed"].contains(&status), "{found}");
}

#[test]
fn an_installation_is_examined_running_and_stopped() {
    // [RUN316] [SAFE114] [PAY211] [RUN350]
    let folder = tempfile::tempdir().unwrap();
    // Before the first start nothing is there, and nothing is made.
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    let (is_well, report) = doctor(folder.path(), &[("AFTERGLOW_LISTEN", &closed)]);
    assert!(is_well, "{report}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    assert_says(&report, "database", "warning", &["is not there yet"]);
    assert_says(&report, "models", "ok", &["passes its self-test"]);
    assert_says(&report, "pace", "ok", &["24 megapixels", "1,000 photos take"]);
    assert_says(&report, "service", "warning", &["No server answers", "`afterglow serve`"]);

    let mut server = Server::start(folder.path(), &["serve"]);
    let listen = server.address.clone();
    let settings = [("AFTERGLOW_LISTEN", listen.as_str()), ("AFTERGLOW_METRICS_TOKEN", "hunter2")];
    let (is_well, report) = doctor(folder.path(), &settings);
    assert!(is_well, "{report}");
    let found = statuses(&report);
    let expected = [
        ("settings", "ok"),
        ("data_folder", "ok"),
        ("media_folder", "ok"),
        ("outbox_folder", "ok"),
        ("disk", "ok"),
        ("database", "ok"),
        ("schema", "ok"),
        ("media_store", "ok"),
        ("clock", "skipped"),
        ("models", "ok"),
        ("pace", "ok"),
        ("decoders", "ok"),
        ("mail", "ok"),
        ("payments", "ok"),
        ("service", "ok"),
        ("public_url", "ok"),
        ("certificate", "skipped"),
        ("proxy", "ok"),
        ("upload", "ok"),
    ];
    for (found, expected) in found.iter().zip(&expected).filter(|(found, _)| found.0 != "disk") {
        assert_eq!(found, expected, "{report}");
    }
    assert_eq!(found.len(), expected.len());
    assert_eq!(report["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(report["settings"]["listen"], listen);
    assert!(!report.to_string().contains("hunter2"), "{report}");
    let output = command(folder.path(), &["doctor"], &settings);
    let said = text(&output.stdout);
    assert!(said.contains("ok       schema: The database has schema"), "{said}");
    assert!(said.contains("19 checks:") && !said.contains("hunter2"), "{said}");

    server.signal("-TERM");
    server.end();
    let (is_well, report) = doctor(folder.path(), &settings);
    assert!(is_well, "a service that was stopped is no failure: {report}");
    assert_says(&report, "schema", "ok", &[]);
    assert_says(&report, "public_url", "skipped", &[]);
    assert_says(&report, "upload", "skipped", &[]);

    assert_says(&report, "payments", "ok", &["sandbox"]);
    let keys = [
        ("AFTERGLOW_RAZORPAY_KEY_ID", "rzp_live_1"),
        ("AFTERGLOW_RAZORPAY_KEY_SECRET", "hunter2"),
        WITHOUT_MODELS,
    ];
    let (_, report) = doctor(folder.path(), &keys);
    assert_says(
        &report,
        "payments",
        "warning",
        &["`razorpay_webhook_secret` is not set", "docs/configuration.md"],
    );
    let all = [keys[0], keys[1], WITHOUT_MODELS, ("AFTERGLOW_RAZORPAY_WEBHOOK_SECRET", "hunter2")];
    let (_, report) = doctor(folder.path(), &all);
    assert_says(&report, "payments", "ok", &["can be verified"]);

    let (is_well, report) = doctor(folder.path(), &[("AFTERGLOW_COLOUR", "red")]);
    assert!(!is_well);
    assert_says(&report, "settings", "failed", &["AFTERGLOW_COLOUR", "`afterglow config`"]);
    assert_eq!(report["settings"], Value::Null);
}

#[test]
fn what_does_not_work_is_named_with_its_cure() {
    let folder = tempfile::tempdir().unwrap();
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let (database, mail) = (format!("postgres://u:hunter2@{closed}/a"), format!("smtp://u:hunter2@{closed}"));
    let endpoint = format!("http://{closed}");
    let settings = [
        ("AFTERGLOW_LISTEN", "127.0.0.1:1"),
        ("AFTERGLOW_PUBLIC_URL", "http://photos.example"),
        ("AFTERGLOW_MODEL_DIR", "nowhere"),
        ("AFTERGLOW_DATABASE_URL", &database),
        ("AFTERGLOW_MAIL_URL", &mail),
        ("AFTERGLOW_MEDIA_URL", "s3://media"),
        ("AWS_ENDPOINT_URL", &endpoint),
        ("AWS_ALLOW_HTTP", "true"),
        ("AWS_ACCESS_KEY_ID", "a"),
        ("AWS_SECRET_ACCESS_KEY", "hunter2"),
    ];
    let (is_well, report) = doctor(folder.path(), &settings);
    assert!(!is_well);
    assert_says(&report, "settings", "failed", &["without https", "`plain_http`"]);
    assert_says(&report, "models", "failed", &["make models"]);
    assert_says(&report, "pace", "skipped", &["the models"]);
    assert_says(&report, "database", "failed", &["PostgreSQL runs"]);
    assert_says(&report, "mail", "failed", &["`mail_url`"]);
    assert_says(&report, "media_store", "failed", &["AWS_*"]);
    assert_says(&report, "schema", "skipped", &[]);
    assert!(!report.to_string().contains("hunter2"), "{report}");
}

#[test]
fn servers_of_others_are_tried_out() {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let (folder, objects) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (database, bucket) =
        runtime.block_on(async { (storage::testing::postgres().await, Bucket::start(objects.path()).await) });
    let smtp = SmtpServer::start(0);
    let mail = format!("smtp://127.0.0.1:{}", smtp.port);
    let own = bucket.settings();
    let mut settings: Vec<_> = own.iter().map(|(name, value)| (*name, value.as_str())).collect();
    settings.extend([
        ("AFTERGLOW_LISTEN", "127.0.0.1:1"),
        ("AFTERGLOW_DATABASE_URL", database.url.as_str()),
        ("AFTERGLOW_MEDIA_URL", "s3://media/party"),
        ("AFTERGLOW_MAIL_URL", mail.as_str()),
    ]);
    let (is_well, report) = doctor(folder.path(), &settings);
    assert!(is_well, "{report}");
    assert_says(&report, "database", "ok", &["PostgreSQL 1"]);
    assert_says(&report, "media_store", "ok", &["put, read and removed"]);
    assert_says(&report, "clock", "ok", &["the bucket's", "PostgreSQL's"]);
    assert_says(&report, "mail", "ok", &["takes the connection"]);
    assert_eq!(smtp.attempts(), 0, "no mail was offered");
    let left = std::fs::read_dir(objects.path().join("media/party"));
    assert_eq!(
        left.map_or(0, |entries| entries.filter(|entry| entry.as_ref().unwrap().path().is_file()).count()),
        0
    );
}

/// A proxy that adds a line to the head of each request, and refuses bodies over `limit`.
fn proxy(to: String, line: &'static str, limit: usize) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for client in listener.incoming() {
            let (client, to) = (client.unwrap(), to.clone());
            // A client that hangs up ends only its own request.
            std::thread::spawn(move || forward(client, &to, line, limit));
        }
    });
    port
}

fn forward(mut client: TcpStream, to: &str, line: &str, limit: usize) -> std::io::Result<()> {
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") {
        client.read_exact(&mut byte)?;
        head.push(byte[0]);
    }
    let head = text(&head);
    let lines: Vec<&str> = head.trim_end().split("\r\n").collect();
    let value = |line: &str, name: &str| line.to_lowercase().strip_prefix(name).map(str::to_owned);
    let length = lines.iter().find_map(|line| value(line, "content-length: ")).unwrap_or_default();
    let length: usize = length.parse().unwrap_or(0);
    let mut body = vec![0; length];
    client.read_exact(&mut body)?;
    if length > limit {
        return client.write_all(b"HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    }
    let mut server = TcpStream::connect(to)?;
    // The client's own claim does not go along, nor its wish to keep the connection.
    let dropped =
        |line: &&str| ["x-forwarded-for: ", "connection: "].iter().any(|name| value(line, name).is_some());
    let kept: Vec<&str> = lines.iter().copied().filter(|line| !dropped(line)).collect();
    server.write_all(format!("{}\r\n{line}Connection: close\r\n\r\n", kept.join("\r\n")).as_bytes())?;
    server.write_all(&body)?;
    let mut answer = Vec::new();
    server.read_to_end(&mut answer)?;
    client.write_all(&answer)
}

#[test]
fn a_proxy_in_front_is_seen_through() {
    // [RUN320]
    let folder = tempfile::tempdir().unwrap();
    let trusting = [("AFTERGLOW_TRUSTED_PROXIES", "127.0.0.1")];
    let server = Server::start_with(folder.path(), &["serve", "--no-worker"], &trusting);
    let through = |line: &'static str, limit: usize| {
        let url = format!("http://127.0.0.1:{}", proxy(server.address.clone(), line, limit));
        let settings = [
            ("AFTERGLOW_LISTEN", server.address.as_str()),
            ("AFTERGLOW_PUBLIC_URL", url.as_str()),
            WITHOUT_MODELS,
        ];
        doctor(folder.path(), &[&settings[..], &trusting[..]].concat()).1
    };
    let good = "X-Forwarded-For: 203.0.113.9\r\n";
    let report = through(good, usize::MAX);
    assert_says(&report, "proxy", "ok", &["comes from 203.0.113.9"]);
    assert_says(&report, "upload", "ok", &["105 MB arrived"]);
    assert_says(&through(good, 1_000_000), "upload", "failed", &["413", "client_max_body_size"]);
    let other = through("Via: 1.1 proxy\r\n", usize::MAX);
    assert_says(&other, "proxy", "failed", &["`forwarding_header`", "127.0.0.1"]);
}
