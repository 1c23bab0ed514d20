//! The provider's orders and payments, and the rules about them.

use serde_json::{Value, json};

/// The creation time of everything here, in Unix seconds.
pub(super) const CREATED_AT: i64 = 1_795_167_000;

/// A response of the API: status and body.
pub(super) type ApiResponse = (u16, Value);

#[derive(Debug, Default)]
pub(super) struct Ledger {
    orders: Vec<Order>,
    payments: Vec<Payment>,
}

#[derive(Debug)]
struct Order {
    id: String,
    amount: i64,
    receipt: Option<String>,
    notes: Value,
    status: &'static str,
    attempts: u32,
}

#[derive(Debug)]
struct Payment {
    id: String,
    order: usize,
    status: String,
}

impl Ledger {
    /// Handles an authenticated request.
    pub(super) fn handle(&mut self, method: &str, path: &str, query: &str, body: &[u8]) -> ApiResponse {
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
                    (200, collection(payments.map(|payment| payment.body(&self.orders[order])).collect()))
                }
                None => unknown_id(),
            },
            _ => (404, error("The requested URL was not found on the server.", None)),
        }
    }

    pub(super) fn orders(&self) -> Vec<Value> {
        self.orders.iter().map(Order::body).collect()
    }

    /// A payment and its order.
    pub(super) fn payment(&self, id: &str) -> Option<(Value, Value)> {
        let payment = self.payments.iter().find(|payment| payment.id == id)?;
        let order = &self.orders[payment.order];
        Some((payment.body(order), order.body()))
    }

    /// An attempt to pay; none when there is no such order or it is paid.
    pub(super) fn attempt(&mut self, order_id: &str, status: &str) -> Option<String> {
        let order = self.find(order_id).filter(|order| self.orders[*order].status != "paid")?;
        let id = format!("pay_{:014}", self.payments.len() + 1);
        self.payments.push(Payment { id: id.clone(), order, status: status.to_owned() });
        self.orders[order].attempts += 1;
        self.orders[order].status =
            if matches!(status, "captured" | "refunded") { "paid" } else { "attempted" };
        Some(id)
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
        self.orders.push(Order { id, amount, receipt, notes, status: "created", attempts: 0 });
        (200, self.orders[self.orders.len() - 1].body())
    }

    fn list(&self, query: &str) -> ApiResponse {
        let parameter = |key: &str| {
            let mut pairs = url::form_urlencoded::parse(query.as_bytes());
            pairs.find(|(name, _)| name == key).map(|(_, value)| value.into_owned())
        };
        let (receipt, count) = (parameter("receipt"), parameter("count"));
        let count = count.and_then(|count| count.parse().ok()).unwrap_or(10);
        let matches = |order: &&Order| receipt.is_none() || order.receipt == receipt;
        let newest_first = self.orders.iter().rev().filter(matches).take(count);
        (200, collection(newest_first.map(Order::body).collect()))
    }
}

impl Order {
    fn body(&self) -> Value {
        let paid = if self.status == "paid" { self.amount } else { 0 };
        json!({
            "id": self.id, "entity": "order", "amount": self.amount, "amount_paid": paid,
            "amount_due": self.amount - paid, "currency": "INR", "receipt": self.receipt, "offer_id": null,
            "status": self.status, "attempts": self.attempts, "notes": self.notes, "created_at": CREATED_AT,
        })
    }
}

impl Payment {
    fn body(&self, order: &Order) -> Value {
        let failed = self.status == "failed";
        json!({
            "id": self.id, "entity": "payment", "amount": order.amount, "currency": "INR",
            "status": self.status, "order_id": order.id, "invoice_id": null, "international": false,
            "method": "upi", "amount_refunded": if self.status == "refunded" { order.amount } else { 0 },
            "captured": matches!(self.status.as_str(), "captured" | "refunded"), "description": null,
            "email": "guest@example.com", "contact": "+919000000000", "notes": [],
            "error_code": failed.then_some("BAD_REQUEST_ERROR"),
            "error_description": failed.then_some("Payment was unsuccessful."), "created_at": CREATED_AT,
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

fn unknown_id() -> ApiResponse {
    (400, error("The id provided does not exist", None))
}

fn collection(items: Vec<Value>) -> Value {
    json!({ "entity": "collection", "count": items.len(), "items": items })
}
