//! The language of mails to an account.

use domain::accounts::languages::AccountLanguage;
use storage::accounts::{deletion_receipts, users};

use crate::world::worlds;

#[tokio::test]
async fn the_language_of_mails_is_english_until_another_is_chosen_and_outlives_the_account_until_its_receipt()
{
    for world in worlds().await {
        let db = &world.db;
        let user = world.user("meera@example.com").await;
        let other = world.user("ravi@example.com").await;
        assert_eq!(users::language(db, user).await.unwrap(), AccountLanguage::English);
        users::set_language(db, user, AccountLanguage::Hindi).await.unwrap();
        assert_eq!(users::by_id(db, user).await.unwrap().unwrap().language, AccountLanguage::Hindi);
        assert_eq!(users::language(db, other).await.unwrap(), AccountLanguage::English);
        let mut tx = world.begin().await;
        assert!(users::close(&mut tx, user, world.now()).await.unwrap());
        tx.commit().await.unwrap();
        users::set_language(db, user, AccountLanguage::English).await.unwrap();
        assert_eq!(users::language(db, user).await.unwrap(), AccountLanguage::Hindi, "it is closed");
        deletion_receipts::forget(db, user).await.unwrap();
        assert_eq!(users::language(db, user).await.unwrap(), AccountLanguage::English);
    }
}
