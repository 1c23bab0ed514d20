//! Photographers' studios.

use domain::studios::{Accent, Contact, Handle, Studio, Website};
use storage::{studios, users};

use crate::world::worlds;

#[tokio::test]
async fn an_account_has_one_studio_until_it_is_deleted_or_closed() {
    // [BRAND001] [BRAND011]
    for world in worlds().await {
        let (user, other) = (world.user("a@example.com").await, world.user("b@example.com").await);
        let db = &world.db;
        let full = Studio {
            name: String::from("स्टूडियो मीरा"),
            accent: Some(Accent::parse("#0B5394").unwrap()),
            website: Some(Website::parse("https://meera.example/weddings").unwrap()),
            instagram: Some(Handle::parse("@meera.studio").unwrap()),
            contact: Some(Contact::parse("+91 98450 12345").unwrap()),
        };
        let bare = Studio {
            name: String::from("Meera"),
            accent: None,
            website: None,
            instagram: None,
            contact: None,
        };
        assert_eq!(studios::of_user(db, user).await.unwrap(), None);
        for (user, studio) in [(user, &bare), (user, &full), (other, &bare)] {
            let mut tx = world.begin().await;
            assert!(studios::save(&mut tx, user, studio).await.unwrap());
            tx.commit().await.unwrap();
            assert_eq!(studios::of_user(db, user).await.unwrap().as_ref(), Some(studio));
        }
        studios::delete(db, user).await.unwrap();
        assert_eq!(studios::of_user(db, user).await.unwrap(), None);
        assert_eq!(studios::of_user(db, other).await.unwrap(), Some(bare));

        let mut tx = world.begin().await;
        assert!(users::close(&mut tx, other, world.now()).await.unwrap());
        assert!(!studios::save(&mut tx, other, &full).await.unwrap(), "a closed account");
        tx.commit().await.unwrap();
        assert_eq!(studios::of_user(db, other).await.unwrap(), None);
    }
}
