//! Guests who object to being found.

use std::time::Duration;

use domain::events::keeping::Keeping;
use domain::faces::BoundingBox;
use domain::guests::objections::{Choice, MAIL_INTERVAL, ObjectedFace, Objection};
use domain::{DAY, EventId, PhotoId, UserId};
use storage::events::retention;
use storage::faces::index::Scope;
use storage::guests::objections;
use storage::operations::integrity;
use storage::{events, faces, photos};

use crate::face_index::{all, version};
use crate::parity::change;
use crate::world::{World, worlds};

const KEY: [u8; 32] = [7; 32];
const PACK: &str = "pack";

fn objection(world: &World, event: EventId, choice: Choice) -> Objection {
    let template = (choice == Choice::StopFinding).then(|| vec![1, 2, 0, 255]);
    Objection { choice, template, ..world.request_to_hide(event) }
}

fn about(world: &World, objection: &Objection, photo: PhotoId) -> ObjectedFace {
    let bounds = BoundingBox { x: 0.25, y: -0.125, width: 0.5, height: 1.5 };
    ObjectedFace { objection: objection.id, face: world.id(), photo, bounds, overruled: false }
}

async fn create(world: &World, made: &Objection, about: &[ObjectedFace]) -> bool {
    let mut tx = world.begin().await;
    let locked = objections::lock(&mut tx, made.event).await.unwrap();
    if locked {
        objections::create(&mut tx, made, about).await.unwrap();
        tx.commit().await.unwrap();
    }
    locked
}

async fn is_hidden(world: &World, photo: PhotoId) -> bool {
    photos::by_id(&world.db, photo).await.unwrap().unwrap().hidden
}

/// Grows when indexes in memory have to be read again.
async fn removals(world: &World, scope: Scope) -> i64 {
    version(&world.db, scope).await.removals
}

async fn decide(world: &World, made: &Objection, photos: &[PhotoId], overruled: bool) {
    let mut tx = world.begin().await;
    objections::decide(&mut tx, made, photos, overruled).await.unwrap();
    tx.commit().await.unwrap();
}

/// An event with a key, and two photos with one face each.
async fn event(world: &World, owner: UserId) -> (EventId, [PhotoId; 2]) {
    let event = world.event(owner, "2026-11-14").await;
    assert_eq!(objections::key_or_insert(&world.db, event, &KEY).await.unwrap().as_deref(), Some(&KEY[..]));
    let photos = [world.photo(owner, Some(event)).await.id, world.photo(owner, Some(event)).await.id];
    for photo in photos {
        assert!(world.index(photo, PACK, &[world.face(0.5)]).await);
    }
    (event, photos)
}

#[tokio::test]
async fn a_photo_is_hidden_while_one_objection_says_so() {
    // [FACE191]
    for world in worlds().await {
        let db = &world.db;
        let owner = world.user("a@example.com").await;
        let (event, [one, two]) = event(&world, owner).await;
        let (mine, theirs) = (objection(&world, event, Choice::Hide), objection(&world, event, Choice::Hide));
        let before = removals(&world, Scope::Event(event)).await;
        let faces_of_mine = [about(&world, &mine, one), about(&world, &mine, two)];
        assert!(create(&world, &mine, &faces_of_mine).await);
        assert!(removals(&world, Scope::Event(event)).await > before, "the caches are told");
        assert!(create(&world, &theirs, &[about(&world, &theirs, one)]).await);
        assert!(is_hidden(&world, one).await && is_hidden(&world, two).await);
        assert!(all(db, Scope::Event(event), PACK).await.is_empty());
        assert_eq!(all(db, Scope::Owner(owner), PACK).await.len(), 2);
        let stored = faces::of_event(db, event).await.unwrap();
        assert!(stored.len() == 2 && stored.iter().all(|face| face.pack == PACK));

        let before = removals(&world, Scope::Event(event)).await;
        decide(&world, &mine, &[one, two], true).await;
        assert!(is_hidden(&world, one).await && !is_hidden(&world, two).await);
        assert!(removals(&world, Scope::Event(event)).await > before);
        decide(&world, &theirs, &[one], true).await;
        assert!(!is_hidden(&world, one).await);
        decide(&world, &mine, &[one], false).await;
        assert!(is_hidden(&world, one).await);

        assert!(world.index(one, PACK, &[world.face(0.5)]).await);
        assert!(is_hidden(&world, one).await, "also when it is indexed again");
        let all = objections::faces_of_event(db, event).await.unwrap();
        assert_eq!(all.iter().filter(|face| face.overruled).count(), 2);
        assert!(all.contains(&faces_of_mine[0]));
        assert_eq!(objections::by_id(db, mine.id).await.unwrap(), Some(mine.clone()));
        assert_eq!(objections::of_event(db, event).await.unwrap(), [theirs.clone(), mine.clone()]);
        assert_eq!(objections::of_owner(db, owner).await.unwrap(), [theirs, mine]);
        assert!(objections::of_owner(db, world.id()).await.unwrap().is_empty());
        assert!(integrity::mishidden_photos(db).await.unwrap().is_empty());
    }
}

#[tokio::test]
async fn a_suppressed_face_is_deleted_and_its_place_is_kept() {
    // [FACE193]
    for world in worlds().await {
        let db = &world.db;
        let owner = world.user("a@example.com").await;
        let (event, [one, two]) = event(&world, owner).await;
        let made = objection(&world, event, Choice::StopFinding);
        let face = faces::of_event(db, event).await.unwrap().remove(0);
        let library = removals(&world, Scope::Owner(owner)).await;
        let mut tx = world.begin().await;
        assert!(objections::lock(&mut tx, event).await.unwrap());
        faces::delete(&mut tx, event, &[(face.id, face.photo)]).await.unwrap();
        objections::create(&mut tx, &made, &[about(&world, &made, one)]).await.unwrap();
        tx.commit().await.unwrap();
        assert!(removals(&world, Scope::Owner(owner)).await > library);
        assert_eq!(photos::by_id(db, one).await.unwrap().unwrap().faces, 0);
        assert!(integrity::miscounted_photos(db).await.unwrap().is_empty());
        assert!(!is_hidden(&world, one).await, "the others find it");
        assert_eq!(objections::suppressed_in(db, one).await.unwrap().len(), 1);
        assert!(objections::suppressed_in(db, two).await.unwrap().is_empty());

        let mut tx = world.begin().await;
        let later = [about(&world, &made, two)];
        objections::add_faces(&mut tx, &later).await.unwrap();
        objections::add_faces(&mut tx, &later).await.unwrap();
        objections::set_template(&mut tx, made.id, &[9]).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(objections::suppressed_in(db, two).await.unwrap(), later);
        let kept = objections::with_template(db, event).await.unwrap();
        assert_eq!(kept.iter().map(|each| each.template.as_deref()).collect::<Vec<_>>(), [Some(&[9][..])]);

        decide(&world, &made, &[one, two], true).await;
        let mut tx = world.begin().await;
        objections::delete_template(&mut tx, made.id).await.unwrap();
        objections::set_template(&mut tx, made.id, &[8]).await.unwrap();
        tx.commit().await.unwrap();
        assert!(objections::suppressed_in(db, one).await.unwrap().is_empty());
        assert!(objections::with_template(db, event).await.unwrap().is_empty(), "it does not come back");
    }
}

#[tokio::test]
async fn objections_and_their_key_go_with_the_event_and_faces_with_the_photo() {
    // [FACE194] [FACE435]
    for world in worlds().await {
        let db = &world.db;
        let owner = world.user("a@example.com").await;
        let (event, [one, two]) = event(&world, owner).await;
        for fresh in [KEY, [8; 32]] {
            let key = objections::key_or_insert(db, event, &fresh).await.unwrap();
            assert_eq!(key.as_deref(), Some(&KEY[..]));
        }
        assert_eq!(objections::key_or_insert(db, world.id(), &KEY).await.unwrap(), None);
        let made = objection(&world, event, Choice::StopFinding);
        assert!(create(&world, &made, &[about(&world, &made, one), about(&world, &made, two)]).await);
        let mut tx = world.begin().await;
        assert!(!objections::delete_without_photos(&mut tx, event).await.unwrap());
        assert!(storage::testing::remove_photo(&mut tx, one).await);
        tx.commit().await.unwrap();
        assert_eq!(objections::faces_of_event(db, event).await.unwrap().len(), 1);
        let (keeping, now, later) = (Keeping::fixed(30), world.now(), world.now().plus(DAY * 31));
        let mut tx = world.begin().await;
        assert!(!retention::lock_expired(&mut tx, event, keeping, now).await.unwrap());
        assert!(retention::lock_expired(&mut tx, event, keeping, later).await.unwrap());
        drop(tx);
        let alone = async |at| retention::with_guests_alone(db, keeping, at, 9).await.unwrap();
        assert_eq!(alone(later).await, vec![], "there is a photo");
        let mut tx = world.begin().await;
        assert!(storage::testing::remove_photo(&mut tx, two).await);
        tx.commit().await.unwrap();
        assert_eq!((alone(now).await, alone(later).await), (vec![], vec![event]));
        let mut tx = world.begin().await;
        assert!(objections::delete_without_photos(&mut tx, event).await.unwrap());
        tx.commit().await.unwrap();
        assert!(objections::of_event(db, event).await.unwrap().is_empty());
        assert_eq!(objections::key(db, event).await.unwrap(), None);

        let (event, [one, _]) = self::event(&world, owner).await;
        let made = objection(&world, event, Choice::Hide);
        assert!(create(&world, &made, &[about(&world, &made, one)]).await);
        let mut tx = world.begin().await;
        events::close(&mut tx, event, owner, world.id(), world.now()).await.unwrap();
        tx.commit().await.unwrap();
        assert!(objections::of_event(db, event).await.unwrap().is_empty());
        assert_eq!(
            objections::key_or_insert(db, event, &KEY).await.unwrap(),
            None,
            "no key for a closed one"
        );
        assert!(!create(&world, &objection(&world, event, Choice::Hide), &[]).await);
        assert!(integrity::leftover_objections(db).await.unwrap().is_empty());
        assert!(integrity::mishidden_photos(db).await.unwrap().is_empty());
    }
}

#[tokio::test]
async fn what_contradicts_the_objections_is_told_and_repaired() {
    for world in worlds().await {
        let db = &world.db;
        let owner = world.user("a@example.com").await;
        let (event, [one, two]) = event(&world, owner).await;
        let made = objection(&world, event, Choice::Hide);
        assert!(create(&world, &made, &[about(&world, &made, one)]).await);
        change(db, "UPDATE photos SET hidden = NOT hidden").await;
        assert_eq!(integrity::mishidden_photos(db).await.unwrap(), [one, two]);
        let before = removals(&world, Scope::Event(event)).await;
        for photo in [one, two] {
            let mut tx = world.begin().await;
            integrity::rehide(&mut tx, photo).await.unwrap();
            tx.commit().await.unwrap();
        }
        assert!(is_hidden(&world, one).await && !is_hidden(&world, two).await);
        assert!(removals(&world, Scope::Event(event)).await > before);
        assert!(integrity::mishidden_photos(db).await.unwrap().is_empty());

        let kept = objection(&world, event, Choice::StopFinding);
        assert!(create(&world, &kept, &[]).await);
        assert!(integrity::leftover_objections(db).await.unwrap().is_empty());
        for statement in ["UPDATE events SET objection_key = NULL", "UPDATE events SET deleting_since = 1"] {
            change(db, statement).await;
            assert_eq!(integrity::leftover_objections(db).await.unwrap(), [event], "{statement}");
        }
        let mut tx = world.begin().await;
        objections::delete_of(&mut tx, event).await.unwrap();
        tx.commit().await.unwrap();
        assert!(integrity::leftover_objections(db).await.unwrap().is_empty());
    }
}

#[tokio::test]
async fn objections_of_a_deleted_event_are_known_until_their_key_has_gone() {
    // [FACE505]
    for world in worlds().await {
        let owner = world.user("a@example.com").await;
        let (event, _) = event(&world, owner).await;
        let locked = async || {
            let mut tx = world.begin().await;
            (
                objections::lock(&mut tx, event).await.unwrap(),
                objections::lock_key(&mut tx, event).await.unwrap(),
            )
        };
        objections::key_or_insert(&world.db, event, &[7; 32]).await.unwrap();
        assert_eq!(locked().await, (true, true));
        change(&world.db, "UPDATE events SET deleting_since = 1").await;
        assert_eq!(locked().await, (false, true), "it may be restored");
        change(&world.db, "UPDATE events SET objection_key = NULL").await;
        assert_eq!(locked().await, (false, false));
    }
}

#[tokio::test]
async fn one_mail_an_hour_tells_of_all_objections() {
    // [FACE197]
    for world in worlds().await {
        let db = &world.db;
        let owner = world.user("a@example.com").await;
        let (event, _) = event(&world, owner).await;
        let due = async || {
            let mut tx = world.begin().await;
            objections::mail_due(&mut tx, event, world.now()).await.unwrap()
        };
        assert_eq!(due().await, Some(world.now()));
        let first = objection(&world, event, Choice::Hide);
        assert!(create(&world, &first, &[]).await);
        assert_eq!(due().await, None, "the first has caused a mail");
        let told = world.now();
        objections::mark_told(db, &[first.id], told).await.unwrap();
        world.clock.advance(Duration::from_secs(60));
        assert_eq!(due().await, Some(told.plus(MAIL_INTERVAL)));
        let second = objection(&world, event, Choice::Hide);
        assert!(create(&world, &second, &[]).await);
        objections::mark_told(db, &[first.id], world.now()).await.unwrap();
        let made = objections::of_event(db, event).await.unwrap();
        let told_at: Vec<_> = made.iter().map(|each: &Objection| (each.id, each.told_at)).collect();
        assert_eq!(told_at, [(second.id, None), (first.id, Some(told))]);
        world.clock.advance(MAIL_INTERVAL * 3);
        assert_eq!(due().await, Some(world.now()), "a mail that never went does not stop the next");
    }
}

#[tokio::test]
async fn a_mail_marks_what_it_has_told_of_and_nothing_that_came_meanwhile() {
    // [FACE555]
    for world in worlds().await {
        let db = &world.db;
        let owner = world.user("a@example.com").await;
        let (event, _) = event(&world, owner).await;
        let made = [Choice::Hide; 4].map(|choice| objection(&world, event, choice));
        for made in &made {
            assert!(create(&world, made, &[]).await);
        }
        let [first, earlier, last, later] = made.map(|made| made.id);
        let told = world.now();
        objections::mark_told(db, &[first, last], told).await.unwrap();
        objections::mark_told(db, &[], told).await.unwrap();
        let left = objections::of_event(db, event).await.unwrap();
        let left: Vec<_> = left.iter().map(|each| (each.id, each.told_at)).collect();
        // Ids are in the order in which requests began, not in that in which they were stored.
        assert_eq!(left, [(later, None), (last, Some(told)), (earlier, None), (first, Some(told))]);
    }
}

#[tokio::test]
async fn what_is_seen_includes_what_came_before_in_the_same_event() {
    // [FACE327]
    for world in worlds().await {
        let db = &world.db;
        let owner = world.user("a@example.com").await;
        let (event, [photo, _]) = event(&world, owner).await;
        let (elsewhere, _) = self::event(&world, owner).await;
        let other = objection(&world, elsewhere, Choice::StopFinding);
        assert!(create(&world, &other, &[]).await);
        let mut made = Vec::new();
        for _ in 0..3 {
            let objection = objection(&world, event, Choice::Hide);
            assert!(create(&world, &objection, &[about(&world, &objection, photo)]).await);
            made.push(objection);
        }
        let seen = world.now();
        objections::mark_seen(db, &made[1], seen).await.unwrap();
        world.clock.advance(Duration::from_secs(60));
        objections::mark_seen(db, &made[0], world.now()).await.unwrap();
        let times = async || -> Vec<_> {
            let all = objections::of_owner(db, owner).await.unwrap();
            all.iter().map(|each| (each.id, each.seen_at)).collect()
        };
        let [first, second, third] = &made[..] else { panic!() };
        let (first, second, third) = (first.id, second.id, third.id);
        let expected = [(third, None), (second, Some(seen)), (first, Some(seen)), (other.id, None)];
        assert_eq!(times().await, expected);

        let mut tx = world.begin().await;
        assert!(storage::testing::remove_photo(&mut tx, photo).await);
        tx.commit().await.unwrap();
        assert_eq!(times().await, [(other.id, None)], "without photos there is nothing to see");
    }
}

#[tokio::test]
async fn a_photo_leaves_the_results_of_whom_it_was_found_for_and_no_others() {
    // [FACE501]
    for world in worlds().await {
        let db = &world.db;
        let owner = world.user("a@example.com").await;
        let (event, [one, two]) = event(&world, owner).await;
        let beside = world.face(0.25);
        assert!(world.index(one, PACK, &[world.face(0.5), beside.clone()]).await);
        let stored = faces::of_event(db, event).await.unwrap();
        let theirs = stored.iter().find(|face| face.photo == one && face.id != beside.id).unwrap().id;
        let found = [(one, Some(theirs)), (one, Some(beside.id)), (one, None), (two, None)];
        let out = async |found| objections::out_of_results(db, &[found]).await.unwrap().len();
        for each in found {
            assert_eq!(out(each).await, 0, "nobody has asked");
        }
        let made = objection(&world, event, Choice::StopFinding);
        let mut tx = world.begin().await;
        assert!(objections::lock(&mut tx, event).await.unwrap());
        faces::delete(&mut tx, event, &[(theirs, one)]).await.unwrap();
        objections::create(&mut tx, &made, &[about(&world, &made, one)]).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(out(found[0]).await, 1);
        assert_eq!(out(found[1]).await, 0, "somebody else's face");
        assert_eq!(out(found[2]).await, 1, "results of the version before do not say whose");
        assert_eq!(out(found[3]).await, 0, "another photo");
        let both = objections::out_of_results(db, &found).await.unwrap();
        assert_eq!(both, [one].into());
        assert!(objections::out_of_results(db, &[]).await.unwrap().is_empty());
        decide(&world, &made, &[one], true).await;
        assert_eq!(out(found[0]).await, 0, "the photographer has decided against it");
    }
}

#[tokio::test]
async fn a_request_that_waits_hides_nothing_until_it_is_decided() {
    // [FACE510] [FACE512]
    for world in worlds().await {
        let db = &world.db;
        let owner = world.user("a@example.com").await;
        let (event, [one, two]) = event(&world, owner).await;
        let waiting = Objection { waits: true, ..objection(&world, event, Choice::Hide) };
        let provisional =
            Objection { provisional_for: Some(waiting.id), ..objection(&world, event, Choice::StopFinding) };
        assert!(create(&world, &waiting, &[about(&world, &waiting, one)]).await);
        assert!(create(&world, &provisional, &[about(&world, &provisional, two)]).await);
        assert_eq!(objections::by_id(db, waiting.id).await.unwrap(), Some(waiting.clone()));
        assert_eq!(objections::by_id(db, provisional.id).await.unwrap(), Some(provisional.clone()));
        assert!(!is_hidden(&world, one).await);
        assert!(integrity::mishidden_photos(db).await.unwrap().is_empty());
        assert_eq!(
            objections::of_owner(db, owner).await.unwrap(),
            std::slice::from_ref(&waiting),
            "it is no request"
        );
        assert_eq!(objections::suppressed_in(db, two).await.unwrap().len(), 1);

        // The photographer is reminded for as long as it waits, and not at once.
        let (past, now) = (waiting.created_at.minus(Duration::from_secs(1)), world.now());
        assert_eq!(objections::to_remind(db, past, now).await.unwrap(), [event]);
        assert!(objections::to_remind(db, past, past).await.unwrap().is_empty());
        assert!(objections::to_remind(db, now, now).await.unwrap().is_empty());
        objections::mark_told(db, &[waiting.id, provisional.id], now).await.unwrap();
        let later = now.plus(MAIL_INTERVAL);
        let mut tx = world.begin().await;
        objections::remind(&mut tx, event, later).await.unwrap();
        tx.commit().await.unwrap();
        let told = async |of: &Objection| objections::by_id(db, of.id).await.unwrap().unwrap().told_at;
        assert_eq!((told(&waiting).await, told(&provisional).await), (None, Some(now)));
        assert!(objections::to_remind(db, past, now).await.unwrap().is_empty());
        assert_eq!(objections::to_remind(db, past, later).await.unwrap(), [event]);

        for ended in [true, false] {
            let mut tx = world.begin().await;
            assert_eq!(objections::end_wait(&mut tx, &waiting).await.unwrap(), ended);
            objections::decide(&mut tx, &waiting, &[one], false).await.unwrap();
            tx.commit().await.unwrap();
        }
        assert!(is_hidden(&world, one).await);
        assert_eq!(objections::by_id(db, provisional.id).await.unwrap(), None);
        assert!(objections::suppressed_in(db, two).await.unwrap().is_empty());
        assert!(objections::to_remind(db, past, later).await.unwrap().is_empty());
        assert!(integrity::mishidden_photos(db).await.unwrap().is_empty());
    }
}

#[tokio::test]
async fn a_request_not_to_be_found_that_waits_has_no_effect_until_it_is_decided() {
    // [FACE516]
    for world in worlds().await {
        let db = &world.db;
        let owner = world.user("a@example.com").await;
        let (event, [one, _]) = event(&world, owner).await;
        let waiting =
            Objection { waits: true, without_capture: true, ..objection(&world, event, Choice::StopFinding) };
        let face = about(&world, &waiting, one);
        assert!(create(&world, &waiting, &[face]).await);
        assert_eq!(objections::by_id(db, waiting.id).await.unwrap(), Some(waiting.clone()));
        assert_eq!(objections::of_owner(db, owner).await.unwrap(), std::slice::from_ref(&waiting));
        let effects = async || {
            (
                objections::with_template(db, event).await.unwrap().len(),
                objections::suppressed_in(db, one).await.unwrap().len(),
                objections::out_of_results(db, &[(one, Some(face.face))]).await.unwrap().len(),
            )
        };
        assert_eq!(effects().await, (0, 0, 0));
        assert_eq!(objections::faces_of_event(db, event).await.unwrap(), [face], "it is only noted");
        let mut tx = world.begin().await;
        assert!(objections::end_wait(&mut tx, &waiting).await.unwrap());
        tx.commit().await.unwrap();
        assert_eq!(effects().await, (1, 1, 1));
    }
}
