//! Photographers' studios.

use domain::studio::studios::{Accent, Contact, Handle, Logo, Studio, Website};
use storage::accounts::users;
use storage::studio::studios;

use crate::world::worlds;

#[tokio::test]
async fn an_account_has_one_studio_until_it_is_deleted_or_closed() {
    // [BRAND011]
    for world in worlds().await {
        let (user, other) = (world.user("a@example.com").await, world.user("b@example.com").await);
        let db = &world.db;
        let full = Studio {
            name: String::from("स्टूडियो मीरा"),
            accent: Some(Accent::parse("#0B5394").unwrap()),
            website: Some(Website::parse("https://meera.example/weddings").unwrap()),
            instagram: Some(Handle::parse("@meera.studio").unwrap()),
            contact: Some(Contact::parse("+91 98450 12345").unwrap()),
            logo: None,
        };
        let bare = Studio {
            name: String::from("Meera"),
            accent: None,
            website: None,
            instagram: None,
            contact: None,
            logo: None,
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

#[tokio::test]
async fn a_studio_has_one_logo_which_goes_with_it() {
    // [BRAND014] [BRAND017] [BRAND031]
    for world in worlds().await {
        let (user, db) = (world.user("a@example.com").await, &world.db);
        let studio = Studio {
            name: String::from("Meera"),
            accent: None,
            website: None,
            instagram: None,
            contact: None,
            logo: None,
        };
        let logo = |name: &str, width| Logo { name: name.to_owned(), width, height: 40 };
        assert!(!studios::set_logo(db, user, &logo("one", 80), b"1").await.unwrap(), "no studio");
        let save = async || {
            let mut tx = world.begin().await;
            assert!(studios::save(&mut tx, user, &studio).await.unwrap());
            tx.commit().await.unwrap();
        };
        save().await;
        for (name, width) in [("one", 80), ("two", 90)] {
            assert!(studios::set_logo(db, user, &logo(name, width), name.as_bytes()).await.unwrap());
            let stored = studios::of_user(db, user).await.unwrap().unwrap();
            assert_eq!(stored.logo, Some(logo(name, width)));
            assert_eq!(studios::logo(db, name).await.unwrap().as_deref(), Some(name.as_bytes()));
        }
        assert_eq!(studios::logo(db, "one").await.unwrap(), None);
        save().await;
        assert!(studios::logo(db, "two").await.unwrap().is_some(), "a change of the studio leaves it");
        studios::delete_logo(db, user).await.unwrap();
        assert_eq!(studios::logo(db, "two").await.unwrap(), None);
        assert!(studios::set_logo(db, user, &logo("three", 80), b"3").await.unwrap());
        studios::delete(db, user).await.unwrap();
        assert_eq!(studios::logo(db, "three").await.unwrap(), None);
        save().await;
        assert!(studios::set_logo(db, user, &logo("four", 80), b"4").await.unwrap());
        let mut tx = world.begin().await;
        assert!(users::close(&mut tx, user, world.now()).await.unwrap());
        tx.commit().await.unwrap();
        assert_eq!(studios::logo(db, "four").await.unwrap(), None);
    }
}
