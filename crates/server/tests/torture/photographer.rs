//! A photographer's work: requests drawn at random, each entered in the ledger before it is sent and after it is
//! answered.

use std::sync::Arc;
use std::time::Duration;

use hyper::Method;
use rand::RngExt as _;
use rand::rngs::StdRng;
use serde_json::json;
use tokio_util::sync::CancellationToken;

use crate::client::{Client, Reply};
use crate::disk::Told;
use crate::http::Body;
use crate::ledger::{Account, Effect, Event, Photo};

/// Every event's date: a day in the past, which no rule of the service cares about.
const DATE: &str = "2026-11-14";

/// Between steps that only pass the time until a fault is over.
const REST: Duration = Duration::from_millis(200);
/// Fewer than the credits that everybody begins with: no upload may be refused.
pub(crate) const MOST_PHOTOS: usize = 90;

pub(crate) struct Photographer {
    pub(crate) account: Account,
    pub(crate) client: Arc<Client>,
    pub(crate) rng: StdRng,
    /// Makes names unique.
    serial: u32,
}

impl Photographer {
    pub(crate) fn new(number: usize, client: Arc<Client>, rng: StdRng) -> Self {
        Self { account: Account::new(format!("photographer{number}")), client, rng, serial: 0 }
    }

    /// Takes `steps` steps, then continues more slowly until the fault is over.
    pub(crate) async fn work(&mut self, steps: usize, fault_is_over: &CancellationToken) {
        for step in 0.. {
            if step >= steps {
                if fault_is_over.is_cancelled() {
                    return;
                }
                tokio::time::sleep(REST).await;
            }
            if self.account.token.is_none() {
                self.sign_in().await;
                continue;
            }
            match self.rng.random_range(0..100) {
                0..45 => self.upload().await,
                45..52 => self.upload_again().await,
                52..64 => self.search().await,
                64..76 => self.recharge().await,
                76..84 => self.delete_photo().await,
                84..90 => self.create_event().await,
                90..94 => self.delete_event().await,
                _ => self.change_address().await,
            }
        }
    }

    /// Uploads so many photos to one event and searches it meanwhile, then only searches until the faults are over.
    pub(crate) async fn fill_event(&mut self, photos: usize, faults_are_over: &CancellationToken) {
        while !self.account.events.iter().any(Event::is_open) {
            if self.account.token.is_none() {
                self.sign_in().await;
            } else {
                self.create_event().await;
            }
        }
        for _ in 0..photos {
            self.upload().await;
            if self.rng.random_range(0..5) == 0 {
                self.search().await;
            }
        }
        while !faults_are_over.is_cancelled() {
            self.search().await;
            tokio::time::sleep(REST).await;
        }
    }

    pub(crate) async fn send(&self, method: Method, path: &str, body: Body) -> Reply {
        self.client.send(method, path, self.account.token.as_deref(), body).await
    }

    pub(crate) fn unique(&mut self, kind: &str) -> String {
        self.serial += 1;
        format!("{kind}-{}-of-{}", self.serial, self.account.name)
    }

    fn draw(&mut self, number: usize) -> Option<usize> {
        (number > 0).then(|| self.rng.random_range(0..number))
    }

    /// One of the events that are open.
    fn open_event(&mut self) -> Option<usize> {
        let open: Vec<usize> =
            (0..self.account.events.len()).filter(|event| self.account.events[*event].is_open()).collect();
        self.draw(open.len()).map(|at| open[at])
    }

    /// One of the photos that are there, with its event.
    fn kept_photo(&mut self) -> Option<(usize, usize)> {
        let event = self.open_event()?;
        let photos = &self.account.events[event].photos;
        let kept: Vec<usize> = (0..photos.len()).filter(|photo| photos[*photo].is_kept()).collect();
        self.draw(kept.len()).map(|at| (event, kept[at]))
    }

    pub(crate) async fn create_event(&mut self) {
        let name = self.unique("event");
        let reply =
            self.send(Method::POST, "/api/events/", Body::json(&json!({"name": name, "date": DATE}))).await;
        let mut event = Event::new(name);
        match reply {
            Reply::Response(201, body) => {
                let body = Reply::json(&body);
                event.creation = Effect::Acknowledged;
                event.id = text(&body["id"]);
                event.slug = text(&body["slug"]);
            }
            Reply::Unknown => {}
            Reply::NotSent => return,
            other => return self.client.report_reply("creating an event", &other),
        }
        self.account.events.push(event);
    }

    async fn upload(&mut self) {
        if self.account.charged().1 >= MOST_PHOTOS {
            return self.search().await;
        }
        let Some(event) = self.open_event() else { return self.create_event().await };
        let photo = Photo::new(self.unique("photo"));
        self.account.events[event].photos.push(photo);
        let photo = self.account.events[event].photos.len() - 1;
        if matches!(self.send_photo(event, photo).await, Reply::NotSent) {
            self.account.events[event].photos.pop();
        }
    }

    /// The same bytes once more, which cost nothing.
    async fn upload_again(&mut self) {
        let Some((event, photo)) = self.kept_photo() else { return self.upload().await };
        self.send_photo(event, photo).await;
    }

    /// Uploads a photo that is in the ledger, for the first time or again.
    pub(crate) async fn send_photo(&mut self, event: usize, photo: usize) -> Reply {
        let (id, name) =
            (self.account.events[event].id.clone(), self.account.events[event].photos[photo].name.clone());
        let body = Body::form(&[("event_id", &id)], ("photos", &name), &self.client.pictures.photo(&name));
        let reply = self.send(Method::POST, "/api/photos/upload", body).await;
        let was = self.account.events[event].photos[photo].upload;
        let entry = &mut self.account.events[event].photos[photo];
        match &reply {
            Reply::Response(status @ (200 | 201), body) => {
                let id = text(&Reply::json(body)["id"]);
                if was == Effect::Acknowledged && (*status == 201 || id != entry.id) {
                    self.client.report(format!("{name}: a repeated upload made another photo"));
                }
                entry.upload = Effect::Acknowledged;
                if entry.deletion == Effect::None {
                    self.client.tell(|| Told::Uploaded { id: id.clone(), name: name.clone() });
                }
                entry.id = id;
            }
            Reply::Unknown | Reply::NotSent => {}
            other => self.client.report_reply(&format!("uploading {name}"), other),
        }
        reply
    }

    async fn delete_photo(&mut self) {
        let Some((event, photo)) = self.kept_photo() else { return self.upload().await };
        self.account.events[event].photos[photo].deletion = Effect::Requested;
        self.send_photo_deletion(event, photo, false).await;
    }

    /// Deletes a photo; one whose deletion was not acknowledged before may be gone.
    pub(crate) async fn send_photo_deletion(&mut self, event: usize, photo: usize, again: bool) {
        let id = self.account.events[event].photos[photo].id.clone();
        self.client.tell(|| Told::Deleting { id: id.clone() });
        let reply = self.send(Method::DELETE, &format!("/api/photos/{id}"), Body::empty()).await;
        let entry = &mut self.account.events[event].photos[photo];
        if !record_deletion(&mut entry.deletion, &reply, &[200], again) {
            self.client.report_reply(&format!("deleting {}", entry.name), &reply);
        }
    }

    async fn delete_event(&mut self) {
        let Some(event) = self.open_event() else { return self.create_event().await };
        self.account.events[event].deletion = Effect::Requested;
        self.send_event_deletion(event, false).await;
    }

    /// Deletes an event; one whose deletion was not acknowledged before may be gone.
    pub(crate) async fn send_event_deletion(&mut self, event: usize, again: bool) {
        let id = self.account.events[event].id.clone();
        for photo in &self.account.events[event].photos {
            self.client.tell(|| Told::Deleting { id: photo.id.clone() });
        }
        let reply = self.send(Method::DELETE, &format!("/api/events/{id}"), Body::empty()).await;
        let entry = &mut self.account.events[event];
        if !record_deletion(&mut entry.deletion, &reply, &[200, 202], again) {
            self.client.report_reply(&format!("deleting {}", entry.name), &reply);
        } else if let Reply::Response(200 | 202, body) = &reply {
            entry.task = Reply::json(body)["task_id"].as_str().map(str::to_owned);
        }
    }

    /// Searches an event, in which no photo may be found that is not in it.
    async fn search(&mut self) {
        let Some(event) = self.open_event() else { return self.create_event().await };
        let path = format!("/api/face/search/{}", self.account.events[event].slug);
        let body = Body::search(&self.client.pictures.selfie);
        match self.client.send(Method::POST, &path, None, body).await {
            Reply::Response(200, body) => {
                let photos = &self.account.events[event].photos;
                for found in Reply::json(&body)["matches"].as_array().into_iter().flatten() {
                    let name = text(&found["filename"]);
                    let known = photos.iter().find(|photo| photo.name == name);
                    if known.is_none_or(|photo| photo.deletion == Effect::Acknowledged) {
                        self.client.report(format!("a search found {name}, which is not in the event"));
                    }
                }
            }
            Reply::Unknown | Reply::NotSent => {}
            other => self.client.report_reply("a search", &other),
        }
    }
}

/// Records the reply to a deletion; false for one that a deletion never has. A repeated one may be answered 404.
fn record_deletion(deletion: &mut Effect, reply: &Reply, success: &[u16], again: bool) -> bool {
    match reply {
        Reply::Response(status, _) if success.contains(status) || (*status == 404 && again) => {
            *deletion = Effect::Acknowledged;
        }
        Reply::Response(..) => return false,
        Reply::NotSent if !again => *deletion = Effect::None,
        Reply::Unknown | Reply::NotSent => {}
    }
    true
}

pub(crate) fn text(value: &serde_json::Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
