//! A photographer's work on the account itself: registration, address, credits.

use hyper::Method;
use rand::RngExt as _;
use rand::seq::SliceRandom as _;
use serde_json::{Value, json};

use crate::client::Reply;
use crate::disk::Told;
use crate::http::Body;
use crate::ledger::{AddressChange, Effect, Order, Receipt};
use crate::photographer::{Photographer, text};

impl Photographer {
    /// The next step towards a session: registration, verification, login.
    pub(crate) async fn sign_in(&mut self) {
        if self.account.registration != Effect::Acknowledged {
            return self.register().await;
        }
        if self.account.verification != Effect::Acknowledged {
            return self.verify_registration().await;
        }
        let email = self.account.email.clone();
        if let Some(token) = self.log_in(&email).await {
            self.account.token = Some(token);
        }
    }

    async fn register(&mut self) {
        let account = &self.account;
        let body = json!({"name": account.name, "email": account.email, "password": account.password});
        let was_requested = account.registration == Effect::Requested;
        match self.client.send(Method::POST, "/api/auth/register", None, Body::json(&body)).await {
            Reply::Response(200, _) => self.account.registration = Effect::Acknowledged,
            Reply::Response(409, _) if was_requested => self.account.registration = Effect::Acknowledged,
            Reply::Unknown => self.account.registration = Effect::Requested,
            Reply::NotSent => {}
            other => self.client.report_reply("a registration", &other),
        }
    }

    async fn verify_registration(&mut self) {
        let email = self.account.email.clone();
        if self.follow_link(&email).await {
            self.account.verification = Effect::Acknowledged;
        }
    }

    /// Follows the link that was mailed to an address, and requests another mail where there is none.
    async fn follow_link(&mut self, email: &str) -> bool {
        let Some(token) = self.client.verification_token(email).await else {
            let body = Body::json(&json!({"email": email}));
            match self.client.send(Method::POST, "/api/auth/resend-verification", None, body).await {
                Reply::Response(200, _) | Reply::Unknown | Reply::NotSent => {}
                other => self.client.report_reply("asking for another mail", &other),
            }
            return false;
        };
        let body = Body::json(&json!({"token": token}));
        match self.client.send(Method::POST, "/api/auth/verify-email", None, body).await {
            Reply::Response(200, _) => true,
            Reply::Unknown | Reply::NotSent => false,
            other => {
                self.client.report_reply("following a verification link", &other);
                false
            }
        }
    }

    /// A new session; none when it is not known whether there is one.
    pub(crate) async fn log_in(&self, email: &str) -> Option<String> {
        let body = Body::json(&json!({"email": email, "password": self.account.password}));
        match self.client.send(Method::POST, "/api/auth/login", None, body).await {
            Reply::Response(200, body) => Some(text(&Reply::json(&body)["token"])),
            Reply::Unknown | Reply::NotSent => None,
            other => {
                self.client.report_reply(&format!("a login as {email}"), &other);
                None
            }
        }
    }

    /// Begins a change of address, or continues the one that has begun.
    pub(crate) async fn change_address(&mut self) {
        if self.account.change.is_none() {
            let email = format!("{}@example.com", self.unique("address"));
            let (request, verification) = (Effect::None, Effect::None);
            self.account.change = Some(AddressChange { email, request, verification });
        }
        let Some(change) = &mut self.account.change else { return };
        let email = change.email.clone();
        if change.request != Effect::Acknowledged {
            let was = change.request;
            let verified = change.verification;
            let reply = self
                .send(
                    Method::PUT,
                    "/api/auth/update-profile",
                    Body::json(&json!({"email": email, "current_password": self.account.password})),
                )
                .await;
            let request = match reply {
                Reply::Response(200, _) => Effect::Acknowledged,
                Reply::Unknown => Effect::Requested,
                Reply::NotSent => was,
                other => {
                    self.client.report_reply("asking for another address", &other);
                    was
                }
            };
            self.account.change =
                Some(AddressChange { email: email.clone(), request, verification: verified });
            if request != Effect::Acknowledged {
                return;
            }
        }
        if let Some(change) = &mut self.account.change {
            change.verification = Effect::Requested;
        }
        if self.follow_link(&email).await {
            self.account.email = email;
            self.account.change = None;
            self.account.changes += 1;
        }
    }

    pub(crate) async fn recharge(&mut self) {
        let rupees = self.rng.random_range(1..=500);
        let body = Body::json(&json!({"amount": rupees * 100}));
        match self.send(Method::POST, "/api/payments/create-order", body).await {
            Reply::Response(200, body) => {
                let id = text(&Reply::json(&body)["order_id"]);
                self.account.orders.push(Order { rupees, ..Order::new(id) });
                let order = self.account.orders.len() - 1;
                self.pay(order).await;
                if self.rng.random_range(0..3) == 0 {
                    self.refund(order).await;
                }
            }
            // An order that nobody can pay.
            Reply::Unknown => self.account.unanswered_orders += 1,
            Reply::NotSent => {}
            Reply::Response(409, body)
                if self.has_open_orders() && Reply::json(&body)["code"] == "too_many_open_orders" => {}
            other => self.client.report_reply("creating an order", &other),
        }
    }

    /// Whether as many orders may be open as an account may have.
    fn has_open_orders(&self) -> bool {
        let unpaid = self.account.orders.iter().filter(|order| order.receipt.is_none()).count();
        i64::try_from(unpaid + self.account.unanswered_orders)
            .is_ok_and(|open| open >= domain::payments::orders::MAX_OPEN_ORDERS)
    }

    /// Goes on with an order: pays it, and has it credited. A repeat must be answered as before.
    pub(crate) async fn pay(&mut self, order: usize) {
        let id = self.account.orders[order].id.clone();
        let proof = match self.account.orders[order].proof.clone() {
            Some(proof) => proof,
            None if self.client.provider.is_some() => match self.pay_at_provider(&id) {
                Some(proof) => proof,
                None => return self.client.report(format!("the provider does not let {id} be paid")),
            },
            None => {
                let body = Body::json(&json!({"order_id": id}));
                match self.send(Method::POST, "/api/payments/sandbox", body).await {
                    Reply::Response(200, body) => Reply::json(&body),
                    Reply::Unknown | Reply::NotSent => return,
                    other => return self.client.report_reply("paying an order", &other),
                }
            }
        };
        self.account.orders[order].proof = Some(proof.clone());
        self.notify(order).await;
        match self.send(Method::POST, "/api/payments/verify-payment", Body::json(&proof)).await {
            Reply::Response(200, body) => {
                let body = Reply::json(&body);
                let receipt = Receipt {
                    credits: body["credits_received"].as_f64().unwrap_or_default(),
                    first: body["was_first_recharge"].as_bool().unwrap_or_default(),
                };
                self.client.tell(|| Told::Paid { order: id.clone() });
                let before = self.account.orders[order].receipt.replace(receipt);
                if before.is_some_and(|before| before != receipt) {
                    self.client.report(format!("{id} was credited as {before:?}, then as {receipt:?}"));
                }
            }
            Reply::Unknown | Reply::NotSent => {}
            other => self.client.report_reply("verifying a payment", &other),
        }
    }

    /// Pays an order in the provider's checkout; none when it is paid.
    fn pay_at_provider(&self, id: &str) -> Option<Value> {
        let proof = self.client.provider.as_ref()?.pay(id)?;
        Some(json!({
            "razorpay_order_id": proof.order_id,
            "razorpay_payment_id": proof.payment_id,
            "razorpay_signature": proof.signature,
        }))
    }

    /// The provider returns a payment that was credited, and tells so.
    async fn refund(&mut self, order: usize) {
        let Some(provider) = self.client.provider.clone() else { return };
        let paid = &mut self.account.orders[order];
        let (Some(proof), Some(_)) = (&paid.proof, paid.receipt) else { return };
        let payment = text(&proof["razorpay_payment_id"]);
        paid.refund = provider.refund_in_dashboard(&payment, i64::from(paid.rupees) * 100);
        if let Some(refund) = &paid.refund {
            provider.set_refund_status(refund, "processed");
        }
        self.notify(order).await;
    }

    /// The provider tells of a payment, and of its refund: in any order, twice, and again under another id.
    pub(crate) async fn notify(&mut self, order: usize) {
        let Some(provider) = self.client.provider.clone() else { return };
        let Some(proof) = &self.account.orders[order].proof else { return };
        let (payment, refund) =
            (text(&proof["razorpay_payment_id"]), self.account.orders[order].refund.clone());
        let mut sent = Vec::new();
        for _ in 0..2 {
            for event in ["payment.authorized", "payment.captured", "order.paid"] {
                sent.extend(provider.webhook(event, &payment).map(|webhook| (false, webhook)));
            }
            for event in ["refund.created", "refund.processed"] {
                let webhook = refund.as_ref().and_then(|refund| provider.refund_webhook(event, refund));
                sent.extend(webhook.map(|webhook| (event == "refund.processed", webhook)));
            }
        }
        sent.extend(sent.clone());
        sent.shuffle(&mut self.rng);
        for (is_refunded, webhook) in sent {
            let body = Body::notification(&webhook);
            match self.client.send(Method::POST, "/api/payments/webhook", None, body).await {
                Reply::Response(200, _) => self.account.orders[order].refund_told |= is_refunded,
                Reply::Unknown | Reply::NotSent => {}
                other => self.client.report_reply("a notification", &other),
            }
        }
    }
}
