//! Every mail to the letter, as text and as HTML, with a name that would break out of careless HTML.

use std::time::Duration;

use app::operations::runtime::limits::LimitSettings;
use domain::operations::mails::Mail;
use serde_json::json;

use crate::harness::{Field, PASSWORD, RED, World, on_both_engines, photo};
use crate::snapshots::assert_html;

const NAME: &str = "Zoë O'Hara & <Söhne>";
const EMAIL: &str = "zoe@example.com";

macro_rules! assert_mail {
    ($mail:expr, $subject:literal, $snapshot:literal) => {
        let mail: &Mail = $mail;
        let link = mail.links.first().map_or("", String::as_str);
        assert_eq!(mail.subject, $subject);
        assert_eq!(mail.text, include_str!(concat!("mails/", $snapshot, ".txt")).replace("{link}", link));
        let in_html = link.replace('&', "&amp;");
        assert_html(
            &mail.html,
            &include_str!(concat!("mails/", $snapshot, ".html")).replace("{link}", &in_html),
        );
    };
}

/// The one mail that was sent since the last call.
async fn mail(world: &World) -> Mail {
    world.drain().await;
    let mut mails = world.mails.take();
    assert_eq!(mails.len(), 1);
    mails.remove(0).mail
}

/// The mail with `{revocation}` in place of its second link, as the snapshots have it.
fn with_named_revocation(mail: &Mail) -> Mail {
    let text = mail.text.replace(&mail.links[1], "{revocation}");
    let html = mail.html.replace(&mail.links[1], "{revocation}");
    Mail { text, html, links: vec![mail.links[0].clone()], ..mail.clone() }
}

/// Registers and verifies; the mail of the verification and the session's token.
async fn register(world: &World) -> (Mail, String) {
    let account = json!({"name": NAME, "email": EMAIL, "password": PASSWORD});
    assert_eq!(world.post("/api/auth/register", "", account).await.status, 200);
    let mail = mail(world).await;
    let (_, token) = mail.links[0].split_once("token=").unwrap();
    assert_eq!(world.post("/api/auth/verify-email", "", json!({"token": token})).await.status, 200);
    let token = world.log_in(EMAIL).await.json()["token"].as_str().unwrap().to_owned();
    (mail, token)
}

#[test]
fn the_mails_of_an_account_match_their_snapshots() {
    on_both_engines(async |world: World| {
        let (verification, token) = register(&world).await;
        assert_eq!((verification.to.as_str(), &verification.reply_to), (EMAIL, &None));
        assert!(verification.links[0].starts_with("http://localhost:8080/verify-email?token="));
        assert!(verification.links[1].starts_with("http://localhost:8080/revoke-registration#token="));
        assert_mail!(
            &with_named_revocation(&verification),
            "Verify your email for Afterglow",
            "verification"
        );

        assert_eq!(world.post("/api/auth/forgot-password", "", json!({"email": EMAIL})).await.status, 200);
        let reset = mail(&world).await;
        assert!(reset.links[0].starts_with("http://localhost:8080/reset-password#token="));
        assert_mail!(&reset, "Set a new password for Afterglow", "password_reset");

        let change = json!({"email": "zoe@another.example", "current_password": PASSWORD});
        assert_eq!(world.put("/api/auth/update-profile", &token, change).await.status, 200);
        world.drain().await;
        let mails = world.mails.take();
        let to = |address: &str| &mails.iter().find(|sent| sent.mail.to.as_str() == address).unwrap().mail;
        assert_mail!(to("zoe@another.example"), "Confirm your new email for Afterglow", "new_address");
        assert!(to("zoe@another.example").links[0].starts_with("http://localhost:8080/verify-email?token="));
        let revocation = "http://localhost:8080/revoke-email-change#token=";
        assert!(to(EMAIL).links[0].starts_with(revocation));
        assert_mail!(to(EMAIL), "Your Afterglow email is about to change", "email_change_notice");
        assert_eq!(mails.len(), 2);

        let (_, link) = to("zoe@another.example").links[0].split_once("token=").unwrap();
        assert_eq!(world.post("/api/auth/verify-email", "", json!({"token": link})).await.status, 200);
        let changed = mail(&world).await;
        assert_eq!(changed.to.as_str(), EMAIL);
        assert!(changed.links[0].starts_with(revocation));
        assert_mail!(&changed, "Your Afterglow email was changed", "email_changed");

        let change = json!({"current_password": PASSWORD, "new_password": "new horse"});
        assert_eq!(world.post("/api/auth/change-password", &token, change).await.status, 200);
        let notice = mail(&world).await;
        assert_eq!(
            (notice.to.as_str(), &notice.links[0][..]),
            ("zoe@another.example", "http://localhost:8080/forgot-password")
        );
        assert_mail!(&notice, "Your Afterglow password was changed", "password_change_notice");
    });
}

#[test]
fn the_mail_that_asks_for_an_agreement_matches_its_snapshot() {
    // [ACC205]
    on_both_engines(async |world: World| {
        let (_, token) = register(&world).await;
        let change = json!({"email": "zoe@another.example"});
        assert_eq!(world.put("/api/auth/update-profile", &token, change).await.status, 200);
        world.drain().await;
        let mails = world.mails.take();
        let mail = &mails.iter().find(|sent| sent.mail.to.as_str() == EMAIL).unwrap().mail;
        assert!(mail.links[0].starts_with("http://localhost:8080/agree-email-change#token="));
        assert!(mail.links[1].starts_with("http://localhost:8080/revoke-email-change#token="));
        assert_eq!(mails.len(), 2);
        let mail = with_named_revocation(mail);
        assert_mail!(&mail, "Do you agree to a new email for Afterglow?", "email_change_agreement");
    });
}

#[test]
fn the_mail_after_ten_wrong_passwords_matches_its_snapshot() {
    // [SAFE104]
    on_both_engines(async |world: World| {
        let limits = LimitSettings { wrong_passwords: 20, ..LimitSettings::OFF };
        let world = World::limited(world.parts.db.clone(), limits, "").await;
        register(&world).await;
        for _ in 0..10 {
            let wrong = json!({"email": EMAIL, "password": "wrong horse"});
            assert_eq!(world.post("/api/auth/login", "", wrong).await.status, 401);
        }
        let notice = mail(&world).await;
        assert_eq!(
            (notice.to.as_str(), &notice.links[0][..]),
            (EMAIL, "http://localhost:8080/forgot-password")
        );
        assert_mail!(&notice, "Somebody tries to log in to your Afterglow account", "wrong_passwords");
    });
}

#[test]
fn the_mail_about_guests_requests_matches_its_snapshot() {
    // [FACE197]
    on_both_engines(async |world: World| {
        let (_, token) = register(&world).await;
        let event = world.event(&token, "Priya <3 \"Rahul\" & www.example.com").await;
        assert_eq!(world.upload(&token, &event, "a.jpg", &photo(&[RED], 0)).await.status, 201);
        world.drain().await;
        let path = format!("/api/face/objections/{}", event["slug"].as_str().unwrap());
        let selfie = photo(&[RED], 8);
        let shown =
            world.form(&path, "", &[Field::file("image", "selfie.jpg", &selfie), Field::notice()]).await;
        let request = json!({"token": shown.json()["token"], "choice": "hide", "notice_version": "2026-11"});
        assert_eq!(world.post("/api/face/objections", "", request).await.status, 201);
        let told = mail(&world).await;
        let gallery = "http://localhost:8080/admin/gallery?event=";
        assert_eq!(told.links, [format!("{gallery}{}&show=requests", event["id"].as_str().unwrap())]);
        assert_mail!(&told, "A guest asked to be removed from photos", "guest_requests");
    });
}

#[test]
fn the_warning_before_photos_are_removed_matches_its_snapshot() {
    on_both_engines(async |world: World| {
        let (_, token) = register(&world).await;
        let event = world.event(&token, "Priya <3 \"Rahul\" & Söhne").await;
        assert_eq!(world.upload(&token, &event, "a.jpg", &photo(&[RED], 0)).await.status, 201);
        world.drain().await;
        world.clock.advance(Duration::from_secs(23 * 24 * 60 * 60));
        app::operations::maintenance::all(&world.app).await.unwrap();
        let warning = mail(&world).await;
        let gallery = "http://localhost:8080/admin/gallery?event=";
        assert_eq!(warning.links, [format!("{gallery}{}", event["id"].as_str().unwrap())]);
        assert_mail!(&warning, "Photos of your event will be removed soon", "removal_warning");
    });
}

#[test]
fn the_warning_before_photos_are_removed_leads_to_where_they_are_saved() {
    // [EVT220]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let mut places = Vec::new();
        for (name, salt) in [("Sangeet", 0), ("Reception", 1)] {
            let event = world.event(&token, name).await;
            assert_eq!(world.upload(&token, &event, "a.jpg", &photo(&[RED], salt)).await.status, 201);
            let link = format!("http://localhost:8080/admin/gallery?event={}", event["id"].as_str().unwrap());
            places.push((format!("\"{name}\""), link));
        }
        let picture = photo(&[RED], 2);
        let fields = [Field::file("photos", "c.jpg", &picture)];
        assert_eq!(world.form("/api/photos/upload", &token, &fields).await.status, 201);
        places.push((String::from("no event"), String::from("http://localhost:8080/admin/account")));
        world.drain().await;
        world.mails.take();
        world.clock.advance(Duration::from_secs(23 * 24 * 60 * 60));
        app::operations::maintenance::all(&world.app).await.unwrap();
        world.drain().await;
        let mails = world.mails.take();
        assert_eq!(mails.len(), 3);
        for (what, link) in places {
            let mail = &mails.iter().find(|sent| sent.mail.text.contains(&what)).unwrap().mail;
            assert_eq!(mail.links, [link], "{what}");
        }
    });
}

#[test]
fn a_message_to_support_matches_its_snapshot() {
    on_both_engines(async |world: World| {
        let message = "How much is <it>?\n\n  \"Twice\" & more";
        let form =
            json!({"name": NAME, "email": "asha@example.com", "subject": "Prices", "message": message});
        assert_eq!(world.post("/api/contact/submit", "", form).await.status, 200);
        let message = mail(&world).await;
        assert_eq!(message.to.as_str(), "support@example.com");
        assert_mail!(&message, "Afterglow contact: Prices", "contact");
    });
}
