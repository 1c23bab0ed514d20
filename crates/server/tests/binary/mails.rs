//! Mails through the whole service and a real mail server, and what the log says meanwhile.

use serde_json::json;

use crate::harness::{Server, picture, wait_for};
use crate::smtp_server::SmtpServer;

const PASSWORD: &str = "correct horse battery";
const NEW_PASSWORD: &str = "another staple entirely";

/// A mail as a reader sees it: quoted-printable undone.
fn readable(mail: &str) -> String {
    mail.replace("=\r\n", "").replace("=3D", "=")
}

/// The token in a mail's link to this page.
fn token_in(mail: &str, page: &str) -> String {
    let mail = readable(mail);
    // It is in the fragment, but for /verify-email.
    let link = mail.split(page).nth(1).and_then(|rest| rest[1..].strip_prefix("token=")).unwrap();
    link.chars().take_while(|c| c.is_ascii_alphanumeric() || "-_".contains(*c)).collect()
}

#[test]
fn mails_are_sent_and_no_secret_is_logged() {
    // [RUN001] [RUN025] [RUN032] [AUTH032] [AUTH074] [PAY060] [SAFE002] [SAFE036] [SAFE037] [SAFE038] [SAFE001]
    let folder = tempfile::tempdir().unwrap();
    let smtp = SmtpServer::start(1);
    let url = format!("smtp://127.0.0.1:{}", smtp.port);
    let settings = [("AFTERGLOW_MAIL_URL", url.as_str()), ("AFTERGLOW_LOG", "trace")];
    let server = Server::start_with(folder.path(), &["serve"], &settings);

    let account = json!({"name": "Meera", "email": "meera@example.com", "password": PASSWORD});
    assert_eq!(server.json("/api/auth/register", "", &account)["email_sent"], true);
    // The first attempt meets a busy server; the next, some seconds later, does not.
    let mail = wait_for("the mail", || smtp.received().pop());
    assert_eq!(smtp.attempts(), 2);
    assert!(mail.contains("Subject: Verify your email for Afterglow") && mail.contains("From: Afterglow <"));
    for part in ["multipart/alternative", "text/plain", "text/html"] {
        assert!(mail.contains(part), "{part} is not in\n{mail}");
    }
    let port = server.address.rsplit(':').next().unwrap();
    let link = format!("http://localhost:{port}/verify-email?token=");
    assert!(readable(&mail).contains(&link), "{link} is not in\n{mail}");
    let verification = token_in(&mail, "verify-email");
    server.json("/api/auth/verify-email", "", &json!({"token": verification}));
    let session = server.json("/api/auth/login", "", &account)["token"].as_str().unwrap().to_owned();
    let (status, _) = server.call(
        "POST",
        "/api/auth/login",
        "",
        "application/json",
        b"{\"email\":\"meera@example.com\",\"password\":\"a wrong guess\"}",
    );
    assert_eq!(status, 401);

    let event = server.json("/api/events/", &session, &json!({"name": "Party", "date": "2026-11-14"}));
    let (id, slug) = (event["id"].as_str().unwrap(), event["slug"].as_str().unwrap());
    assert_eq!(server.upload(&session, id, &picture("obama2.jpg")).0, 201);
    wait_for("the index", || {
        (server.get(&format!("/api/events/{slug}"), "")["indexing"]["indexed"] == 1).then_some(())
    });
    let selfie = picture("obama.jpg");
    let (status, found) = server.search(&format!("/api/face/search/{slug}"), "", &selfie);
    assert_eq!((status, found["matches"].as_array().unwrap().len()), (200, 1));

    server.json("/api/auth/forgot-password", "", &json!({"email": "meera@example.com"}));
    let mail = wait_for("the second mail", || smtp.received().get(1).cloned());
    assert!(mail.contains("Subject: Set a new password for Afterglow"));
    let reset = token_in(&mail, "reset-password");
    server.json("/api/auth/reset-password", "", &json!({"token": reset, "password": NEW_PASSWORD}));
    let changed = json!({"email": "meera@example.com", "password": NEW_PASSWORD});
    let second = server.json("/api/auth/login", "", &changed)["token"].as_str().unwrap().to_owned();
    let order = server.json("/api/payments/create-order", &second, &json!({"amount": 10_000}));
    assert_eq!(order["provider"], "sandbox", "no keys are set");
    let proof = server.json("/api/payments/sandbox", &second, &json!({"order_id": order["order_id"]}));
    server.json("/api/payments/verify-payment", &second, &proof);
    let (status, _) =
        server.call("GET", &format!("/api/auth/check-verification-status?token={verification}"), "", "", b"");
    assert_eq!(status, 200);

    let log = server.log();
    // Nothing that the server or its libraries do there is logged at a lower level.
    assert!(log.contains("DEBUG") && log.contains("/api/auth/login"), "the log is the right one");
    let file_link = found["matches"][0]["url"].as_str().unwrap();
    let signature = file_link.split("signature=").nth(1).unwrap();
    for (what, secret) in [
        ("the password", PASSWORD),
        ("the new password", NEW_PASSWORD),
        ("a wrong password", "a wrong guess"),
        ("a session's token", session.as_str()),
        ("another session's token", second.as_str()),
        ("a verification's token", verification.as_str()),
        ("a reset's token", reset.as_str()),
        ("a payment's signature", proof["razorpay_signature"].as_str().unwrap()),
        ("a file link's signature", signature),
        // The beginning of a JPEG, as bytes are printed.
        ("a picture", "255, 216, 255"),
        ("a picture", "\\xff\\xd8\\xff"),
        ("an embedding", "embedding: ["),
        ("an embedding", "Embedding("),
    ] {
        assert!(
            !log.contains(secret),
            "{what} is in the log: {:?}",
            log.lines().find(|line| line.contains(secret))
        );
    }
    // SMTP's own way of sending texts: base64 of what it carries.
    assert!(!log.contains("Welcome to Afterglow"), "the text of a mail is in the log");

    // Nothing of the selfie is in the data folder: neither its bytes nor a file of its size.
    let window = &selfie[selfie.len() / 2..selfie.len() / 2 + 64];
    let mut folders = vec![folder.path().to_owned()];
    let mut looked_at = 0;
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let bytes = std::fs::read(&path).unwrap();
            assert!(!bytes.windows(64).any(|part| part == window), "the selfie is in {}", path.display());
            looked_at += 1;
        }
    }
    assert!(looked_at > 3, "the folder is the right one");
}
