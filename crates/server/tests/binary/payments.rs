//! Payments are compared with the provider's by commands.

use domain::Paise;
use domain::accounts::EmailAddress;
use gateway::Payments;
use gateway::testing::{FakeRazorpay, Fault, KEY_ID, KEY_SECRET};
use storage::{ConnectOptions, Db};

use crate::harness::{afterglow, run, text};

#[test]
fn failed_orders_are_listed_with_their_reason() {
    // [PAY089]
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let made = run(folder.path(), &["user", "create", "meera@example.com", "--generate"]);
    assert!(made.status.success(), "{}", text(&made.stderr));
    let url = format!("sqlite://{}", folder.path().join("data/afterglow.db").display());
    runtime.block_on(async {
        let db = Db::connect(&url, ConnectOptions::default()).await.unwrap();
        storage::testing::change(
            &db,
            "INSERT INTO orders (id, user_id, provider, purpose, amount, status, provider_order_id, failure, created_at,
                 settled_at)
             SELECT '01936d2e-0000-7000-8000-000000000001', id, 'razorpay', 'credits', 20000, 'failed', 'order_1',
                 'it is over 200.00, and over 201.00 at the provider', 0, 0 FROM users",
        )
        .await;
        db.close().await;
    });
    assert_eq!(
        text(&run(folder.path(), &["payment", "failed"]).stdout),
        "1970-01-01T00:00:00.000Z  ₹200.00  order order_1 of razorpay: it is over 200.00, and over 201.00 at the provider\n"
    );
}

#[test]
fn payments_are_compared_with_the_provider_and_mended() {
    // [PAY203] [PAY204]
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let made = run(folder.path(), &["user", "create", "meera@example.com", "--generate"]);
    assert!(made.status.success(), "{}", text(&made.stderr));
    let url = format!("sqlite://{}", folder.path().join("data/afterglow.db").display());
    let credits = async || {
        let db = Db::connect(&url, ConnectOptions::default()).await.unwrap();
        let email = EmailAddress::parse("meera@example.com").unwrap();
        let user = storage::accounts::users::credentials(&db, &email).await.unwrap().unwrap().user;
        db.close().await;
        (user.id, user.credits.get())
    };
    // A payment with a part that was returned, of which the installation knows nothing.
    let provider = runtime.block_on(async {
        let (provider, (account, _)) = (FakeRazorpay::start().await.unwrap(), credits().await);
        let now = domain::Clock::System.now().as_seconds();
        provider.set_now(now - 60);
        let (account, receipt) = (account.to_string(), "01936d2e-0000-7000-8000-000000000001");
        let notes = [("purpose", "credits"), ("account", account.as_str())];
        let payments = Payments::razorpay(provider.settings()).unwrap();
        let order = payments.create_order(Paise::from_rupees(500), receipt, &notes).await.unwrap();
        let payment = provider.pay(&order.id).unwrap().payment_id;
        provider.refund_in_dashboard(&payment, 20_000).unwrap();
        provider
    });
    let command = |arguments: &[&str]| {
        let output = afterglow(folder.path())
            .env("AFTERGLOW_RAZORPAY_KEY_ID", KEY_ID)
            .env("AFTERGLOW_RAZORPAY_KEY_SECRET", KEY_SECRET)
            .env("AFTERGLOW_RAZORPAY_API_URL", provider.url())
            .args(arguments)
            .output()
            .unwrap();
        (output.status.code(), text(&output.stdout) + &text(&output.stderr))
    };
    let missing =
        "payment pay_00000000000001 of ₹500.00: the provider has captured it, and it is not recorded here";
    let (code, said) = command(&["check"]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains(&format!("{missing}; `afterglow payment compare` mends it")), "{said}");
    let (code, said) = command(&["payment", "compare", "--dry-run"]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains(missing) && said.contains("1 difference, 1 left"), "{said}");
    let (code, said) = command(&["payment", "compare", "--since", "2026-01-01", "--until", "2020-01-01"]);
    assert_eq!(code, Some(1), "{said}");
    let (code, said) = command(&["payment", "compare"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains(&format!("{missing} [mended]")), "{said}");
    assert_eq!(runtime.block_on(credits()).1, 60_000 + 10_000);
    let (code, said) = command(&["payment", "compare", "--since", "2020-01-01"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("1 payments from 2020-01-01T00:00:00.000Z to"), "{said}");
    let (code, said) = command(&["check"]);
    assert_eq!(code, Some(0), "{said}");

    // Without the provider the rest is looked at.
    drop(provider);
    let output = afterglow(folder.path())
        .env("AFTERGLOW_RAZORPAY_KEY_ID", KEY_ID)
        .env("AFTERGLOW_RAZORPAY_KEY_SECRET", KEY_SECRET)
        .env("AFTERGLOW_RAZORPAY_API_URL", "http://127.0.0.1:1")
        .arg("check")
        .output()
        .unwrap();
    assert!(output.status.success());
    assert!(text(&output.stdout).contains("The payment provider was not asked about the last 30 days"));
    let sandbox = run(folder.path(), &["payment", "compare"]);
    assert!(sandbox.status.success() && text(&sandbox.stdout).contains("nothing to compare with"));
}

#[test]
fn a_refund_that_the_provider_could_not_make_ends_with_1_and_is_not_recorded_as_one() {
    // [PAY237]
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let made = run(folder.path(), &["user", "create", "meera@example.com", "--generate"]);
    assert!(made.status.success(), "{}", text(&made.stderr));
    let url = format!("sqlite://{}", folder.path().join("data/afterglow.db").display());
    let provider = runtime.block_on(async {
        let db = Db::connect(&url, ConnectOptions::default()).await.unwrap();
        let email = EmailAddress::parse("meera@example.com").unwrap();
        let user = storage::accounts::users::credentials(&db, &email).await.unwrap().unwrap().user;
        db.close().await;
        let provider = FakeRazorpay::start().await.unwrap();
        provider.set_now(domain::Clock::System.now().as_seconds() - 60);
        let (account, receipt) = (user.id.to_string(), "01936d2e-0000-7000-8000-000000000001");
        let notes = [("purpose", "credits"), ("account", account.as_str())];
        let payments = Payments::razorpay(provider.settings()).unwrap();
        let order = payments.create_order(Paise::from_rupees(500), receipt, &notes).await.unwrap();
        provider.pay(&order.id).unwrap();
        provider
    });
    let command = |arguments: &[&str]| {
        let output = afterglow(folder.path())
            .env("AFTERGLOW_RAZORPAY_KEY_ID", KEY_ID)
            .env("AFTERGLOW_RAZORPAY_KEY_SECRET", KEY_SECRET)
            .env("AFTERGLOW_RAZORPAY_API_URL", provider.url())
            .args(arguments)
            .output()
            .unwrap();
        (output.status.code(), text(&output.stdout) + &text(&output.stderr))
    };
    let (code, said) = command(&["payment", "compare"]);
    assert_eq!(code, Some(0), "{said}");
    // The provider takes the request, its answer is lost, and the bank sends the money back.
    let later = || Fault::ErrorStatus(503, "Later");
    provider.inject([Fault::ApplyThenDisconnect, later(), later()]);
    let refund = ["payment", "refund", "pay_00000000000001"];
    let (code, said) = command(&refund);
    assert_eq!(code, Some(1), "{said}");
    let asked = provider.refunds()[0]["id"].as_str().unwrap().to_owned();
    provider.set_refund_status(&asked, "failed");
    let (code, said) = command(&refund);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("Payment pay_00000000000001 could not be refunded: ₹500.00.\n"), "{said}");
    assert!(!said.contains("payment_refunded"), "{said}");
    let (code, said) = command(&refund);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("is refunded: ₹500.00.") && said.contains("payment_refunded"), "{said}");
}
