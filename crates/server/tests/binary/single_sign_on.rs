//! A login at a certified provider of OpenID Connect.

use std::net::TcpListener;
use std::process::Command;

use crate::harness::{Server, afterglow, root, text};

const SECRET: &str = "a secret of 32 bytes or a few more";

#[test]
fn somebody_logs_in_at_a_certified_provider() {
    // [AUTH223] [AUTH224] [AUTH225]
    let folder = tempfile::tempdir().unwrap();
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let issuer = format!("http://localhost:{port}");
    let secret = folder.path().join("secret");
    std::fs::write(&secret, format!("{SECRET}\n")).unwrap();
    let settings = [
        ("AFTERGLOW_OIDC_ISSUER", issuer.as_str()),
        ("AFTERGLOW_OIDC_CLIENT_ID", "afterglow"),
        ("AFTERGLOW_OIDC_CLIENT_SECRET_FILE", secret.to_str().unwrap()),
    ];
    // Half of the settings does not start.
    let half = afterglow(folder.path()).args(["serve"]).env(settings[0].0, settings[0].1).output().unwrap();
    assert!(!half.status.success());
    assert!(
        text(&half.stderr)
            .contains("Single sign-on lacks the setting `oidc_client_id` and `oidc_client_secret`."),
        "{}",
        text(&half.stderr)
    );

    let server = Server::start_with(folder.path(), &["serve"], &settings);
    server.photographer();
    let own = format!("http://localhost:{}", server.address.rsplit(':').next().unwrap());
    let browser = Command::new("node")
        .args([root().join("web/tools/single-sign-on.mjs").to_str().unwrap(), &port.to_string(), &own])
        .output()
        .unwrap();
    assert!(browser.status.success(), "{}\n{}", text(&browser.stderr), server.log());
    let printed = text(&browser.stdout);
    let answer =
        printed.lines().find(|line| line.starts_with("{\"token\"")).unwrap_or_else(|| panic!("{printed}"));
    let answer: serde_json::Value = serde_json::from_str(answer).unwrap();
    assert_eq!(answer["user"]["email"], "meera@example.com");
    assert_eq!(answer["next"], "/admin/events");
    let session = answer["token"].as_str().unwrap();
    assert_eq!(server.get("/api/auth/oidc/link", session)["linked"], true);
    // Neither the secret nor what the browser was given is in the log.
    assert!(!server.log().contains(SECRET) && !server.log().contains(session));
}
