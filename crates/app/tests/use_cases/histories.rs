//! Random histories of an account's money, on both engines, against a model that keeps only what must hold.

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use crate::account::Account;

const HISTORIES: u32 = 24;

#[test]
fn any_history_keeps_the_balance_the_sum_of_the_ledger_on_both_engines() {
    // [PAY096]
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let databases = runtime.block_on(storage::testing::engines());
    let number = std::cell::Cell::new(0);
    let config = Config { cases: HISTORIES, failure_persistence: None, ..Config::default() };
    let history = prop::collection::vec(crate::steps::step(), 1..60);
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
            assert!(storage::operations::integrity::unbalanced(&database.db).await.unwrap().is_empty());
        }
    });
    if let Err(failure) = outcome {
        panic!("{failure}");
    }
}
