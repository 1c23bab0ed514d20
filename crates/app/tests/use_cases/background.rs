//! What happens when things go wrong in the background: on SQLite, with doubles and a fixed clock.

use std::sync::atomic::Ordering;
use std::time::Duration;

use app::PasswordCost;
use app::photos::Upload;
use app::{accounts, photos};
use domain::accounts::RequestedMail;
use gateway::MailError;
use tokio_util::sync::CancellationToken;

use crate::world::{World, red_square};

#[tokio::test]
async fn an_unavailable_mail_server_delays_the_mail_and_nothing_else() {
    // [API011]
    let world = World::new().await;
    world.mails.fail_with(Some(MailError::Transient(String::from("connection refused"))));
    world.register().await;
    assert!(world.email_sent.load(Ordering::SeqCst), "it is sent again until it goes out");
    assert!(world.mails.sent().is_empty());
    assert_eq!(world.drain().await, 0, "it waits before it is tried again");
    world.mails.fail_with(None);
    world.clock.advance(Duration::from_secs(5));
    assert_eq!(world.drain().await, 1);
    assert_eq!(world.mails.sent().len(), 1);
}

#[tokio::test]
async fn a_permanently_rejected_mail_is_reported_and_not_retried() {
    // [API012]
    let world = World::new().await;
    world.mails.fail_with(Some(MailError::Permanent(String::from("no such mailbox"))));
    let user = world.register().await;
    assert!(!world.email_sent.load(Ordering::SeqCst));
    world.clock.advance(Duration::from_secs(24 * 60 * 60));
    assert_eq!(world.drain().await, 0);
    // The account exists nevertheless: another link can be requested.
    world.mails.fail_with(None);
    app::accounts::mail_requests::create(&world.app, RequestedMail::Verification, user.email.as_str())
        .await
        .unwrap();
    assert_eq!(world.drain().await, 1);
    assert_eq!(world.mails.sent().len(), 1);
}

#[tokio::test]
async fn a_mail_of_a_crashed_process_is_sent_by_another() {
    // [AUTH032] [SAFE019]
    let world = World::new().await;
    let user = world.register().await;
    let (now, id) = (world.clock.now(), world.app.id());
    let job = domain::Job::SendVerification { user: user.id };
    let mut tx = world.parts.db.begin().await.unwrap();
    let until = now.plus(Duration::from_secs(60));
    storage::operations::runtime::jobs::enqueue_leased(&mut tx, id, &job, "dead", now, until).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(world.drain().await, 0, "it is leased");
    world.clock.advance(Duration::from_secs(61));
    assert_eq!(world.drain().await, 1);
    assert_eq!(world.mails.sent().len(), 2);
}

#[tokio::test]
async fn only_the_hash_of_a_session_and_of_a_link_is_stored() {
    // [AUTH066] [AUTH073]
    let world = World::with(|settings| settings.password_cost = PasswordCost::Recommended).await;
    let user = world.register().await;
    world.drain().await;
    let link = world.mails.sent()[0].mail.links[0].clone();
    let token = link.rsplit('=').next().unwrap().to_owned();
    accounts::verify_email(&world.app, &token).await.unwrap();
    let accounts::LoggedIn::Session(session, _) = accounts::log_in(
        &world.app,
        user.email.as_str(),
        "correct horse".into(),
        accounts::second_factors::Given::NOTHING,
        [192, 0, 2, 1].into(),
        domain::accounts::devices::Device::default(),
    )
    .await
    .unwrap() else {
        panic!("there is no second factor")
    };
    world.parts.db.close().await;
    let file = world.database.url.strip_prefix("sqlite://").unwrap();
    let mut bytes = std::fs::read(file).unwrap();
    if let Ok(log) = std::fs::read(format!("{file}-wal")) {
        bytes.extend(log);
    }
    let holds = |text: &str| bytes.windows(text.len()).any(|window| window == text.as_bytes());
    assert!(holds("meera@example.com"), "the file is the right one");
    assert!(holds("$argon2id$v=19$m=19456,t=2,p=1$"));
    for secret in [token, session.reveal(), String::from("correct horse")] {
        assert!(!holds(&secret));
    }
}

/// Takes a photo in, with a number in it that makes its bytes new.
async fn upload(app: &app::App, user: &domain::accounts::User, number: u8) -> app::Result<photos::Accepted> {
    let mut upload = Upload::begin(app).await?;
    upload.write(&red_square()).await?;
    // What follows the end of a PNG counts for nothing.
    upload.write(&[number]).await?;
    photos::accept(app, user, None, "red.png", upload.finish().await?).await
}

#[tokio::test]
async fn nothing_is_put_into_the_folder_that_an_unmounted_disk_leaves() {
    // [SAFE065]
    let world = World::new().await;
    let user = world.register().await;
    let disks = tempfile::tempdir().unwrap();
    let (mounted, away) = (disks.path().join("media"), disks.path().join("away"));
    let store = media::stores::Store::open(&format!("file://{}", mounted.display()), []).unwrap();
    let app = app::App::new(app::Parts { store, ..world.parts.clone() }).await.unwrap();
    let balance =
        async || storage::accounts::users::by_id(&world.parts.db, user.id).await.unwrap().unwrap().credits;
    upload(&app, &user, 1).await.unwrap();
    let charged = balance().await;

    std::fs::rename(&mounted, &away).unwrap();
    assert!(upload(&app, &user, 2).await.is_err(), "there is no folder");
    std::fs::create_dir(&mounted).unwrap();
    assert!(upload(&app, &user, 2).await.is_err(), "it is another folder");
    assert_eq!(std::fs::read_dir(&mounted).unwrap().count(), 0);
    assert_eq!(balance().await, charged);

    std::fs::remove_dir(&mounted).unwrap();
    std::fs::rename(&away, &mounted).unwrap();
    assert!(matches!(upload(&app, &user, 2).await.unwrap(), photos::Accepted::New(_)));
    assert!(balance().await < charged);
}

#[tokio::test]
async fn a_closed_account_is_cleared_however_long_the_store_was_unavailable() {
    // [ACC050]
    let world = World::new().await;
    let user = world.register().await;
    world.drain().await;
    let mut upload = Upload::begin(&world.app).await.unwrap();
    upload.write(&red_square()).await.unwrap();
    let received = upload.finish().await.unwrap();
    photos::accept(&world.app, &user, None, "red.png", received).await.unwrap();
    world.drain().await;
    app::accounts::profiles::close(&world.app, &user, "", "correct horse".into()).await.unwrap();
    world.files.set_broken(true);
    let mut attempts = 0;
    while world.drain().await > 0 {
        attempts += 1;
        world.clock.advance(Duration::from_secs(4 * 60 * 60));
    }
    assert_eq!(attempts, 40, "then it fails for good");
    world.files.set_broken(false);
    world.clock.advance(Duration::from_secs(24 * 60 * 60));
    assert_eq!(world.drain().await, 0);
    app::operations::maintenance::all(&world.app).await.unwrap();
    assert_eq!(world.drain().await, 2, "begun again, and its receipt");
    assert_eq!(photos::count(&world.app, &user).await.unwrap(), 0);
    let left: Vec<_> = futures::StreamExt::collect(world.parts.store.list("")).await;
    assert!(left.is_empty());
}

#[tokio::test]
async fn no_address_is_in_a_job_and_the_former_one_is_notified_once() {
    // [ACC054] [ACC201]
    let world = World::new().await;
    let user = world.register().await;
    world.drain().await;
    let change = app::accounts::profiles::Change {
        email: Some("new@example.com".into()),
        current_password: Some("correct horse".into()),
        ..Default::default()
    };
    app::accounts::profiles::change(&world.app, &user, "", change).await.unwrap();
    let queued = storage::operations::runtime::jobs::JobState::Queued;
    let jobs = storage::operations::runtime::jobs::in_state(&world.parts.db, queued, None, 9).await.unwrap();
    assert_eq!(jobs.len(), 2);
    for row in &jobs {
        let payload = serde_json::to_string(row.job.as_ref().unwrap()).unwrap();
        assert!(!payload.contains('@'), "{payload}");
    }
    world.drain().await;
    let told =
        |address: &str| world.mails.sent().iter().filter(|sent| sent.mail.to.as_str() == address).count();
    assert_eq!((told("meera@example.com"), told("new@example.com")), (2, 1));
    // Done again, as after a kill between the mail and the record of it.
    for row in jobs {
        let mut tx = world.parts.db.begin().await.unwrap();
        storage::operations::runtime::jobs::requeue(&mut tx, row.id, &row.job.unwrap(), world.clock.now())
            .await
            .unwrap();
        tx.commit().await.unwrap();
    }
    world.drain().await;
    assert_eq!(told("meera@example.com"), 2);
}

#[tokio::test]
async fn no_payment_recurs() {
    // [PAY031] However much time passes, no payment is made without a request.
    let world = World::new().await;
    let user = world.register().await;
    let request = app::payments::orders::OrderRequest {
        purpose: domain::payments::orders::Purpose::PremiumPlan,
        amount: None,
        coupon: None,
    };
    let order = app::payments::orders::create(&world.app, &user, request).await.unwrap();
    let id = order.provider_order_id.unwrap();
    let proof = app::payments::pay_in_sandbox(&world.app, &user, &id).await.unwrap();
    app::payments::verify(&world.app, &user, &proof).await.unwrap();
    let entries = storage::payments::ledger::entries(&world.parts.db, user.id).await.unwrap().len();
    for _ in 0..14 {
        world.clock.advance(Duration::from_secs(31 * 24 * 60 * 60));
        app::payments::reconcile(&world.app).await.unwrap();
        app::operations::maintenance::all(&world.app).await.unwrap();
        world.drain().await;
    }
    assert_eq!(storage::payments::ledger::entries(&world.parts.db, user.id).await.unwrap().len(), entries);
    assert!(
        storage::payments::orders::to_check(&world.parts.db, world.clock.now(), 9).await.unwrap().is_empty()
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_that_panics_is_retried_and_its_worker_continues() {
    // [SAFE040]
    let world = World::new().await;
    let user = world.register().await;
    world.mails.take();
    world.mails.panic_once("the mailer is broken");
    for _ in 0..2 {
        app::accounts::mail_requests::create(&world.app, RequestedMail::Verification, user.email.as_str())
            .await
            .unwrap();
    }
    let stop = CancellationToken::new();
    let worker = tokio::spawn({
        let (app, stop) = (world.app.clone(), stop.clone());
        async move { app::operations::runtime::worker::run(&app, stop).await }
    });
    let sent = async |count| {
        while world.mails.sent().len() < count {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    let in_time = async |count| tokio::time::timeout(Duration::from_secs(10), sent(count)).await.is_ok();
    let next = in_time(1).await;
    world.clock.advance(Duration::from_secs(5));
    let again = in_time(2).await;
    stop.cancel();
    worker.await.unwrap();
    assert!(next, "the mail after it was never sent");
    assert!(again, "the mail was not tried again");
}

#[tokio::test]
async fn no_address_is_in_what_is_stored_of_a_job() {
    // [ACC054] What is not read back, too.
    let world = World::new().await;
    let user = world.register().await;
    let change = app::accounts::profiles::Change {
        email: Some("new@example.com".into()),
        current_password: Some("correct horse".into()),
        ..Default::default()
    };
    app::accounts::profiles::change(&world.app, &user, "", change).await.unwrap();
    assert!(storage::testing::count(&world.parts.db, "jobs").await > 1);
    assert_eq!(storage::testing::count(&world.parts.db, "jobs WHERE payload LIKE '%@%'").await, 0);
}
