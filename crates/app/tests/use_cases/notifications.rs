//! The provider's notifications in every order, each any number of times, with the browser's verification and the
//! reconciliation anywhere between them: what is in the account in the end, and what its history tells, are the same.
//!
//! An account, its orders and the provider are a machine with states. From each state that is reached each step is tried
//! once, so that all sequences of steps are known without being run one by one.

mod stories;

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::time::Duration;

use app::payments::orders::{self, OrderRequest};
use app::payments::{self, WebhookRequest, history};
use app::{App, Failure, Parts};
use domain::accounts::{EmailAddress, User};
use domain::payments::ledger::LedgerKind;
use domain::payments::money::SIGNUP_CREDIT;
use domain::{Clock, LedgerId, OrderId, Paise, Randomness, Refusal, UserId};
use gateway::Payments;
use gateway::testing::{FakeRazorpay, SignedWebhook};
use storage::payments::ledger::Entry;

use stories::{Fact, RECONCILE, Story, VERIFY, stories};

/// Whether the provider is asked when all has happened, or as early as a notification allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pace {
    AllAtOnce,
    AsReported,
}

struct World {
    app: App,
    db: storage::Db,
    clock: Clock,
    provider: FakeRazorpay,
    _incoming: tempfile::TempDir,
}

impl World {
    async fn new(db: storage::Db) -> Self {
        let incoming = tempfile::tempdir().unwrap();
        let provider = FakeRazorpay::start().await.unwrap();
        let parts = Parts {
            randomness: Randomness::seeded(1),
            payments: Some(Payments::razorpay(provider.settings()).unwrap()),
            ..app::testing::parts(db.clone(), incoming.path())
        };
        let clock = parts.clock.clone();
        Self { app: App::new(parts).await.unwrap(), db, clock, provider, _incoming: incoming }
    }

    /// An account with an order.
    async fn account<'a>(&'a self, story: &'a Story) -> Account<'a> {
        self.clock.advance(Duration::from_secs(1));
        let user = self.app.id::<UserId>();
        let new = storage::accounts::users::NewUser {
            id: user,
            email: EmailAddress::parse(&format!("{user}@example.com")).unwrap(),
            name: String::from("Meera"),
            password_hash: String::from("none"),
            is_photographer: true,
            language: domain::accounts::languages::AccountLanguage::English,
            created_at: self.app.now(),
        };
        let entry = Entry {
            id: self.app.id::<LedgerId>(),
            user,
            kind: LedgerKind::Signup,
            amount: SIGNUP_CREDIT,
            reference: None,
            event: None,
            at: self.app.now(),
        };
        let mut tx = self.db.begin().await.unwrap();
        assert!(storage::accounts::users::create(&mut tx, &new).await.unwrap());
        storage::payments::ledger::grant(&mut tx, &entry).await.unwrap();
        tx.commit().await.unwrap();
        let mut account = Account {
            world: self,
            story,
            user,
            order: self.app.id::<OrderId>(),
            order_id: String::new(),
            payments: BTreeMap::new(),
            refunds: BTreeMap::new(),
            happened: 0,
            sent: Vec::new(),
            copies: 0,
        };
        let request =
            OrderRequest { purpose: story.purpose, amount: Some(Paise::new(story.paise)), coupon: None };
        let order = orders::create(&self.app, &account.user().await, request).await.unwrap();
        (account.order, account.order_id) = (order.id, order.provider_order_id.unwrap());
        account
    }
}

struct Account<'a> {
    world: &'a World,
    story: &'a Story,
    user: UserId,
    order: OrderId,
    order_id: String,
    payments: BTreeMap<usize, String>,
    refunds: BTreeMap<usize, String>,
    /// How many facts have happened.
    happened: usize,
    /// The notifications of these facts, by their numbers.
    sent: Vec<(usize, SignedWebhook)>,
    copies: usize,
}

impl Account<'_> {
    async fn user(&self) -> User {
        storage::accounts::users::by_id(&self.world.db, self.user).await.unwrap().unwrap()
    }

    /// Lets facts happen until there are so many, and the provider send what it tells of them.
    fn happen(&mut self, count: usize) {
        let provider = &self.world.provider;
        while self.happened < count {
            let subject = match self.story.facts[self.happened] {
                Fact::Failed => provider.attempt(&self.order_id, "failed").unwrap(),
                Fact::Authorised(number) => {
                    let id = provider.attempt(&self.order_id, "authorized").unwrap();
                    self.payments.entry(number).or_insert(id).clone()
                }
                Fact::Captured(number) => match self.payments.get(&number) {
                    Some(id) => {
                        provider.set_payment_status(id, "captured");
                        id.clone()
                    }
                    None => {
                        let id = provider.attempt(&self.order_id, "captured").unwrap();
                        self.payments.entry(number).or_insert(id).clone()
                    }
                },
                Fact::PaidAgain(number) => {
                    let id = provider.pay_again(&self.order_id).unwrap();
                    self.payments.entry(number).or_insert(id).clone()
                }
                Fact::Refunded(payment, number, paise) => {
                    let id = provider.refund_in_dashboard(&self.payments[&payment], paise).unwrap();
                    provider.set_refund_status(&id, "pending");
                    self.refunds.entry(number).or_insert(id).clone()
                }
                Fact::Moved(number, status) => {
                    provider.set_refund_status(&self.refunds[&number], status);
                    self.refunds[&number].clone()
                }
            };
            for (number, notification) in self.story.notifications.iter().enumerate() {
                if notification.fact == self.happened {
                    let webhook = if notification.event.starts_with("refund.") {
                        provider.refund_webhook(notification.event, &subject)
                    } else {
                        provider.webhook(notification.event, &subject)
                    };
                    self.sent.push((number, webhook.unwrap()));
                }
            }
            self.happened += 1;
        }
    }

    async fn step(&mut self, step: usize, pace: Pace) {
        let all = self.story.facts.len();
        self.happen(if pace == Pace::AllAtOnce { all } else { self.story.needs(step) });
        match step {
            VERIFY => {
                let proof = self.world.provider.proof(&self.order_id, &self.payments[&0]);
                match payments::verify(&self.world.app, &self.user().await, &proof).await {
                    Ok(_) | Err(Failure::Refused(Refusal::PaymentPending)) => {}
                    Err(failure) => panic!("{failure}"),
                }
            }
            RECONCILE => {
                let (now, mut tx) = (self.world.app.now(), self.world.db.begin().await.unwrap());
                storage::payments::orders::mark_checked(&mut tx, self.order, now, now).await.unwrap();
                tx.commit().await.unwrap();
                payments::reconcile(&self.world.app).await.unwrap();
            }
            notification => {
                let sent = self.sent.iter().find(|(number, _)| *number == notification);
                let (_, webhook) = sent.unwrap();
                // Under another id it is not taken for a repetition, and has to change nothing by itself.
                self.copies += 1;
                let event_id = format!("{}-{}", webhook.event_id, self.copies);
                let request = WebhookRequest {
                    body: &webhook.body,
                    signature: &webhook.signature,
                    event_id: Some(&event_id),
                };
                payments::handle_webhook(&self.world.app, &request).await.unwrap();
            }
        }
    }

    /// All that later steps depend on.
    async fn state(&self) -> String {
        let db = &self.world.db;
        let number =
            |id: &str| self.payments.iter().find(|(_, payment)| *payment == id).map(|(number, _)| *number);
        let order = storage::payments::orders::by_id(db, self.order).await.unwrap().unwrap();
        let user = self.user().await;
        let mut lines = vec![format!(
            "{} by {:?}, {} credits, premium {}, first {}",
            order.status.as_str(),
            order.payment_id.as_deref().and_then(number),
            user.credits,
            user.premium_since.is_some(),
            order.was_first_recharge
        )];
        for payment in storage::payments::by_user(db, self.user).await.unwrap() {
            let id = number(&payment.payment_id);
            lines.push(format!("{id:?} {} {}", payment.outcome.as_str(), payment.credits));
        }
        let mut refunds: Vec<_> = storage::payments::refunds::by_user(db, self.user).await.unwrap();
        refunds.sort_by_key(|refund| refund.refund_id.clone());
        for refund in refunds {
            let id = self.refunds.iter().find(|(_, id)| Some(id.as_str()) == refund.refund_id.as_deref());
            let (taken, missing) = (refund.credits_taken, refund.credits_missing);
            let number = id.map(|(number, _)| number);
            lines.push(format!("{number:?} {} {taken} {missing}", refund.status.as_str()));
        }
        // What is kept, without taking it: the transaction is dropped.
        let mut tx = db.begin().await.unwrap();
        for id in self.payments.values() {
            for early in storage::payments::early_refunds::take(&mut tx, "razorpay", id).await.unwrap() {
                let id = self.refunds.iter().find(|(_, id)| **id == early.refund_id);
                lines.push(format!("{:?} kept {}", id.map(|(number, _)| number), early.status.as_str()));
            }
        }
        drop(tx);
        let kept = lines.split_off(1);
        let kept: BTreeSet<String> = kept.into_iter().collect();
        // What the provider answers depends on what has happened there, and on what was captured from here.
        let captured: Vec<_> = self
            .payments
            .values()
            .map(|id| {
                let told = self.world.provider.webhook("payment.captured", id).unwrap();
                let told: serde_json::Value = serde_json::from_slice(&told.body).unwrap();
                told["payload"]["payment"]["entity"]["status"].to_string()
            })
            .collect();
        format!("{lines:?} {kept:?} {} {captured:?}", self.happened)
    }

    /// What the photographer sees: balance, plan and history.
    async fn outcome(&self) -> String {
        let user = self.user().await;
        let page = history::page(&self.world.app, &user, Some(history::PAGE.most), None).await.unwrap();
        let mut lines: Vec<_> = page
            .lines
            .iter()
            .map(|line| {
                let payment = line.payment.as_ref();
                let payment = payment.and_then(|id| self.payments.iter().find(|(_, other)| *other == id));
                let payment = payment.map(|(number, _)| number);
                format!("{} {} {} {} {payment:?}", line.kind.as_str(), line.credits, line.paid, line.missing)
            })
            .collect();
        lines.sort();
        let due = storage::payments::refunds_due(&self.world.db, "razorpay").await.unwrap();
        let due = due.iter().filter(|payment| payment.user == self.user).count();
        assert!(storage::operations::integrity::unapplied_refunds(&self.world.db).await.unwrap().is_empty());
        format!("{} credits, premium {}, {due} due, {lines:?}", user.credits, user.premium_since.is_some())
    }

    /// Closes the order, which no other account's reconciliation is to ask about.
    async fn close(self) {
        let mut tx = self.world.db.begin().await.unwrap();
        storage::payments::orders::abandon(&mut tx, self.order, self.world.app.now()).await.unwrap();
        tx.commit().await.unwrap();
    }
}

/// Tries each step from each state, and answers by state and step which state follows; with the outcome of each state.
struct Machine {
    first: String,
    next: HashMap<(String, usize), String>,
    outcomes: HashMap<String, String>,
}

async fn explore(world: &World, story: &Story, pace: Pace) -> Machine {
    let account = world.account(story).await;
    let first = account.state().await;
    let mut machine = Machine { first: first.clone(), next: HashMap::new(), outcomes: HashMap::new() };
    machine.outcomes.insert(first.clone(), account.outcome().await);
    account.close().await;
    // The shortest way to each state.
    let mut ways = VecDeque::from([(first, Vec::new())]);
    while let Some((state, way)) = ways.pop_front() {
        for step in story.steps() {
            let mut account = world.account(story).await;
            for earlier in &way {
                account.step(*earlier, pace).await;
            }
            assert_eq!(account.state().await, state, "the same steps lead to the same state: {way:?}");
            account.step(step, pace).await;
            let reached = account.state().await;
            if !machine.outcomes.contains_key(&reached) {
                machine.outcomes.insert(reached.clone(), account.outcome().await);
                ways.push_back((reached.clone(), [way.as_slice(), &[step]].concat()));
            }
            machine.next.insert((state.clone(), step), reached);
            account.close().await;
        }
    }
    machine
}

/// The outcomes of all sequences in which each notification comes at least once, in whatever order and however often, with
/// or without the other steps.
fn ends(story: &Story, machine: &Machine) -> BTreeSet<String> {
    let all: u64 = (0..story.notifications.len()).map(|number| 1 << number).sum();
    let mut reached = BTreeSet::from([(0_u64, machine.first.clone())]);
    let mut waiting: Vec<_> = reached.iter().cloned().collect();
    while let Some((told, state)) = waiting.pop() {
        for step in story.steps() {
            let now = if step < VERIFY { told | (1 << step) } else { told };
            let next = (now, machine.next[&(state.clone(), step)].clone());
            if reached.insert(next.clone()) {
                waiting.push(next);
            }
        }
    }
    reached
        .into_iter()
        .filter(|(told, _)| *told == all)
        .map(|(_, state)| machine.outcomes[&state].clone())
        .collect()
}

fn assert_expected(story: &Story, outcome: &str) {
    let expected = format!("{} credits, premium {}, ", Paise::new(story.balance), story.premium);
    assert!(outcome.starts_with(&expected), "{outcome} is not {expected}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_order_of_notifications_ends_in_the_same_balance_and_history() {
    // [PAY206] All of them, on SQLite.
    let database = storage::testing::sqlite().await;
    let world = World::new(database.db.clone()).await;
    for (number, story) in stories().iter().enumerate() {
        let mut all = BTreeSet::new();
        for pace in [Pace::AllAtOnce, Pace::AsReported] {
            let machine = explore(&world, story, pace).await;
            assert!(machine.outcomes.len() > 2, "story {number} has states: {:?}", machine.outcomes.keys());
            let ends = ends(story, &machine);
            assert_eq!(ends.len(), 1, "story {number}, {pace:?}: {ends:#?}");
            all.extend(ends);
        }
        assert_eq!(all.len(), 1, "story {number}: {all:#?}");
        all.iter().for_each(|outcome| assert_expected(story, outcome));
    }
    assert!(storage::operations::integrity::unbalanced(&database.db).await.unwrap().is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_sample_of_the_orders_of_notifications_ends_alike_on_postgresql() {
    // [PAY206] A sample, step by step, with each notification twice.
    let database = storage::testing::postgres().await;
    let world = World::new(database.db.clone()).await;
    let randomness = Randomness::seeded(20_261_126);
    for story in &stories() {
        let mut outcomes = BTreeSet::new();
        for pace in [Pace::AllAtOnce, Pace::AsReported].into_iter().cycle().take(8) {
            let mut steps = [story.steps(), story.steps()].concat();
            steps.sort_by_cached_key(|_| randomness.alphanumeric(8));
            let mut account = world.account(story).await;
            for step in steps {
                account.step(step, pace).await;
            }
            outcomes.insert(account.outcome().await);
            account.close().await;
        }
        assert_eq!(outcomes.len(), 1, "{outcomes:#?}");
        outcomes.iter().for_each(|outcome| assert_expected(story, outcome));
    }
    assert!(storage::operations::integrity::unbalanced(&database.db).await.unwrap().is_empty());
}
