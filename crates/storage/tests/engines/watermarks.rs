//! Photographers' watermarks.

use domain::studio::studios::Studio;
use domain::studio::watermarks::{Opacity, Position, Watermark};
use storage::accounts::users;
use storage::studio::studios;
use storage::studio::watermarks::{self, MarkedPreview};

use crate::world::{World, worlds};

fn watermark(name: &str, text: Option<&str>, position: Position) -> Watermark {
    Watermark {
        name: name.to_owned(),
        text: text.map(str::to_owned),
        position,
        opacity: Opacity::new(35).unwrap(),
        on_downloads: position == Position::Tiled,
    }
}

async fn open_studio(world: &World, user: domain::UserId) {
    let studio = Studio {
        name: String::from("Meera"),
        accent: None,
        website: None,
        instagram: None,
        contact: None,
        logo: None,
    };
    let mut tx = world.begin().await;
    assert!(studios::save(&mut tx, user, &studio).await.unwrap());
    tx.commit().await.unwrap();
}

#[tokio::test]
async fn a_studio_has_one_watermark_which_goes_with_it() {
    // [BRAND025]
    for world in worlds().await {
        let (user, other) = (world.user("a@example.com").await, world.user("b@example.com").await);
        let db = &world.db;
        let text = watermark("one", Some("© मीरा"), Position::BottomLeft);
        assert!(!watermarks::save(db, user, &text, b"1").await.unwrap(), "no studio");
        open_studio(&world, user).await;
        assert_eq!(watermarks::of_user(db, user).await.unwrap(), None);
        for (mark, picture) in [(&text, b"1"), (&watermark("two", None, Position::Tiled), b"2")] {
            assert!(watermarks::save(db, user, mark, picture).await.unwrap());
            assert_eq!(watermarks::of_user(db, user).await.unwrap().as_ref(), Some(mark));
            assert_eq!(watermarks::by_name(db, &mark.name).await.unwrap().as_ref(), Some(mark));
            assert_eq!(watermarks::picture(db, &mark.name).await.unwrap().as_deref(), Some(&picture[..]));
        }
        assert_eq!(watermarks::by_name(db, "one").await.unwrap(), None, "replaced");
        assert_eq!(watermarks::picture(db, "one").await.unwrap(), None);
        assert_eq!(watermarks::of_user(db, other).await.unwrap(), None);
        watermarks::delete(db, user).await.unwrap();
        assert_eq!(watermarks::of_user(db, user).await.unwrap(), None);

        assert!(watermarks::save(db, user, &text, b"1").await.unwrap());
        studios::delete(db, user).await.unwrap();
        assert_eq!(watermarks::of_user(db, user).await.unwrap(), None);
        open_studio(&world, user).await;
        assert!(watermarks::save(db, user, &text, b"1").await.unwrap());
        let mut tx = world.begin().await;
        assert!(users::close(&mut tx, user, world.now()).await.unwrap());
        tx.commit().await.unwrap();
        assert_eq!(watermarks::picture(db, "one").await.unwrap(), None);
    }
}

#[tokio::test]
async fn a_watermark_that_is_the_logo_follows_it() {
    for world in worlds().await {
        let (user, db) = (world.user("a@example.com").await, &world.db);
        open_studio(&world, user).await;
        watermarks::follow_logo(db, user, "none", b"0").await.unwrap();
        assert_eq!(watermarks::of_user(db, user).await.unwrap(), None);
        let logo = watermark("one", None, Position::Center);
        assert!(watermarks::save(db, user, &logo, b"1").await.unwrap());
        watermarks::follow_logo(db, user, "two", b"2").await.unwrap();
        let followed = Watermark { name: String::from("two"), ..logo };
        assert_eq!(watermarks::of_user(db, user).await.unwrap(), Some(followed));
        assert_eq!(watermarks::picture(db, "two").await.unwrap().as_deref(), Some(&b"2"[..]));
        let text = watermark("three", Some("Meera"), Position::Center);
        assert!(watermarks::save(db, user, &text, b"3").await.unwrap());
        watermarks::follow_logo(db, user, "four", b"4").await.unwrap();
        assert_eq!(watermarks::of_user(db, user).await.unwrap(), Some(text));
    }
}

#[tokio::test]
async fn what_is_known_of_a_marked_preview_is_of_one_file_and_goes_with_its_photo() {
    for world in worlds().await {
        let (user, db) = (world.user("a@example.com").await, &world.db);
        let photo = world.photo(user, None).await.id;
        let known = async |source| watermarks::marked_preview(db, photo, source).await.unwrap();
        assert_eq!(known("one").await, None);
        for (source, crc32) in [("one", 7), ("two", u32::MAX)] {
            let preview = MarkedPreview { bytes: 300_000, crc32 };
            assert!(watermarks::describe_marked_preview(db, photo, source, preview).await.unwrap());
            assert_eq!(known(source).await, Some(preview));
        }
        assert_eq!(known("one").await, None, "of another file");
        let mut tx = world.begin().await;
        assert!(storage::testing::remove_photo(&mut tx, photo).await);
        tx.commit().await.unwrap();
        assert_eq!(known("two").await, None);
        let preview = MarkedPreview { bytes: 1, crc32: 1 };
        assert!(!watermarks::describe_marked_preview(db, photo, "two", preview).await.unwrap());
    }
}
