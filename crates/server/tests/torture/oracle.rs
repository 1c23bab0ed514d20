//! The oracle: compares the service with the ledger of what was acknowledged.

use std::collections::BTreeMap;

use hyper::Method;
use hyper::body::Bytes;
use serde_json::Value;

use crate::client::Reply;
use crate::http::Body;
use crate::ledger::{Account, Effect, Event, Photo, Receipt};
use crate::photographer::{Photographer, text};

/// Credits that every account begins with.
const SIGNUP_CREDITS: f64 = 100.0;

impl Photographer {
    /// Reports everything in which the service differs from the ledger.
    pub(crate) async fn verify(&mut self) {
        let email = self.account.email.clone();
        let Some(token) = self.log_in(&email).await else {
            return self.client.report(format!("{}: nobody can log in as {email}", self.account.name));
        };
        self.account.token = Some(token);
        for order in 0..self.account.orders.len() {
            // Credited before, so that it must be answered as before.
            self.pay(order).await;
        }
        self.verify_credits().await;
        self.verify_events().await;
        let events = std::mem::take(&mut self.account.events);
        for event in &events {
            if event.deletion == Effect::None {
                self.verify_photos(event).await;
                self.verify_search(event).await;
            } else {
                self.verify_deletion(event).await;
            }
        }
        self.account.events = events;
    }

    /// The body of what must be there.
    async fn get(&self, path: &str) -> Option<Bytes> {
        match self.send(Method::GET, path, Body::empty()).await {
            Reply::Response(200, body) => Some(body),
            other => {
                self.client.report(format!("{}: {path} must be there: {other:?}", self.account.name));
                None
            }
        }
    }

    async fn get_json(&self, path: &str) -> Value {
        self.get(path).await.map(|body| Reply::json(&body)).unwrap_or_default()
    }

    async fn expect_not_found(&self, path: &str) {
        if !matches!(self.send(Method::GET, path, Body::empty()).await, Reply::Response(404, _)) {
            self.client.report(format!("{}: {path} must be gone", self.account.name));
        }
    }

    async fn verify_credits(&self) {
        let body = self.get_json("/api/subscription/credits").await;
        let number = |field: &str| body[field].as_f64().unwrap_or(f64::NAN);
        let shown = Credits {
            balance: number("credits"),
            earned: number("total_credits_earned"),
            spent: number("total_credits_spent"),
        };
        let name = &self.account.name;
        for defect in shown.differences(&self.account).into_iter().chain(doubling(&self.account)) {
            self.client.report(format!("{name}: {defect}"));
        }
    }

    async fn verify_events(&self) {
        let listed = self.get_json("/api/events/").await;
        let mut listed: Vec<String> =
            listed.as_array().into_iter().flatten().map(|event| text(&event["name"])).collect();
        let kept = self.account.events.iter().filter(|event| event.deletion == Effect::None);
        let mut kept: Vec<String> = kept.map(|event| event.name.clone()).collect();
        listed.sort();
        kept.sort();
        if listed != kept {
            self.client.report(format!("{}: events {listed:?}, not {kept:?}", self.account.name));
        }
    }

    async fn verify_photos(&self, event: &Event) {
        let name = &event.name;
        let page = self.get_json(&format!("/api/photos/search?event_id={}&limit=1000", event.id)).await;
        let listed = page["photos"].as_array().into_iter().flatten();
        let listed: BTreeMap<String, String> =
            listed.map(|photo| (text(&photo["id"]), text(&photo["status"]))).collect();
        for defect in missing_or_extra(&event.photos, &listed) {
            self.client.report(format!("{name}: {defect}"));
        }
        if page["total_count"].as_u64() != u64::try_from(listed.len()).ok() {
            self.client.report(format!(
                "{name}: it counts {} photos, and lists {}",
                page["total_count"],
                listed.len()
            ));
        }
        for photo in event.photos.iter().filter(|photo| photo.is_kept()) {
            let original = self.get(&format!("/api/photos/{}/file?size=original", photo.id)).await;
            if original.is_some_and(|bytes| bytes[..] != self.client.pictures.photo(&photo.name)[..]) {
                self.client.report(format!("{}: its original has other bytes", photo.name));
            }
        }
        for photo in event.photos.iter().filter(|photo| photo.deletion == Effect::Acknowledged) {
            self.expect_not_found(&format!("/api/photos/{}/file?size=original", photo.id)).await;
        }
        let uploads =
            self.get_json(&format!("/api/events/{}", event.slug)).await["total_photos_uploaded"].clone();
        if uploads.as_u64() != u64::try_from(event.photos.len()).ok() {
            self.client.report(format!("{name}: it counts {uploads} uploads, not {}", event.photos.len()));
        }
    }

    /// All photos show the person on the selfie, and each must be found.
    async fn verify_search(&self, event: &Event) {
        let body = Body::search(&self.client.pictures.selfie);
        let path = format!("/api/face/search/{}", event.slug);
        let found = match self.client.send(Method::POST, &path, None, body).await {
            Reply::Response(200, body) => Reply::json(&body),
            other => return self.client.report(format!("{}: it cannot be searched: {other:?}", event.name)),
        };
        let found: Vec<String> =
            found["matches"].as_array().into_iter().flatten().map(|photo| text(&photo["filename"])).collect();
        for photo in event.photos.iter().filter(|photo| photo.is_kept()) {
            if !found.contains(&photo.name) {
                self.client.report(format!("{}: a search does not find it", photo.name));
            }
        }
    }

    async fn verify_deletion(&self, event: &Event) {
        self.expect_not_found(&format!("/api/events/{}", event.slug)).await;
        if let Some(task) = &event.task {
            let status = self.get_json(&format!("/api/events/task/{task}")).await["status"].clone();
            if status != "completed" {
                self.client.report(format!("{}: its deletion is {status}", event.name));
            }
        }
        for photo in event.photos.iter().filter(|photo| photo.upload == Effect::Acknowledged) {
            self.expect_not_found(&format!("/api/photos/{}/file?size=original", photo.id)).await;
        }
    }
}

/// An account's credits as the service shows them.
struct Credits {
    balance: f64,
    earned: f64,
    spent: f64,
}

impl Credits {
    /// All amounts are whole rupees, so that they are compared exactly.
    fn differences(&self, account: &Account) -> Vec<String> {
        let mut defects = Vec::new();
        let earned = SIGNUP_CREDITS + account.recharged();
        if self.earned != earned {
            defects.push(format!("{} credits were earned, not {earned}", self.earned));
        }
        let (least, most) = account.charged();
        #[allow(clippy::cast_precision_loss, reason = "a round has some dozens of photos")]
        if !(least as f64..=most as f64).contains(&self.spent) {
            defects.push(format!("{} credits were spent on {least} to {most} photos", self.spent));
        }
        if self.balance != self.earned - self.spent {
            defects.push(format!("the balance is {}, not {} - {}", self.balance, self.earned, self.spent));
        }
        defects
    }
}

/// Of all paid orders one is the first, and doubled; the others are not.
fn doubling(account: &Account) -> Option<String> {
    let receipts: Vec<(f64, Receipt)> =
        account.orders.iter().filter_map(|order| Some((f64::from(order.rupees), order.receipt?))).collect();
    let is_right = receipts
        .iter()
        .all(|(paid, receipt)| receipt.credits == if receipt.first { 2.0 * paid } else { *paid });
    let firsts = receipts.iter().filter(|(_, receipt)| receipt.first).count();
    (!is_right || firsts != receipts.len().min(1)).then(|| format!("recharges are credited as {receipts:?}"))
}

/// In which the photos of an event and the list of their statuses by id differ.
fn missing_or_extra(photos: &[Photo], listed: &BTreeMap<String, String>) -> Vec<String> {
    let kept = || photos.iter().filter(|photo| photo.is_kept());
    let missing = kept().filter(|photo| !listed.contains_key(&photo.id));
    let missing = missing.map(|photo| format!("{} was acknowledged and is missing", photo.name));
    let unready = kept().filter(|photo| listed.get(&photo.id).is_some_and(|status| status != "ready"));
    let unready = unready.map(|photo| format!("{} is {}", photo.name, listed[&photo.id]));
    let extra = listed.keys().filter(|id| !kept().any(|photo| photo.id == **id));
    let extra = extra.map(|id| format!("photo {id} is in nobody's ledger, or was deleted"));
    missing.chain(unready).chain(extra).collect()
}

/// That each kind of loss is noticed; called before every run.
pub(crate) fn self_test() {
    let mut account = Account::new(String::from("test"));
    let mut event = Event::new(String::from("event"));
    let photo = |id: &str| {
        let mut photo = Photo::new(format!("photo {id}"));
        (photo.id, photo.upload) = (id.to_owned(), Effect::Acknowledged);
        photo
    };
    event.photos = vec![photo("1"), photo("2")];
    let listed = |photos: &[(&str, &str)]| {
        photos.iter().map(|(id, status)| ((*id).to_owned(), (*status).to_owned())).collect::<BTreeMap<_, _>>()
    };
    let defects = |photos: &[Photo], list: &[(&str, &str)]| missing_or_extra(photos, &listed(list)).len();
    assert_eq!(defects(&event.photos, &[("1", "ready"), ("2", "ready")]), 0);
    assert_eq!(defects(&event.photos, &[("1", "ready")]), 1, "a lost photo");
    assert_eq!(defects(&event.photos, &[("1", "ready"), ("2", "failed")]), 1, "a photo nobody finds");
    event.photos[1].deletion = Effect::Acknowledged;
    assert_eq!(defects(&event.photos, &[("1", "ready"), ("2", "ready")]), 1, "a photo that came back");

    event.photos.push(Photo::new(String::from("uncertain")));
    account.events.push(event);
    let credits = |earned: f64, spent: f64| Credits { balance: earned - spent, earned, spent };
    assert!(credits(100.0, 2.0).differences(&account).is_empty());
    assert!(credits(100.0, 3.0).differences(&account).is_empty(), "nobody knows about the last photo");
    assert_eq!(credits(100.0, 1.0).differences(&account).len(), 1, "a photo that was not charged");
    assert_eq!(credits(100.0, 4.0).differences(&account).len(), 1, "a photo that was charged twice");
    assert_eq!(credits(90.0, 2.0).differences(&account).len(), 1, "credits that were lost");
    let order = |receipt| crate::ledger::Order {
        rupees: 10,
        receipt: Some(receipt),
        ..crate::ledger::Order::new(String::new())
    };
    account.orders =
        vec![order(Receipt { credits: 20.0, first: true }), order(Receipt { credits: 10.0, first: false })];
    assert!(doubling(&account).is_none());
    assert!(credits(130.0, 2.0).differences(&account).is_empty());
    account.orders[1].refund = Some(String::from("returned"));
    assert_eq!(credits(130.0, 2.0).differences(&account).len(), 1, "a refund that took nothing");
    account.orders[1].receipt = Some(Receipt { credits: 20.0, first: true });
    assert!(doubling(&account).is_some(), "doubled twice");
}
