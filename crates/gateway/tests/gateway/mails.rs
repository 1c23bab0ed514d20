//! Mails through every transport: a folder, a mail server on a real socket, memory.

use crate::log::Log;
use crate::smtp_server::{Security, SmtpServer};
use domain::Timestamp;
use domain::accounts::EmailAddress;
use domain::operations::mails::Mail;
use gateway::mails::{MailUrlError, Obstacle};
use gateway::{MailError, Mailer};
use mail_parser::{MessageParser, MimeHeaders};

const AT: Timestamp = Timestamp::from_millis(1_795_167_000_500);
const LINK: &str = "http://localhost:8080/verify-email?token=c2VjcmV0LXRva2Vu";

fn sender() -> EmailAddress {
    EmailAddress::parse("hello@afterglow.example").unwrap()
}

fn mail() -> Mail {
    Mail {
        to: EmailAddress::parse("meera@example.com").unwrap(),
        reply_to: Some(EmailAddress::parse("help@example.com").unwrap()),
        attachment: None,
        unsubscribe_url: None,
        subject: "Verify your email, मीरा".to_owned(),
        text: format!("Hello मीरा,\n\n.{LINK}\n.\nBye"),
        html: format!("<p>Hello मीरा</p><p><a href=\"{LINK}\">Verify</a></p>"),
        links: vec![LINK.to_owned()],
    }
}

/// Asserts that the bytes are [`mail`] as a reader of mails sees it.
fn assert_round_trips(bytes: &[u8]) {
    let message = MessageParser::default().parse(bytes).unwrap();
    let address = |list: Option<&mail_parser::Address<'_>>| {
        let address = list.unwrap().first().unwrap();
        (address.name().map(str::to_owned), address.address().unwrap().to_owned())
    };
    assert_eq!(address(message.from()), (Some("Afterglow".to_owned()), "hello@afterglow.example".to_owned()));
    assert_eq!(address(message.to()), (None, "meera@example.com".to_owned()));
    assert_eq!(address(message.reply_to()), (None, "help@example.com".to_owned()));
    assert_eq!(message.subject(), Some("Verify your email, मीरा"));
    assert_eq!(message.message_id(), Some("07070707070707070707070707070707@afterglow.example"));
    assert_eq!(message.date().unwrap().to_timestamp(), AT.as_seconds());
    assert!(message.is_content_type("multipart", "alternative"));
    assert_eq!(message.text_body_count(), 1);
    assert_eq!(message.html_body_count(), 1);
    let lines = |text: &str| text.replace("\r\n", "\n").trim_end().to_owned();
    assert_eq!(lines(&message.body_text(0).unwrap()), mail().text);
    assert_eq!(lines(&message.body_html(0).unwrap()), mail().html);
    assert!(bytes.is_ascii() && bytes.split(|byte| *byte == b'\n').all(|line| line.len() <= 999));
}

#[tokio::test]
async fn the_outbox_writes_one_file_a_mail_and_logs_its_links() {
    // [RUN034] [RUN035]
    let (log, _guard) = Log::capture();
    let folder = tempfile::tempdir().unwrap();
    let deep = folder.path().join("data/outbox");
    let mailer = Mailer::open(&format!("outbox://{}", deep.display()), "Afterglow", &sender()).unwrap();
    mailer.send(&mail(), AT, [7; 16]).await.unwrap();
    mailer.send(&mail(), AT, [6; 16]).await.unwrap();
    mailer.send(&mail(), AT.plus(std::time::Duration::from_secs(1)), [5; 16]).await.unwrap();

    let mut names: Vec<_> = std::fs::read_dir(&deep)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names.len(), 3);
    assert!(names.iter().all(|name| name.ends_with(".eml")), "{names:?}");
    assert!(names[2].contains("0505"), "the last mail sorts last: {names:?}");
    assert_round_trips(&std::fs::read(deep.join(&names[1])).unwrap());
    let text = log.text();
    assert_eq!(text.matches(&format!("link=\"{LINK}\"")).count(), 3, "{text}");
    assert!(text.contains("not for real use"));
}

#[tokio::test]
async fn an_outbox_whose_folder_is_gone_is_a_transient_failure() {
    let folder = tempfile::tempdir().unwrap();
    let deep = folder.path().join("outbox");
    let mailer = Mailer::open(&format!("outbox://{}", deep.display()), "Afterglow", &sender()).unwrap();
    std::fs::remove_dir(&deep).unwrap();
    let failed = mailer.send(&mail(), AT, [7; 16]).await.unwrap_err();
    assert!(failed.is_transient(), "{failed}");
}

#[tokio::test]
async fn the_memory_transport_keeps_mails_and_fails_on_demand() {
    let mailer = Mailer::memory();
    let Mailer::Memory(memory) = &mailer else { panic!("memory() gives the transport in memory") };
    memory.fail_with(Some(MailError::Transient("unavailable".to_owned())));
    assert!(mailer.send(&mail(), AT, [7; 16]).await.unwrap_err().is_transient());
    assert!(memory.sent().is_empty());
    memory.fail_with(None);
    mailer.clone().send(&mail(), AT, [7; 16]).await.unwrap();
    assert_eq!(memory.sent()[0].mail, mail());
    assert_eq!(memory.take().len(), 1);
    assert!(memory.sent().is_empty());
}

#[tokio::test]
async fn a_mail_server_gets_the_mail_and_nothing_of_it_is_logged() {
    // [RUN032] [SAFE037]
    let (log, _guard) = Log::capture();
    let server = SmtpServer::start(Security::Plain, vec![]).await;
    let url = format!("smtp://us%40er:p%3Aass@127.0.0.1:{}", server.port);
    let mailer = Mailer::open(&url, "Afterglow", &sender()).unwrap();
    mailer.send(&mail(), AT, [7; 16]).await.unwrap();
    let received = server.received();
    assert_eq!(received.len(), 1);
    assert_round_trips(received[0].data.as_bytes());
    assert!(received[0].from.contains("<hello@afterglow.example>"));
    assert!(received[0].to.len() == 1 && received[0].to[0].contains("<meera@example.com>"));
    // base64 of "\0us@er\0p:ass"
    assert_eq!(received[0].login.as_deref(), Some("AHVzQGVyAHA6YXNz"));
    let text = log.text();
    for secret in ["p:ass", "AHVzQGVyAHA6YXNz", "c2VjcmV0LXRva2Vu", "token="] {
        assert!(!text.contains(secret), "{secret} in {text}");
        assert!(!format!("{mailer:?}").contains(secret));
    }
}

#[tokio::test]
async fn a_trusted_certificate_is_accepted_with_starttls_and_with_implicit_tls() {
    // [RUN032] [RUN033]
    for (security, scheme, parameters) in
        [(Security::StartTls, "smtp", "?tls=required&"), (Security::Implicit, "smtps", "?")]
    {
        let server = SmtpServer::start(security, vec![]).await;
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("ca.pem");
        std::fs::write(&file, &server.certificate).unwrap();
        for host in ["127.0.0.1", "localhost"] {
            let url = format!("{scheme}://u:p@{host}:{}{parameters}ca={}", server.port, file.display());
            let mailer = Mailer::open(&url, "Afterglow", &sender()).unwrap();
            mailer.send(&mail(), AT, [7; 16]).await.unwrap();
        }
        let received = server.received();
        assert_eq!(received.len(), 2);
        assert!(received.iter().all(|mail| mail.encrypted));
        assert_round_trips(received[0].data.as_bytes());
    }
}

#[tokio::test]
async fn an_untrusted_certificate_is_refused_before_anything_is_sent() {
    for (security, scheme, parameters) in
        [(Security::StartTls, "smtp", "?tls=required"), (Security::Implicit, "smtps", "")]
    {
        let server = SmtpServer::start(security, vec![]).await;
        let url = format!("{scheme}://u:p@127.0.0.1:{}{parameters}", server.port);
        let failed =
            Mailer::open(&url, "Afterglow", &sender()).unwrap().send(&mail(), AT, [7; 16]).await.unwrap_err();
        assert!(failed.is_transient(), "{failed}");
        assert!(failed.to_string().to_lowercase().contains("certificate"), "{failed}");
        assert!(server.received().is_empty());
        assert!(server.commands().iter().all(|line| !line.starts_with("AUTH") && !line.starts_with("MAIL")));
    }
}

#[tokio::test]
async fn a_server_without_starttls_gets_no_password_and_no_mail() {
    let server = SmtpServer::start(Security::Plain, vec![]).await;
    let url = format!("smtp://u:p@localhost:{}?tls=required", server.port);
    let failed =
        Mailer::open(&url, "Afterglow", &sender()).unwrap().send(&mail(), AT, [7; 16]).await.unwrap_err();
    assert!(failed.is_transient(), "{failed}");
    assert!(server.commands().iter().all(|line| !line.starts_with("AUTH") && !line.starts_with("MAIL")));
}

#[tokio::test]
async fn only_a_rejection_of_this_very_mail_is_permanent() {
    let cases = [
        ("RCPT", "550 5.1.1 no such user", false),
        ("DATA", "554 5.7.1 no", false),
        (".", "552 5.3.4 too big", false),
        ("RCPT", "450 4.2.0 greylisted", true),
        (".", "451 4.3.0 later", true),
        ("CONNECT", "421 4.3.2 too busy", true),
        ("AUTH", "535 5.7.8 wrong password", true),
        ("MAIL", "530 5.7.0 authentication required", true),
    ];
    for (command, answer, transient) in cases {
        let server = SmtpServer::start(Security::Plain, vec![(command, answer)]).await;
        let url = format!("smtp://u:p@127.0.0.1:{}", server.port);
        let failed =
            Mailer::open(&url, "Afterglow", &sender()).unwrap().send(&mail(), AT, [7; 16]).await.unwrap_err();
        assert_eq!(failed.is_transient(), transient, "{answer}: {failed}");
        assert!(failed.to_string().contains(&answer[4..]), "{answer}: {failed}");
        assert!(server.received().is_empty());
    }
}

#[tokio::test]
async fn a_server_is_tried_without_a_mail() {
    let server = SmtpServer::start(Security::StartTls, vec![]).await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("ca.pem");
    std::fs::write(&file, &server.certificate).unwrap();
    let url = format!("smtp://u:p@localhost:{}?tls=required&ca={}", server.port, file.display());
    let mailer = Mailer::open(&url, "Afterglow", &sender()).unwrap();
    assert_eq!(mailer.server(), Some(format!("localhost:{}", server.port).as_str()));
    mailer.probe().await.unwrap();
    let commands = server.commands();
    assert!(commands.iter().any(|line| line.starts_with("AUTH")), "{commands:?}");
    assert!(commands.iter().all(|line| !line.starts_with("MAIL")), "{commands:?}");

    let refusing = SmtpServer::start(Security::Plain, vec![("AUTH", "535 5.7.8 wrong password")]).await;
    let url = format!("smtp://u:p@127.0.0.1:{}", refusing.port);
    let failed = Mailer::open(&url, "Afterglow", &sender()).unwrap().probe().await.unwrap_err();
    assert!(failed.to_string().contains("5.7.8 wrong password"), "{failed}");

    let mailer = Mailer::memory();
    mailer.probe().await.unwrap();
    assert_eq!(mailer.server(), None);
}

#[tokio::test]
async fn what_became_of_a_mail_is_told_with_what_stood_in_its_way() {
    let at = async |url: &str| {
        Mailer::open(url, "Afterglow", &sender()).unwrap().deliver(&mail(), AT, [7; 16]).await
    };
    let answering = async |replies| SmtpServer::start(Security::Plain, replies).await.port;

    let taken =
        at(&format!("smtp://127.0.0.1:{}", answering(vec![(".", "250 2.0.0 queued as 7")]).await)).await;
    assert_eq!(taken.unwrap(), "250 2.0.0 queued as 7");
    for (command, answer, obstacle) in [
        ("AUTH", "535 5.7.8 wrong password", Obstacle::Login),
        ("MAIL", "550 5.7.1 not your address", Obstacle::Refused),
        ("RCPT", "550 5.1.1 no such user", Obstacle::Refused),
        ("RCPT", "450 4.2.0 greylisted", Obstacle::Later),
        ("CONNECT", "421 4.3.2 too busy", Obstacle::Later),
    ] {
        let port = answering(vec![(command, answer)]).await;
        let undelivered = at(&format!("smtp://u:p@127.0.0.1:{port}")).await.unwrap_err();
        assert_eq!(undelivered.obstacle, obstacle, "{answer}: {}", undelivered.error);
        assert!(undelivered.error.reason().contains(&answer[4..]), "{}", undelivered.error);
    }
    let without_tls = format!("smtp://u:p@localhost:{}?tls=required", answering(vec![]).await);
    assert_eq!(at(&without_tls).await.unwrap_err().obstacle, Obstacle::Encryption);
    let untrusted = SmtpServer::start(Security::Implicit, vec![]).await;
    let untrusted = at(&format!("smtps://u:p@127.0.0.1:{}", untrusted.port)).await.unwrap_err();
    assert_eq!(untrusted.obstacle, Obstacle::Encryption, "{}", untrusted.error);
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let closed = at(&format!("smtp://127.0.0.1:{closed}")).await.unwrap_err();
    assert_eq!(closed.obstacle, Obstacle::Unreachable, "{}", closed.error);

    let folder = tempfile::tempdir().unwrap();
    let outbox =
        Mailer::open(&format!("outbox://{}", folder.path().display()), "Afterglow", &sender()).unwrap();
    let file = outbox.deliver(&mail(), AT, [7; 16]).await.unwrap();
    assert!(std::path::Path::new(&file).is_file(), "{file}");
    assert_eq!(outbox.place(), folder.path().display().to_string());
    folder.close().unwrap();
    assert_eq!(outbox.deliver(&mail(), AT, [7; 16]).await.unwrap_err().obstacle, Obstacle::Folder);
    assert_eq!(
        Mailer::open("smtps://u:p@mail.example", "Afterglow", &sender()).unwrap().place(),
        "mail.example:465"
    );
}

#[tokio::test]
async fn a_closed_port_is_transient() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    drop(listener);
    let mailer = Mailer::open(&format!("smtp://127.0.0.1:{port}"), "Afterglow", &sender()).unwrap();
    assert!(mailer.send(&mail(), AT, [7; 16]).await.unwrap_err().is_transient());
}

#[tokio::test(start_paused = true)]
async fn a_silent_server_times_out() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("smtp://{}", listener.local_addr().unwrap());
    let failed =
        Mailer::open(&url, "Afterglow", &sender()).unwrap().send(&mail(), AT, [7; 16]).await.unwrap_err();
    assert!(failed.is_transient(), "{failed}");
}

#[tokio::test]
async fn an_address_needing_smtputf8_is_permanent_where_the_server_lacks_it() {
    let server = SmtpServer::start(Security::Plain, vec![]).await;
    let mailer = Mailer::open(&format!("smtp://127.0.0.1:{}", server.port), "Afterglow", &sender()).unwrap();
    let mut mail = mail();
    mail.to = EmailAddress::parse("मीरा@example.com").unwrap();
    let failed = mailer.send(&mail, AT, [7; 16]).await.unwrap_err();
    assert!(!failed.is_transient(), "{failed}");
}

#[test]
fn unusable_urls_are_refused_without_showing_the_password() {
    let refused = |url: &str| Mailer::open(url, "Afterglow", &sender()).unwrap_err();
    assert!(matches!(refused("http://user:hunter2@host"), MailUrlError::Scheme));
    assert!(matches!(refused(""), MailUrlError::Scheme));
    assert!(matches!(refused("outbox://"), MailUrlError::NoFolder));
    assert!(matches!(refused("smtp://"), MailUrlError::NoHost));
    assert!(matches!(refused("smtp://user@host"), MailUrlError::Credentials));
    assert!(matches!(refused("smtp://user:%ff@host"), MailUrlError::Credentials));
    assert!(matches!(refused("smtp://host?tls=maybe"), MailUrlError::Parameter(_)));
    assert!(matches!(refused("smtps://host?tls=none"), MailUrlError::Parameter(_)));
    assert!(matches!(refused("smtp://host?verify=no"), MailUrlError::Parameter(_)));
    assert!(matches!(refused("smtp://host?ca=/none/such.pem"), MailUrlError::Certificate { .. }));
    let error = refused("smtp://user:hunter2@host:99999");
    assert!(matches!(error, MailUrlError::Syntax(_)));
    assert!(!format!("{error:?} {error}").contains("hunter2"));
    for sender in ["none", "a@b.example\r\nBcc: x@y.example"] {
        let sender = EmailAddress::from_trusted(sender.to_owned());
        assert!(matches!(Mailer::open("smtp://host", "Afterglow", &sender), Err(MailUrlError::Sender)));
    }
}
