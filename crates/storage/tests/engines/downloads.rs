//! ZIPs that may be fetched.

use std::time::Duration;

use domain::accounts::tokens::hash_token;
use storage::faces::not_me_reports;
use storage::guests::archives::{self, Download};
use storage::photos;

use crate::parity::change;
use crate::world::{World, worlds};

fn of(world: &World, event: domain::EventId, photos: Vec<domain::PhotoId>) -> Download {
    let now = world.now();
    // Of the first photo no face is told, as of what an earlier version has stored.
    let faces = photos[1..].iter().map(|photo| (*photo, world.id())).collect();
    Download {
        event,
        faces,
        photos,
        is_owners: false,
        chosen_by_owner: false,
        everything: false,
        pin_proof: None,
        member: None,
        created_at: now,
        expires_at: now.plus(Duration::from_secs(60)),
    }
}

#[tokio::test]
async fn matches_are_kept_in_their_order_until_they_expire_or_their_event_goes() {
    for world in worlds().await {
        let db = &world.db;
        let owner = world.user("a@example.com").await;
        let (stays, goes) = (world.event(owner, "2026-11-14").await, world.event(owner, "2026-11-14").await);
        let (one, two) = (world.photo(owner, Some(stays)).await, world.photo(owner, Some(goes)).await);
        let (first, second) = (of(&world, stays, vec![two.id, one.id]), of(&world, goes, vec![two.id]));
        archives::create(db, &hash_token("first"), &first).await.unwrap();
        archives::create(db, &hash_token("second"), &second).await.unwrap();
        assert_eq!(archives::find(db, &hash_token("first")).await.unwrap(), Some(first.clone()));
        assert_eq!(archives::find(db, &hash_token("third")).await.unwrap(), None);

        let mut tx = world.begin().await;
        world.begin_deletion(&mut tx, goes, owner).await;
        tx.commit().await.unwrap();
        assert_eq!(archives::find(db, &hash_token("second")).await.unwrap(), None);

        for (now, deleted) in [(first.created_at, 0), (first.expires_at, 1)] {
            let mut tx = world.begin().await;
            assert_eq!(archives::delete_expired(&mut tx, now).await.unwrap(), deleted);
            tx.commit().await.unwrap();
        }
        assert_eq!(archives::find(db, &hash_token("first")).await.unwrap(), None);
    }
}

#[tokio::test]
async fn only_what_a_search_has_found_is_results() {
    // [FACE530]
    for world in worlds().await {
        let db = &world.db;
        let owner = world.user("a@example.com").await;
        let event = world.event(owner, "2026-11-14").await;
        let photo = world.photo(owner, Some(event)).await.id;
        let results = of(&world, event, vec![photo]);
        let everything =
            Download { everything: true, pin_proof: Some("proof".to_owned()), ..results.clone() };
        let chosen = Download { chosen_by_owner: true, is_owners: true, ..results.clone() };
        for (name, download, is_results) in
            [("results", &results, true), ("all", &everything, false), ("chosen", &chosen, false)]
        {
            let hash = hash_token(name);
            archives::create(db, &hash, download).await.unwrap();
            assert_eq!(archives::find_any(db, &hash).await.unwrap().as_ref(), Some(download), "{name}");
            let found = archives::find(db, &hash).await.unwrap();
            assert_eq!(found.as_ref(), Some(download).filter(|_| is_results), "{name}");
        }
        // The first of those who ask at about the same time has made the token of all.
        let later = Download { expires_at: world.now().plus(Duration::from_secs(90)), ..everything.clone() };
        archives::create(db, &hash_token("all"), &later).await.unwrap();
        assert_eq!(archives::find_any(db, &hash_token("all")).await.unwrap(), Some(everything));
    }
}

#[tokio::test]
async fn what_is_asked_for_again_is_good_for_longer_and_never_for_less() {
    // [SAFE480] [SAFE481]
    for world in worlds().await {
        let db = &world.db;
        let owner = world.user("a@example.com").await;
        let event = world.event(owner, "2026-11-14").await;
        let first = of(&world, event, vec![world.photo(owner, Some(event)).await.id]);
        let (hash, other) = (hash_token("again"), hash_token("other"));
        let later = first.expires_at.plus(Duration::from_secs(1));
        archives::prolong(db, &hash, later).await.unwrap();
        assert_eq!(archives::find(db, &hash).await.unwrap(), None);
        for hash in [&hash, &other] {
            archives::create(db, hash, &first).await.unwrap();
        }
        for expires_at in [later, first.expires_at] {
            archives::prolong(db, &hash, expires_at).await.unwrap();
            let found = archives::find(db, &hash).await.unwrap();
            assert_eq!(found, Some(Download { expires_at: later, ..first.clone() }));
        }
        assert_eq!(archives::find(db, &other).await.unwrap(), Some(first));
    }
}

#[tokio::test]
async fn a_checksum_that_is_missing_can_be_kept_later() {
    for world in worlds().await {
        let db = &world.db;
        let owner = world.user("a@example.com").await;
        let photo = world.photo(owner, None).await;
        let kept = async || photos::by_id(db, photo.id).await.unwrap().unwrap().crc32;
        assert_eq!(kept().await, Some(u32::MAX));
        change(db, "UPDATE photos SET crc32 = NULL").await;
        assert_eq!(kept().await, None);
        photos::set_crc32(db, &photo.key, 0xCBF4_3926).await.unwrap();
        assert_eq!(kept().await, Some(0xCBF4_3926));
    }
}

#[tokio::test]
async fn a_photo_is_reported_once_for_each_download_and_the_count_outlives_it() {
    for world in worlds().await {
        let db = &world.db;
        let owner = world.user("a@example.com").await;
        let event = world.event(owner, "2026-11-14").await;
        let (one, two) = (world.photo(owner, Some(event)).await.id, world.photo(owner, Some(event)).await.id);
        let elsewhere = world.photo(owner, None).await.id;
        let (first, second, nobody) = (hash_token("first"), hash_token("second"), hash_token("nobody"));
        for hash in [&first, &second] {
            archives::create(db, hash, &of(&world, event, vec![one, two])).await.unwrap();
        }
        let report = async |hash, photo| {
            let mut tx = world.begin().await;
            let added = not_me_reports::add(&mut tx, hash, photo).await.unwrap();
            tx.commit().await.unwrap();
            added
        };
        assert!(report(&first, one).await && !report(&first, one).await);
        assert!(report(&second, one).await && report(&first, two).await);
        for (hash, photo) in [(&first, elsewhere), (&first, world.id()), (&nobody, one)] {
            assert!(!report(hash, photo).await);
        }
        // What was chosen from the third reports for it, and is reported for by it and by its other choices.
        let names = ["third", "chosen", "sibling", "chosen again"].map(hash_token);
        let [third, chosen, sibling, again] = &names;
        for hash in &names {
            archives::create(db, hash, &of(&world, event, vec![one, two])).await.unwrap();
        }
        let mut tx = world.begin().await;
        for (of, source) in [(chosen, third), (sibling, third), (again, chosen), (again, chosen)] {
            archives::add_source(&mut tx, of, source).await.unwrap();
        }
        archives::add_source(&mut tx, chosen, &hash_token("unknown")).await.unwrap();
        tx.commit().await.unwrap();
        assert!(report(again, two).await);
        for hash in &names {
            assert!(!report(hash, two).await);
        }
        let count = async |photo| photos::by_id(db, photo).await.unwrap().unwrap().not_me_reports;
        assert_eq!((count(one).await, count(two).await, count(elsewhere).await), (2, 2, 0));
        let mut reported = not_me_reports::of_download(db, &first).await.unwrap();
        reported.sort_unstable();
        assert_eq!(reported, [one, two]);

        let mut tx = world.begin().await;
        assert!(storage::testing::remove_photo(&mut tx, two).await);
        tx.commit().await.unwrap();
        assert_eq!(not_me_reports::of_download(db, &first).await.unwrap(), [one]);
        let mut tx = world.begin().await;
        archives::delete_expired(&mut tx, world.now().plus(Duration::from_secs(60))).await.unwrap();
        tx.commit().await.unwrap();
        assert!(not_me_reports::of_download(db, &first).await.unwrap().is_empty());
        assert_eq!(count(one).await, 2);
    }
}
