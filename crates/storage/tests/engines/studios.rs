//! Photographers' studios.

use domain::studio::studios::{Accent, Contact, Ground, Handle, Logo, Studio, Website};
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
            dark_logo: None,
        };
        let bare = Studio {
            name: String::from("Meera"),
            accent: None,
            website: None,
            instagram: None,
            contact: None,
            logo: None,
            dark_logo: None,
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
async fn a_studio_has_one_logo_for_each_ground_which_goes_with_it() {
    // [BRAND014] [BRAND017] [BRAND031] [BRAND042]
    for world in worlds().await {
        for (ground, other) in [(Ground::Light, Ground::Dark), (Ground::Dark, Ground::Light)] {
            let (user, db) = (world.user(&format!("{ground:?}@example.com")).await, &world.db);
            let studio = Studio {
                name: String::from("Meera"),
                accent: None,
                website: None,
                instagram: None,
                contact: None,
                logo: None,
                dark_logo: None,
            };
            let logo = |name: &str, width| Logo { name: format!("{ground:?}-{name}"), width, height: 40 };
            let set = async |logo: &Logo, bytes: &[u8]| {
                studios::set_logo(db, user, ground, logo, bytes).await.unwrap()
            };
            let stored = async |name: &str| studios::logo(db, ground, &logo(name, 0).name).await.unwrap();
            assert!(!set(&logo("one", 80), b"1").await, "no studio");
            let save = async || {
                let mut tx = world.begin().await;
                assert!(studios::save(&mut tx, user, &studio).await.unwrap());
                tx.commit().await.unwrap();
            };
            save().await;
            let beside = Logo { name: format!("{ground:?}-beside"), width: 7, height: 7 };
            assert!(studios::set_logo(db, user, other, &beside, b"beside").await.unwrap());
            for (name, width) in [("one", 80), ("two", 90)] {
                assert!(set(&logo(name, width), name.as_bytes()).await);
                let now = studios::of_user(db, user).await.unwrap().unwrap();
                assert_eq!(now.logo_for(ground), Some(&logo(name, width)));
                assert_eq!(now.logo_for(other), Some(&beside), "the other stays");
                assert_eq!(stored(name).await.as_deref(), Some(name.as_bytes()));
                assert_eq!(studios::logo(db, other, &logo(name, 0).name).await.unwrap(), None);
            }
            assert_eq!(stored("one").await, None);
            save().await;
            assert!(stored("two").await.is_some(), "a change of the studio leaves it");
            studios::delete_logo(db, user, ground).await.unwrap();
            assert_eq!(stored("two").await, None);
            assert!(studios::logo(db, other, &beside.name).await.unwrap().is_some(), "the other stays");
            assert!(set(&logo("three", 80), b"3").await);
            studios::delete(db, user).await.unwrap();
            assert_eq!(stored("three").await, None);
            save().await;
            assert!(set(&logo("four", 80), b"4").await);
            let mut tx = world.begin().await;
            assert!(users::close(&mut tx, user, world.now()).await.unwrap());
            tx.commit().await.unwrap();
            assert_eq!(stored("four").await, None);
        }
    }
}
