//! /api/face

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use crate::harness::{Answer, BLACK, BLUE, Field, GREEN, RED, World, on_both_engines, photo, picture};

fn filenames(answer: &Answer) -> Vec<String> {
    let json = answer.json();
    let matches = json["matches"].as_array().unwrap_or_else(|| panic!("{json}")).clone();
    matches.iter().map(|found| found["filename"].as_str().unwrap().to_owned()).collect()
}

/// An event with red, red and green, green, and nobody.
async fn party(world: &World) -> (String, Value) {
    let token = world.photographer("meera@example.com").await;
    let event = world.event(&token, "Party").await;
    for (name, people) in [
        ("red.jpg", [RED].as_slice()),
        ("both.jpg", &[RED, GREEN]),
        ("green.jpg", &[GREEN]),
        ("nobody.jpg", &[BLACK]),
    ] {
        assert_eq!(world.upload(&token, &event, name, &photo(people, 0)).await.status, 201);
    }
    world.drain().await;
    (token, event)
}

#[test]
fn a_guest_gets_exactly_the_photos_they_are_in() {
    // [FACE035] [FACE037] [FACE041] [FACE042] [FACE043] [FACE044] [FACE045] [FACE046] [FACE047] [FACE048] [API050] [API052]
    // [SAFE003]
    on_both_engines(async |world: World| {
        let (token, event) = party(&world).await;
        let elsewhere = world.event(&token, "Elsewhere").await;
        world.upload(&token, &elsewhere, "far.jpg", &photo(&[RED], 3)).await;
        world.drain().await;

        let answer = world.search(&event, &photo(&[RED], 9)).await;
        assert_eq!(answer.status, 200);
        let mut names = filenames(&answer);
        names.sort();
        assert_eq!(names, ["both.jpg", "red.jpg"]);
        let json = answer.json();
        assert_eq!(json["indexing"], json!({"indexed": 4, "waiting": 0, "failed": 0, "total": 4}));
        assert_eq!(json["faces"].as_array().unwrap().len(), 1);
        let matches = json["matches"].as_array().unwrap();
        let scores: Vec<f64> = matches.iter().map(|found| found["similarity"].as_f64().unwrap()).collect();
        assert!(
            scores.is_sorted_by(|a, b| a >= b) && scores.iter().all(|score| (0.0..=1.0).contains(score)),
            "{scores:?}"
        );
        for found in matches {
            for field in ["face_id", "s3_key", "url", "thumbnail_url", "photo_id"] {
                assert!(found[field].as_str().is_some_and(|text| !text.is_empty()), "{field}");
            }
            assert_eq!(found["error"], Value::Null);
            assert_eq!(found["height"], 100);
        }
        assert!(!String::from_utf8_lossy(&answer.bytes).contains("embedding"));
        assert_eq!(filenames(&world.search(&event, &photo(&[BLUE], 9)).await), Vec::<String>::new());
    });
}

#[test]
fn an_unusable_picture_is_refused_with_the_reason() {
    // [FACE055] [FACE056] [FACE057] [FACE058] [FACE059] [FACE060] [FACE040] [API053]
    on_both_engines(async |world: World| {
        let (_, event) = party(&world).await;
        let pale = [230, 170, 170];
        let dark = [80, 0, 0];
        // A face 30 of 200 pixels wide; the fewest are 40.
        let small = picture(200, |x| if (85..115).contains(&x) { RED } else { BLACK });
        for (selfie, status, begins) in [
            (photo(&[BLACK], 0), 422, "No face found in the photo."),
            (small, 422, "The face is too small."),
            (photo(&[pale], 0), 422, "The photo is too blurry."),
            (photo(&[dark], 0), 422, "The photo is too dark."),
            (b"not a picture".to_vec(), 400, "The file is not an image"),
            (photo(&[RED], 0)[..300].to_vec(), 400, "The image is incomplete"),
            (Vec::new(), 400, "Please choose a photo to search with"),
        ] {
            let (got, text) = world.search(&event, &selfie).await.error();
            assert_eq!(got, status, "{text}");
            assert!(text.starts_with(begins), "{text}");
        }
        let path = format!("/api/face/search/{}", event["slug"].as_str().unwrap());
        let none = world.form(&path, "", &[Field::text("strictness", "normal")]).await;
        assert_eq!(none.error(), (400, String::from("Please choose a photo to search with")));
        let unknown = world
            .form(
                "/api/face/search/nowhere-aaaaaaaaaa",
                "",
                &[Field::file("image", "a.jpg", &photo(&[RED], 0))],
            )
            .await;
        assert_eq!(unknown.error(), (404, String::from("Event not found")));
    });
}

#[test]
fn a_blurred_selfie_is_searched_with_and_called_so() {
    on_both_engines(async |world: World| {
        let (_, event) = party(&world).await;
        let path = format!("/api/face/search/{}", event["slug"].as_str().unwrap());
        let blurred = photo(&[[230, 108, 108]], 0);
        let search = async |pictures: &[&[u8]]| {
            let fields: Vec<_> =
                pictures.iter().map(|picture| Field::file("image", "a.jpg", picture)).collect();
            world.form(&path, "", &fields).await
        };
        let found = search(&[&blurred]).await;
        assert_eq!(filenames(&found), ["red.jpg", "both.jpg"]);
        assert_eq!(found.json()["blurred"], true);
        assert_eq!(search(&[&photo(&[RED], 0)]).await.json()["blurred"], false);
        // One sharp picture is enough.
        assert_eq!(search(&[&blurred, &photo(&[RED], 0)]).await.json()["blurred"], false);
    });
}

#[test]
fn a_search_needs_no_version_of_the_notice_and_is_counted_by_it_and_by_day() {
    // [API051] [FACE261] [FACE262]
    on_both_engines(async |world: World| {
        let (token, event) = party(&world).await;
        let path = format!("/api/face/search/{}", event["slug"].as_str().unwrap());
        let selfie = photo(&[RED], 9);
        let refused = (400, String::from("Please open this page again and agree to how your selfie is used"));
        let image = || Field::file("image", "a.jpg", &selfie);
        for path in [path.as_str(), "/api/face/search"] {
            for version in ["", "1", "2026-11-2", "2099-01-01"] {
                let answer =
                    world.form(path, &token, &[image(), Field::text("notice_version", version)]).await;
                assert_eq!(answer.error(), refused, "{path} {version:?}");
            }
        }
        let counted = async || {
            let rows = storage::faces::consents::all(&world.parts.db).await.unwrap();
            let today = world.clock.now().date();
            assert!(rows.iter().all(|row| row.day == today), "{rows:?}");
            rows.into_iter().map(|row| (row.version, row.searches)).collect::<Vec<_>>()
        };
        assert_eq!(counted().await, []);
        for path in [path.as_str(), "/api/face/search"] {
            assert_eq!(world.form(path, &token, &[image()]).await.status, 200);
        }
        // A picture without a face gives nothing to agree to.
        let nobody = photo(&[crate::harness::BLACK], 0);
        assert_eq!(world.form(&path, "", &[Field::file("image", "a.jpg", &nobody)]).await.status, 422);
        assert_eq!(counted().await, [(String::from("2026-11-20"), 2)]);
        // A program shows no notice, and sends the picture alone.
        for path in [path.as_str(), "/api/face/search"] {
            assert_eq!(
                filenames(&world.raw_form(path, &token, &[image()]).await),
                ["red.jpg", "both.jpg"],
                "{path}"
            );
        }
        let counts = [(String::from("2026-11-20"), 2), (String::from("no notice"), 2)];
        assert_eq!(counted().await, counts);
    });
}

#[test]
fn a_search_can_choose_face_pictures_and_strictness() {
    // [FACE048] [FACE050] [FACE051] [FACE053] [FACE054] [FACE061]
    on_both_engines(async |world: World| {
        let (_, event) = party(&world).await;
        let path = format!("/api/face/search/{}", event["slug"].as_str().unwrap());
        let group = photo(&[RED, GREEN], 5);
        let search = async |fields: &[Field<'_>]| world.form(&path, "", fields).await;
        let image = || Field::file("image", "a.jpg", &group);
        let mut found = Vec::new();
        for face in ["0", "1"] {
            let answer = search(&[image(), Field::text("face", face)]).await;
            assert_eq!(answer.json()["faces"].as_array().unwrap().len(), 2);
            let mut names = filenames(&answer);
            names.sort();
            found.push(names);
        }
        found.sort();
        assert_eq!(found, [["both.jpg", "green.jpg"], ["both.jpg", "red.jpg"]]);
        for bad in ["2", "-1", "me"] {
            let answer = search(&[image(), Field::text("face", bad)]).await;
            assert_eq!(answer.error(), (400, String::from("There is no such face in the photo")));
        }
        for word in ["strict", "normal", "loose"] {
            assert_eq!(search(&[image(), Field::text("strictness", word)]).await.status, 200, "{word}");
        }
        let bad = search(&[image(), Field::text("strictness", "very")]).await;
        assert_eq!(bad.error(), (400, String::from("Strictness must be strict, normal or loose")));
        assert_eq!(search(&[image(), image(), image()]).await.status, 200);
        let four = search(&[image(), image(), image(), image()]).await;
        assert_eq!(four.error(), (400, String::from("Please search with at most three photos")));
        let large = vec![0; 20 * 1_048_576 + 1];
        let answer = search(&[Field::file("image", "a.jpg", &large)]).await;
        assert_eq!(answer.error(), (413, String::from("The photo is larger than 20 MB")));
    });
}

#[test]
fn a_search_without_strictness_is_a_normal_one() {
    // [FACE061] [FACE062] [FACE063]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Party").await;
        // Hues 12° and 17° from red: similarities of 0.70 and 0.50, with thresholds of 0.8, 0.6 and 0.4.
        for (name, colour) in [("same.jpg", RED), ("near.jpg", [230, 66, 20]), ("far.jpg", [230, 82, 20])] {
            assert_eq!(world.upload(&token, &event, name, &photo(&[colour], 0)).await.status, 201);
        }
        world.drain().await;
        let path = format!("/api/face/search/{}", event["slug"].as_str().unwrap());
        let selfie = photo(&[RED], 9);
        let search = async |strictness: Option<&str>| {
            let mut fields = vec![Field::file("image", "a.jpg", &selfie)];
            fields.extend(strictness.map(|word| Field::text("strictness", word)));
            filenames(&world.form(&path, "", &fields).await)
        };
        assert_eq!(search(Some("strict")).await, ["same.jpg"]);
        assert_eq!(search(Some("normal")).await, ["same.jpg", "near.jpg"]);
        assert_eq!(search(Some("loose")).await, ["same.jpg", "near.jpg", "far.jpg"]);
        assert_eq!(search(None).await, ["same.jpg", "near.jpg"]);
    });
}

#[test]
fn faces_that_are_somebody_else_are_excluded_and_so_are_those_nearer_to_them() {
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Party").await;
        // Hues 0°, 4°, 12° and 13° from red: similarities of 1, 0.96, 0.70 and 0.66.
        let colours = [RED, [230, 34, 20], [230, 62, 20], [230, 66, 20]];
        for (name, colour) in ["same.jpg", "like.jpg", "near.jpg", "beside.jpg"].into_iter().zip(colours) {
            assert_eq!(world.upload(&token, &event, name, &photo(&[colour], 0)).await.status, 201);
        }
        world.drain().await;
        let path = format!("/api/face/search/{}", event["slug"].as_str().unwrap());
        let selfie = photo(&[RED], 9);
        let search = async |rejected: &[&str]| {
            let mut fields = vec![Field::file("image", "a.jpg", &selfie)];
            fields.extend(rejected.iter().map(|face| Field::text("not_me", face)));
            world.form(&path, "", &fields).await
        };
        let all = search(&[]).await;
        let found = all.json()["matches"].clone();
        let names = filenames(&all);
        assert_eq!((names.len(), &names[..2]), (4, ["same.jpg", "like.jpg"].map(String::from).as_slice()));
        let face = |name: &str| {
            let at = names.iter().position(|each| each == name).unwrap();
            found[at]["face_id"].as_str().unwrap()
        };
        for doubtful in ["near.jpg", "beside.jpg"] {
            assert_eq!(filenames(&search(&[face(doubtful)]).await), ["same.jpg", "like.jpg"], "{doubtful}");
        }
        // A face that is so similar is a slip, and excludes nothing but itself.
        assert_eq!(filenames(&search(&[face("same.jpg")]).await).len(), 3);
        // What is no face, or none of this event, changes nothing.
        assert_eq!(filenames(&search(&["no id", "", "00000000000000000000000000"]).await), names);
        // At most 100 count.
        let many = vec![face("same.jpg"); 100];
        assert_eq!(filenames(&search(&[many.clone(), vec![face("near.jpg")]].concat()).await).len(), 3);
        assert_eq!(filenames(&search(&[&many[1..], &[face("near.jpg")]].concat()).await), ["like.jpg"]);
    });
}

#[test]
fn without_a_slug_a_photographer_searches_all_of_their_photos() {
    // [FACE038] [FACE039] [API051]
    on_both_engines(async |world: World| {
        let (token, _) = party(&world).await;
        let ravi = world.photographer("ravi@example.com").await;
        let other = world.event(&ravi, "Other").await;
        world.upload(&ravi, &other, "theirs.jpg", &photo(&[RED], 7)).await;
        world
            .form("/api/photos/upload", &token, &[Field::file("photos", "library.jpg", &photo(&[RED], 8))])
            .await;
        world.drain().await;
        let selfie = photo(&[RED], 9);
        let search = async |token: &str| {
            world.form("/api/face/search", token, &[Field::file("image", "a.jpg", &selfie)]).await
        };
        let mut names = filenames(&search(&token).await);
        names.sort();
        assert_eq!(names, ["both.jpg", "library.jpg", "red.jpg"]);
        assert_eq!(search("").await.status, 401);
    });
}

#[test]
fn photos_appear_in_results_once_they_are_indexed() {
    on_both_engines(async |world: World| {
        let (token, event) = party(&world).await;
        let selfie = photo(&[GREEN], 9);
        assert_eq!(filenames(&world.search(&event, &selfie).await).len(), 2);
        world.upload(&token, &event, "late.jpg", &photo(&[GREEN], 4)).await;
        let before = world.search(&event, &selfie).await;
        assert_eq!(filenames(&before).len(), 2);
        assert_eq!(before.json()["indexing"], json!({"indexed": 4, "waiting": 1, "failed": 0, "total": 5}));
        world.drain().await;
        let after = world.search(&event, &selfie).await;
        assert_eq!(filenames(&after).len(), 3);
        assert_eq!(after.json()["indexing"], json!({"indexed": 5, "waiting": 0, "failed": 0, "total": 5}));
    });
}

/// A JPEG that is to be turned a quarter to the right, as phones take them upright.
fn turned(jpeg: &[u8]) -> Vec<u8> {
    let mut exif = b"Exif\0\0MM\0\x2a\0\0\0\x08\0\x01".to_vec();
    exif.extend_from_slice(b"\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0");
    let length = u16::try_from(exif.len() + 2).unwrap().to_be_bytes();
    [&jpeg[..2], &[0xFF, 0xE1], &length, &exif, &jpeg[2..]].concat()
}

#[test]
fn a_search_returns_its_picture_in_a_form_that_every_browser_draws() {
    // [FACE113]
    on_both_engines(async |world: World| {
        let (_, event) = party(&world).await;
        let path = format!("/api/face/search/{}", event["slug"].as_str().unwrap());
        let large = image::RgbImage::from_pixel(1600, 800, image::Rgb(RED));
        let stored = world.stored_files().await;
        let options = heifer::EncodeOptions { quality: 90, max_threads: 1 };
        let heic = heifer::encode_rgb8(1600, 800, large.as_raw(), &options).unwrap();
        for (name, selfie, size) in [
            ("a.jpg", photo(&[RED], 9), (200, 100)),
            ("turned.jpg", turned(&photo(&[RED], 9)), (100, 200)),
            ("a.heic", heic, (720, 360)),
        ] {
            let image = Field::file("image", name, &selfie);
            let asked = world.form(&path, "", &[image, Field::text("preview", "true")]).await;
            assert_eq!(asked.status, 200, "{name}: {}", String::from_utf8_lossy(&asked.bytes));
            let preview = asked.json()["preview"].as_str().unwrap().to_owned();
            let jpeg = STANDARD.decode(preview.strip_prefix("data:image/jpeg;base64,").unwrap()).unwrap();
            assert!(!jpeg.windows(4).any(|window| window == b"Exif"), "{name}");
            let drawn = image::load_from_memory_with_format(&jpeg, image::ImageFormat::Jpeg).unwrap();
            assert_eq!((drawn.width(), drawn.height()), size, "{name}");
            for unasked in [vec![], vec![Field::text("preview", "false")]] {
                let fields = [vec![Field::file("image", name, &selfie)], unasked].concat();
                assert_eq!(world.form(&path, "", &fields).await.json()["preview"], Value::Null, "{name}");
            }
        }
        // Two pictures of one person: the first is returned.
        let (first, second) = (photo(&[RED], 9), photo(&[RED, GREEN], 9));
        let fields = [
            Field::file("image", "a.jpg", &first),
            Field::file("image", "b.jpg", &second),
            Field::text("preview", "true"),
        ];
        let preview = world.form(&path, "", &fields).await.json()["preview"].as_str().unwrap().to_owned();
        let jpeg = STANDARD.decode(preview.rsplit(',').next().unwrap()).unwrap();
        assert_eq!(image::load_from_memory(&jpeg).unwrap().width(), 200);
        assert_eq!(world.stored_files().await, stored, "nothing of it is stored");
    });
}
