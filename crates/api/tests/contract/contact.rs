//! /api/contact/submit

use std::time::Duration;

use serde_json::{Value, json};

use crate::harness::{World, on_both_engines};
use crate::snapshots::canonical;

fn message() -> Value {
    json!({"name": "Asha", "email": "asha@example.com", "subject": "Prices\r\nBcc: x@y", "message": "How much is <it>?"})
}

#[test]
fn a_message_is_mailed_to_support_with_a_reply_to_its_writer() {
    // [API027] [API028] [PUB047] [RUN041]
    on_both_engines(async |world: World| {
        let answer = world.post("/api/contact/submit", "stale", message()).await;
        assert_eq!(
            answer.json(),
            json!({"success": true, "message": "Thank you for your message! We will get back to you soon."})
        );
        world.drain().await;
        let sent = world.mails.sent();
        assert_eq!(sent.len(), 1);
        let mail = &sent[0].mail;
        assert_eq!(mail.to.as_str(), "support@example.com");
        assert_eq!(mail.reply_to.as_ref().unwrap().as_str(), "asha@example.com");
        assert_eq!(mail.subject, "Afterglow contact: Prices  Bcc: x@y");
        assert!(mail.text.contains("Asha") && mail.text.contains("asha@example.com"));
        assert!(
            mail.text.contains("How much is <it>?")
                && canonical(&mail.html).contains("How much is &lt;it&gt;?")
        );
    });
}

#[test]
fn a_message_that_cannot_be_sent_is_retried() {
    on_both_engines(async |world: World| {
        world.mails.fail_with(Some(gateway::MailError::Transient(String::from("unavailable"))));
        assert_eq!(world.post("/api/contact/submit", "", message()).await.status, 200);
        world.drain().await;
        assert_eq!(world.mails.sent().len(), 0);
        world.mails.fail_with(None);
        world.clock.advance(Duration::from_secs(60));
        world.drain().await;
        assert_eq!(world.mails.sent().len(), 1);
    });
}

#[test]
fn a_message_needs_all_four_fields() {
    // [PUB048]
    on_both_engines(async |world: World| {
        for (field, value, text) in [
            ("name", " ".to_owned(), "Name is required"),
            ("name", "n".repeat(201), "Name must be at most 200 characters long"),
            ("email", String::new(), "Email is required"),
            ("email", "asha".to_owned(), "Please enter a valid email address"),
            ("subject", String::new(), "Subject is required"),
            ("subject", "s".repeat(201), "Subject must be at most 200 characters long"),
            ("message", "\n".to_owned(), "Message is required"),
            ("message", "m".repeat(5_001), "Message must be at most 5,000 characters long"),
        ] {
            let mut body = message();
            body[field] = json!(value);
            assert_eq!(world.post("/api/contact/submit", "", body).await.error(), (400, text.to_owned()));
        }
        for field in ["name", "email", "subject", "message"] {
            let mut body = message();
            body.as_object_mut().unwrap().remove(field);
            assert_eq!(world.post("/api/contact/submit", "", body).await.error().0, 400, "without {field}");
        }
        world.drain().await;
        assert_eq!(world.mails.sent().len(), 0);
    });
}
