//! What administrators change: accounts, credits, jobs, payments. Every change is in the log.

use domain::payments::coupons::Discount;
use gateway::Payments;
use gateway::testing::FakeRazorpay;
use serde_json::{Value, json};

use crate::harness::{Answer, PASSWORD, RED, World, on_both_engines, photo};
use crate::payments::{coupon, deliver, insert_coupons, order, paid, verify, with_provider};
use crate::profiles;

const SECOND: std::time::Duration = std::time::Duration::from_secs(1);

async fn id_of(world: &World, token: &str) -> String {
    world.get("/api/auth/me", token).await.json()["user"]["id"].as_str().unwrap().to_owned()
}

async fn post(world: &World, token: &str, path: &str, body: Value) -> Answer {
    world.post(&format!("/api/administration/{path}"), token, body).await
}

/// The tokens of an administrator and of a photographer, with the photographer's path.
async fn cast(world: &World) -> (String, String, String) {
    let administrator = world.photographer("admin@example.com").await;
    world.clock.advance(SECOND);
    let ravi = world.photographer("ravi@example.com").await;
    let path = format!("accounts/{}", id_of(world, &ravi).await);
    (administrator, ravi, path)
}

fn locked() -> (u16, String) {
    (403, String::from("This account is locked. Please contact support."))
}

#[test]
fn a_locked_account_cannot_log_in_and_its_guests_can_search() {
    // [ADMIN014] [ADMIN040] [ADMIN042]
    // When somebody last logged in is known from the first login on.
    on_both_engines(async |world: World| {
        let (administrator, ravi, path) = cast(&world).await;
        let event = world.event(&ravi, "Party").await;
        assert_eq!(world.upload(&ravi, &event, "a.jpg", &photo(&[RED], 0)).await.status, 201);
        world.drain().await;
        let reason = json!({"reason": " Chargeback\nof May "});
        let answer = post(&world, &administrator, &format!("{path}/lock"), reason.clone()).await;
        let now = world.app.now().to_rfc3339();
        assert_eq!(answer.json()["locked"], json!({"at": now, "reason": "Chargeback of May"}));
        assert_eq!(answer.json()["last_login_at"], now);

        // Its sessions have ended, and there is no new one; a wrong password is told nothing.
        assert_eq!(world.get("/api/auth/me", &ravi).await.status, 401);
        assert_eq!(world.upload(&ravi, &event, "b.jpg", &photo(&[RED], 1)).await.status, 401);
        assert_eq!(world.log_in("ravi@example.com").await.error(), locked());
        let wrong = json!({"email": "ravi@example.com", "password": "something else"});
        assert_eq!(world.post("/api/auth/login", "", wrong).await.status, 401);
        // Guests find themselves as before.
        let found = world.search(&event, &photo(&[RED], 9)).await;
        assert_eq!(found.json()["matches"].as_array().unwrap().len(), 1);

        // Another reason leaves the moment as it is.
        world.clock.advance(SECOND);
        let again = post(&world, &administrator, &format!("{path}/lock"), json!({"reason": "Again"})).await;
        assert_eq!(again.json()["locked"], json!({"at": now, "reason": "Again"}));
        let overview = world.get("/api/administration/overview", &administrator).await.json();
        assert_eq!(overview["accounts"]["locked"], 1);

        let open = post(&world, &administrator, &format!("{path}/unlock"), json!({})).await;
        assert_eq!((open.status.as_u16(), &open.json()["locked"]), (200, &Value::Null));
        assert_eq!(world.log_in("ravi@example.com").await.status, 200);
        let open = post(&world, &administrator, &format!("{path}/unlock"), json!({})).await;
        assert_eq!(open.status, 200, "also when it is not locked");
    });
}

#[test]
fn an_upload_on_its_way_is_refused_when_the_account_is_locked() {
    // [ADMIN041]
    on_both_engines(async |world: World| {
        let (_, ravi, _) = cast(&world).await;
        // As if it was locked between the check of the session and the charge.
        let user = app::accounts::authenticate(&world.app, &ravi).await.unwrap().unwrap();
        let lock = "UPDATE users SET locked_at = 1, lock_reason = 'x' WHERE email = 'ravi@example.com'";
        storage::testing::change(&world.parts.db, lock).await;
        assert!(app::accounts::authenticate(&world.app, &ravi).await.unwrap().is_none(), "at once");
        let entry = |id| storage::payments::ledger::Entry {
            id,
            user: user.id,
            kind: domain::payments::ledger::LedgerKind::Upload,
            amount: domain::payments::money::PHOTO_PRICE,
            reference: None,
            event: None,
            at: world.app.now(),
        };
        for premium in ["NULL", "1"] {
            let set = format!("UPDATE users SET premium_since = {premium} WHERE email = 'ravi@example.com'");
            storage::testing::change(&world.parts.db, &set).await;
            let mut tx = world.parts.db.begin().await.unwrap();
            let spending = storage::payments::ledger::spend(&mut tx, &entry(world.app.id())).await.unwrap();
            assert_eq!(spending, storage::payments::ledger::Spending::Locked);
        }
    });
}

#[test]
fn what_must_not_be_locked_is_not_and_a_reason_is_needed() {
    // [ADMIN013] [ADMIN038]
    on_both_engines(async |world: World| {
        let (administrator, ravi, path) = cast(&world).await;
        let own = format!("accounts/{}/lock", id_of(&world, &administrator).await);
        let lock = async |token: &str, path: &str, reason: &str| {
            post(&world, token, path, json!({"reason": reason})).await.error()
        };
        let refused = (409, String::from("You cannot lock your own account"));
        assert_eq!(lock(&administrator, &own, "x").await, refused);
        let needed = (400, String::from("Please give a reason"));
        assert_eq!(lock(&administrator, &format!("{path}/lock"), " ").await, needed);
        let long = (400, String::from("Reason must be at most 500 characters long"));
        assert_eq!(lock(&administrator, &format!("{path}/lock"), &"x".repeat(501)).await, long);
        let unknown = (404, String::from("There is no such account"));
        assert_eq!(lock(&administrator, "accounts/x/lock", "x").await, unknown);
        let nobody = "accounts/0190163d-8694-739b-aea5-966c26f8ad91/lock";
        assert_eq!(lock(&administrator, nobody, "x").await, unknown);
        let not_allowed = (403, String::from("Only administrators can do this."));
        assert_eq!(lock(&ravi, &own, "x").await, not_allowed);
        // From the machine itself too, the last one stays.
        let admin = app::operations::operators::user(&world.operator(), "admin@example.com").await.unwrap();
        let reason = domain::operations::administration::Reason::parse("x").unwrap();
        let machine = world.operator().administration();
        let last =
            app::operations::administration::accounts::lock(&machine, admin.id, &reason).await.unwrap_err();
        let refusal = "This is the last administrator. Make somebody else one first.";
        assert_eq!(last.to_string(), refusal);
        let set_admin = async |email: &str, is_admin| {
            app::operations::operator_accounts::set_admin(&world.operator(), email, is_admin).await
        };
        assert_eq!(set_admin("admin@example.com", false).await.unwrap_err().to_string(), refusal);
        set_admin("ravi@example.com", false).await.unwrap();
        set_admin("ravi@example.com", true).await.unwrap();
        app::operations::administration::accounts::lock(&machine, admin.id, &reason).await.unwrap();
        assert_eq!(world.log_in("admin@example.com").await.error(), locked());
    });
}

#[test]
fn the_last_administrator_keeps_the_account_while_there_are_others() {
    // [ADMIN035] [ADMIN045]
    on_both_engines(async |world: World| {
        let (administrator, ravi, _) = cast(&world).await;
        let event = world.event(&administrator, "Party").await;
        let close = async |token: &str| profiles::close(&world, token, json!({"password": PASSWORD})).await;
        let refusal = "This is the last administrator. Make somebody else one first.";
        assert_eq!(close(&administrator).await.error(), (409, String::from(refusal)));
        // Nothing is gone.
        assert_eq!(
            world
                .get(&format!("/api/events/{}", event["slug"].as_str().unwrap()), &administrator)
                .await
                .status,
            200
        );
        app::operations::operator_accounts::set_admin(&world.operator(), "ravi@example.com", true)
            .await
            .unwrap();
        assert_eq!(close(&administrator).await.status, 200);
        // One that is alone may go.
        assert_eq!(close(&ravi).await.status, 200);
    });
}

#[test]
fn of_two_administrators_who_lock_each_other_one_stays() {
    // [ADMIN039]
    on_both_engines(async |world: World| {
        let (administrator, ravi, path) = cast(&world).await;
        app::operations::operator_accounts::set_admin(&world.operator(), "ravi@example.com", true)
            .await
            .unwrap();
        let first = format!("accounts/{}/lock", id_of(&world, &administrator).await);
        let second = format!("{path}/lock");
        let (one, two) = tokio::join!(
            post(&world, &ravi, &first, json!({"reason": "x"})),
            post(&world, &administrator, &second, json!({"reason": "x"}))
        );
        let mut statuses = [one.status.as_u16(), two.status.as_u16()];
        statuses.sort_unstable();
        assert_eq!(statuses[0], 200);
        assert!([401, 409].contains(&statuses[1]), "{statuses:?}");
    });
}

#[test]
fn an_address_is_verified_without_a_mail() {
    on_both_engines(async |world: World| {
        let (administrator, ..) = cast(&world).await;
        let made = world.register("asha@example.com").await.json();
        let path = format!("accounts/{}/verify", made["user"]["id"].as_str().unwrap());
        assert_eq!(world.log_in("asha@example.com").await.status, 403);
        for _ in 0..2 {
            let verified = post(&world, &administrator, &path, json!({})).await;
            assert_eq!((verified.status.as_u16(), &verified.json()["verified"]), (200, &json!(true)));
        }
        assert_eq!(world.log_in("asha@example.com").await.status, 200);
    });
}

#[test]
fn credits_are_given_and_taken_once_with_a_reason_that_is_kept() {
    // [ADMIN015] [ADMIN043]
    on_both_engines(async |world: World| {
        let (administrator, ravi, path) = cast(&world).await;
        let path = format!("{path}/credits");
        let change = async |key: &str, rupees: f64, reason: &str| {
            world.clock.advance(SECOND);
            post(&world, &administrator, &path, json!({"key": key, "rupees": rupees, "reason": reason})).await
        };
        let (one, two) = ("3f0c1e0a-77d5-4f7b-9d0c-8f6d6d3c5b11", "3f0c1e0a-77d5-4f7b-9d0c-8f6d6d3c5b12");
        let given = change(one, 20.5, "A present").await.json();
        assert_eq!((&given["account"]["credits"], &given["repeated"]), (&json!(120.5), &json!(false)));
        let again = change(&one.to_uppercase(), 20.5, "A present").await.json();
        assert_eq!((&again["account"]["credits"], &again["repeated"]), (&json!(120.5), &json!(true)));
        let used = (409, String::from("This key was used for another change of credits"));
        assert_eq!(change(one, 20.6, "A present").await.error(), used);
        assert_eq!(change(one, 20.5, "Another").await.error(), used);
        let few = (409, String::from("The account has fewer credits than that"));
        assert_eq!(change(two, -120.51, "Chargeback").await.error(), few);
        let taken = change(two, -0.5, "Chargeback").await.json();
        assert_eq!(taken["account"]["credits"], 120.0, "the refused change did not use the key up");

        let invalid = (400, String::from("Please enter a valid amount"));
        for rupees in [0.0, 0.001, 1e300] {
            assert_eq!(change(one, rupees, "x").await.error(), invalid);
        }
        let no_key = (400, String::from("Key must be a UUID"));
        assert_eq!(change("", 1.0, "x").await.error(), no_key);
        assert_eq!(change(two, 1.0, " ").await.error(), (400, String::from("Please give a reason")));

        let history = world.get("/api/payments/history", &ravi).await.json();
        let notes: Vec<_> = history["history"].as_array().unwrap().iter().map(|line| &line["note"]).collect();
        assert_eq!(notes[..2], [&json!("Chargeback"), &json!("A present")]);
        world.clock.advance(60 * SECOND);
        let ledger = world.get("/api/administration/overview", &administrator).await.json()["ledger"].clone();
        assert_eq!((&ledger["granted"], &ledger["taken"]), (&json!(220.5), &json!(0.5)));
        assert_eq!(ledger["agrees"], true);
    });
}

#[test]
fn one_key_changes_a_balance_once_also_at_one_moment() {
    // [ADMIN043]
    on_both_engines(async |world: World| {
        let (administrator, _, path) = cast(&world).await;
        let body = json!({"key": "3f0c1e0a-77d5-4f7b-9d0c-8f6d6d3c5b11", "rupees": 5, "reason": "A present"});
        let path = format!("{path}/credits");
        let calls = (0..6).map(|_| post(&world, &administrator, &path, body.clone()));
        let answers = futures::future::join_all(calls).await;
        let made = answers.iter().filter(|answer| answer.json()["repeated"] == false).count();
        assert!(answers.iter().all(|answer| answer.status == 200));
        assert_eq!(made, 1);
        assert_eq!(answers.last().unwrap().json()["account"]["credits"], 105.0);
    });
}

#[test]
fn failed_jobs_are_tried_again_one_by_one_and_by_kind() {
    on_both_engines(async |world: World| {
        let (administrator, ..) = cast(&world).await;
        let event = world.event(&administrator, "Party").await;
        for salt in 0..3 {
            assert_eq!(world.upload(&administrator, &event, "a.jpg", &photo(&[RED], salt)).await.status, 201);
        }
        let fail = "UPDATE jobs SET state = 'failed', last_error = 'the disk is full', finished_at = 1
             WHERE state = 'queued'";
        storage::testing::change(&world.parts.db, fail).await;
        world.register("asha@example.com").await;
        let mail = "UPDATE jobs SET state = 'failed', last_error = 'no', finished_at = 1
             WHERE kind = 'send_verification'";
        storage::testing::change(&world.parts.db, mail).await;
        let list = async |kind: &str| {
            let path = format!("/api/administration/jobs/failed?kind={kind}");
            world.get(&path, &administrator).await.json()["jobs"].as_array().unwrap().clone()
        };
        let id = list("index_photo").await[0]["id"].as_str().unwrap().to_owned();
        let retry = format!("jobs/{id}/retry");
        let once = post(&world, &administrator, &retry, json!({})).await;
        assert_eq!((once.status.as_u16(), once.json()), (200, json!({"retried": 1, "more": false})));
        let unknown = (404, String::from("There is no such failed job"));
        assert_eq!(post(&world, &administrator, &retry, json!({})).await.error(), unknown);
        assert_eq!(post(&world, &administrator, "jobs/x/retry", json!({})).await.error(), unknown);
        assert_eq!(list("index_photo").await.len(), 2);

        let kind = json!({"kind": "index_photo"});
        let all = post(&world, &administrator, "jobs/retry", kind.clone()).await;
        assert_eq!(all.json(), json!({"retried": 2, "more": false}));
        let none = post(&world, &administrator, "jobs/retry", kind).await;
        assert_eq!(none.json(), json!({"retried": 0, "more": false}));
        let mails = list("send_verification").await.len();
        assert!(mails > 0);
        let sent = post(&world, &administrator, "jobs/retry", json!({"kind": "send_verification"})).await;
        assert_eq!(sent.json()["retried"], mails);
        let wrong = post(&world, &administrator, "jobs/retry", json!({"kind": "x"})).await;
        assert_eq!(wrong.error(), (400, String::from("There is no such kind of job")));

        assert!(world.drain().await >= 3);
        assert_eq!(
            world.search(&event, &photo(&[RED], 9)).await.json()["matches"].as_array().unwrap().len(),
            3
        );
    });
}

#[test]
fn payments_that_bought_nothing_are_listed_and_refunded() {
    // [ADMIN016] [ADMIN044]
    with_provider(async |world, provider| {
        let (administrator, ravi, _) = cast(&world).await;
        let made = order(&world, &ravi, json!({"amount": 10_000})).await.json();
        let id = made["order_id"].as_str().unwrap();
        let good = provider.pay(id).unwrap().payment_id;
        let unused = provider.pay_again(id).unwrap();
        for payment in [&good, &unused] {
            let captured = provider.webhook("payment.captured", payment).unwrap();
            assert_eq!(deliver(&world, &captured).await.status, 200);
        }
        let due = async || world.get("/api/administration/payments", &administrator).await.json();
        let listed = due().await["refunds_due"].clone();
        assert_eq!(listed.as_array().unwrap().len(), 1);
        assert_eq!((&listed[0]["payment_id"], &listed[0]["amount"]), (&json!(unused), &json!(100.0)));
        assert_eq!(
            (&listed[0]["account"]["email"], &listed[0]["provider"]),
            (&json!("ravi@example.com"), &json!("razorpay"))
        );
        assert_eq!(listed[0]["reason"], "the order was paid already");
        let refund = async |payment: &str| {
            post(&world, &administrator, &format!("payments/{payment}/refund"), json!({})).await
        };
        let expected = |payment: &str, taken: f64| {
            json!({"payment_id": payment, "status": "processed", "amount": 100.0, "credits_taken": taken,
                "credits_missing": 0.0})
        };
        assert_eq!(refund(&unused).await.json(), expected(&unused, 0.0));
        assert_eq!(due().await["refunds_due"], json!([]));
        assert_eq!(refund(&unused).await.error(), (409, String::from("This payment is refunded already.")));
        assert_eq!(refund("pay_none").await.error(), (404, String::from("Payment not found")));
        // What was bought is taken back, the doubled part of a first recharge too.
        assert_eq!(refund(&good).await.json(), expected(&good, 200.0));
    });
}

#[test]
fn what_the_sandbox_has_left_is_listed_only_while_it_is_in_use() {
    // [PAY243]
    on_both_engines(async |mut world: World| {
        let (administrator, ravi, _) = cast(&world).await;
        insert_coupons(&world, [coupon(&world, "X", Discount::Percent(10))]).await;
        // The plan twice, and an order that has failed.
        let twice = json!({"purpose": "premium_plan", "coupon_code": "x"});
        let twice = order(&world, &ravi, twice).await.json();
        let proof = paid(&world, &ravi, json!({"purpose": "premium_plan"})).await;
        assert_eq!(verify(&world, &ravi, &proof).await.status, 200);
        let proof = world.post("/api/payments/sandbox", &ravi, json!({"order_id": twice["order_id"]})).await;
        assert_eq!(verify(&world, &ravi, &proof.json()).await.status, 200);
        let open = order(&world, &ravi, json!({"amount": 10_000})).await.json();
        let id = open["order_id"].as_str().unwrap();
        let open = storage::payments::orders::by_provider_order_id(&world.parts.db, "sandbox", id).await;
        let mut tx = world.parts.db.begin().await.unwrap();
        let open = open.unwrap().unwrap().id;
        assert!(storage::payments::orders::fail(&mut tx, open, "a test", world.app.now()).await.unwrap());
        tx.commit().await.unwrap();

        let listed = async |world: &World| {
            let listed = world.get("/api/administration/payments", &administrator).await.json();
            ["refunds_due", "failed_orders"].map(|list| listed[list].as_array().unwrap().len())
        };
        assert_eq!(listed(&world).await, [1, 1]);
        let provider = FakeRazorpay::start().await.unwrap();
        world.parts.payments = Some(Payments::razorpay(provider.settings()).unwrap());
        let world = world.restarted().await;
        assert_eq!(listed(&world).await, [0, 0]);
    });
}
