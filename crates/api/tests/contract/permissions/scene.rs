//! The accounts, and what there is in the service when a request comes: the values of the placeholders.

use std::collections::BTreeMap;
use std::time::Duration;

use app::App;
use domain::accounts::EmailAddress;
use domain::payments::coupons::Discount;
use domain::team::MemberRole;
use domain::{EventId, ObjectionId, UserId};
use serde_json::{Value, json};

use super::requests::Wish;
use crate::harness::{Field, GREEN, PASSWORD, RED, World, photo};
use crate::hostile::session;
use crate::payments::{coupon, insert_coupons, paid, verify};

const HOUR: Duration = Duration::from_secs(60 * 60);

pub(super) struct Account {
    pub(super) id: UserId,
    email: String,
}

/// Whose password hash all accounts share, because one takes long to compute.
const MODEL: &str = "model@example.com";

impl Account {
    /// A photographer with 100 credits who has not followed the link that was mailed.
    pub(super) async fn unverified(world: &World) -> Self {
        let model = EmailAddress::parse(MODEL).unwrap();
        let found = storage::accounts::users::credentials(&world.parts.db, &model).await.unwrap();
        let password_hash = match found {
            Some(found) => found.password_hash,
            None => {
                world.photographer(MODEL).await;
                insert_coupons(world, [coupon(world, "HALF", Discount::Percent(50))]).await;
                let made = storage::accounts::users::credentials(&world.parts.db, &model).await;
                made.unwrap().unwrap().password_hash
            }
        };
        let (id, email) = (world.app.id::<UserId>(), fresh_address(world));
        let new = storage::accounts::users::NewUser {
            id,
            email: EmailAddress::parse(&email).unwrap(),
            name: String::from("Somebody"),
            password_hash,
            is_photographer: true,
            language: domain::accounts::languages::AccountLanguage::English,
            created_at: world.app.now(),
        };
        let mut tx = world.parts.db.begin().await.unwrap();
        assert!(storage::accounts::users::create(&mut tx, &new).await.unwrap());
        tx.commit().await.unwrap();
        Self { id, email }
    }

    pub(super) async fn verified(world: &World) -> Self {
        let account = Self::unverified(world).await;
        let address = EmailAddress::parse(&account.email).unwrap();
        let mut tx = world.parts.db.begin().await.unwrap();
        let now = world.app.now();
        assert!(storage::accounts::users::verify_email(&mut tx, account.id, &address, now).await.unwrap());
        tx.commit().await.unwrap();
        app::operations::operators::grant(&world.operator(), &account.email, 100.0, None).await.unwrap();
        account
    }

    pub(super) async fn open_studio(&self, world: &World) {
        open_studio(world, &session(world, self.id).await).await;
    }

    pub(super) async fn become_administrator(&self, world: &World) {
        app::operations::operator_accounts::set_admin(&world.operator(), &self.email, true).await.unwrap();
    }
}

async fn open_studio(world: &World, token: &str) {
    let studio = json!({"name": "Studio Meera"});
    assert_eq!(world.put("/api/studio", token, studio).await.status, 200);
}

fn fresh_address(world: &World) -> String {
    format!("{}@example.com", world.app.id::<UserId>())
}

/// The token behind this part of a link that was mailed since the mails were last taken.
async fn mailed(world: &World, part: &str) -> String {
    world.drain().await;
    let links: Vec<String> = world.mails.take().into_iter().flat_map(|sent| sent.mail.links).collect();
    let mut tokens = links.iter().filter_map(|link| link.split_once(&format!("#{part}=")));
    tokens.next().unwrap_or_else(|| panic!("no link with {part} in {links:?}")).1.to_owned()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("{value} is no text")).to_owned()
}

pub(super) struct Scene(BTreeMap<&'static str, String>);

impl Scene {
    /// The request's placeholders become what they stand for.
    pub(super) fn fill(&self, request: &str) -> String {
        let filled = self
            .0
            .iter()
            .fold(request.to_owned(), |text, (name, value)| text.replace(&format!("{{{name}}}"), value));
        for kind in ["my.", "guest.", "mailed.", "owner.", "fresh."] {
            assert!(
                !filled.contains(&format!("{{{kind}")),
                "permissions/scene.rs has no such thing: {filled}"
            );
        }
        filled
    }

    /// What the request needs, as the owner's.
    pub(super) async fn set(world: &World, owner: &Account, team: &[Account; 2], wish: &Wish) -> Self {
        let mut scene = Self(BTreeMap::new());
        scene.0.insert("owner.email", owner.email.clone());
        scene.0.insert("fresh.email", fresh_address(world));
        let token = session(world, owner.id).await;
        // On the heap: the futures of all that can be needed are more than a test's stack holds in a debug build.
        Box::pin(scene.add_of_event(world, &token, wish)).await;
        Box::pin(scene.add_of_account(world, &token, owner, wish)).await;
        Box::pin(scene.add_payments(world, &token, wish)).await;
        Box::pin(scene.add_links(world, &token, wish)).await;
        Box::pin(scene.add_team(world, owner, team, wish)).await;
        scene
    }

    async fn add_of_event(&mut self, world: &World, token: &str, wish: &Wish) {
        if wish.is_about_an_event() {
            let event = self.add_event(world, token).await;
            if wish.path.contains("/guest-photos") {
                self.0.extend(crate::guest_photos::things(world, token, &event).await);
            }
            if wish.needs("guest.unsubscription") {
                self.add_news(world, token, &event).await;
            }
            if wish.needs("guest.rendition") {
                self.add_rendition(world).await;
            }
            if wish.needs("my.person") {
                self.add_people(world, token, &event).await;
            }
            if wish.needs("my.album") {
                let path = self.fill("/api/events/{my.event}/albums");
                let album = world.post(&path, token, json!({"name": "Reception"})).await.json();
                self.0.insert("my.album", text(&album["id"]));
            }
            if wish.needs("my.objection") {
                self.add_objection(world, token).await;
            }
        }
        if wish.needs("my.deleted_photo") {
            let event = world.event(token, "Culled").await;
            let uploaded = world.upload(token, &event, "c.jpg", &photo(&[RED], 2)).await.json();
            world.drain().await;
            let id = text(&uploaded["id"]);
            assert_eq!(world.delete(&format!("/api/photos/{id}"), token).await.status, 200);
            self.0.insert("my.deleted_photo", id);
        }
        if wish.needs("my.task") {
            let event = world.event(token, "Over").await;
            world.upload(token, &event, "b.jpg", &photo(&[RED], 1)).await;
            let path = format!("/api/events/{}", text(&event["id"]));
            let task = world.delete(&path, token).await.json();
            self.0.insert("my.task", text(&task["task_id"]));
        }
    }

    /// A manager and a contributor of the event, another member, and somebody who is invited.
    async fn add_team(&mut self, world: &World, owner: &Account, team: &[Account; 2], wish: &Wish) {
        if let Some(event) = self.0.get("my.event") {
            let event: EventId = event.parse().unwrap();
            let mut members = vec![(team[0].id, MemberRole::Manager), (team[1].id, MemberRole::Contributor)];
            if wish.needs("my.member") {
                let member = Account::verified(world).await.id;
                members.push((member, MemberRole::Contributor));
                self.0.insert("my.member", member.to_string());
            }
            let mut tx = world.parts.db.begin().await.unwrap();
            for (member, role) in members {
                storage::team::add(&mut tx, event, member, role, world.app.now()).await.unwrap();
            }
            tx.commit().await.unwrap();
        }
        if wish.needs("my.invitation") || wish.needs("mailed.invitation") {
            self.add_invitation(world, &session(world, owner.id).await).await;
        }
    }

    async fn add_invitation(&mut self, world: &World, token: &str) {
        let event = match self.0.get("my.event") {
            Some(event) => json!({"id": event}),
            None => world.event(token, "Party").await,
        };
        let email = fresh_address(world);
        let sent = crate::teams::invite(world, token, &event, &email, "contributor").await.json();
        self.0.insert("my.invitation", text(&sent["id"]));
        self.0.insert("mailed.invitation", crate::teams::invited(world, &email).await);
    }

    /// A secret of an authenticator app, confirmed where a code of it is to be asked for, and its code.
    async fn add_second_factor(&mut self, world: &World, token: &str, owner: &Account, wish: &Wish) {
        use app::accounts::second_factors::{begin, code_at, confirm};
        let user = storage::accounts::users::by_id(&world.parts.db, owner.id).await.unwrap().unwrap();
        let secret = begin(&world.app, &user, token, PASSWORD.to_owned()).await.unwrap().secret;
        let (now, next) = (world.app.now(), world.app.now().plus(Duration::from_secs(30)));
        let first = code_at(&secret, now).unwrap();
        if wish.needs("owner.app_code") {
            confirm(&world.app, &user, token, &first).await.unwrap();
            self.0.insert("owner.app_code", code_at(&secret, next).unwrap());
        } else {
            self.0.insert("owner.begun_code", first);
        }
    }

    /// A passkey, or what a browser sends of one that was asked for.
    async fn add_passkey(&mut self, world: &World, token: &str, wish: &Wish) {
        use crate::passkeys::{Authenticator, add};
        if !wish.needs("owner.attestation") {
            let added = add(world, token, &Authenticator::new(), "Phone").await;
            self.0.insert("my.passkey", text(&added["passkey"]["id"]));
        } else {
            let begun = world.post("/api/auth/passkeys", token, json!({"password": PASSWORD})).await;
            let made = Authenticator::new().create(&begun.json());
            self.0.insert("owner.client_data", text(&made["client_data_json"]));
            self.0.insert("owner.attestation", text(&made["attestation_object"]));
        }
    }

    async fn add_of_account(&mut self, world: &World, token: &str, owner: &Account, wish: &Wish) {
        if wish.path.starts_with("/api/studio/logo") || wish.path.starts_with("/api/studio/dark-logo") {
            self.add_logos(world, token).await;
        }
        if wish.path.starts_with("/api/studio/watermark") {
            self.add_watermark(world, token).await;
        }
        if wish.needs("owner.begun_code") || wish.needs("owner.app_code") {
            self.add_second_factor(world, token, owner, wish).await;
        }
        let is_asked = wish.path == "/api/auth/second-factor/passkey";
        if wish.needs("my.passkey") || wish.needs("owner.attestation") || is_asked {
            self.add_passkey(world, token, wish).await;
        }
        if wish.needs("my.account") {
            self.0.insert("my.account", Account::verified(world).await.id.to_string());
        }
        if wish.needs("my.failed_job") {
            let job = world.app.id::<domain::JobId>();
            let insert = format!(
                "INSERT INTO jobs (id, kind, payload, state, run_at, created_at, finished_at)
                 SELECT '{job}', 'clear_account', '{{\"kind\":\"clear_account\",\"user\":\"{job}\"}}', 'failed', 1, 1, 1"
            );
            storage::testing::change(&world.parts.db, &insert).await;
            self.0.insert("my.failed_job", job.to_string());
        }
        if wish.needs("my.deleted_event") {
            let event = world.event(token, "Mehndi").await;
            let id = text(&event["id"]);
            assert_eq!(world.delete(&format!("/api/events/{id}"), token).await.status, 200);
            self.0.insert("my.deleted_event", id);
        }
        if wish.needs("my.webhook") {
            let whose = wish.path.starts_with("/api/auth/").then_some(owner.id);
            self.0.insert("my.webhook", crate::webhooks::insert(world, whose).await);
        }
        if wish.needs("my.session") {
            let hash = domain::accounts::tokens::hash_token(&session(world, owner.id).await);
            self.0.insert("my.session", domain::accounts::tokens::handle(&hash));
        }
        if wish.needs("my.api_token") {
            crate::api_tokens::make(world, token, "all").await;
            let listed = world.get("/api/auth/tokens", token).await.json();
            self.0.insert("my.api_token", text(&listed["api_tokens"][0]["id"]));
        }
    }

    async fn add_payments(&mut self, world: &World, token: &str, wish: &Wish) {
        if wish.needs("my.order") {
            let order = world.post("/api/payments/create-order", token, json!({"amount": 10_000})).await;
            self.0.insert("my.order", text(&order.json()["order_id"]));
        }
        let things = ["my.payment", "my.paid_order", "my.signature", "my.verified_payment"];
        if things.iter().any(|thing| wish.needs(thing)) {
            let proof = paid(world, token, json!({"amount": 10_000})).await;
            assert!(!wish.needs("my.verified_payment") || verify(world, token, &proof).await.status == 200);
            let payment = text(&proof["razorpay_payment_id"]);
            if wish.needs("my.note") {
                self.0.insert("my.note", crate::invoices::note_of_refund(world, &payment).await);
            }
            self.0.insert("my.payment", payment.clone());
            self.0.insert("my.verified_payment", payment);
            self.0.insert("my.paid_order", text(&proof["razorpay_order_id"]));
            self.0.insert("my.signature", text(&proof["razorpay_signature"]));
        }
    }

    async fn add_links(&mut self, world: &World, token: &str, wish: &Wish) {
        if wish.needs("my.upload") {
            self.add_upload(world, token).await;
        }
        if wish.needs("my.export") {
            self.add_export(world, token).await;
        }
        if wish.needs("mailed.reset") {
            self.add_reset(world).await;
        }
        if wish.needs("mailed.verification") {
            self.add_verification(world).await;
        }
        if wish.needs("mailed.revocation") || wish.needs("mailed.agreement") {
            self.add_address_change(world).await;
        }
    }

    /// Makes the event ask for a PIN, or for none.
    pub(super) async fn set_pin(&self, world: &World, owner: &Account, pin: Value) {
        let token = session(world, owner.id).await;
        let path = self.fill("/api/events/{my.event}");
        assert_eq!(world.patch(&path, &token, json!({"pin": pin})).await.status, 200);
    }

    /// All that a guest can have kept, of an event that is deleted.
    pub(super) async fn of_a_stale_guest(world: &World) -> Self {
        let owner = Account::verified(world).await;
        let mut scene = Self(BTreeMap::new());
        scene.0.insert("owner.email", owner.email.clone());
        scene.0.insert("fresh.email", fresh_address(world));
        let token = session(world, owner.id).await;
        let event = scene.add_event(world, &token).await;
        scene.add_news(world, &token, &event).await;
        scene.add_rendition(world).await;
        let gone = "my.objection my.album my.person my.other_person my.guest_photo my.guest_upload";
        for thing in gone.split(' ') {
            scene.0.insert(thing, world.app.id::<ObjectionId>().to_string());
        }
        scene.add_invitation(world, &token).await;
        scene.0.insert("my.member", owner.id.to_string());
        scene.add_export(world, &token).await;
        scene.add_reset(world).await;
        scene.add_verification(world).await;
        scene.add_address_change(world).await;
        scene.add_logos(world, &token).await;
        for path in ["/api/studio/logo", "/api/studio/dark-logo"] {
            assert_eq!(world.delete(path, &token).await.status, 200);
        }
        scene.add_watermark(world, &token).await;
        assert_eq!(world.delete("/api/studio/watermark", &token).await.status, 200);
        let path = format!("/api/events/{}", scene.fill("{my.event}"));
        assert_eq!(world.delete(&path, &token).await.status, 202);
        world.drain().await;
        scene
    }

    /// An event with a photo in which a guest was found, who asked to be told of new ones.
    async fn add_event(&mut self, world: &World, token: &str) -> Value {
        let event = world.event(token, "Party").await;
        crate::browsing::let_guests_browse(world, token, &event).await;
        let photo_of_red = world.upload(token, &event, "a.jpg", &photo(&[RED], 0)).await.json();
        world.drain().await;
        let found = world.search(&event, &photo(&[RED], 9)).await.json();
        let best = &found["matches"][0];
        world.mails.take();
        let wall = crate::walls::make(world, token, &event, Value::Null).await;
        let path = format!("/api/face/objections/{}", text(&event["slug"]));
        let selfie = photo(&[RED], 9);
        let fields = [Field::file("image", "selfie.jpg", &selfie), Field::notice()];
        let shown = world.form(&path, "", &fields).await.json();
        let body = json!({"token": found["subscription_token"], "email": fresh_address(world), "notice_version": "2026-11",
            "language": "en-IN"});
        assert_eq!(world.post("/api/face/subscriptions", "", body).await.status, 202);
        for (name, value) in [
            ("my.event", text(&event["id"])),
            ("my.slug", text(&event["slug"])),
            ("my.photo", text(&photo_of_red["id"])),
            ("guest.key", text(&best["s3_key"])),
            ("guest.file", text(&best["url"]).replace(crate::harness::PUBLIC_URL, "")),
            ("guest.token", text(&found["download_token"])),
            ("guest.subscription", text(&found["subscription_token"])),
            ("guest.search", text(&found["search_token"])),
            ("guest.objection", text(&shown["token"])),
            ("guest.wall", wall.replace("/wall/", "")),
            ("guest.confirmation", mailed(world, "confirm").await),
        ] {
            self.0.insert(name, value);
        }
        crate::client_selections::add(world, token, &event, &mut self.0).await;
        event
    }

    /// A studio with both logos.
    async fn add_logos(&mut self, world: &World, token: &str) {
        open_studio(world, token).await;
        let light = crate::studios::upload_logo(world, token, &photo(&[RED], 3)).await.json();
        let dark = crate::studios::upload_dark_logo(world, token, &photo(&[RED], 3)).await.json();
        for (name, url) in [("my.logo", &light["logo"]["url"]), ("my.dark_logo", &dark["dark_logo"]["url"])] {
            self.0.insert(name, text(url).rsplit('/').next().unwrap_or_default().to_owned());
        }
    }

    /// A studio with a watermark.
    async fn add_watermark(&mut self, world: &World, token: &str) {
        open_studio(world, token).await;
        let saved = crate::watermarks::save(world, token, "Meera", "tiled", "false").await.json();
        let url = text(&saved["sample_url"]);
        self.0.insert("my.watermark", url.rsplit('/').next().unwrap_or_default().to_owned());
    }

    /// The photo under the name that a service with a cache in front gives it.
    async fn add_rendition(&mut self, world: &World) {
        const CACHE: &str = "https://files.example.com";
        let mut parts = world.parts.clone();
        parts.settings.files_url = Some(String::from(CACHE));
        let photo = world.stored(&json!(self.fill("{my.photo}"))).await;
        let links = app::photos::files::photo_links(&App::new(parts).await.unwrap(), &photo).await.unwrap();
        self.0.insert("guest.rendition", links.url.replace(CACHE, ""));
    }

    /// The guest has the photos hidden.
    async fn add_objection(&mut self, world: &World, token: &str) {
        let body =
            json!({"token": self.fill("{guest.objection}"), "choice": "hide", "notice_version": "2026-11"});
        assert_eq!(world.post("/api/face/objections", "", body).await.status, 201);
        let path = self.fill("/api/events/{my.event}/objections");
        let requests = world.get(&path, token).await.json();
        self.0.insert("my.objection", text(&requests["objections"][0]["id"]));
    }

    /// Two people, the first of them in two photos.
    async fn add_people(&mut self, world: &World, token: &str, event: &Value) {
        for (name, bytes) in [("b.jpg", photo(&[RED], 2)), ("c.jpg", photo(&[GREEN], 0))] {
            assert_eq!(world.upload(token, event, name, &bytes).await.status, 201);
        }
        world.drain().await;
        // No other task of maintenance: one deletes the links that another scene has.
        app::faces::people::grouping::group_due(&world.app).await.unwrap();
        let people = world.get(&self.fill("/api/events/{my.event}/people"), token).await.json();
        self.0.insert("my.person", text(&people["people"][0]["id"]));
        self.0.insert("my.other_person", text(&people["people"][1]["id"]));
    }

    /// The guest confirms, and is told of another photo.
    async fn add_news(&mut self, world: &World, token: &str, event: &Value) {
        let body = json!({"token": self.fill("{guest.confirmation}")});
        assert_eq!(world.post("/api/face/subscriptions/confirm", "", body).await.status, 200);
        assert_eq!(world.upload(token, event, "b.jpg", &photo(&[RED], 1)).await.status, 201);
        world.drain().await;
        world.clock.advance(HOUR);
        world.mails.take();
        world.run_due().await;
        self.0.insert("guest.unsubscription", mailed(world, "unsubscribe").await);
    }

    /// An upload of ten bytes, none of which is there.
    async fn add_upload(&mut self, world: &World, token: &str) {
        let begun = crate::resumable_uploads::begin(world, token, 10, "").await;
        assert_eq!(begun.status, 201);
        let id = begun.header("location").rsplit('/').next().unwrap().to_owned();
        self.0.insert("my.upload", id);
    }

    async fn add_export(&mut self, world: &World, token: &str) {
        let made = world.post("/api/auth/export", token, json!({"password": PASSWORD})).await;
        assert_eq!(made.status, 201);
        self.0.insert("my.export", text(&made.json()["download_token"]));
    }

    async fn add_reset(&mut self, world: &World) {
        let email = self.fill("{owner.email}");
        world.mails.take();
        assert_eq!(world.post("/api/auth/forgot-password", "", json!({"email": email})).await.status, 200);
        self.0.insert("mailed.reset", world.token_mailed_to(&email, "reset-password").await);
    }

    async fn add_verification(&mut self, world: &World) {
        let email = fresh_address(world);
        let body = json!({"name": "New", "email": email, "password": PASSWORD, "is_photographer": true});
        assert_eq!(world.post("/api/auth/register", "", body).await.status, 200);
        self.0.insert("mailed.verification", world.mailed_token(&email).await);
    }

    /// Somebody asks for another address.
    async fn add_address_change(&mut self, world: &World) {
        let account = Account::verified(world).await;
        let token = session(world, account.id).await;
        let body = json!({"email": fresh_address(world)});
        assert_eq!(world.put("/api/auth/update-profile", &token, body).await.status, 200);
        for (name, page) in
            [("mailed.revocation", "revoke-email-change"), ("mailed.agreement", "agree-email-change")]
        {
            let link = world.token_mailed_to(&account.email, page).await;
            self.0.insert(name, link);
        }
    }
}
