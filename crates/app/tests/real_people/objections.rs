//! 'Stop finding me' on real faces: searches at all three strictnesses, with the selfie itself and with worse ones, in an event in
//! which half of the person's photos are blurred, small or dark.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::Path;

use app::accounts::{self, registrations};
use app::events::access::Visitor;
use app::faces::search::{self, Selfies};
use app::guests::objections::decisions;
use app::guests::objections::requests::{self, NewObjection};
use app::photos::{self, Accepted, Upload};
use app::{App, events};
use domain::accounts::User;
use domain::events::Event;
use domain::faces::Strictness;
use image::imageops::FilterType;
use image::{DynamicImage, GenericImage as _};

use crate::{folder, pictures};

/// People who ask, one after the other, and people who are there beside them.
const PEOPLE: usize = 10;
const BESIDE: usize = 40;
/// Photos of each of the former: two as they are, and three worse.
const PHOTOS: usize = 5;

type Change = fn(&DynamicImage) -> DynamicImage;

const WORSE: [(&str, Change); 3] = [("blurred", blurred), ("small", small), ("dark", dark)];

fn blurred(picture: &DynamicImage) -> DynamicImage {
    picture.blur(2.0)
}

/// On a larger canvas, as somebody who is far away.
fn small(picture: &DynamicImage) -> DynamicImage {
    let (width, height) = (picture.width(), picture.height());
    let mut canvas = DynamicImage::new_rgb8(width * 2, height * 2);
    let less = picture.resize_exact(width * 2 / 5, height * 2 / 5, FilterType::Triangle);
    canvas.copy_from(&less, width * 4 / 5, height * 4 / 5).unwrap();
    canvas
}

fn dark(picture: &DynamicImage) -> DynamicImage {
    let mut picture = picture.to_rgb8();
    for sample in picture.iter_mut() {
        *sample /= 3;
    }
    picture.into()
}

fn encoded(picture: &DynamicImage) -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    picture.to_rgb8().write_to(&mut bytes, image::ImageFormat::Jpeg).unwrap();
    bytes.into_inner()
}

async fn upload(app: &App, owner: &User, event: &Event, name: &str, bytes: &[u8]) {
    let mut upload = Upload::begin(app).await.unwrap();
    upload.write(bytes).await.unwrap();
    let received = upload.finish().await.unwrap();
    let accepted = photos::accept(app, owner, Some(event.id), name, received).await.unwrap();
    assert!(matches!(accepted, Accepted::New(_)), "{name}");
}

fn selfies(picture: &[u8], strictness: Strictness) -> Selfies {
    Selfies {
        pictures: vec![picture.to_vec().into()],
        face: None,
        strictness,
        rejected: Vec::new(),
        wants_preview: false,
        found_before: false,
        admission: None,
    }
}

/// How many photos of the person a search finds; none where the picture is refused.
async fn found(
    app: &App,
    event: &Event,
    person: &str,
    picture: &[u8],
    strictness: Strictness,
) -> Option<usize> {
    let searched = search::in_event(app, event, &Visitor::default(), selfies(picture, strictness)).await;
    let matches = searched.ok()?.matches.into_iter();
    Some(matches.filter(|found| found.found.photo.original_filename.starts_with(person)).count())
}

/// What searches of one kind have found of the photos of those who have asked.
#[derive(Default)]
struct Tally {
    searches: usize,
    before: usize,
    after: usize,
}

#[test]
fn whoever_asks_not_to_be_found_is_not_found_with_pictures_of_any_quality() {
    // [FACE504]
    let Some(people) = folder() else { return };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    for line in runtime.block_on(ask_and_search(&people)) {
        eprintln!("{line}");
    }
}

/// Answers what was found, a line for each kind of search.
async fn ask_and_search(people: &Path) -> Vec<String> {
    let (database, incoming) = (storage::testing::sqlite().await, tempfile::tempdir().unwrap());
    let mut parts = app::testing::parts(database.db.clone(), incoming.path());
    let two = NonZeroUsize::new(2).unwrap();
    let options = vision::EngineOptions { index_threads: two, selfie_threads: two };
    let pack = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    parts.engine = vision::Engine::open(&pack, options).unwrap_or_else(|error| panic!("{error}"));
    let app = App::new(parts).await.unwrap();
    let (name, email, password) = ("Meera".into(), "meera@example.com".into(), "correct horse".into());
    let registration = registrations::Registration { name, email, password };
    let owner = accounts::register(&app, registration.parse().unwrap()).await.unwrap().user;
    let new =
        events::NewEvent { name: "Party".into(), date: "2026-11-14".into(), ..events::NewEvent::default() };
    let event = events::create(&app, &owner, new).await.unwrap();

    let all = pictures(people);
    let (several, others): (Vec<_>, Vec<_>) = all.into_iter().partition(|(_, files)| files.len() >= 4);
    let several: Vec<_> = several.into_iter().take(PEOPLE).collect();
    assert_eq!(several.len(), PEOPLE);
    for (person, files) in &several {
        let [_, one, two, ..] = &files[..] else { panic!("{person} has too few pictures") };
        let [one, two] = [one, two].map(|file| image::open(file).unwrap());
        let photos = [one.clone(), two.clone(), blurred(&one), small(&two), dark(&one)];
        for (number, photo) in photos.iter().enumerate().take(PHOTOS) {
            upload(&app, &owner, &event, &format!("{person}-{number}.jpg"), &encoded(photo)).await;
        }
    }
    for (person, files) in others.iter().take(BESIDE) {
        upload(&app, &owner, &event, &format!("{person}.jpg"), &std::fs::read(&files[0]).unwrap()).await;
    }
    app::operations::runtime::worker::drain(&app).await.unwrap();

    let mut tallies: BTreeMap<(String, &str), Tally> = BTreeMap::new();
    for (person, files) in &several {
        let selfie = image::open(&files[0]).unwrap();
        let mut searches = vec![("the selfie", std::fs::read(&files[0]).unwrap())];
        searches.extend(WORSE.map(|(name, change)| (name, encoded(&change(&selfie)))));
        searches.push(("another picture", std::fs::read(&files[3]).unwrap()));
        let mut before = BTreeMap::new();
        for (kind, picture) in &searches {
            for strictness in Strictness::ALL {
                let count = found(&app, &event, person, picture, strictness).await;
                before.insert((*kind, strictness.as_str()), count);
            }
        }
        let shown =
            requests::preview(&app, &event, selfies(&searches[0].1, Strictness::Normal), None).await.unwrap();
        let request = NewObjection {
            token: shown.token,
            choice: "stop_finding".into(),
            notice_version: "2026-11".into(),
        };
        let confirmed = requests::validate(&app, &Visitor::default(), &request).await.unwrap();
        // Files are no live capture: the photographer lets it hold.
        assert!(requests::object(&app, confirmed).await.unwrap().waits);
        let asked = decisions::of_event(&app, &owner, event.id).await.unwrap();
        let id = asked[0].objection.id.to_string();
        assert!(decisions::decide(&app, &owner, &id, None, true).await.unwrap().is_in_force);
        for (kind, picture) in &searches {
            for strictness in Strictness::ALL {
                let Some(before) = before[&(*kind, strictness.as_str())] else { continue };
                let after = found(&app, &event, person, picture, strictness).await.unwrap();
                let tally = tallies.entry(((*kind).to_owned(), strictness.as_str())).or_default();
                tally.searches += 1;
                tally.before += before;
                tally.after += after;
            }
        }
    }
    let (mut all, mut lines) = (Tally::default(), Vec::new());
    for ((kind, strictness), tally) in &tallies {
        let Tally { searches, before, after } = tally;
        lines.push(format!(
            "{kind}, {strictness}: {searches} searches, {before} photos before, {after} after"
        ));
        all.before += before;
        all.after += after;
        if kind == "the selfie" {
            assert_eq!(*after, 0, "{kind}, {strictness}");
        }
    }
    assert!(all.before > PEOPLE * PHOTOS, "searches find nothing anyway: {}", all.before);
    // Another picture may be as like a blurred face as the selfie was unlike it.
    assert!(all.after * 50 <= all.before, "{} of {} photos are still found", all.after, all.before);
    // Those who are there beside them are found as before.
    let (person, files) = others.iter().take(BESIDE).find(|(_, files)| files.len() > 1).unwrap();
    let picture = std::fs::read(&files[1]).unwrap();
    assert_eq!(found(&app, &event, person, &picture, Strictness::Loose).await, Some(1));
    lines
}
