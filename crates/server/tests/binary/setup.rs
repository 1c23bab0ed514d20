//! The first account: by the link that a start prints, or by an operator's commands.

use std::io::Write as _;
use std::path::Path;
use std::process::{Output, Stdio};

use serde_json::{Value, json};

use crate::harness::{Server, afterglow, run, text, wait_for};
use crate::smtp_server::SmtpServer;

const PASSWORD: &str = "correct horse battery";

/// Runs a command with something on its standard input.
fn run_with(folder: &Path, arguments: &[&str], input: &str) -> Output {
    let mut command = afterglow(folder);
    let mut child = command
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

/// The link that the server has printed.
fn printed_link(server: &Server) -> String {
    wait_for("the link", || {
        let printed = server.printed();
        let line = printed.lines().find(|line| line.contains("/setup#"))?;
        Some(line.trim().to_owned())
    })
}

fn log_in(server: &Server, email: &str, password: &str) -> (u16, Value) {
    let login = json!({"email": email, "password": password}).to_string();
    server.call("POST", "/api/auth/login", "", "application/json", login.as_bytes())
}

#[test]
fn a_start_without_an_administrator_prints_a_link_and_no_other_does() {
    // [SETUP001] [SETUP025] [SETUP002] [SETUP003] [SAFE036]
    let folder = tempfile::tempdir().unwrap();
    let mut first = Server::start(folder.path(), &["serve"]);
    let replaced = printed_link(&first);
    first.signal("-TERM");
    assert_eq!(first.end(), Some(0));

    let mut server =
        Server::start_with(folder.path(), &["serve", "--no-worker"], &[("AFTERGLOW_LOG", "trace")]);
    let link = printed_link(&server);
    let port = server.address.rsplit(':').next().unwrap();
    let (page, token) = link.split_once('#').unwrap();
    assert_eq!(page, format!("http://localhost:{port}/setup"));
    assert!(server.printed().contains(&format!("Afterglow is at http://localhost:{port}\n")));
    let form = |token: &str| json!({"token": token, "name": "Meera", "email": "meera@example.com", "password": PASSWORD});
    let call = |token: &str| {
        server.call("POST", "/api/setup", "", "application/json", form(token).to_string().as_bytes())
    };
    assert_eq!(call(replaced.split_once('#').unwrap().1).1["code"], "setup_link_unknown");
    let (status, made) = call(token);
    assert_eq!((status, &made["user"]["is_admin"]), (200, &json!(true)));
    assert_eq!(call(token).1["code"], "already_set_up");
    assert!(!server.log().contains(token), "the token is in no log line");
    server.signal("-TERM");
    assert_eq!(server.end(), Some(0));

    let server = Server::start(folder.path(), &["serve"]);
    assert_eq!(log_in(&server, "meera@example.com", PASSWORD).0, 200);
    assert_eq!(server.printed(), "");
}

#[test]
fn an_operator_makes_accounts_with_passwords_that_are_no_arguments() {
    // [SETUP012] [SETUP013] [SETUP014] [SETUP018]
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let made = run_with(
        folder,
        &["user", "create", "meera@example.com", "--name", "Meera Kapoor", "--admin"],
        "correct horse battery\n",
    );
    assert_eq!(text(&made.stdout), "meera@example.com is an administrator now.\n", "{}", text(&made.stderr));
    let made = run(folder, &["user", "create", "ravi@example.com", "--generate"]);
    let (what, generated) = text(&made.stdout)
        .split_once("\nThe password is ")
        .map(|(a, b)| (a.to_owned(), b.trim().to_owned()))
        .unwrap();
    assert_eq!((what.as_str(), generated.len()), ("ravi@example.com is a photographer now.", 20));
    let made = run_with(folder, &["user", "create", "asha@example.com", "--admin"], PASSWORD);
    assert_eq!(text(&made.stdout), "asha@example.com is an administrator now.\n");
    for (arguments, input, said) in [
        (&["user", "create", "zoe@example.com"][..], "", "afterglow: Password is required\n"),
        (
            &["user", "create", "zoe@example.com"],
            "12345",
            "afterglow: Password must be at least 6 characters long\n",
        ),
        (&["user", "create", "Ravi@example.com"], PASSWORD, "afterglow: Email already registered\n"),
        (
            &["user", "password", "zoe@example.com"],
            PASSWORD,
            "afterglow: There is no account with the address zoe@example.com.\n",
        ),
    ] {
        let refused = run_with(folder, arguments, input);
        assert_eq!((refused.status.code(), text(&refused.stderr).as_str()), (Some(1), said));
    }
    let listed = text(&run(folder, &["user", "list"]).stdout);
    let lines: Vec<&str> = listed.lines().collect();
    assert!(
        lines[0]
            .starts_with("meera@example.com  Meera Kapoor  verified  100.00 credits  administrator  since"),
        "{listed}"
    );
    assert!(lines[1].starts_with("ravi@example.com  ravi  verified  100.00 credits  since"), "{listed}");

    let server = Server::start(folder, &["serve"]);
    let (status, made) = log_in(&server, "ravi@example.com", &generated);
    assert_eq!((status, &made["user"]["is_admin"]), (200, &json!(false)));
    let token = made["token"].as_str().unwrap();
    let set = run_with(folder, &["user", "password", "ravi@example.com"], "battery staple\n");
    assert_eq!(text(&set.stdout), "ravi@example.com has a new password. Every session has ended.\n");
    assert_eq!(server.call("GET", "/api/auth/me", token, "", b"").1["code"], "password_changed");
    assert_eq!(log_in(&server, "ravi@example.com", &generated).0, 401);
    let set = run(folder, &["user", "admin", "ravi@example.com", "on"]);
    assert_eq!(text(&set.stdout), "ravi@example.com is an administrator now.\n");
    assert_eq!(log_in(&server, "ravi@example.com", "battery staple").1["user"]["is_admin"], true);
    let set = run(folder, &["user", "admin", "ravi@example.com", "off"]);
    assert_eq!(text(&set.stdout), "ravi@example.com is no administrator now.\n");
    assert_eq!(log_in(&server, "ravi@example.com", "battery staple").1["user"]["is_admin"], false);
    assert_eq!(server.printed(), "", "an administrator that was made by a command ends the link as well");
}

#[test]
fn a_test_mail_says_what_the_mail_server_answered() {
    // [RUN382]
    let folder = tempfile::tempdir().unwrap();
    let smtp = SmtpServer::start(0);
    let place = format!("127.0.0.1:{}", smtp.port);
    let test = |url: &str, address: &str| {
        afterglow(folder.path())
            .env("AFTERGLOW_MAIL_URL", url)
            .args(["mail", "test", address])
            .output()
            .unwrap()
    };
    let url = format!("smtp://{place}");
    let sent = test(&url, "meera@example.com");
    let said = text(&sent.stdout);
    assert_eq!(sent.status.code(), Some(0), "{}", text(&sent.stderr));
    assert!(said.starts_with(&format!("{place} took the mail to meera@example.com: 250")), "{said}");
    assert!(smtp.received()[0].contains("Subject: A test mail from Afterglow"));

    let refused = test(&url, "somebody@nowhere.example");
    let said = text(&refused.stderr);
    assert_eq!(refused.status.code(), Some(1));
    assert!(said.contains(&format!("{place} did not take the mail: ")) && said.contains("550"), "{said}");
    assert!(said.contains("Check the setting `mail_from`"), "{said}");
    let unreachable = test("smtp://127.0.0.1:1", "meera@example.com");
    assert_eq!(unreachable.status.code(), Some(1));
    assert!(text(&unreachable.stderr).contains("Check host and port"), "{}", text(&unreachable.stderr));
    assert!(text(&test(&url, "meera").stderr).ends_with("Please enter a valid email address\n"));

    let written = run(folder.path(), &["mail", "test", "meera@example.com"]);
    let said = text(&written.stderr);
    assert_eq!(written.status.code(), Some(1), "{said}");
    assert!(said.contains(".eml and not sent: the setting `mail_url` names no mail server."), "{said}");
}
