//! Photographers' watermarks.

use domain::studio::studios::Ground;
use domain::studio::watermarks::{Opacity, Position, Sign, Watermark};
use storage::accounts::users;
use storage::studio::studios;
use storage::studio::watermarks::{self, MarkedPreview};

use crate::world::worlds;

fn watermark(name: &str, sign: Sign, position: Position) -> Watermark {
    Watermark {
        name: name.to_owned(),
        sign,
        position,
        opacity: Opacity::new(35).unwrap(),
        on_downloads: position == Position::Tiled,
    }
}

fn text(text: &str) -> Sign {
    Sign::Text(text.to_owned())
}

#[tokio::test]
async fn a_studio_has_one_watermark_which_goes_with_it() {
    // [BRAND025]
    for world in worlds().await {
        let (user, other) = (world.user("a@example.com").await, world.user("b@example.com").await);
        let db = &world.db;
        let text = watermark("one", text("© मीरा"), Position::BottomLeft);
        assert!(!watermarks::save(db, user, &text, b"1").await.unwrap(), "no studio");
        world.open_studio(user).await;
        assert_eq!(watermarks::of_user(db, user).await.unwrap(), None);
        let light = watermark("two", Sign::Logo(Ground::Light), Position::Tiled);
        let dark = watermark("three", Sign::Logo(Ground::Dark), Position::Center);
        for (mark, picture) in [(&text, b"1"), (&dark, b"3"), (&light, b"2")] {
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
        world.open_studio(user).await;
        assert!(watermarks::save(db, user, &text, b"1").await.unwrap());
        let mut tx = world.begin().await;
        assert!(users::close(&mut tx, user, world.now()).await.unwrap());
        tx.commit().await.unwrap();
        assert_eq!(watermarks::picture(db, "one").await.unwrap(), None);
    }
}

#[tokio::test]
async fn a_watermark_that_is_a_logo_follows_that_one() {
    // [BRAND043]
    for world in worlds().await {
        let (user, db) = (world.user("a@example.com").await, &world.db);
        world.open_studio(user).await;
        let now = async || watermarks::of_user(db, user).await.unwrap();
        let follow = async |ground, name: &str| {
            watermarks::follow_logo(db, user, ground, name, name.as_bytes()).await.unwrap();
        };
        follow(Ground::Light, "none").await;
        assert_eq!(now().await, None);
        for (ground, other) in [(Ground::Light, Ground::Dark), (Ground::Dark, Ground::Light)] {
            let logo = watermark("one", Sign::Logo(ground), Position::Center);
            assert!(watermarks::save(db, user, &logo, b"1").await.unwrap());
            follow(other, "other").await;
            assert_eq!(now().await.as_ref(), Some(&logo), "another logo is no change");
            follow(ground, "two").await;
            assert_eq!(now().await, Some(Watermark { name: String::from("two"), ..logo }));
            assert_eq!(watermarks::picture(db, "two").await.unwrap().as_deref(), Some(&b"two"[..]));
        }
        let text = watermark("three", text("Meera"), Position::Center);
        assert!(watermarks::save(db, user, &text, b"3").await.unwrap());
        for ground in [Ground::Light, Ground::Dark] {
            follow(ground, "four").await;
            assert_eq!(now().await.as_ref(), Some(&text));
        }
    }
}

#[tokio::test]
async fn a_watermark_from_before_there_were_two_logos_is_the_one_on_white() {
    // [BRAND047]
    for world in worlds().await {
        let (user, other) = (world.user("a@example.com").await, world.user("b@example.com").await);
        let db = &world.db;
        world.open_studio(user).await;
        world.open_studio(other).await;
        let new = watermark("new", Sign::Logo(Ground::Dark), Position::Tiled);
        assert!(watermarks::save(db, user, &new, b"1").await.unwrap());
        // As the version before wrote it.
        let columns = "position, opacity, on_downloads, picture";
        let row = format!(
            "INSERT INTO watermarks (user_id, name, text, {columns})
             SELECT '{other}', 'old', NULL, {columns} FROM watermarks WHERE name = 'new'"
        );
        storage::testing::change(db, &row).await;
        let old = watermark("old", Sign::Logo(Ground::Light), Position::Tiled);
        assert_eq!(watermarks::of_user(db, other).await.unwrap(), Some(old));
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
