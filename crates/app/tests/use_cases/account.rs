//! An account on a real database, to which steps happen as to its model.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::time::Duration;

use app::operations::administration;
use app::operations::operators::{self, OperatorContext};
use app::payments::{self, history, orders};
use app::{App, Failure, Parts};
use domain::accounts::{EmailAddress, User};
use domain::payments::PaymentOutcome;
use domain::payments::ledger::LedgerKind;
use domain::payments::money::{PHOTO_PRICE, SIGNUP_CREDIT};
use domain::payments::orders::Purpose;
use domain::{Clock, LedgerId, Paise, Randomness, Refusal, UserId};
use storage::payments::ledger::{Entry, LedgerEntry, Spending};

use crate::model::{Model, ModelOrder};
use crate::steps::Step;

pub(crate) struct Account {
    app: App,
    parts: Parts,
    clock: Clock,
    user: UserId,
    model: Model,
    _incoming: tempfile::TempDir,
}

impl Account {
    pub(crate) async fn new(db: storage::Db, number: usize) -> Self {
        let incoming = tempfile::tempdir().unwrap();
        let randomness = Randomness::seeded(u64::try_from(number).unwrap());
        let payments = app::sandbox(&db, &randomness).await.unwrap();
        let parts =
            Parts { randomness, payments: Some(payments), ..app::testing::parts(db, incoming.path()) };
        let clock = parts.clock.clone();
        let app = App::new(parts.clone()).await.unwrap();
        let user = app.id::<UserId>();
        let new = storage::accounts::users::NewUser {
            id: user,
            email: EmailAddress::parse(&format!("{number}@example.com")).unwrap(),
            name: String::from("Meera"),
            password_hash: String::from("none"),
            is_photographer: true,
            language: domain::accounts::languages::AccountLanguage::English,
            created_at: app.now(),
        };
        let entry = Entry {
            id: app.id::<LedgerId>(),
            user,
            kind: LedgerKind::Signup,
            amount: SIGNUP_CREDIT,
            reference: None,
            event: None,
            at: app.now(),
        };
        let mut tx = parts.db.begin().await.unwrap();
        assert!(storage::accounts::users::create(&mut tx, &new).await.unwrap());
        storage::payments::ledger::grant(&mut tx, &entry).await.unwrap();
        tx.commit().await.unwrap();
        let model = Model { balance: SIGNUP_CREDIT.get(), ..Model::default() };
        Self { app, parts, clock, user, model, _incoming: incoming }
    }

    async fn user(&self) -> User {
        storage::accounts::users::by_id(&self.parts.db, self.user).await.unwrap().unwrap()
    }

    fn operator(&self) -> OperatorContext {
        OperatorContext {
            db: self.parts.db.clone(),
            clock: self.clock.clone(),
            randomness: self.parts.randomness.clone(),
            seller: None,
        }
    }

    pub(crate) async fn perform(&mut self, step: &Step) {
        self.clock.advance(Duration::from_millis(1));
        let count = self.model.orders.len();
        match step {
            Step::Order(rupees) => self.order(Purpose::Credits, rupees * 100).await,
            Step::OrderPremium => self.order(Purpose::PremiumPlan, 99_900).await,
            Step::Pay(number) if *number < count => {
                let user = self.user().await;
                let id = self.model.orders[*number].order.clone();
                let proof = payments::pay_in_sandbox(&self.app, &user, &id).await.unwrap();
                self.model.orders[*number].proof = Some(proof);
            }
            Step::Verify(number) if *number < count => {
                let Some(proof) = self.model.orders[*number].proof.clone() else { return };
                let user = self.user().await;
                let receipt = payments::verify(&self.app, &user, &proof).await.unwrap();
                self.model.settle(*number);
                assert_eq!(receipt.received.get(), self.model.orders[*number].credits);
            }
            Step::Dismiss(number) if *number < count => {
                let user = self.user().await;
                let placed = &self.model.orders[*number];
                let (id, open, paid) = (placed.order.clone(), placed.open, placed.proof.is_some());
                orders::dismiss(&self.app, &user, &id).await.unwrap();
                if open && paid {
                    self.model.settle(*number);
                }
                self.model.orders[*number].open = false;
            }
            Step::Reconcile => {
                self.clock.advance(Duration::from_secs(10 * 60));
                let due = self.orders_to_check().await;
                // As often as it takes: the database has other accounts too, and a round has a limit.
                while !self.orders_to_check().await.is_empty() {
                    payments::reconcile(&self.app).await.unwrap();
                }
                for number in 0..count {
                    let placed = &self.model.orders[number];
                    if placed.open && placed.proof.is_some() && due.contains(&placed.order) {
                        self.model.settle(number);
                    }
                }
            }
            Step::Upload => self.upload().await,
            Step::Adjust(paise) => self.adjust(*paise).await,
            Step::Refund(number) if *number < count => self.refund(*number).await,
            Step::Pay(_) | Step::Verify(_) | Step::Dismiss(_) | Step::Refund(_) => {}
        }
    }

    /// The provider's ids of this account's orders about which the provider is to be asked.
    async fn orders_to_check(&self) -> HashSet<String> {
        let orders =
            storage::payments::orders::to_check(&self.parts.db, self.clock.now(), i64::MAX).await.unwrap();
        let own = orders.into_iter().filter(|order| order.user == self.user);
        own.filter_map(|order| order.provider_order_id).collect()
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
        let same = |placed: &ModelOrder| placed.open && placed.purpose == purpose && placed.paise == paise;
        let newest = self.model.orders.iter().rposition(same);
        if let Some(number) = newest.filter(|number| self.model.orders[*number].proof.is_some()) {
            self.model.settle(number);
            if purpose == Purpose::PremiumPlan {
                assert!(matches!(made, Err(Failure::Refused(Refusal::AlreadyPremium))), "{made:?}");
                return;
            }
        } else if let Some(number) = newest {
            assert_eq!(made.unwrap().provider_order_id.as_ref(), Some(&self.model.orders[number].order));
            return;
        }
        if self.model.orders.iter().filter(|placed| placed.open).count() == 10 {
            assert!(matches!(made, Err(Failure::Refused(Refusal::TooManyOpenOrders))), "{made:?}");
            return;
        }
        let order = made.unwrap().provider_order_id.unwrap();
        self.model.orders.push(ModelOrder {
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
            event: None,
            at: self.app.now(),
        };
        let mut tx = self.parts.db.begin().await.unwrap();
        let spending = storage::payments::ledger::spend(&mut tx, &entry).await.unwrap();
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
        let rupees = Paise::new(paise).as_rupees();
        let granted = operators::grant(&self.operator(), email.as_str(), rupees, Some("A test")).await;
        if self.model.balance + paise < 0 {
            assert!(granted.is_err());
        } else {
            self.model.balance += paise;
            assert_eq!(granted.unwrap().get(), self.model.balance);
        }
    }

    async fn refund(&mut self, number: usize) {
        let placed = &self.model.orders[number];
        let Some(proof) = &placed.proof else { return };
        let refunded = administration::payments::refund(
            &self.operator().administration(),
            self.parts.payments.as_ref().unwrap(),
            &proof.payment_id,
        )
        .await;
        if placed.outcome.is_none() || placed.refunded {
            assert!(refunded.is_err(), "nothing is recorded, or nothing is left");
            return;
        }
        let refund = refunded.unwrap();
        assert_eq!(refund.amount.get(), placed.paise);
        let due = if placed.outcome == Some(PaymentOutcome::Credits) { placed.credits } else { 0 };
        let taken = due.min(self.model.balance);
        assert_eq!((refund.credits_taken.get(), refund.credits_missing.get()), (taken, due - taken));
        self.model.refund(number);
    }

    /// What must hold after each step.
    pub(crate) async fn check(&self) {
        let user = self.user().await;
        assert_eq!(user.credits.get(), self.model.balance, "the balance");
        assert!(user.credits >= Paise::ZERO);
        assert_eq!(user.premium_since.is_some(), self.model.premium, "the plan");
        let mut sum = 0;
        for entry in self.entries().await {
            sum += entry.change.get();
            assert_eq!(entry.balance_after.get(), sum);
        }
        assert_eq!(sum, self.model.balance, "the sum");
        let payments = storage::payments::by_user(&self.parts.db, self.user).await.unwrap();
        let doubled =
            payments.iter().filter(|payment| payment.credits.get() == payment.amount.get() * 2).count();
        assert_eq!(doubled, usize::from(self.model.doubled), "doubled once");
        let history = history::page(&self.app, &user, Some(history::PAGE.most), None).await.unwrap();
        let told: i64 = history.lines.iter().map(|line| line.credits.get()).sum();
        assert_eq!(told, self.model.balance, "the history: {:#?}", history.lines);
    }

    /// The ledger, oldest first. The ids of one millisecond have no order; what happens in one here is a reconciliation,
    /// which takes nothing, so the balance says what came first.
    async fn entries(&self) -> Vec<LedgerEntry> {
        let mut entries = storage::payments::ledger::entries(&self.parts.db, self.user).await.unwrap();
        entries.sort_by_key(|entry| (entry.created_at, entry.balance_after, Reverse(entry.change)));
        entries
    }

    pub(crate) async fn ledger(&self) -> Vec<(LedgerKind, i64, i64)> {
        let entries = self.entries().await;
        entries.iter().map(|entry| (entry.kind, entry.change.get(), entry.balance_after.get())).collect()
    }
}
