//! /api/photos

use serde_json::{Value, json};

use crate::harness::{BLACK, BLUE, Field, GREEN, RED, World, on_both_engines, photo};

async fn balance(world: &World, token: &str) -> Value {
    world.get("/api/subscription/credits", token).await.json()["credits"].clone()
}

#[test]
fn an_upload_is_stored_charged_once_and_indexed() {
    // [API045] [API046] [API047] [UPL083] [UPL084] [PAY001] [PAY038] [GAL009] [GAL010] [GAL011] [GAL012] [CONST002]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Party").await;
        let answer = world.upload(&token, &event, "DSC_1.JPG", &photo(&[RED, GREEN], 0)).await;
        assert_eq!(answer.status, 201);
        let uploaded = answer.json();
        assert_eq!(uploaded["duplicate"], false);
        assert_eq!(uploaded["status"], "processing");
        assert_eq!(uploaded["thumbnail_url"], Value::Null);
        let color = |photo: &Value| {
            let text = photo["average_color"].as_str().unwrap().to_owned();
            u32::from_str_radix(text.strip_prefix('#').filter(|digits| digits.len() == 6).unwrap(), 16)
                .unwrap()
        };
        let at_upload = color(&uploaded).to_be_bytes();
        assert_eq!(balance(&world, &token).await, 99.0);

        assert_eq!(world.drain().await, 1);
        let id = event["id"].as_str().unwrap();
        let page = world.get(&format!("/api/photos/search?event_id={id}"), &token).await.json();
        assert_eq!(page["total_count"], 1);
        assert_eq!(page["next_cursor"], Value::Null);
        let found = &page["photos"][0];
        for (field, value) in [
            ("id", uploaded["id"].clone()),
            ("filename", json!("DSC_1.JPG")),
            ("original_filename", json!("DSC_1.JPG")),
            ("event_id", event["id"].clone()),
            ("width", json!(400)),
            ("height", json!(100)),
            ("status", json!("ready")),
            ("faces", json!(2)),
            ("created_at", json!("2026-11-20T09:00:00.000Z")),
        ] {
            assert_eq!(found[field], value, "{field}");
        }
        assert!(found["thumbnail_url"].as_str().unwrap().contains("/thumbnail?"));
        let indexed = color(found).to_be_bytes();
        assert!(
            at_upload.iter().zip(indexed).all(|(one, other)| one.abs_diff(other) < 16),
            "{at_upload:?} {indexed:?}"
        );
        let event = world.get(&format!("/api/events/{}", event["slug"].as_str().unwrap()), "").await.json();
        assert_eq!(event["indexing"], json!({"indexed": 1, "waiting": 0, "failed": 0, "total": 1}));
        assert_eq!(event["photos_indexed"], 1);
        assert_eq!(event["faces_indexed"], 2);
        assert_eq!(event["total_photos_uploaded"], 1);
        assert_eq!(world.get("/api/photos/count", &token).await.json(), json!({"total_count": 1}));
    });
}

#[test]
fn the_same_bytes_again_cost_nothing() {
    // [UPL071] [UPL072] [UPL074] [SAFE014]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let (one, two) = (world.event(&token, "One").await, world.event(&token, "Two").await);
        let bytes = photo(&[RED], 0);
        let first = world.upload(&token, &one, "a.jpg", &bytes).await.json();
        let again = world.upload(&token, &one, "b.jpg", &bytes).await;
        assert_eq!(again.status, 200);
        assert_eq!(again.json()["duplicate"], true);
        assert_eq!(again.json()["id"], first["id"]);
        assert_eq!(balance(&world, &token).await, 99.0);
        let elsewhere = world.upload(&token, &two, "a.jpg", &bytes).await;
        assert_eq!(elsewhere.status, 201);
        assert_ne!(elsewhere.json()["id"], first["id"]);
        assert_eq!(balance(&world, &token).await, 98.0);
    });
}

#[test]
fn concurrent_uploads_of_the_same_bytes_make_one_photo_and_one_charge() {
    // [UPL073]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Party").await;
        let bytes = photo(&[RED], 0);
        let upload = || world.upload(&token, &event, "a.jpg", &bytes);
        let (a, b, c, d) = tokio::join!(upload(), upload(), upload(), upload());
        let mut statuses = [&a, &b, &c, &d].map(|answer| answer.status.as_u16());
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 200, 200, 201]);
        assert_eq!(balance(&world, &token).await, 99.0);
        assert_eq!(world.get("/api/photos/count", &token).await.json()["total_count"], 1);
    });
}

#[test]
fn a_file_that_is_no_image_is_refused_and_not_stored() {
    // [API048] [UPL060] [UPL063] [UPL064] [UPL068] [UPL190] [UPL069] [UPL070] [PAY040] [UPL188]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Party").await;
        let whole = photo(&[RED], 0);
        let torn = &whole[..whole.len() / 2];
        for (name, bytes, text) in [
            (
                "a.jpg",
                b"Dear diary".as_slice(),
                "The file is not an image we can read (PNG, JPG, JPEG, GIF, BMP, TIFF, WEBP, HEIC, AVIF)",
            ),
            ("b.jpg", torn, "The image is incomplete: the end of the file is missing"),
            ("c.jpg", b"", "This file is empty (0 bytes). Copy it from the card again."),
            ("d.png", &huge_png(), "The image has more than 200 megapixels"),
        ] {
            let answer = world.upload(&token, &event, name, bytes).await;
            assert_eq!(answer.error(), (400, text.to_owned()), "{name}");
        }
        let id = event["id"].as_str().unwrap();
        let two = [
            Field::file("photos", "a.jpg", &whole),
            Field::file("photos", "b.jpg", &whole),
            Field::text("event_id", id),
        ];
        let answer = world.form("/api/photos/upload", &token, &two).await;
        assert_eq!(answer.error(), (400, String::from("Please upload one photo per request")));
        let none = world.form("/api/photos/upload", &token, &[Field::text("event_id", id)]).await;
        assert_eq!(none.error(), (400, String::from("Please choose a photo to upload")));

        assert_eq!(balance(&world, &token).await, 100.0);
        assert_eq!(world.get("/api/photos/count", &token).await.json()["total_count"], 0);
        assert_eq!(world.stored_files().await, Vec::<String>::new());
        assert_eq!(world.drain().await, 0);

        let renamed = world.upload(&token, &event, "notes.txt", &whole).await;
        assert_eq!(renamed.status, 201, "judged by its bytes, not its name");
    });
}

/// A PNG whose header claims 100,000 pixels square.
fn huge_png() -> Vec<u8> {
    let mut header = b"IHDR".to_vec();
    header.extend_from_slice(&100_000_u32.to_be_bytes());
    header.extend_from_slice(&100_000_u32.to_be_bytes());
    header.extend_from_slice(&[8, 2, 0, 0, 0]);
    let mut png = b"\x89PNG\r\n\x1a\n".to_vec();
    let mut chunk = |body: &[u8]| {
        png.extend_from_slice(&u32::try_from(body.len() - 4).unwrap().to_be_bytes());
        png.extend_from_slice(body);
        png.extend_from_slice(&crc32(body).to_be_bytes());
    };
    chunk(&header);
    chunk(b"IDAT\x78\x9c\x03\x00\x00\x00\x00\x01");
    chunk(b"IEND");
    png
}

fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |mut crc: u32, byte| {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 { (crc >> 1) ^ 0xEDB8_8320 } else { crc >> 1 };
        }
        crc
    })
}

#[test]
fn the_last_credit_is_spent_once_and_then_uploads_are_refused() {
    // [UPL075] [PAY006] [PAY037] [PAY041] [SAFE016]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let (one, two) = (world.event(&token, "One").await, world.event(&token, "Two").await);
        for n in 0..100_u32 {
            let event = if n % 2 == 0 { &one } else { &two };
            #[allow(clippy::cast_possible_truncation, reason = "below 256")]
            let bytes = photo(&[[n as u8 * 2, 30, 40]], (n / 10) as u8);
            assert_eq!(world.upload(&token, event, "a.jpg", &bytes).await.status, 201, "{n}");
        }
        let refused = world.upload(&token, &one, "b.jpg", &photo(&[RED], 0)).await;
        assert_eq!(
            refused.error(),
            (402, String::from("Insufficient credits. Please add credits to continue uploading."))
        );
        let credits = world.get("/api/subscription/credits", &token).await.json();
        assert_eq!(
            credits,
            json!({"credits": 0.0, "total_credits_earned": 100.0, "total_credits_spent": 100.0, "is_first_recharge": true})
        );
        assert_eq!(world.get("/api/photos/count", &token).await.json()["total_count"], 100);
        assert_eq!(world.stored_files().await.len(), 100, "nothing of the refused photo was kept");
    });
}

#[test]
fn photos_up_to_100_mb_are_accepted() {
    // [UPL061] [UPL187]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Party").await;
        // Trailing bytes after the end of a JPEG are valid: cameras put previews there.
        let mut bytes = photo(&[RED], 0);
        bytes.resize(104_857_600, 0);
        assert_eq!(world.upload(&token, &event, "large.jpg", &bytes).await.status, 201);
        bytes.push(0);
        let refused = world.upload(&token, &event, "larger.jpg", &bytes).await;
        assert_eq!(refused.error(), (413, String::from("The photo is larger than 100 MB")));
        assert_eq!(balance(&world, &token).await, 99.0);
        assert_eq!(world.stored_files().await.len(), 1);
    });
}

#[test]
fn lists_are_paged_newest_first_and_give_every_photo_once() {
    // [GAL013] [GAL014] [GAL015] [GAL018] [GAL019] [GAL020] [UPL028]
    // A cursor is the id of any photo, also of one that was deleted since.
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Party").await;
        for n in 0..5_u8 {
            world.upload(&token, &event, &format!("{n}.jpg"), &photo(&[RED], n)).await;
            world.clock.advance(std::time::Duration::from_millis(1));
        }
        world.upload(&token, &world.event(&token, "Other").await, "elsewhere.jpg", &photo(&[BLUE], 0)).await;
        let id = event["id"].as_str().unwrap();
        let page = async |query: &str| {
            world.get(&format!("/api/photos/search?event_id={id}&{query}"), &token).await.json()
        };
        let names = |page: &Value| {
            page["photos"]
                .as_array()
                .unwrap()
                .iter()
                .map(|photo| photo["filename"].as_str().unwrap().to_owned())
                .collect::<Vec<_>>()
        };
        let first = page("limit=2").await;
        assert_eq!(names(&first), ["4.jpg", "3.jpg"]);
        assert_eq!(first["total_count"], 5);
        // An upload between two pages shifts nothing.
        world.clock.advance(std::time::Duration::from_millis(1));
        world.upload(&token, &event, "late.jpg", &photo(&[GREEN], 9)).await;
        let second = page(&format!("limit=2&cursor={}", first["next_cursor"].as_str().unwrap())).await;
        assert_eq!(names(&second), ["2.jpg", "1.jpg"]);
        let third = page(&format!("limit=2&cursor={}", second["next_cursor"].as_str().unwrap())).await;
        assert_eq!(names(&third), ["0.jpg"]);
        assert_eq!(third["next_cursor"], Value::Null);
        let a_photo = first["photos"][1]["id"].as_str().unwrap();
        assert_eq!(names(&page(&format!("limit=1&cursor={a_photo}")).await), ["2.jpg"]);
        let deleted = world.delete(&format!("/api/photos/{a_photo}"), &token).await;
        assert_eq!(deleted.status, 200);
        assert_eq!(names(&page(&format!("limit=1&cursor={a_photo}")).await), ["2.jpg"]);
        assert_eq!(names(&page("filename=2.jpg").await), ["2.jpg"]);
        assert_eq!(names(&page("filename=2.JPG").await), Vec::<String>::new());
        assert_eq!(names(&page("limit=1000").await).len(), 5);
        assert_eq!(world.get("/api/photos/search", &token).await.json()["total_count"], 6);

        let bad = world.get("/api/photos/search?cursor=here", &token).await;
        assert_eq!(bad.error(), (400, String::from("The cursor is not valid")));
        assert_eq!(world.get("/api/photos/search?limit=many", &token).await.status, 400);
        assert_eq!(world.get("/api/photos/search", "").await.status, 401);

        let ravi = world.photographer("ravi@example.com").await;
        assert_eq!(world.get("/api/photos/search", &ravi).await.json()["total_count"], 0);
    });
}

#[test]
fn a_page_has_200_photos_and_at_most_1000() {
    // [GAL016] [GAL017]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Party").await;
        world.upload(&token, &event, "0.jpg", &photo(&[RED], 0)).await;
        let db = &world.parts.db;
        let uploaded = storage::photos::page(db, None, 1).await.unwrap().remove(0);
        let randomness = domain::Randomness::seeded(7);
        let mut tx = db.begin().await.unwrap();
        for n in 1..=1_000_u32 {
            let id = randomness.id(&world.clock);
            let photo = domain::photos::Photo {
                id,
                key: domain::photos::MediaKey::original(&randomness, id, domain::photos::ImageFormat::Jpeg),
                content_hash: randomness.bytes(),
                original_filename: format!("{n}.jpg"),
                ..uploaded.clone()
            };
            storage::photos::insert(&mut tx, &photo).await.unwrap();
            assert!(storage::photos::count_insertion(&mut tx, &photo).await.unwrap());
        }
        tx.commit().await.unwrap();
        for (query, photos) in [("", 200), ("?limit=1", 1), ("?limit=1000", 1_000)] {
            let page = world.get(&format!("/api/photos/search{query}"), &token).await.json();
            assert_eq!(page["photos"].as_array().unwrap().len(), photos, "{query}");
            assert_eq!(page["total_count"], 1_001, "{query}");
            assert!(page["next_cursor"].is_string(), "{query}");
        }
        for limit in ["0", "1001", "4000000000"] {
            let refused = world.get(&format!("/api/photos/search?limit={limit}"), &token).await;
            assert_eq!(refused.error(), (400, String::from("limit must be a number from 1 to 1000")));
        }
    });
}

#[test]
fn a_photo_without_event_belongs_to_the_library() {
    // [UPL057]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let bytes = photo(&[RED], 0);
        let upload = || async {
            world.form("/api/photos/upload", &token, &[Field::file("photos", "a.jpg", &bytes)]).await
        };
        let answer = upload().await;
        assert_eq!(answer.status, 201);
        assert_eq!(answer.json()["event_id"], Value::Null);
        assert_eq!(upload().await.json()["duplicate"], true);
    });
}

#[test]
fn a_photo_without_faces_becomes_ready() {
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Party").await;
        world.upload(&token, &event, "night.jpg", &photo(&[BLACK], 0)).await;
        world.drain().await;
        let photo = world.get("/api/photos/search", &token).await.json()["photos"][0].clone();
        assert_eq!((photo["status"].as_str(), photo["faces"].as_i64()), (Some("ready"), Some(0)));
    });
}

#[test]
fn uploading_needs_a_token() {
    // [API049]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Party").await;
        for stranger in ["", "made-up"] {
            let answer = world.upload(stranger, &event, "a.jpg", &photo(&[RED], 0)).await;
            assert_eq!(answer.status, 401);
        }
        assert_eq!(world.stored_files().await, Vec::<String>::new());
    });
}

#[test]
fn the_count_has_only_existing_photos_and_a_deletion_refunds_nothing() {
    // [API043] [GAL027]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Party").await;
        let made = world.upload(&token, &event, "a.jpg", &photo(&[RED], 0)).await.json();
        world.upload(&token, &event, "b.jpg", &photo(&[RED], 1)).await;
        assert_eq!(world.get("/api/photos/count", &token).await.json(), json!({"total_count": 2}));
        let path = format!("/api/photos/{}", made["id"].as_str().unwrap());
        assert_eq!(world.delete(&path, &token).await.status, 200);
        assert_eq!(world.get("/api/photos/count", &token).await.json(), json!({"total_count": 1}));
        let credits = world.get("/api/subscription/credits", &token).await.json();
        assert_eq!((&credits["credits"], &credits["total_credits_spent"]), (&json!(98.0), &json!(2.0)));
    });
}

#[test]
fn a_photo_of_no_event_is_charged_counted_and_indexed_as_any_other() {
    // [PAY001] [PAY041] [UPL084] [API043]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let bytes = photo(&[RED], 0);
        let file = Field::file("photos", "a.jpg", &bytes);
        assert_eq!(world.form("/api/photos/upload", &token, &[file]).await.status, 201);
        let credits = world.get("/api/subscription/credits", &token).await.json();
        assert_eq!((&credits["credits"], &credits["total_credits_spent"]), (&json!(99.0), &json!(1.0)));
        assert_eq!(world.get("/api/photos/count", &token).await.json(), json!({"total_count": 1}));
        world.drain().await;
        let found = world.get("/api/photos/search", &token).await.json();
        assert_eq!(found["photos"][0]["status"], "ready");
    });
}
