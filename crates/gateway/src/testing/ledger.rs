//! The provider's orders and payments, and the rules about them.

use serde_json::{Value, json};

/// When everything is made unless a test says otherwise, in Unix seconds.
pub(super) const CREATED_AT: i64 = 1_795_167_000;

/// A response of the API: status and body.
pub(super) type ApiResponse = (u16, Value);

#[derive(Debug, Default)]
pub(super) struct Ledger {
    orders: Vec<Order>,
    payments: Vec<Payment>,
    refunds: Vec<Refund>,
    /// In Unix seconds.
    now: Option<i64>,
}

#[derive(Debug)]
struct Order {
    id: String,
    amount: i64,
    receipt: Option<String>,
    notes: Value,
    status: &'static str,
    attempts: u32,
    created_at: i64,
}

#[derive(Debug)]
struct Payment {
    id: String,
    order: usize,
    amount: i64,
    status: String,
    /// Whether a request to capture it is refused, as after its time is over.
    refuses_capture: bool,
    created_at: i64,
}

#[derive(Debug)]
struct Refund {
    id: String,
    payment: usize,
    amount: i64,
    receipt: Option<String>,
    /// The idempotency key.
    key: String,
    status: &'static str,
    created_at: i64,
}

impl Ledger {
    /// Handles an authenticated request.
    pub(super) fn handle(
        &mut self,
        method: &str,
        path: &str,
        query: &str,
        key: &str,
        body: &[u8],
    ) -> ApiResponse {
        let segments: Vec<_> = path.split('/').skip(1).collect();
        match (method, segments.as_slice()) {
            ("POST", ["v1", "orders"]) => self.create(body),
            ("GET", ["v1", "orders"]) => self.list(query),
            ("GET", ["v1", "orders", id]) => match self.find(id) {
                Some(order) => (200, self.orders[order].body()),
                None => unknown_id(),
            },
            ("GET", ["v1", "orders", id, "payments"]) => match self.find(id) {
                Some(order) => {
                    let payments = self.payments.iter().filter(|payment| payment.order == order);
                    (200, collection(payments.map(|payment| self.payment_body(payment)).collect()))
                }
                None => unknown_id(),
            },
            ("GET", ["v1", "payments"]) => {
                let items = self.payments.iter().filter(|payment| is_within(query, payment.created_at));
                (200, page(query, items.map(|payment| self.payment_body(payment)).collect()))
            }
            ("GET", ["v1", "payments", id, "refunds"]) => {
                let items = self.refunds.iter().filter(|refund| self.payments[refund.payment].id == *id);
                (200, page(query, items.map(|refund| self.refund_body(refund)).collect()))
            }
            ("GET", ["v1", "refunds"]) => {
                let items = self.refunds.iter().filter(|refund| is_within(query, refund.created_at));
                (200, page(query, items.map(|refund| self.refund_body(refund)).collect()))
            }
            ("POST", ["v1", "payments", id, "capture"]) => self.capture(id, body),
            ("POST", ["v1", "payments", id, "refund"]) => self.refund(id, key, body),
            _ => (404, error("The requested URL was not found on the server.", None)),
        }
    }

    pub(super) fn orders(&self) -> Vec<Value> {
        self.orders.iter().map(Order::body).collect()
    }

    /// A payment and its order.
    pub(super) fn payment(&self, id: &str) -> Option<(Value, Value)> {
        let payment = self.payments.iter().find(|payment| payment.id == id)?;
        Some((self.payment_body(payment), self.orders[payment.order].body()))
    }

    fn payment_body(&self, payment: &Payment) -> Value {
        payment.body(&self.orders[payment.order], self.refunded(payment))
    }

    fn refund_body(&self, refund: &Refund) -> Value {
        refund.body(&self.payments[refund.payment])
    }

    /// What of a payment was refunded.
    fn refunded(&self, payment: &Payment) -> i64 {
        let returned =
            |refund: &&Refund| self.payments[refund.payment].id == payment.id && refund.status != "failed";
        self.refunds.iter().filter(returned).map(|refund| refund.amount).sum()
    }

    pub(super) fn refunds(&self) -> Vec<Value> {
        self.refunds.iter().map(|refund| self.refund_body(refund)).collect()
    }

    /// A refund and its payment.
    pub(super) fn refund_and_payment(&self, id: &str) -> Option<(Value, Value)> {
        let refund = self.refunds.iter().find(|refund| refund.id == id)?;
        Some((self.refund_body(refund), self.payment_body(&self.payments[refund.payment])))
    }

    /// Moves a refund on, as the bank does.
    pub(super) fn set_refund_status(&mut self, id: &str, status: &'static str) {
        for refund in self.refunds.iter_mut().filter(|refund| refund.id == id) {
            refund.status = status;
        }
    }

    /// A refund in the dashboard, without a receipt; none for an unknown payment.
    pub(super) fn refund_in_dashboard(&mut self, payment_id: &str, amount: i64) -> Option<String> {
        let payment = self.payments.iter().position(|payment| payment.id == payment_id)?;
        Some(self.add_refund(payment, amount, None, ""))
    }

    /// Moves a payment on: `authorized`, `captured` or `failed`.
    pub(super) fn set_payment_status(&mut self, id: &str, status: &str) {
        for payment in self.payments.iter_mut().filter(|payment| payment.id == id) {
            payment.status = status.to_owned();
            self.orders[payment.order].status = if status == "captured" { "paid" } else { "attempted" };
        }
    }

    /// Refuses to capture a payment from now on.
    pub(super) fn refuse_capture(&mut self, id: &str) {
        for payment in self.payments.iter_mut().filter(|payment| payment.id == id) {
            payment.refuses_capture = true;
        }
    }

    /// Sets the moment at which everything is made from now on.
    pub(super) fn set_now(&mut self, seconds: i64) {
        self.now = Some(seconds);
    }

    fn now(&self) -> i64 {
        self.now.unwrap_or(CREATED_AT)
    }

    /// Changes the amount of an order, which the real provider never does.
    pub(super) fn set_amount(&mut self, order_id: &str, amount: i64) {
        for order in self.orders.iter_mut().filter(|order| order.id == order_id) {
            order.amount = amount;
        }
    }

    /// Forgets an order, as another account of the provider does not know it.
    pub(super) fn forget(&mut self, order_id: &str) {
        for order in self.orders.iter_mut().filter(|order| order.id == order_id) {
            order.id = String::from("order_forgotten");
        }
    }

    /// An attempt to pay; none when there is no such order or it is paid.
    pub(super) fn attempt(&mut self, order_id: &str, status: &str) -> Option<String> {
        let order = self.find(order_id).filter(|order| self.orders[*order].status != "paid")?;
        Some(self.add_payment(order, status))
    }

    /// A second payment of a paid order, as two open checkouts make it.
    pub(super) fn pay_again(&mut self, order_id: &str) -> Option<String> {
        let order = self.find(order_id)?;
        Some(self.add_payment(order, "captured"))
    }

    fn add_payment(&mut self, order: usize, status: &str) -> String {
        let id = format!("pay_{:014}", self.payments.len() + 1);
        let amount = self.orders[order].amount;
        self.payments.push(Payment {
            id: id.clone(),
            order,
            amount,
            status: status.to_owned(),
            refuses_capture: false,
            created_at: self.now(),
        });
        self.orders[order].attempts += 1;
        self.orders[order].status =
            if matches!(status, "captured" | "refunded") { "paid" } else { "attempted" };
        id
    }

    fn capture(&mut self, id: &str, body: &[u8]) -> ApiResponse {
        let Some(payment) = self.payments.iter_mut().find(|payment| payment.id == id) else {
            return unknown_id();
        };
        let amount = serde_json::from_slice::<Value>(body).unwrap_or_default()["amount"].as_i64();
        if payment.refuses_capture {
            return (400, error("This payment cannot be captured any more", None));
        }
        if payment.status != "authorized" {
            return (400, error("This payment has already been captured", None));
        }
        if amount != Some(payment.amount) {
            return (400, error("Capture amount must be equal to the amount authorized", Some("amount")));
        }
        payment.status = String::from("captured");
        let order = payment.order;
        self.orders[order].status = "paid";
        (200, payment.body(&self.orders[order], 0))
    }

    fn refund(&mut self, id: &str, key: &str, body: &[u8]) -> ApiResponse {
        let Some(payment) = self.payments.iter().position(|payment| payment.id == id) else {
            return unknown_id();
        };
        let body = serde_json::from_slice::<Value>(body).unwrap_or_default();
        let amount = body["amount"].as_i64().unwrap_or(self.payments[payment].amount);
        let same = self.refunds.iter().find(|refund| !key.is_empty() && refund.key == key);
        if let Some(same) = same {
            let repeated = same.payment == payment && same.amount == amount;
            let text = "Different request with the same idempotency key has already been processed.";
            return if repeated {
                (200, same.body(&self.payments[payment]))
            } else {
                (400, error(text, None))
            };
        }
        let refunded = self.refunded(&self.payments[payment]);
        if self.payments[payment].status != "captured" || refunded + amount > self.payments[payment].amount {
            return (400, error("The payment has been fully refunded already", None));
        }
        let receipt = body["receipt"].as_str().map(str::to_owned);
        self.add_refund(payment, amount, receipt, key);
        (200, self.refunds[self.refunds.len() - 1].body(&self.payments[payment]))
    }

    fn add_refund(&mut self, payment: usize, amount: i64, receipt: Option<String>, key: &str) -> String {
        let id = format!("rfnd_{:014}", self.refunds.len() + 1);
        let (key, status, created_at) = (key.to_owned(), "processed", self.now());
        self.refunds.push(Refund { id: id.clone(), payment, amount, receipt, key, status, created_at });
        id
    }

    fn find(&self, id: &str) -> Option<usize> {
        self.orders.iter().position(|order| order.id == id)
    }

    fn create(&mut self, body: &[u8]) -> ApiResponse {
        let Ok(body) = serde_json::from_slice::<Value>(body) else {
            return (400, error("The request body is not valid JSON.", None));
        };
        let refused = |text, field| (400, error(text, Some(field)));
        let Some(amount) = body["amount"].as_i64() else {
            return refused("The amount must be an integer.", "amount");
        };
        if amount < 100 {
            return refused("The amount must be at least INR 1.00", "amount");
        }
        if body["currency"] != "INR" {
            return refused("Currency is not supported", "currency");
        }
        let receipt = body["receipt"].as_str().map(str::to_owned);
        if receipt.as_ref().is_some_and(|receipt| receipt.chars().count() > 40) {
            return refused("The receipt may not be greater than 40 characters.", "receipt");
        }
        let notes = match &body["notes"] {
            Value::Object(notes) if notes.len() > 15 => {
                return refused("Number of fields in notes should be less than or equal to 15", "notes");
            }
            Value::Object(notes) if !notes.is_empty() => json!(notes),
            _ => json!([]),
        };
        let id = format!("order_{:014}", self.orders.len() + 1);
        let (status, created_at) = ("created", self.now());
        self.orders.push(Order { id, amount, receipt, notes, status, attempts: 0, created_at });
        (200, self.orders[self.orders.len() - 1].body())
    }

    fn list(&self, query: &str) -> ApiResponse {
        let receipt = parameter(query, "receipt");
        let matches = |order: &&Order| receipt.is_none() || order.receipt == receipt;
        let within = |order: &&Order| is_within(query, order.created_at);
        (200, page(query, self.orders.iter().filter(matches).filter(within).map(Order::body).collect()))
    }
}

impl Order {
    fn body(&self) -> Value {
        let paid = if self.status == "paid" { self.amount } else { 0 };
        json!({
            "id": self.id, "entity": "order", "amount": self.amount, "amount_paid": paid,
            "amount_due": self.amount - paid, "currency": "INR", "receipt": self.receipt, "offer_id": null,
            "status": self.status, "attempts": self.attempts, "notes": self.notes, "created_at": self.created_at,
        })
    }
}

impl Payment {
    /// One of which all was refunded is `refunded`; one that was never captured and is so was refunded by the provider.
    fn body(&self, order: &Order, refunded: i64) -> Value {
        let failed = self.status == "failed";
        let is_captured = self.status == "captured";
        let status = if is_captured && refunded >= self.amount { "refunded" } else { self.status.as_str() };
        let refunded = if self.status == "refunded" { self.amount } else { refunded };
        json!({
            "id": self.id, "entity": "payment", "amount": self.amount, "currency": "INR",
            "status": status, "order_id": order.id, "invoice_id": null, "international": false,
            "method": "upi", "amount_refunded": refunded, "captured": is_captured, "description": null,
            "email": "guest@example.com", "contact": "+919000000000", "notes": [],
            "error_code": failed.then_some("BAD_REQUEST_ERROR"),
            "error_description": failed.then_some("Payment was unsuccessful."), "created_at": self.created_at,
        })
    }
}

impl Refund {
    fn body(&self, payment: &Payment) -> Value {
        json!({
            "id": self.id, "entity": "refund", "amount": self.amount, "currency": "INR",
            "payment_id": payment.id, "notes": [], "receipt": self.receipt, "acquirer_data": { "arn": null },
            "created_at": self.created_at, "batch_id": null, "status": self.status, "speed_processed": "normal",
            "speed_requested": "normal",
        })
    }
}

/// An error in the documented form.
pub(super) fn error(description: &str, field: Option<&str>) -> Value {
    json!({ "error": {
        "code": "BAD_REQUEST_ERROR", "description": description, "source": "business",
        "step": "payment_initiation", "reason": "input_validation_failed", "metadata": {}, "field": field,
    } })
}

fn parameter(query: &str, key: &str) -> Option<String> {
    let mut pairs = url::form_urlencoded::parse(query.as_bytes());
    pairs.find(|(name, _)| name == key).map(|(_, value)| value.into_owned())
}

/// Whether a moment is within the period that a query names.
fn is_within(query: &str, seconds: i64) -> bool {
    let bound = |key, missing| parameter(query, key).and_then(|text| text.parse().ok()).unwrap_or(missing);
    (bound("from", i64::MIN)..=bound("to", i64::MAX)).contains(&seconds)
}

/// The part of a list that a query asks for, newest first.
fn page(query: &str, items: Vec<Value>) -> Value {
    let number = |key, missing| parameter(query, key).and_then(|text| text.parse().ok()).unwrap_or(missing);
    collection(items.into_iter().rev().skip(number("skip", 0)).take(number("count", 10).min(100)).collect())
}

fn unknown_id() -> ApiResponse {
    (400, error("The id provided does not exist", None))
}

fn collection(items: Vec<Value>) -> Value {
    json!({ "entity": "collection", "count": items.len(), "items": items })
}
