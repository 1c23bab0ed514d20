//! What happens when things go wrong in the background: on SQLite, with doubles and a fixed clock.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use app::photos::{Accepted, Upload};
use app::{App, Parts, Settings, accounts, events, photos};
use domain::accounts::{EmailAddress, User};
use domain::photos::{Photo, PhotoStatus};
use domain::{Clock, Randomness, Timestamp};
use gateway::{MailError, Mailer};
use media::stores::Store;
use tokio_util::sync::CancellationToken;

struct World {
    app: App,
    /// What `app` is made of, to reach behind its verbs.
    parts: Parts,
    clock: Clock,
    mails: gateway::mails::Memory,
    files: media::stores::Memory,
    /// What the last registration said.
    email_sent: AtomicBool,
    _database: storage::testing::TestDb,
    _incoming: tempfile::TempDir,
}

impl World {
    async fn new() -> Self {
        let (database, incoming) = (storage::testing::sqlite().await, tempfile::tempdir().unwrap());
        let clock = Clock::fixed(Timestamp::from_millis(1_795_165_200_000));
        let (mailer, store) = (Mailer::memory(), Store::memory(clock.clone()));
        let (Mailer::Memory(mails), Store::Memory(files)) = (mailer.clone(), store.clone()) else {
            unreachable!("both were just made")
        };
        let settings = Settings {
            public_url: String::from("http://localhost:8080"),
            support_email: EmailAddress::parse("support@example.com").unwrap(),
            social: app::SocialLinks::default(),
            retention_days: 30,
            incoming_dir: incoming.path().to_owned(),
            link_lifetime: Duration::from_secs(6 * 60 * 60),
            index_workers: 1,
            inspections: 1,
            searches: 1,
            gallery_cache_bytes: 1 << 20,
            limits: app::limits::LimitSettings::OFF,
            metrics_token: None,
            trusted_proxies: app::proxies::TrustedProxies::default(),
        };
        let parts = Parts {
            settings,
            clock: clock.clone(),
            randomness: Randomness::seeded(1),
            db: database.db.clone(),
            store,
            engine: vision::Engine::fake(),
            mailer,
            payments: None,
        };
        let app = App::new(parts.clone()).await.unwrap();
        Self {
            app,
            parts,
            clock,
            mails,
            files,
            email_sent: AtomicBool::default(),
            _database: database,
            _incoming: incoming,
        }
    }

    async fn register(&self) -> User {
        let (name, email, password) = ("Meera".into(), "meera@example.com".into(), "correct horse".into());
        let registration = accounts::Registration { name, email, password };
        let registered = accounts::register(&self.app, registration).await.unwrap();
        self.email_sent.store(registered.email_sent, Ordering::SeqCst);
        registered.user
    }

    /// A registered photographer and a photo that waits for its index.
    async fn with_photo(&self) -> (User, Photo) {
        let user = self.register().await;
        self.drain().await;
        let new = events::NewEvent {
            name: "Party".into(),
            date: "2026-11-14".into(),
            ..events::NewEvent::default()
        };
        let event = events::create(&self.app, &user, new).await.unwrap();
        let mut upload = Upload::begin(&self.app).await.unwrap();
        upload.write(&red_square()).await.unwrap();
        let received = upload.finish().await.unwrap();
        let accepted = photos::accept(&self.app, &user, Some(event.id), "red.png", received).await.unwrap();
        let Accepted::New(photo) = accepted else { panic!("nothing was there before") };
        (user, photo)
    }

    async fn drain(&self) -> usize {
        app::worker::drain(&self.app).await.unwrap()
    }

    async fn status(&self, user: &User, photo: &Photo) -> PhotoStatus {
        photos::own_by_id(&self.app, user, photo.id).await.unwrap().status
    }
}

fn red_square() -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    let picture = image::RgbImage::from_pixel(200, 100, image::Rgb([230, 20, 20]));
    picture.write_to(&mut bytes, image::ImageFormat::Png).unwrap();
    bytes.into_inner()
}

#[tokio::test]
async fn a_job_of_a_worker_that_died_returns_and_is_done() {
    // [SAFE013] [SAFE019] [UPL084]
    let world = World::new().await;
    let (user, photo) = world.with_photo().await;
    // Another worker takes the job and is never heard of again, three times over.
    for dead in ["first", "second", "third"] {
        let now = world.clock.now();
        let until = now.plus(Duration::from_secs(60));
        let claimed =
            storage::jobs::claim(&world.parts.db, &[domain::jobs::JobKind::IndexPhoto], dead, now, until)
                .await
                .unwrap();
        assert!(claimed.is_some());
        assert_eq!(world.drain().await, 0, "it is leased");
        world.clock.advance(Duration::from_secs(61));
    }
    assert_eq!(world.drain().await, 1);
    assert_eq!(world.status(&user, &photo).await, PhotoStatus::Ready);
}

#[tokio::test]
async fn a_store_that_fails_for_a_while_only_delays_indexing() {
    // [UPL084] [SAFE013]
    let world = World::new().await;
    let (user, photo) = world.with_photo().await;
    world.files.set_broken(true);
    assert_eq!(world.drain().await, 1);
    assert_eq!(world.status(&user, &photo).await, PhotoStatus::Processing);
    assert_eq!(world.drain().await, 0, "it waits before it is tried again");
    world.files.set_broken(false);
    world.clock.advance(Duration::from_secs(5));
    assert_eq!(world.drain().await, 1);
    assert_eq!(world.status(&user, &photo).await, PhotoStatus::Ready);
}

#[tokio::test]
async fn a_photo_that_can_never_be_indexed_ends_as_failed() {
    // [UPL084]
    let world = World::new().await;
    let (user, photo) = world.with_photo().await;
    world.parts.store.delete(&photo.key).await.unwrap();
    for _ in 0..5 {
        assert_eq!(world.status(&user, &photo).await, PhotoStatus::Processing);
        assert_eq!(world.drain().await, 1);
        world.clock.advance(Duration::from_secs(4 * 60 * 60));
    }
    assert_eq!(world.status(&user, &photo).await, PhotoStatus::Failed);
    assert_eq!(world.drain().await, 0);
}

#[tokio::test]
async fn a_mail_server_that_is_away_delays_the_mail_and_nothing_else() {
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
async fn a_mail_that_is_refused_for_good_is_said_and_not_tried_again() {
    // [API012]
    let world = World::new().await;
    world.mails.fail_with(Some(MailError::Permanent(String::from("no such mailbox"))));
    let user = world.register().await;
    assert!(!world.email_sent.load(Ordering::SeqCst));
    world.clock.advance(Duration::from_secs(24 * 60 * 60));
    assert_eq!(world.drain().await, 0);
    // The account is there all the same: whoever asks for another link gets it.
    world.mails.fail_with(None);
    accounts::resend_verification(&world.app, user.email.as_str()).await.unwrap();
    assert_eq!(world.drain().await, 1);
    assert_eq!(world.mails.sent().len(), 1);
}

#[tokio::test]
async fn a_process_that_dies_while_it_sends_the_first_mail_leaves_it_to_another() {
    // [AUTH032] [SAFE019]
    let world = World::new().await;
    let user = world.register().await;
    let (now, id) = (world.clock.now(), world.app.id());
    let job = domain::Job::SendVerification { user: user.id };
    let mut tx = world.parts.db.begin().await.unwrap();
    let until = now.plus(Duration::from_secs(60));
    storage::jobs::enqueue_leased(&mut tx, id, &job, "dead", now, until).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(world.drain().await, 0, "it is leased");
    world.clock.advance(Duration::from_secs(61));
    assert_eq!(world.drain().await, 1);
    assert_eq!(world.mails.sent().len(), 2);
}

#[tokio::test]
async fn only_the_hash_of_a_session_and_of_a_link_is_stored() {
    // [AUTH066] [AUTH073]
    let world = World::new().await;
    let user = world.register().await;
    world.drain().await;
    let link = world.mails.sent()[0].mail.links[0].clone();
    let token = link.rsplit('=').next().unwrap().to_owned();
    accounts::verify_email(&world.app, &token).await.unwrap();
    let (session, _) =
        accounts::log_in(&world.app, user.email.as_str(), "correct horse".into()).await.unwrap();
    world.parts.db.close().await;
    let file = world._database.url.strip_prefix("sqlite://").unwrap();
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

#[tokio::test]
async fn a_closed_account_is_cleared_however_long_the_store_was_away() {
    // [ACC050]
    let world = World::new().await;
    let user = world.register().await;
    world.drain().await;
    let mut upload = Upload::begin(&world.app).await.unwrap();
    upload.write(&red_square()).await.unwrap();
    let received = upload.finish().await.unwrap();
    photos::accept(&world.app, &user, None, "red.png", received).await.unwrap();
    world.drain().await;
    app::profiles::close(&world.app, &user, "correct horse".into()).await.unwrap();
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
    app::maintenance::all(&world.app).await.unwrap();
    assert_eq!(world.drain().await, 1, "and begun again");
    assert_eq!(photos::count(&world.app, &user).await.unwrap(), 0);
    let left: Vec<_> = futures::StreamExt::collect(world.parts.store.list("")).await;
    assert!(left.is_empty());
}

#[tokio::test]
async fn nothing_is_paid_twice_by_itself() {
    // [PAY031] Whatever time passes, an account pays only when somebody does.
    let world = World::new().await;
    let user = world.register().await;
    let request = app::orders::OrderRequest {
        purpose: domain::orders::Purpose::PremiumPlan,
        amount: None,
        coupon: None,
    };
    let order = app::orders::create(&world.app, &user, request).await.unwrap();
    let id = order.provider_order_id.unwrap();
    let proof = app::payments::pay_in_sandbox(&world.app, &user, &id).await.unwrap();
    app::payments::verify(&world.app, &user, &proof).await.unwrap();
    let entries = storage::ledger::entries(&world.parts.db, user.id).await.unwrap().len();
    for _ in 0..14 {
        world.clock.advance(Duration::from_secs(31 * 24 * 60 * 60));
        app::payments::reconcile(&world.app).await.unwrap();
        app::maintenance::all(&world.app).await.unwrap();
        world.drain().await;
    }
    assert_eq!(storage::ledger::entries(&world.parts.db, user.id).await.unwrap().len(), entries);
    assert!(storage::orders::open(&world.parts.db, world.clock.now(), 9).await.unwrap().is_empty());
}

#[tokio::test]
async fn a_premium_plan_that_is_paid_for_twice_is_on_the_operators_list() {
    let world = World::new().await;
    let user = world.register().await;
    let mut proofs = Vec::new();
    for _ in 0..2 {
        let request = app::orders::OrderRequest {
            purpose: domain::orders::Purpose::PremiumPlan,
            amount: None,
            coupon: None,
        };
        let order = app::orders::create(&world.app, &user, request).await.unwrap();
        let id = order.provider_order_id.unwrap();
        proofs.push(app::payments::pay_in_sandbox(&world.app, &user, &id).await.unwrap());
    }
    let context = app::operators::OperatorContext {
        db: world.parts.db.clone(),
        clock: world.clock.clone(),
        randomness: Randomness::seeded(2),
    };
    app::payments::verify(&world.app, &user, &proofs[0]).await.unwrap();
    assert!(app::operators::refunds_due(&context).await.unwrap().is_empty());
    world.clock.advance(Duration::from_secs(1));
    app::payments::verify(&world.app, &user, &proofs[1]).await.unwrap();
    let due = app::operators::refunds_due(&context).await.unwrap();
    assert_eq!(due.len(), 1);
    assert_eq!(due[0].order.payment_id.as_deref(), Some(proofs[1].payment_id.as_str()));
    assert_eq!(due[0].user.as_ref().unwrap().email.as_str(), "meera@example.com");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_that_panics_is_tried_again_and_its_worker_goes_on() {
    // [SAFE040]
    let world = World::new().await;
    let user = world.register().await;
    world.mails.take();
    world.mails.panic_once("the mailer is broken");
    for _ in 0..2 {
        accounts::resend_verification(&world.app, user.email.as_str()).await.unwrap();
    }
    let stop = CancellationToken::new();
    let worker = tokio::spawn({
        let (app, stop) = (world.app.clone(), stop.clone());
        async move { app::worker::run(&app, stop).await }
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
async fn what_a_job_logs_names_the_job() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let writer = Arc::new(file.reopen().unwrap());
    let subscriber = tracing_subscriber::fmt().with_ansi(false).with_writer(writer).finish();
    let _guard = tracing::subscriber::set_default(subscriber);
    let world = World::new().await;
    let user = world.register().await;
    accounts::resend_verification(&world.app, user.email.as_str()).await.unwrap();
    world.drain().await;
    let log = std::fs::read_to_string(file.path()).unwrap();
    let mails: Vec<&str> = log.lines().filter(|line| line.contains("sending a mail")).collect();
    assert_eq!(mails.len(), 2, "{log}");
    for line in mails {
        assert!(line.contains("job{id="), "{line}");
        assert!(line.contains("kind=\"send_verification\" attempt=1}"), "{line}");
    }
}
