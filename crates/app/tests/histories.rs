//! Random histories of an account's money, on both engines, against a model that keeps only what must hold.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::time::Duration;

use app::operators::{self, OperatorContext};
use app::{App, Failure, Parts, Settings, orders, payments};
use domain::accounts::{EmailAddress, User};
use domain::ledger::LedgerKind;
use domain::money::{PHOTO_PRICE, SIGNUP_CREDIT};
use domain::orders::Purpose;
use domain::payments::PaymentOutcome;
use domain::{Clock, LedgerId, Paise, Randomness, Refusal, Timestamp, UserId};
use gateway::Mailer;
use gateway::payments::PaymentProof;
use media::stores::Store;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use storage::ledger::{Entry, Spending};

const HISTORIES: u32 = 24;

#[derive(Clone, Debug)]
enum Step {
    /// Orders credits for so many rupees.
    Order(i64),
    OrderPremium,
    /// Pays an order in the provider's checkout.
    Pay(usize),
    /// Gives the proof of a payment to the server.
    Verify(usize),
    Dismiss(usize),
    /// Ten minutes pass, and the provider is asked.
    Reconcile,
    Upload,
    /// The operator gives or takes so many paise.
    Adjust(i64),
    Refund(usize),
}

fn step() -> impl Strategy<Value = Step> {
    let number = 0_usize..6;
    prop_oneof![
        3 => prop_oneof![Just(1), Just(2), 1..60_i64].prop_map(Step::Order),
        1 => Just(Step::OrderPremium),
        4 => number.clone().prop_map(Step::Pay),
        4 => number.clone().prop_map(Step::Verify),
        1 => number.clone().prop_map(Step::Dismiss),
        1 => Just(Step::Reconcile),
        4 => Just(Step::Upload),
        2 => (-9_000..9_000_i64).prop_filter("not zero", |paise| *paise != 0).prop_map(Step::Adjust),
        2 => number.prop_map(Step::Refund),
    ]
}

/// An order as the model sees it.
struct Bill {
    order: String,
    purpose: Purpose,
    paise: i64,
    proof: Option<PaymentProof>,
    open: bool,
    outcome: Option<PaymentOutcome>,
    credits: i64,
    refunded: bool,
}

/// What must hold, without database or provider.
#[derive(Default)]
struct Model {
    balance: i64,
    doubled: bool,
    premium: bool,
    bills: Vec<Bill>,
}

impl Model {
    /// A payment is settled, once.
    fn settle(&mut self, number: usize) {
        let bill = &mut self.bills[number];
        if bill.outcome.is_some() {
            return;
        }
        bill.open = false;
        match bill.purpose {
            Purpose::Credits => {
                bill.credits = if self.doubled { bill.paise } else { bill.paise * 2 };
                self.doubled = true;
                self.balance += bill.credits;
                bill.outcome = Some(PaymentOutcome::Credits);
            }
            Purpose::PremiumPlan => {
                bill.outcome = Some(if self.premium {
                    PaymentOutcome::AlreadyPremium
                } else {
                    PaymentOutcome::PremiumPlan
                });
                self.premium = true;
            }
        }
    }

    fn refund(&mut self, number: usize) {
        let bill = &mut self.bills[number];
        bill.refunded = true;
        match bill.outcome {
            Some(PaymentOutcome::Credits) => self.balance -= bill.credits.min(self.balance),
            Some(PaymentOutcome::PremiumPlan) => {
                let spare =
                    |bill: &&mut Bill| bill.outcome == Some(PaymentOutcome::AlreadyPremium) && !bill.refunded;
                let payment = |bill: &&mut Bill| bill.proof.as_ref().map(|proof| proof.payment_id.clone());
                match self.bills.iter_mut().filter(spare).min_by_key(payment) {
                    Some(other) => other.outcome = Some(PaymentOutcome::PremiumPlan),
                    None => self.premium = false,
                }
            }
            _ => {}
        }
    }
}

struct Account {
    app: App,
    parts: Parts,
    clock: Clock,
    user: UserId,
    model: Model,
    _incoming: tempfile::TempDir,
}

impl Account {
    async fn new(db: storage::Db, number: usize) -> Self {
        let incoming = tempfile::tempdir().unwrap();
        let clock = Clock::fixed(Timestamp::from_millis(1_795_165_200_000));
        let settings = Settings {
            public_url: String::from("http://localhost:8080"),
            support_email: EmailAddress::parse("support@example.com").unwrap(),
            social: app::SocialLinks::default(),
            decode_memory_bytes: 1 << 30,
            retention_days: 30,
            trash_days: 14,
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
        let randomness = Randomness::seeded(u64::try_from(number).unwrap());
        let payments = app::sandbox(&db, &randomness).await.unwrap();
        let parts = Parts {
            settings,
            clock: clock.clone(),
            randomness,
            db,
            store: Store::memory(clock.clone()),
            engine: vision::Engine::fake(),
            mailer: Mailer::memory(),
            payments: Some(payments),
        };
        let app = App::new(parts.clone()).await.unwrap();
        let user = app.id::<UserId>();
        let new = storage::users::NewUser {
            id: user,
            email: EmailAddress::parse(&format!("{number}@example.com")).unwrap(),
            name: String::from("Meera"),
            password_hash: String::from("none"),
            is_photographer: true,
            created_at: app.now(),
        };
        let entry = Entry {
            id: app.id::<LedgerId>(),
            user,
            kind: LedgerKind::Signup,
            amount: SIGNUP_CREDIT,
            reference: None,
            at: app.now(),
        };
        let mut tx = parts.db.begin().await.unwrap();
        assert!(storage::users::create(&mut tx, &new).await.unwrap());
        storage::ledger::grant(&mut tx, &entry).await.unwrap();
        tx.commit().await.unwrap();
        let model = Model { balance: SIGNUP_CREDIT.get(), ..Model::default() };
        Self { app, parts, clock, user, model, _incoming: incoming }
    }

    async fn user(&self) -> User {
        storage::users::by_id(&self.parts.db, self.user).await.unwrap().unwrap()
    }

    fn operator(&self) -> OperatorContext {
        OperatorContext {
            db: self.parts.db.clone(),
            clock: self.clock.clone(),
            randomness: self.parts.randomness.clone(),
        }
    }

    async fn perform(&mut self, step: &Step) {
        self.clock.advance(Duration::from_millis(1));
        let bills = self.model.bills.len();
        match step {
            Step::Order(rupees) => self.order(Purpose::Credits, rupees * 100).await,
            Step::OrderPremium => self.order(Purpose::PremiumPlan, 99_900).await,
            Step::Pay(number) if *number < bills => {
                let user = self.user().await;
                let id = self.model.bills[*number].order.clone();
                let proof = payments::pay_in_sandbox(&self.app, &user, &id).await.unwrap();
                self.model.bills[*number].proof = Some(proof);
            }
            Step::Verify(number) if *number < bills => {
                let Some(proof) = self.model.bills[*number].proof.clone() else { return };
                let user = self.user().await;
                let receipt = payments::verify(&self.app, &user, &proof).await.unwrap();
                self.model.settle(*number);
                assert_eq!(receipt.received.get(), self.model.bills[*number].credits);
            }
            Step::Dismiss(number) if *number < bills => {
                let user = self.user().await;
                let bill = &self.model.bills[*number];
                let (id, open, paid) = (bill.order.clone(), bill.open, bill.proof.is_some());
                orders::dismiss(&self.app, &user, &id).await.unwrap();
                if open && paid {
                    self.model.settle(*number);
                }
                self.model.bills[*number].open = false;
            }
            Step::Reconcile => {
                self.clock.advance(Duration::from_secs(10 * 60));
                payments::reconcile(&self.app).await.unwrap();
                let paid = |bill: &Bill| bill.open && bill.proof.is_some();
                let mut due: Vec<_> = (0..bills).filter(|number| paid(&self.model.bills[*number])).collect();
                // Orders are settled several at once. Which premium plan was the first decides nothing that can be
                // seen; which recharge was, and doubled, is taken from the database.
                let payments = storage::payments::by_user(&self.parts.db, self.user).await.unwrap();
                let is_doubled = |number: &usize| {
                    let proof = self.model.bills[*number].proof.as_ref().unwrap();
                    payments.iter().any(|payment| {
                        payment.payment_id == proof.payment_id
                            && payment.credits.get() == payment.amount.get() * 2
                    })
                };
                due.sort_by_key(|number| !is_doubled(number));
                due.into_iter().for_each(|number| self.model.settle(number));
            }
            Step::Upload => self.upload().await,
            Step::Adjust(paise) => self.adjust(*paise).await,
            Step::Refund(number) if *number < bills => self.refund(*number).await,
            Step::Pay(_) | Step::Verify(_) | Step::Dismiss(_) | Step::Refund(_) => {}
        }
    }

    async fn order(&mut self, purpose: Purpose, paise: i64) {
        let user = self.user().await;
        let amount = Some(Paise::new(paise));
        let made =
            orders::create(&self.app, &user, orders::OrderRequest { purpose, amount, coupon: None }).await;
        if self.model.premium && purpose == Purpose::PremiumPlan {
            assert!(matches!(made, Err(Failure::Refused(Refusal::AlreadyPremium))), "{made:?}");
            return;
        }
        // The newest open order of the same content is used again; when it was paid meanwhile, it is settled.
        let same = |bill: &Bill| bill.open && bill.purpose == purpose && bill.paise == paise;
        let newest = self.model.bills.iter().rposition(same);
        if let Some(number) = newest.filter(|number| self.model.bills[*number].proof.is_some()) {
            self.model.settle(number);
            if purpose == Purpose::PremiumPlan {
                assert!(matches!(made, Err(Failure::Refused(Refusal::AlreadyPremium))), "{made:?}");
                return;
            }
        } else if let Some(number) = newest {
            assert_eq!(made.unwrap().provider_order_id.as_ref(), Some(&self.model.bills[number].order));
            return;
        }
        if self.model.bills.iter().filter(|bill| bill.open).count() == 10 {
            assert!(matches!(made, Err(Failure::Refused(Refusal::TooManyOpenOrders))), "{made:?}");
            return;
        }
        let order = made.unwrap().provider_order_id.unwrap();
        self.model.bills.push(Bill {
            order,
            purpose,
            paise,
            proof: None,
            open: true,
            outcome: None,
            credits: 0,
            refunded: false,
        });
    }

    async fn upload(&mut self) {
        let id = self.app.id::<LedgerId>();
        let entry = Entry {
            id,
            user: self.user,
            kind: LedgerKind::Upload,
            amount: PHOTO_PRICE,
            reference: Some(format!("photo of {id}")),
            at: self.app.now(),
        };
        let mut tx = self.parts.db.begin().await.unwrap();
        let spending = storage::ledger::spend(&mut tx, &entry).await.unwrap();
        tx.commit().await.unwrap();
        let price = PHOTO_PRICE.get();
        let expected = if self.model.premium {
            Spending::Free
        } else if self.model.balance < price {
            Spending::Insufficient
        } else {
            self.model.balance -= price;
            Spending::Charged { balance: Paise::new(self.model.balance) }
        };
        assert_eq!(spending, expected);
    }

    async fn adjust(&mut self, paise: i64) {
        let email = self.user().await.email;
        #[allow(clippy::cast_precision_loss, reason = "a few thousand paise")]
        let rupees = paise as f64 / 100.0;
        let granted = operators::grant(&self.operator(), email.as_str(), rupees, Some("A test")).await;
        if self.model.balance + paise < 0 {
            assert!(granted.is_err());
        } else {
            self.model.balance += paise;
            assert_eq!(granted.unwrap().get(), self.model.balance);
        }
    }

    async fn refund(&mut self, number: usize) {
        let bill = &self.model.bills[number];
        let Some(proof) = &bill.proof else { return };
        let refunded =
            operators::refund(&self.operator(), self.parts.payments.as_ref().unwrap(), &proof.payment_id)
                .await;
        if bill.outcome.is_none() || bill.refunded {
            assert!(refunded.is_err(), "nothing is recorded, or nothing is left");
            return;
        }
        let refund = refunded.unwrap();
        assert_eq!(refund.amount.get(), bill.paise);
        let due = if bill.outcome == Some(PaymentOutcome::Credits) { bill.credits } else { 0 };
        let taken = due.min(self.model.balance);
        assert_eq!((refund.credits_taken.get(), refund.credits_missing.get()), (taken, due - taken));
        self.model.refund(number);
    }

    /// What must hold after each step.
    async fn check(&self) {
        let user = self.user().await;
        assert_eq!(user.credits.get(), self.model.balance, "the balance");
        assert!(user.credits >= Paise::ZERO);
        assert_eq!(user.premium_since.is_some(), self.model.premium, "the plan");
        let mut entries = storage::ledger::entries(&self.parts.db, self.user).await.unwrap();
        entries.reverse();
        let mut sum = 0;
        for entry in &entries {
            sum += entry.change.get();
            assert_eq!(entry.balance_after.get(), sum);
        }
        assert_eq!(sum, self.model.balance, "the sum");
        let payments = storage::payments::by_user(&self.parts.db, self.user).await.unwrap();
        let doubled =
            payments.iter().filter(|payment| payment.credits.get() == payment.amount.get() * 2).count();
        assert_eq!(doubled, usize::from(self.model.doubled), "doubled once");
    }

    async fn ledger(&self) -> Vec<(LedgerKind, i64, i64)> {
        let entries = storage::ledger::entries(&self.parts.db, self.user).await.unwrap();
        entries
            .iter()
            .rev()
            .map(|entry| (entry.kind, entry.change.get(), entry.balance_after.get()))
            .collect()
    }
}

#[test]
fn any_history_keeps_the_balance_the_sum_of_the_ledger_on_both_engines() {
    // [PAY096]
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let databases = runtime.block_on(storage::testing::engines());
    let number = std::cell::Cell::new(0);
    let config = Config { cases: HISTORIES, failure_persistence: None, ..Config::default() };
    let history = prop::collection::vec(step(), 1..60);
    let outcome = TestRunner::new(config).run(&history, |steps| {
        number.set(number.get() + 1);
        runtime.block_on(async {
            let mut ledgers = Vec::new();
            for database in &databases {
                let mut account = Account::new(database.db.clone(), number.get()).await;
                for step in &steps {
                    account.perform(step).await;
                    account.check().await;
                }
                ledgers.push(account.ledger().await);
            }
            assert_eq!(ledgers[0], ledgers[1], "both engines have the same ledger");
        });
        Ok(())
    });
    runtime.block_on(async {
        for database in &databases {
            assert!(storage::integrity::unbalanced(&database.db).await.unwrap().is_empty());
        }
    });
    if let Err(failure) = outcome {
        panic!("{failure}");
    }
}
