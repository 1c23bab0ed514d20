//! The money in `data.json`: what was ordered, paid, returned and charged.

use std::collections::HashMap;

use domain::payments::coupons::Coupon;
use domain::payments::gst::{Gstin, State};
use domain::payments::{billing, invoices};
use domain::{CouponId, EventId, OrderId, RefundId};
use serde::Serialize;

use super::contents::Contents;
use super::values::{Id, Moment, Rupees};

/// All of it.
#[derive(Serialize)]
pub(super) struct Money<'a> {
    credits: Credits<'a>,
    orders: Vec<Order<'a>>,
    payments: Vec<Payment<'a>>,
    refunds: Vec<Refund<'a>>,
    invoices: Vec<Invoice<'a>>,
    billing: Option<Billing<'a>>,
}

#[derive(Serialize)]
struct Credits<'a> {
    balance: Rupees,
    changes: Vec<Change<'a>>,
}

#[derive(Serialize)]
struct Change<'a> {
    at: Moment,
    kind: &'static str,
    change: Rupees,
    balance_after: Rupees,
    reference: Option<&'a str>,
    event: Option<Id<EventId>>,
}

#[derive(Serialize)]
struct Order<'a> {
    id: Id<OrderId>,
    created_at: Moment,
    purpose: &'static str,
    amount: Rupees,
    discount: Rupees,
    coupon: Option<&'a str>,
    state: &'static str,
    provider: &'a str,
    provider_order_id: Option<&'a str>,
    payment_id: Option<&'a str>,
    credits_received: Rupees,
    was_first_recharge: bool,
    settled_at: Option<Moment>,
}

#[derive(Serialize)]
struct Payment<'a> {
    provider: &'a str,
    payment_id: &'a str,
    order: Id<OrderId>,
    amount: Rupees,
    bought: &'static str,
    credits: Rupees,
    captured_at: Moment,
}

#[derive(Serialize)]
struct Refund<'a> {
    id: Id<RefundId>,
    provider: &'a str,
    payment_id: &'a str,
    refund_id: Option<&'a str>,
    amount: Rupees,
    state: &'static str,
    credits_taken: Rupees,
    credits_missing: Rupees,
    created_at: Moment,
    settled_at: Option<Moment>,
}

/// An invoice, or a note about a refund.
#[derive(Serialize)]
struct Invoice<'a> {
    number: String,
    kind: &'static str,
    is_test: bool,
    issued_at: Moment,
    provider: &'a str,
    payment_id: &'a str,
    refund: Option<Id<RefundId>>,
    about: Option<&'a str>,
    seller: Party<'a>,
    buyer: Party<'a>,
    place_of_supply: &'static str,
    item: &'a str,
    sac: &'a str,
    rate_percent: u32,
    taxable_value: Rupees,
    cgst: Rupees,
    sgst: Rupees,
    igst: Rupees,
    total: Rupees,
}

#[derive(Serialize)]
struct Party<'a> {
    name: &'a str,
    address: &'a str,
    gstin: Option<&'a str>,
}

/// What is to be on the invoices to come.
#[derive(Serialize)]
struct Billing<'a> {
    name: &'a str,
    address: &'a str,
    state: Option<&'static str>,
    gstin: Option<&'a str>,
}

impl<'a> Invoice<'a> {
    fn of(invoice: &'a invoices::Invoice) -> Self {
        let (seller, buyer, split) = (&invoice.seller, &invoice.buyer, &invoice.split);
        Self {
            number: invoice.number(),
            kind: invoice.series.kind.as_str(),
            is_test: invoice.series.is_test,
            issued_at: Moment(invoice.issued_at),
            provider: &invoice.provider,
            payment_id: &invoice.payment_id,
            refund: invoice.refund.map(Id),
            about: invoice.about.as_deref(),
            seller: Party {
                name: &seller.name,
                address: &seller.address,
                gstin: Some(seller.gstin.as_str()),
            },
            buyer: Party {
                name: &buyer.name,
                address: &buyer.address,
                gstin: buyer.gstin.as_ref().map(Gstin::as_str),
            },
            place_of_supply: invoice.place_of_supply.code(),
            item: &invoice.item,
            sac: seller.sac.as_str(),
            rate_percent: seller.rate.percent(),
            taxable_value: Rupees(split.value),
            cgst: Rupees(split.cgst),
            sgst: Rupees(split.sgst),
            igst: Rupees(split.igst),
            total: Rupees(split.total()),
        }
    }
}

impl<'a> Billing<'a> {
    fn of(billing: &'a billing::Billing) -> Self {
        Self {
            name: &billing.name,
            address: &billing.address,
            state: billing.state.map(State::code),
            gstin: billing.gstin.as_ref().map(Gstin::as_str),
        }
    }
}

impl<'a> Money<'a> {
    pub(super) fn of(contents: &'a Contents) -> Self {
        Self {
            credits: credits(contents),
            orders: orders(contents),
            payments: payments(contents),
            refunds: refunds(contents),
            invoices: contents.invoices.iter().map(Invoice::of).collect(),
            billing: contents.billing.as_ref().map(Billing::of),
        }
    }
}

fn credits(contents: &Contents) -> Credits<'_> {
    let changes = contents.ledger.iter().map(|entry| Change {
        at: Moment(entry.created_at),
        kind: entry.kind.as_str(),
        change: Rupees(entry.change),
        balance_after: Rupees(entry.balance_after),
        reference: entry.reference.as_deref(),
        event: entry.event.map(Id),
    });
    Credits { balance: Rupees(contents.user.credits), changes: changes.collect() }
}

fn orders(contents: &Contents) -> Vec<Order<'_>> {
    let coupons: HashMap<CouponId, &Coupon> =
        contents.coupons.iter().map(|coupon| (coupon.id, coupon)).collect();
    let orders = contents.orders.iter().map(|order| Order {
        id: Id(order.id),
        created_at: Moment(order.created_at),
        purpose: order.purpose.as_str(),
        amount: Rupees(order.amount),
        discount: Rupees(order.discount),
        coupon: order.coupon.and_then(|id| coupons.get(&id)).map(|coupon| coupon.code.as_str()),
        state: order.status.as_str(),
        provider: &order.provider,
        provider_order_id: order.provider_order_id.as_deref(),
        payment_id: order.payment_id.as_deref(),
        credits_received: Rupees(order.credits_received),
        was_first_recharge: order.was_first_recharge,
        settled_at: order.settled_at.map(Moment),
    });
    orders.collect()
}

fn payments(contents: &Contents) -> Vec<Payment<'_>> {
    let payments = contents.payments.iter().map(|payment| Payment {
        provider: &payment.provider,
        payment_id: &payment.payment_id,
        order: Id(payment.order),
        amount: Rupees(payment.amount),
        bought: payment.outcome.as_str(),
        credits: Rupees(payment.credits),
        captured_at: Moment(payment.captured_at),
    });
    payments.collect()
}

fn refunds(contents: &Contents) -> Vec<Refund<'_>> {
    let refunds = contents.refunds.iter().map(|refund| Refund {
        id: Id(refund.id),
        provider: &refund.provider,
        payment_id: &refund.payment_id,
        refund_id: refund.refund_id.as_deref(),
        amount: Rupees(refund.amount),
        state: refund.status.as_str(),
        credits_taken: Rupees(refund.credits_taken),
        credits_missing: Rupees(refund.credits_missing),
        created_at: Moment(refund.created_at),
        settled_at: refund.settled_at.map(Moment),
    });
    refunds.collect()
}
