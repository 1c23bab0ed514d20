//! What administrators do, from the machine itself.

use std::path::Path;

use serde_json::{Value, json};

use crate::harness::{Server, picture, run, text};

fn printed(folder: &Path, arguments: &[&str]) -> String {
    let output = run(folder, arguments);
    assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
    text(&output.stdout)
}

fn parsed(folder: &Path, arguments: &[&str]) -> Value {
    serde_json::from_str(&printed(folder, arguments)).unwrap()
}

#[test]
fn commands_say_what_the_api_answers() {
    // [ADMIN010]
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    const SECRET: &str = "a-secret-of-the-provider";
    let secrets = [("AFTERGLOW_RAZORPAY_KEY_ID", "rzp_test_1"), ("AFTERGLOW_RAZORPAY_KEY_SECRET", SECRET)];
    let server = Server::start_with(folder, &["serve", "--no-worker"], &secrets);
    let token = server.photographer();
    printed(folder, &["user", "admin", "meera@example.com", "on"]);
    let event = server.json("/api/events/", &token, &json!({"name": "Party", "date": "2026-11-14"}));
    let (status, _) = server.upload(&token, event["id"].as_str().unwrap(), &picture("obama.jpg"));
    assert_eq!(status, 201);
    let of_api = |path: &str| server.get(&format!("/api/administration/{path}"), &token);

    let mut overview = of_api("overview");
    let mut status = parsed(folder, &["status", "--json"]);
    assert_eq!((&status["photos"], &status["ledger"]["agrees"]), (&json!(1), &json!(true)));
    for changing in ["counted_at", "warnings"] {
        overview[changing] = Value::Null;
        status[changing] = Value::Null;
    }
    for changing in ["free_bytes", "database_bytes"] {
        overview["storage"][changing] = Value::Null;
        status["storage"][changing] = Value::Null;
    }
    assert_eq!(status, overview);
    let said = printed(folder, &["status"]);
    assert!(said.contains("accounts: 1, of them 1 of administrators"), "{said}");
    assert!(said.contains("which is the sum of all balances"), "{said}");

    let accounts = parsed(folder, &["user", "list", "--json"]);
    assert_eq!(accounts, of_api("accounts")["accounts"]);
    let email = accounts[0]["email"].as_str().unwrap();
    assert_eq!(parsed(folder, &["user", "show", email, "--json"]), accounts[0]);
    assert!(printed(folder, &["user", "show", email]).contains("1 events, 1 photos"));
    assert_eq!(parsed(folder, &["user", "list", "--find", "nobody", "--json"]), json!([]));
    assert_eq!(printed(folder, &["user", "list", "--find", email]).lines().count(), 1);

    let said = printed(folder, &["user", "reset-second-factor", email]);
    assert_eq!(said, format!("{email} has no second factor.\n"));

    assert_eq!(parsed(folder, &["event", "list", "--json"]), of_api("events")["events"]);
    assert!(printed(folder, &["event", "list"]).contains("  1 photos  "));
    assert_eq!(printed(folder, &["event", "list", "--limit", "0"]), "");
    let kinds = parsed(folder, &["job", "list", "--json"]);
    assert!(kinds.as_array().unwrap().iter().any(|kind| kind["kind"] == "index_photo"), "{kinds}");
    assert!(printed(folder, &["job", "list"]).contains("index_photo: 1 waiting"));
    assert_eq!(parsed(folder, &["job", "list", "--failed", "--json"]), json!([]));
    assert_eq!(printed(folder, &["job", "list", "--failed"]), "No job has failed.\n");
    assert_eq!(parsed(folder, &["payment", "refunds", "--json"]), json!([]));
    assert_eq!(parsed(folder, &["payment", "failed", "--json"]), json!([]));

    let settings = of_api("settings")["settings"].clone();
    let named = |all: &Value, name: &str| {
        all.as_array().unwrap().iter().find(|setting| setting["name"] == name).cloned().unwrap()
    };
    let config = parsed(folder, &["config", "--json"]);
    assert_eq!(config.as_array().unwrap().len(), settings.as_array().unwrap().len());
    assert_eq!(named(&config, "retention_days"), named(&settings, "retention_days"));
    assert_eq!(named(&settings, "listen")["changed"], true, "the test listens on another port");
    let masked = named(&settings, "razorpay_key_secret");
    assert_eq!(masked["changed"], true);
    assert!(!settings.to_string().contains(SECRET), "{masked}");
}

#[test]
fn commands_lock_accounts_and_try_jobs_again() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    printed(folder, &["user", "create", "meera@example.com", "--generate", "--admin"]);
    printed(folder, &["user", "create", "ravi@example.com", "--generate"]);
    let refused = |arguments: &[&str]| {
        let output = run(folder, arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        text(&output.stderr)
    };
    let lock = ["user", "lock", "ravi@example.com", "--reason", "Chargeback of May"];
    assert_eq!(printed(folder, &lock), "ravi@example.com is locked. Every session has ended.\n");
    let shown = parsed(folder, &["user", "show", "ravi@example.com", "--json"]);
    assert_eq!(shown["locked"]["reason"], "Chargeback of May");
    assert!(printed(folder, &["user", "show", "ravi@example.com"]).contains(": Chargeback of May\n"));
    assert_eq!(printed(folder, &["user", "unlock", "ravi@example.com"]), "ravi@example.com is not locked.\n");
    assert_eq!(
        refused(&["user", "lock", "meera@example.com", "--reason", "x"]),
        "afterglow: This is the last administrator. Make somebody else one first.\n"
    );
    assert_eq!(
        refused(&["user", "lock", "ravi@example.com", "--reason", ""]),
        "afterglow: Please give a reason\n"
    );
    assert_eq!(
        printed(folder, &["job", "retry", "--kind", "index_photo"]),
        "No job of this kind has failed.\n"
    );
    assert_eq!(refused(&["job", "retry", "x"]), "afterglow: There is no such failed job\n");
}
