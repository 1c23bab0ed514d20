//! Invoices, notes about refunds, billing details, the register of a month.

use std::sync::Arc;
use std::time::Duration;

use app::operations::administration::payments;
use app::operations::checks;
use domain::Paise;
use gateway::testing::FakeRazorpay;
use serde_json::{Value, json};
use storage::payments::invoices;

use crate::harness::{Answer, PASSWORD, World, on_both_engines};
use crate::payments::{deliver, order, paid, verify, with_provider};
use crate::refunds::{buy, refund, report_refund};

/// A service that makes invoices and takes money through a provider.
pub(crate) fn with_invoices<F: Future<Output = ()>>(test: impl Fn(World, Arc<FakeRazorpay>) -> F) {
    with_provider(async |world, provider| test(selling(world).await, provider).await);
}

/// The same service with the settings of invoices.
async fn selling(mut world: World) -> World {
    world.parts.settings.seller = Some(app::testing::seller());
    world.restarted().await
}

async fn bill(world: &World, token: &str, details: Value) -> Answer {
    world.put("/api/payments/billing", token, details).await
}

async fn pdf(world: &World, token: &str, path: &str) -> (String, String) {
    let answer = world.get(&format!("/api/payments/{path}"), token).await;
    assert_eq!(answer.status, 200, "{path}: {}", String::from_utf8_lossy(&answer.bytes));
    assert_eq!(answer.header("content-type"), "application/pdf");
    assert!(answer.bytes.starts_with(b"%PDF-"));
    let pdf = lopdf::Document::load_mem(&answer.bytes).unwrap();
    let about = pdf.trailer.get_deref(b"Info", &pdf).unwrap().as_dict().unwrap();
    let title = lopdf::decode_text_string(about.get(b"Title").unwrap()).unwrap();
    (answer.header("content-disposition").to_owned(), format!("{title}\n{}", pdf.extract_text(&[1]).unwrap()))
}

fn has(pdf: &str, texts: &[&str]) {
    for text in texts {
        assert!(contains(pdf, text), "{text} is not in {pdf}");
    }
}

/// Whether a PDF has a text. Letters that are moved together look like words of their own to whoever reads it.
fn contains(pdf: &str, text: &str) -> bool {
    let letters = |text: &str| text.split_whitespace().collect::<String>();
    letters(pdf).contains(&letters(text))
}

/// Refunds a payment of the sandbox; the name of the note about it in addresses, without the ending.
pub(crate) async fn note_of_refund(world: &World, payment: &str) -> String {
    let sandbox = app::sandbox(&world.parts.db, &world.parts.randomness).await.unwrap();
    payments::refund(&world.operator().administration(), &sandbox, payment).await.unwrap();
    let documents = invoices::of_payment(&world.parts.db, "sandbox", payment).await.unwrap();
    documents.iter().find(|document| document.refund.is_some()).unwrap().file_name()
}

async fn register(world: &World, token: &str, month: &str) -> Vec<String> {
    let answer = world.get(&format!("/api/administration/invoices?month={month}"), token).await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.header("content-type"), "text/csv; charset=utf-8");
    assert_eq!(
        answer.header("content-disposition"),
        format!("attachment; filename=\"invoices-{month}.csv\"")
    );
    let text = String::from_utf8(answer.bytes).unwrap();
    text.trim_start_matches('\u{feff}').lines().map(str::to_owned).collect()
}

async fn numbers(world: &World, token: &str) -> Vec<(String, Value)> {
    let history = world.get("/api/payments/history", token).await.json();
    let lines = history["history"].as_array().unwrap().iter();
    lines.map(|line| (line["kind"].as_str().unwrap().to_owned(), line["invoice"].clone())).collect()
}

#[test]
fn a_payment_has_one_invoice_however_often_it_is_reported() {
    // [PAY222] [PAY224] [PAY225]
    with_invoices(async |world, provider| {
        let token = world.photographer("meera@example.com").await;
        let first = buy(&world, &provider, &token, json!({"amount": 99_900})).await;
        for _ in 0..2 {
            let captured = provider.webhook("payment.captured", &first).unwrap();
            assert_eq!(deliver(&world, &captured).await.status, 200);
        }
        world.clock.advance(Duration::from_secs(60));
        let made = order(&world, &token, json!({"amount": 11_800})).await.json();
        let proof = provider.pay(made["order_id"].as_str().unwrap()).unwrap();
        let proof = json!({"razorpay_payment_id": proof.payment_id, "razorpay_order_id": proof.order_id,
            "razorpay_signature": proof.signature});
        let tries = (0..4).map(|_| verify(&world, &token, &proof));
        assert!(futures::future::join_all(tries).await.iter().all(|answer| answer.status == 200));

        let (name, text) = pdf(&world, &token, &format!("{first}/invoice.pdf")).await;
        assert_eq!(name, "attachment; filename=\"I-2026-27-000001.pdf\"");
        has(
            &text,
            &["Tax invoice", "I/2026-27/000001", "Sundar & Sons Studios Private Limited", "Pune 411001"],
        );
        has(&text, &["GSTIN 27AAPFU0939F1ZV", "Maharashtra (27)", "Credits for photo uploads (SAC 998439)"]);
        has(&text, &["846.61", "CGST 9%", "76.20", "SGST 9%", "76.19", "999.00"]);
        assert!(!contains(&text, "Test mode"));
        assert_eq!(pdf(&world, &token, &format!("{first}/invoice.pdf")).await.1, text, "it never changes");
        let all = numbers(&world, &token).await;
        let (one, two) = (json!("I/2026-27/000001"), json!("I/2026-27/000002"));
        let named: Vec<_> = all.into_iter().filter(|(_, number)| !number.is_null()).collect();
        assert_eq!(named, [(String::from("recharge"), two), (String::from("recharge"), one)]);
        assert_eq!(invoices::broken_series(&world.parts.db).await.unwrap(), []);
        assert_eq!(invoices::payments_without(&world.parts.db).await.unwrap(), []);

        let other = world.photographer("ravi@example.com").await;
        for (token, path) in [
            (&other, format!("/api/payments/{first}/invoice.pdf")),
            (&token, String::from("/api/payments/pay_none/invoice.pdf")),
            (&token, format!("/api/payments/{first}/notes/I-2026-27-000001.pdf")),
        ] {
            assert_eq!(
                world.get(&path, token).await.error(),
                (404, String::from("There is no such invoice"))
            );
        }
    });
}

#[test]
fn an_invoice_is_in_the_language_of_its_photographer_and_says_the_same() {
    // [PAY233]
    with_invoices(async |world, provider| {
        let token = world.photographer("meera@example.com").await;
        let payment = buy(&world, &provider, &token, json!({"amount": 99_900})).await;
        let path = format!("{payment}/invoice.pdf");
        let (name, english) = pdf(&world, &token, &path).await;
        let changed = world.put("/api/auth/language", &token, json!({"language": "hi"})).await;
        assert_eq!(changed.status, 200);
        let (same_name, hindi) = pdf(&world, &token, &path).await;
        assert_eq!(name, same_name);
        has(&english, &["Tax invoice", "Place of supply", "Total, paid"]);
        has(&hindi, &["टैक्स इनवॉइस (Tax invoice) I/2026-27/000001", "SAC 998439)"]);
        for text in ["Place of supply", "Total", "Credits", "November"] {
            assert!(!contains(&hindi, text), "{text} is in {hindi}");
        }
        let facts =
            ["I/2026-27/000001", "GSTIN 27AAPFU0939F1ZV", "846.61", "CGST 9%", "76.20", "76.19", "999.00"];
        for text in [&english, &hindi] {
            has(text, &facts);
        }
    });
}

#[test]
fn without_typefaces_no_document_is_drawn() {
    // [PAY233]
    with_invoices(async |mut world, provider| {
        let token = world.photographer("meera@example.com").await;
        let payment = buy(&world, &provider, &token, json!({"amount": 99_900})).await;
        world.parts.typefaces = None;
        let world = world.restarted().await;
        let answer = world.get(&format!("/api/payments/{payment}/invoice.pdf"), &token).await;
        let text = "Documents cannot be drawn here: the server was built without the web app";
        assert_eq!(answer.error(), (503, text.to_owned()));
    });
}

#[test]
fn without_the_settings_and_for_what_bought_nothing_there_is_no_invoice() {
    // [PAY223] [PAY224]
    with_provider(async |world, provider| {
        let token = world.photographer("meera@example.com").await;
        let before = buy(&world, &provider, &token, json!({"amount": 10_000})).await;
        world.clock.advance(Duration::from_secs(60));
        let world = selling(world).await;
        // A refund of a payment from before the settings, and one of a payment that bought nothing.
        refund(&world, &before).await.unwrap();
        let made = order(&world, &token, json!({"amount": 10_000})).await.json();
        let id = made["order_id"].as_str().unwrap();
        let counts = provider.pay(id).unwrap().payment_id;
        assert_eq!(
            deliver(&world, &provider.webhook("payment.captured", &counts).unwrap()).await.status,
            200
        );
        let again = provider.pay_again(id).unwrap();
        assert_eq!(deliver(&world, &provider.webhook("payment.captured", &again).unwrap()).await.status, 200);
        for payment in [&before, &again] {
            let answer = world.get(&format!("/api/payments/{payment}/invoice.pdf"), &token).await;
            assert_eq!(answer.error(), (404, String::from("There is no such invoice")));
        }
        // Once the other one is returned, it counts instead.
        refund(&world, &counts).await.unwrap();
        let (name, _) = pdf(&world, &token, &format!("{again}/invoice.pdf")).await;
        assert_eq!(name, "attachment; filename=\"I-2026-27-000002.pdf\"");
        let documents = invoices::of_payment(&world.parts.db, "razorpay", &counts).await.unwrap();
        let numbers: Vec<_> = documents.iter().map(|document| document.number()).collect();
        assert_eq!(numbers, ["C/2026-27/000001", "I/2026-27/000001"]);
        assert_eq!(invoices::payments_without(&world.parts.db).await.unwrap(), []);
        let receipt = world.get(&format!("/api/payments/receipts/{before}"), &token).await;
        assert_eq!(receipt.status, 200, "receipts stay as they are");
    });
}

#[test]
fn a_refund_has_a_credit_note_and_one_that_comes_back_a_debit_note() {
    // [PAY226]
    with_invoices(async |world, provider| {
        let token = world.photographer("meera@example.com").await;
        let details =
            json!({"name": "Meera Studios", "address": "4 MG Road\nBengaluru", "gstin": "29AAGCB7383J1Z4"});
        assert_eq!(bill(&world, &token, details).await.status, 200);
        let payment = buy(&world, &provider, &token, json!({"amount": 99_900})).await;
        // The note has what was on the invoice, whatever has changed since.
        assert_eq!(bill(&world, &token, json!({"state": "27"})).await.status, 200);
        let part = provider.refund_in_dashboard(&payment, 33_300).unwrap();
        report_refund(&world, &provider, "refund.created", &part).await;
        let of_payment = async || {
            let documents = invoices::of_payment(&world.parts.db, "razorpay", &payment).await.unwrap();
            documents.iter().map(|document| document.number()).collect::<Vec<_>>()
        };
        for _ in 0..2 {
            report_refund(&world, &provider, "refund.processed", &part).await;
        }
        let rest = refund(&world, &payment).await.unwrap();
        assert_eq!(rest.amount, Paise::new(66_600));
        assert_eq!(of_payment().await, ["C/2026-27/000001", "C/2026-27/000002", "I/2026-27/000001"]);
        let (name, text) = pdf(&world, &token, &format!("{payment}/notes/C-2026-27-000001.pdf")).await;
        assert_eq!(name, "attachment; filename=\"C-2026-27-000001.pdf\"");
        has(&text, &["Credit note", "C/2026-27/000001", "I/2026-27/000001", "Meera Studios", "Bengaluru"]);
        has(&text, &["GSTIN 29AAGCB7383J1Z4", "Karnataka (29)", "282.20", "IGST 18%", "50.80", "333.00"]);
        let (_, text) = pdf(&world, &token, &format!("{payment}/notes/C-2026-27-000002.pdf")).await;
        has(&text, &["564.41", "101.59", "666.00"]);
        let all = numbers(&world, &token).await;
        let of_refunds: Vec<_> =
            all.iter().filter(|(kind, _)| kind == "refund").map(|(_, number)| number).collect();
        assert!(of_refunds.iter().all(|number| number.as_str().unwrap().starts_with("C/")), "{of_refunds:?}");

        provider.set_refund_status(&part, "failed");
        report_refund(&world, &provider, "refund.failed", &part).await;
        assert_eq!(of_payment().await.last().unwrap(), "I/2026-27/000001");
        let (_, text) = pdf(&world, &token, &format!("{payment}/notes/D-2026-27-000001.pdf")).await;
        has(&text, &["Debit note", "282.20", "50.80", "333.00"]);
        // The refund has no line any more; its notes are reached from the payment's.
        let history = world.get("/api/payments/history", &token).await.json();
        let notes: Vec<_> =
            history["history"].as_array().unwrap().iter().map(|line| &line["notes"]).collect();
        let of_payment_alone = json!([
            {"kind": "credit_note", "number": "C/2026-27/000001"},
            {"kind": "debit_note", "number": "D/2026-27/000001"},
        ]);
        assert_eq!(notes.iter().filter(|notes| ***notes == of_payment_alone).count(), 1, "{notes:?}");
        assert_eq!(notes.iter().filter(|notes| ***notes == json!([])).count(), notes.len() - 1, "{notes:?}");
        assert_eq!(invoices::broken_series(&world.parts.db).await.unwrap(), []);
        assert_eq!(invoices::payments_without(&world.parts.db).await.unwrap(), []);
    });
}

#[test]
fn a_refund_that_takes_the_place_of_one_that_came_back_has_a_credit_note_over_all_of_it() {
    // [PAY226]
    with_invoices(async |world, provider| {
        let token = world.photographer("meera@example.com").await;
        let payment = buy(&world, &provider, &token, json!({"amount": 99_900})).await;
        let first = provider.refund_in_dashboard(&payment, 60_000).unwrap();
        report_refund(&world, &provider, "refund.processed", &first).await;
        // The provider tells of the second one before it tells that the first has failed.
        provider.set_refund_status(&first, "failed");
        let second = provider.refund_in_dashboard(&payment, 60_000).unwrap();
        report_refund(&world, &provider, "refund.processed", &second).await;
        let notes = async || {
            let documents = invoices::of_payment(&world.parts.db, "razorpay", &payment).await.unwrap();
            let notes = documents.iter().filter(|document| document.refund.is_some());
            let mut notes: Vec<_> = notes.map(|note| (note.number(), note.split.total().get())).collect();
            notes.sort();
            notes
        };
        let credited = |serial: u32| (format!("C/2026-27/{serial:06}"), 60_000);
        assert_eq!(notes().await, [credited(1)], "the second one waits");
        assert_eq!(invoices::payments_without(&world.parts.db).await.unwrap().len(), 1, "and is told of");
        report_refund(&world, &provider, "refund.failed", &first).await;
        assert_eq!(notes().await, [credited(1), credited(2), (String::from("D/2026-27/000001"), 60_000)]);
        assert_eq!(invoices::payments_without(&world.parts.db).await.unwrap(), []);
    });
}

/// The lowest baseline of a PDF's page, in points from its lower edge.
fn lowest(pdf: &lopdf::Document) -> f32 {
    let content = pdf.get_and_decode_page_content(pdf.page_iter().next().unwrap()).unwrap();
    let matrices = content.operations.iter().filter(|operation| operation.operator == "Tm");
    matrices.map(|matrix| matrix.operands[5].as_float().unwrap()).fold(f32::MAX, f32::min)
}

#[test]
fn an_address_of_many_lines_leaves_the_amounts_on_the_page() {
    // [PAY228]
    with_invoices(async |world, provider| {
        let token = world.photographer("meera@example.com").await;
        let name = "Meera Weddings ".repeat(13);
        for address in
            [vec!["Pune"; 100].join("\n"), "4 Marine Drive ".repeat(33), vec!["a".repeat(60); 8].join("\n")]
        {
            let details = json!({"name": name, "address": address, "gstin": "29AAGCB7383J1Z4"});
            assert_eq!(bill(&world, &token, details).await.status, 200);
            let payment = buy(&world, &provider, &token, json!({"amount": 99_900})).await;
            let answer = world.get(&format!("/api/payments/{payment}/invoice.pdf"), &token).await;
            let pdf = lopdf::Document::load_mem(&answer.bytes).unwrap();
            assert!(lowest(&pdf) > 40.0, "{address}: {}", lowest(&pdf));
        }
    });
}

#[test]
fn billing_details_are_checked_and_are_on_the_invoices_to_come() {
    // [PAY228]
    on_both_engines(async |world: World| {
        let world = selling(world).await;
        let token = world.photographer("meera@example.com").await;
        let empty = world.get("/api/payments/billing", &token).await.json();
        assert_eq!((&empty["billing"], &empty["makes_invoices"]), (&Value::Null, &json!(true)));
        assert_eq!(empty["states"].as_array().unwrap().len(), 37);
        assert_eq!(empty["states"][0], json!({"code": "01", "name": "Jammu and Kashmir"}));
        for (details, text) in [
            (json!({"gstin": "27AAPFU"}), "A GSTIN has 15 letters and digits, such as 27AAPFU0939F1ZV"),
            (
                json!({"gstin": "27AAPFU0939F1ZW"}),
                "The last character of the GSTIN does not fit the others. Please compare it with the registration.",
            ),
            (json!({"gstin": "27AAPFU0939F1ZV"}), "With a GSTIN, please enter the name and the address too"),
            (
                json!({"name": "M", "address": "P", "state": "29", "gstin": "27AAPFU0939F1ZV"}),
                "The GSTIN is that of another state",
            ),
            (json!({"state": "28"}), "There is no such state"),
            (json!({"name": "मीरा"}), "Please write the name and the address in Latin letters"),
            (
                json!({"name": "m".repeat(201)}),
                "The name must be at most 200 characters long, and the address at most 500",
            ),
        ] {
            assert_eq!(bill(&world, &token, details).await.error(), (400, text.to_owned()));
        }
        let details =
            json!({"name": " Meera Studios ", "address": "Pune", "state": "", "gstin": "27aapfu0939f1zv"});
        let stored =
            json!({"name": "Meera Studios", "address": "Pune", "state": "27", "gstin": "27AAPFU0939F1ZV"});
        assert_eq!(bill(&world, &token, details).await.json()["billing"], stored);
        assert_eq!(world.get("/api/payments/billing", &token).await.json()["billing"], stored);
        // The sandbox moves no money, and its invoices say so, with numbers of their own.
        let proof = paid(&world, &token, json!({"amount": 10_000})).await;
        assert_eq!(verify(&world, &token, &proof).await.status, 200);
        let payment = proof["razorpay_payment_id"].as_str().unwrap();
        let (_, text) = pdf(&world, &token, &format!("{payment}/invoice.pdf")).await;
        has(
            &text,
            &["Test mode: no money was moved.", "T/2026-27/000001", "Meera Studios", "GSTIN 27AAPFU0939F1ZV"],
        );
        assert_eq!(bill(&world, &token, json!({"name": " "})).await.json()["billing"], Value::Null);
    });
}

#[test]
fn the_register_has_a_month_without_formulas_and_stays_when_an_account_is_closed() {
    // [PAY229] [PAY231]
    with_invoices(async |world, provider| {
        let token = world.photographer("admin@example.com").await;
        let leaving = world.photographer("ravi@example.com").await;
        assert_eq!(bill(&world, &leaving, json!({"name": "=1+1", "state": "29"})).await.status, 200);
        let first = buy(&world, &provider, &leaving, json!({"amount": 99_900})).await;
        buy(&world, &provider, &token, json!({"amount": 11_800})).await;
        payments::refund(&world.operator().administration(), world.parts.payments.as_ref().unwrap(), &first)
            .await
            .unwrap();
        let expected = [
            "number,date,kind,buyer,gstin,place_of_supply,sac,rate_percent,taxable_value,cgst,sgst,igst,total,invoice",
            "I/2026-27/000001,2026-11-20,invoice,'=1+1,,Karnataka (29),998439,18,846.61,0.00,0.00,152.39,999.00,",
            "I/2026-27/000002,2026-11-20,invoice,Meera Kapoor,,Maharashtra (27),998439,18,100.00,9.00,9.00,0.00,118.00,",
            "C/2026-27/000001,2026-11-20,credit_note,'=1+1,,Karnataka (29),998439,18,846.61,0.00,0.00,152.39,999.00,I/2026-27/000001",
        ];
        let lines = register(&world, &token, "2026-11").await;
        assert_eq!(lines, expected);
        assert_eq!(register(&world, &token, "2026-12").await.len(), 1);
        let close = axum::http::Request::delete("/api/auth/me")
            .header("authorization", format!("Bearer {leaving}"))
            .header("content-type", "application/json")
            .body(axum::body::Body::from(json!({"password": PASSWORD}).to_string()));
        assert_eq!(world.send(close.unwrap()).await.status, 200);
        world.drain().await;
        assert_eq!(register(&world, &token, "2026-11").await, expected);

        let answer = world.get("/api/administration/payments", &token).await.json();
        assert_eq!(answer["makes_invoices"], true);
        for month in ["2026-13", "", "november"] {
            let answer = world.get(&format!("/api/administration/invoices?month={month}"), &token).await;
            assert_eq!(answer.error(), (400, String::from("Month must have the form YYYY-MM")));
        }
        let other = world.photographer("other@example.com").await;
        let answer = world.get("/api/administration/invoices?month=2026-11", &other).await;
        assert_eq!(answer.status, 403);
        // A payment in April in India, when it is still March in UTC.
        let april = domain::Timestamp::from_utc(2027, [3, 31, 19, 0, 0]).unwrap();
        world.clock.advance(Duration::from_millis(
            u64::try_from(april.as_millis() - world.clock.now().as_millis()).unwrap(),
        ));
        let token = world.log_in("other@example.com").await.json()["token"].as_str().unwrap().to_owned();
        buy(&world, &provider, &token, json!({"amount": 10_000})).await;
        let documents = invoices::of_month(
            &world.parts.db,
            "razorpay",
            domain::payments::invoices::Month::parse("2027-04").unwrap(),
        );
        assert_eq!(documents.await.unwrap()[0].number(), "I/2027-28/000001");
    });
}

#[test]
fn an_export_has_the_invoices_and_the_billing_details() {
    // [PAY232]
    with_invoices(async |world, provider| {
        let token = world.photographer("meera@example.com").await;
        assert_eq!(bill(&world, &token, json!({"name": "Meera Studios", "state": "29"})).await.status, 200);
        let payment = buy(&world, &provider, &token, json!({"amount": 99_900})).await;
        refund(&world, &payment).await.unwrap();
        let zip = world.get(&crate::exports::export(&world, &token).await, "").await;
        let (_, data) = crate::exports::unpacked(&zip);
        assert_eq!(
            data["billing"],
            json!({"name": "Meera Studios", "address": "", "state": "29", "gstin": null})
        );
        let documents = data["invoices"].as_array().unwrap();
        let invoice = documents.iter().find(|document| document["kind"] == "invoice").unwrap();
        assert_eq!(
            (&invoice["number"], &invoice["payment_id"]),
            (&json!("I/2026-27/000001"), &json!(payment))
        );
        assert_eq!(invoice["buyer"], json!({"name": "Meera Studios", "address": "", "gstin": null}));
        assert_eq!(invoice["seller"]["gstin"], "27AAPFU0939F1ZV");
        let parts = ["taxable_value", "cgst", "sgst", "igst", "total"].map(|part| invoice[part].clone());
        assert_eq!(parts, [json!(846.61), json!(0.0), json!(0.0), json!(152.39), json!(999.0)]);
        let note = documents.iter().find(|document| document["kind"] == "credit_note").unwrap();
        assert_eq!((&note["about"], &note["total"]), (&invoice["number"], &invoice["total"]));
    });
}

#[test]
fn a_check_finds_payments_without_an_invoice_and_its_repair_makes_it() {
    // [PAY230]
    with_invoices(async |mut world, provider| {
        let token = world.photographer("meera@example.com").await;
        buy(&world, &provider, &token, json!({"amount": 10_000})).await;
        let inspect = async |world: &World| {
            let issues = checks::inspect(&world.operator(), &world.parts.store).await.unwrap();
            let texts = issues.iter().map(ToString::to_string).filter(|text| !text.contains("file "));
            (texts.collect::<Vec<_>>(), issues)
        };
        assert_eq!(inspect(&world).await.0, [""; 0]);
        world.parts.settings.seller = None;
        let mut world = world.restarted().await;
        let missing = buy(&world, &provider, &token, json!({"amount": 20_000})).await;
        let (texts, issues) = inspect(&world).await;
        let expected = format!("payment {missing}: its invoice is missing, or the note of a refund");
        assert_eq!(texts, [expected]);
        let repair = async |world: &World, issue| {
            checks::repair(&world.operator(), &world.parts.store, issue).await.unwrap()
        };
        assert!(!repair(&world, &issues[0]).await, "there is nobody to name on it");
        world.parts.settings.seller = Some(app::testing::seller());
        assert!(repair(&world, &issues[0]).await);
        assert_eq!(inspect(&world).await.0, [""; 0]);
        let documents = invoices::of_payment(&world.parts.db, "razorpay", &missing).await.unwrap();
        assert_eq!(documents[0].number(), "I/2026-27/000002");
        // A number that nobody has is a gap.
        storage::testing::change(&world.parts.db, "UPDATE invoice_series SET last = last + 1").await;
        let text = "invoices I/2026-27: a number is missing, or one was given that is not counted";
        assert_eq!(inspect(&world).await.0, [text]);
    });
}
