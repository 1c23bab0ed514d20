//! What a photographer does when everything runs again: repeats, or looks up, whatever was not acknowledged.

use std::time::Duration;

use hyper::Method;
use rand::RngExt as _;

use crate::client::Reply;
use crate::http::Body;
use crate::ledger::Effect;
use crate::photographer::{Photographer, text};

/// Repeats of what is answered with 503, or waits for a mail.
const ATTEMPTS: usize = 20;
const PAUSE: Duration = Duration::from_millis(300);

impl Photographer {
    /// Until nothing is uncertain but uploads to events that are deleted. True when it came to that.
    pub(crate) async fn converge(&mut self) -> bool {
        for _ in 0..ATTEMPTS {
            self.resolve().await;
            if self.is_certain() {
                return true;
            }
            tokio::time::sleep(PAUSE).await;
        }
        false
    }

    fn is_certain(&self) -> bool {
        let account = &self.account;
        let is_certain = |effect| effect != Effect::Requested;
        account.token.is_some()
            && account.change.is_none()
            && account
                .orders
                .iter()
                .all(|order| order.receipt.is_some() && (order.refund.is_none() || order.refund_told))
            && account.events.iter().all(|event| {
                is_certain(event.creation)
                    && is_certain(event.deletion)
                    && (!event.is_open()
                        || event
                            .photos
                            .iter()
                            .all(|photo| is_certain(photo.upload) && is_certain(photo.deletion)))
            })
    }

    async fn resolve(&mut self) {
        while self.account.token.is_none() {
            let before = (self.account.registration, self.account.verification);
            self.sign_in().await;
            let after = (self.account.registration, self.account.verification);
            if before == after && self.account.token.is_none() {
                return;
            }
        }
        self.look_up_events().await;
        for event in 0..self.account.events.len() {
            if self.account.events[event].deletion == Effect::Requested {
                self.send_event_deletion(event, true).await;
            }
            if self.account.events[event].is_open() {
                self.resolve_photos(event).await;
            }
        }
        for order in 0..self.account.orders.len() {
            if self.account.orders[order].receipt.is_none() {
                self.pay(order).await;
            }
            if self.account.orders[order].refund.is_some() && !self.account.orders[order].refund_told {
                self.notify(order).await;
            }
        }
        if self.account.change.is_some() {
            self.change_address().await;
        }
    }

    /// Finds out which of the events exist whose creation was not acknowledged.
    async fn look_up_events(&mut self) {
        if self.account.events.iter().all(|event| event.creation == Effect::Acknowledged) {
            return;
        }
        match self.send(Method::GET, "/api/events/", Body::empty()).await {
            Reply::Response(200, body) => {
                let listed = Reply::json(&body);
                for event in &mut self.account.events {
                    let found = listed
                        .as_array()
                        .into_iter()
                        .flatten()
                        .find(|entry| entry["name"] == event.name.as_str());
                    if let Some(found) = found {
                        event.creation = Effect::Acknowledged;
                        event.id = text(&found["id"]);
                        event.slug = text(&found["slug"]);
                    }
                }
                self.account.events.retain(|event| event.creation == Effect::Acknowledged);
            }
            Reply::Unknown | Reply::NotSent => {}
            other => self.client.report_reply("listing the events", &other),
        }
    }

    async fn resolve_photos(&mut self, event: usize) {
        // From the last: looking one up may remove it.
        for photo in (0..self.account.events[event].photos.len()).rev() {
            if self.account.events[event].photos[photo].deletion == Effect::Requested {
                self.send_photo_deletion(event, photo, true).await;
            }
            if self.account.events[event].photos[photo].upload == Effect::Requested {
                if self.rng.random() {
                    self.send_photo(event, photo).await;
                } else {
                    self.look_up_photo(event, photo).await;
                }
            }
        }
    }

    /// Finds out whether a photo exists whose upload was not acknowledged, as the web app does after a timeout.
    async fn look_up_photo(&mut self, event: usize, photo: usize) {
        let (id, name) = (&self.account.events[event].id, &self.account.events[event].photos[photo].name);
        let path = format!("/api/photos/search?event_id={id}&filename={name}");
        match self.send(Method::GET, &path, Body::empty()).await {
            Reply::Response(200, body) => {
                let photos = &mut self.account.events[event].photos;
                match Reply::json(&body)["photos"].get(0) {
                    Some(found) => {
                        photos[photo].upload = Effect::Acknowledged;
                        photos[photo].id = text(&found["id"]);
                    }
                    None => {
                        photos.remove(photo);
                    }
                }
            }
            Reply::Unknown | Reply::NotSent => {}
            other => self.client.report_reply("looking up a photo", &other),
        }
    }
}
