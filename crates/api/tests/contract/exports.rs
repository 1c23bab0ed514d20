//! /api/auth/export

mod asking;

use std::collections::BTreeMap;
use std::time::Duration;

use axum::body::Body;
use axum::http::Request;
use domain::{DAY, PhotoId};
use media::stores::Source;
use serde_json::{Value, json};

use crate::downloads::{files, party};
use crate::harness::{Answer, BLUE, Field, GREEN, PASSWORD, RED, World, on_both_engines, photo};
use crate::payments::{coupon, insert_coupons, order, paid, verify};

const GONE: &str = "This download is no longer available. Please ask for your data again.";
const SECOND: Duration = Duration::from_secs(1);

async fn ask(world: &World, token: &str) -> Answer {
    world.post("/api/auth/export", token, json!({"password": PASSWORD})).await
}

fn path(made: &Answer) -> String {
    assert_eq!(made.status, 201, "{}", String::from_utf8_lossy(&made.bytes));
    format!("/api/auth/export/{}.zip", made.json()["download_token"].as_str().unwrap())
}

/// Asks for an export; the path of its ZIP.
pub(crate) async fn export(world: &World, token: &str) -> String {
    path(&ask(world, token).await)
}

/// The files of a ZIP by their names, and its `data.json`.
pub(crate) fn unpacked(zip: &Answer) -> (BTreeMap<String, Vec<u8>>, Value) {
    assert_eq!(zip.status, 200, "{}", String::from_utf8_lossy(&zip.bytes));
    let listed = files(&zip.bytes);
    assert_eq!(listed[0].0, "data.json", "it comes first");
    let data = serde_json::from_slice(&listed[0].1).unwrap();
    let count = listed.len();
    let named: BTreeMap<String, Vec<u8>> = listed.into_iter().skip(1).collect();
    assert_eq!(named.len(), count - 1, "no name is there twice");
    (named, data)
}

async fn ranged(world: &World, path: &str, from: usize, etag: &str) -> Answer {
    let request = Request::get(path).header("range", format!("bytes={from}-")).header("if-range", etag);
    world.send(request.body(Body::empty()).unwrap()).await
}

/// Creates things one after the other: ids sort by their time.
async fn event_later(world: &World, token: &str, name: &str) -> Value {
    world.clock.advance(SECOND);
    world.event(token, name).await
}

async fn upload_later(world: &World, token: &str, event: &Value, name: &str, bytes: &[u8]) -> Value {
    world.clock.advance(SECOND);
    let answer = world.upload(token, event, name, bytes).await;
    assert_eq!(answer.status, 201, "{}", String::from_utf8_lossy(&answer.bytes));
    answer.json()
}

#[test]
fn the_originals_are_there_byte_for_byte_under_safe_names() {
    // [ACC176] [ACC191] [ACC179] [ACC180]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let first = world.event(&token, "Mehndi: मीरा & अर्जुन").await;
        let same = event_later(&world, &token, "mehndi: मीरा & अर्जुन").await;
        let outside = event_later(&world, &token, "../../etc").await;
        let none = Value::Null;
        let uploads = [
            (&first, "IMG_1.JPG", "events/2026-11-14 Mehndi_ मीरा & अर्जुन (2)/IMG_1.JPG"),
            (&first, "img_1.jpg", "events/2026-11-14 Mehndi_ मीरा & अर्जुन (2)/img_1 (2).jpg"),
            (&first, "फोटो.jpg", "events/2026-11-14 Mehndi_ मीरा & अर्जुन (2)/फोटो.jpg"),
            (&same, "IMG_1.JPG", "events/2026-11-14 mehndi_ मीरा & अर्जुन/IMG_1.JPG"),
            (&outside, "..", "events/2026-11-14 .._.._etc/photo.jpg"),
            (&outside, "no ending", "events/2026-11-14 .._.._etc/no ending.jpg"),
            (&none, "CON.jpg", "library/_CON.jpg"),
        ];
        let mut expected = BTreeMap::new();
        for (number, (event, name, place)) in (0..).zip(uploads) {
            let bytes = photo(&[RED], number);
            upload_later(&world, &token, event, name, &bytes).await;
            expected.insert(place.to_owned(), bytes);
        }
        // Another photographer's are not in it.
        let other = world.photographer("ravi@example.com").await;
        upload_later(&world, &other, &none, "theirs.jpg", &photo(&[BLUE], 0)).await;

        let made = ask(&world, &token).await;
        let zip = world.get(&path(&made), "").await;
        let (found, data) = unpacked(&zip);
        assert_eq!(found.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>());
        assert!(found == expected, "the bytes are those that were uploaded");
        let made = made.json();
        assert_eq!((&made["photos"], &made["missing"]), (&json!(7), &json!(0)));
        assert_eq!(made["size_bytes"], zip.bytes.len());
        assert_eq!(zip.header("content-length"), zip.bytes.len().to_string());
        assert_eq!(zip.header("content-type"), "application/zip");
        let name = "attachment; filename=\"afterglow-2026-11-20.zip\"";
        assert_eq!(zip.header("content-disposition"), name);
        assert_eq!(zip.header("cache-control"), "private, no-cache");
        for named in data["events"].as_array().unwrap() {
            for photo in named["photos"].as_array().unwrap() {
                assert!(found.contains_key(photo["file"].as_str().unwrap()), "{photo}");
            }
        }
    });
}

#[test]
fn data_json_has_what_is_stored_about_the_account() {
    // [ACC177] [BRAND011] [BRAND032] [BRAND025] [BRAND044]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let studio = json!({"name": "Meera", "accent": "#0b5394", "website": "https://meera.example",
            "instagram": "meera.studio", "contact": "+91 98450 12345"});
        assert_eq!(world.put("/api/studio", &token, studio.clone()).await.status, 200);
        assert_eq!(crate::studios::upload_logo(&world, &token, &photo(&[RED], 3)).await.status, 200);
        let white = crate::studios::transparent([255; 4]);
        assert_eq!(crate::studios::upload_dark_logo(&world, &token, &white).await.status, 200);
        let mut watermark = crate::watermarks::save(&world, &token, "", "tiled", "true").await.json();
        watermark.as_object_mut().unwrap().remove("sample_url");
        let body = json!({"name": "Party", "date": "2026-11-14", "description": "Fun", "payment_amount": 999,
            "coupon_code": "SAID"});
        let event = world.post("/api/events/", &token, body).await.json();
        let path_of_event = format!("/api/events/{}", event["id"].as_str().unwrap());
        let kept = world.patch(&path_of_event, &token, json!({"keeps_metadata": true})).await;
        assert_eq!(kept.status, 200);
        let cameras =
            world.put(&format!("{path_of_event}/ftp"), &token, json!({"password": PASSWORD})).await.json();
        let bytes = photo(&[RED], 0);
        let uploaded = upload_later(&world, &token, &event, "a.jpg", &bytes).await;
        for name in ["Dinner", "Ceremony"] {
            crate::albums::put_into_new(&world, &token, &event, name, &uploaded).await;
        }
        upload_later(&world, &token, &Value::Null, "b.jpg", &photo(&[GREEN], 0)).await;
        let over = world.event(&token, "Over").await;
        let over = format!("/api/events/{}", over["id"].as_str().unwrap());
        assert_eq!(world.delete(&over, &token).await.status, 200);
        crate::people::group(&world).await;
        // A guest has the photo hidden.
        let selfie = photo(&[RED], 9);
        let preview = format!("/api/face/objections/{}", event["slug"].as_str().unwrap());
        let fields = [Field::file("image", "selfie.jpg", &selfie), Field::notice()];
        let shown = world.form(&preview, "", &fields).await.json();
        let objection = json!({"token": shown["token"], "choice": "hide", "notice_version": "2026-11"});
        assert_eq!(world.post("/api/face/objections", "", objection).await.status, 201);
        insert_coupons(&world, [coupon(&world, "HALF", domain::payments::coupons::Discount::Percent(50))])
            .await;
        let body = json!({"amount": 49_950, "purpose": "premium_plan", "coupon_code": "HALF"});
        assert_eq!(order(&world, &token, body).await.status, 200);
        let proof = paid(&world, &token, json!({"amount": 10_000})).await;
        assert_eq!(verify(&world, &token, &proof).await.status, 200);

        let key = crate::passkeys::Authenticator::new();
        crate::passkeys::add(&world, &token, &key, "My phone").await;
        let (_, data) = unpacked(&world.get(&export(&world, &token).await, "").await);
        assert_eq!(data["format"], json!({"name": "afterglow-account", "version": 2}));
        assert_eq!(data["made_at"], world.app.now().to_rfc3339());
        let account = &data["account"];
        assert_eq!(
            (&account["name"], &account["email"]),
            (&json!("Meera Kapoor"), &json!("meera@example.com"))
        );
        assert_eq!(account["created_at"], app::testing::START.to_rfc3339());
        let mut exported = data["studio"].clone();
        let logo = exported.as_object_mut().unwrap().remove("logo").unwrap();
        assert!(logo.as_str().unwrap().starts_with("data:image/jpeg;base64,/9j/"), "{logo}");
        let dark_logo = exported.as_object_mut().unwrap().remove("dark_logo").unwrap();
        assert!(dark_logo.as_str().unwrap().starts_with("data:image/png;base64,iVBOR"), "{dark_logo}");
        assert_eq!(exported.as_object_mut().unwrap().remove("watermark"), Some(watermark));
        assert_eq!(exported, studio);
        let now = world.app.now().to_rfc3339();
        assert_eq!(data["passkeys"], json!([{"name": "My phone", "created_at": now, "last_used_at": null}]));
        assert_eq!(data["sessions"].as_array().unwrap().len(), 1);
        assert_eq!(data["sessions"][0]["is_the_one_that_asked"], true);
        let link = &data["mailed_links"][0];
        assert_eq!(
            (&link["purpose"], &link["mailed_to"]),
            (&json!("verify_email"), &json!("meera@example.com"))
        );

        let events = data["events"].as_array().unwrap();
        assert_eq!(events.len(), 2, "a deleted one too");
        let party = events.iter().find(|each| each["id"] == event["id"]).unwrap();
        for (field, value) in [
            ("name", json!("Party")),
            ("date", json!("2026-11-14")),
            ("description", json!("Fun")),
            ("slug", event["slug"].clone()),
            (
                "settings",
                json!({"guests_can_ask_to_be_told": true, "guests_get_positions_and_serial_numbers": true,
                    "takes_no_more_photos": false, "asks_for_a_pin": false, "guests_can_save": "original",
                    "publication": "as_they_arrive", "more_until": null,
                    "takes_questions": true, "guests_see_all_photos": false, "guests_get_the_names_of_files": false, "guests_may_add_photos": false, "stacks_photos_that_are_alike": false, "photos_from_each_guest": 30, "puts_faces_together": true}),
            ),
            ("stated_payment", json!(999.0)),
            ("stated_coupon", json!("SAID")),
            ("photos_uploaded", json!(1)),
            ("deleted_at", Value::Null),
            ("requests", json!({"hide": 1, "stop_finding": 0})),
            ("albums", json!(["Dinner", "Ceremony"])),
            ("login_for_cameras", cameras["login"].clone()),
            ("people", json!({"shown": 1, "hidden": 0})),
        ] {
            assert_eq!(party[field], value, "{field}");
        }
        let over = events.iter().find(|each| each["id"] != event["id"]).unwrap();
        assert_eq!(over["name"], "Over");
        assert_ne!(over["deleted_at"], Value::Null);
        let found = &party["photos"][0];
        for (field, value) in [
            ("id", uploaded["id"].clone()),
            ("file", json!("events/2026-11-14 Party/a.jpg")),
            ("missing", Value::Null),
            ("name", json!("a.jpg")),
            ("media_type", json!("image/jpeg")),
            ("size_bytes", json!(bytes.len())),
            ("state", json!("ready")),
            ("failure", Value::Null),
            ("faces", json!(1)),
            ("hidden_from_guests", json!(true)),
            ("held", json!(false)),
            ("albums", json!(["Dinner", "Ceremony"])),
            ("expires_at", party["photos_expire_at"].clone()),
            ("blake3", json!(domain::photos::hash_text(&world.stored(&uploaded["id"]).await.content_hash))),
        ] {
            assert_eq!(found[field], value, "{field}");
        }
        let uploaded_at = world.stored(&uploaded["id"]).await.created_at;
        assert_eq!(found["uploaded_at"], uploaded_at.to_rfc3339());
        assert_eq!(data["library"]["photos"][0]["name"], "b.jpg");
        let library = &data["library"]["photos"][0];
        let expiry = world.stored(&library["id"]).await.created_at.plus(DAY * 30);
        assert_eq!(library["expires_at"], expiry.to_rfc3339());
        assert_eq!(library["albums"], json!([]));
        assert_eq!(
            data["activity"][0],
            json!({"date": "2026-11-20", "uploads": 2, "visits": 0, "searches": 0,
            "searches_found": 0, "guests_helped": 0, "downloads": 0, "browsed": 0, "hearts": 0,
            "shown": 0, "not_me": 0, "missed": 0})
        );

        assert_eq!(data["credits"]["balance"], 298.0);
        let changes = data["credits"]["changes"].as_array().unwrap();
        let kinds: Vec<&str> = changes.iter().map(|change| change["kind"].as_str().unwrap()).collect();
        assert_eq!(kinds.iter().filter(|kind| **kind == "upload").count(), 2, "{kinds:?}");
        let upload = changes.iter().find(|change| change["event"] == event["id"]).unwrap();
        assert_eq!((&upload["change"], &upload["reference"]), (&json!(-1.0), &uploaded["id"]));
        let orders = data["orders"].as_array().unwrap();
        assert_eq!(orders.len(), 2);
        let premium = orders.iter().find(|order| order["purpose"] == "premium_plan").unwrap();
        assert_eq!((&premium["coupon"], &premium["state"]), (&json!("HALF"), &json!("open")));
        assert_eq!((&premium["amount"], &premium["discount"]), (&json!(499.5), &json!(499.5)));
        assert_eq!(data["payments"][0]["payment_id"], proof["razorpay_payment_id"]);
        assert_eq!((&data["payments"][0]["amount"], &data["refunds"]), (&json!(100.0), &json!([])));
    });
}

#[test]
fn data_json_has_nothing_that_gives_access_and_nothing_of_others() {
    // [ACC178]
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        let found = world.search(&party.event, &photo(&[RED], 9)).await.json();
        let subscription = json!({"token": found["subscription_token"], "email": "guest@example.com",
            "notice_version": "2026-11", "language": "en-IN"});
        assert_eq!(world.post("/api/face/subscriptions", "", subscription).await.status, 202);
        let reset = json!({"email": "meera@example.com"});
        assert_eq!(world.post("/api/auth/forgot-password", "", reset).await.status, 200);
        let mailed = world.token_mailed_to("meera@example.com", "reset-password").await;
        let previous = export(&world, &party.token).await;
        let made = ask(&world, &party.token).await;
        let (_, data) = unpacked(&world.get(&path(&made), "").await);
        let text = data.to_string();
        assert!(text.contains("reset_password"), "the link is named");
        let hex = |token: &str| {
            let hash = domain::accounts::tokens::hash_token(token);
            domain::photos::hash_text(&hash)
        };
        let made = made.json();
        let own = made["download_token"].as_str().unwrap();
        let guests = found["download_token"].as_str().unwrap();
        let previous = previous.rsplit('/').next().unwrap().trim_end_matches(".zip");
        let mut secrets =
            vec![String::from("$argon2"), String::from("guest@example.com"), String::from("embedding")];
        for token in [&*party.token, own, guests, previous, &*mailed] {
            secrets.extend([
                token.to_owned(),
                hex(token),
                domain::accounts::tokens::handle(&domain::accounts::tokens::hash_token(token)),
            ]);
        }
        for found in &party.matches {
            let key = world.stored(&found["photo_id"]).await.key;
            secrets.extend([key.filename().to_owned(), key.to_string()]);
            secrets.push(found["s3_key"].as_str().unwrap().to_owned());
        }
        for secret in secrets {
            assert!(!text.to_lowercase().contains(&secret.to_lowercase()), "{secret} is in {text}");
        }
    });
}

#[test]
fn a_link_leads_to_the_export_of_the_account_that_asked_and_to_no_other() {
    // [ACC176] [ACC191] [ACC181] [ACC196]
    on_both_engines(async |world: World| {
        let meera = world.photographer("meera@example.com").await;
        let ravi = world.photographer("ravi@example.com").await;
        let (hers, his) = (export(&world, &meera).await, export(&world, &ravi).await);
        for (zip, token, email) in [
            (&hers, "", "meera@example.com"),
            (&hers, &*ravi, "meera@example.com"),
            (&his, &*meera, "ravi@example.com"),
        ] {
            let (_, data) = unpacked(&world.get(zip, token).await);
            assert_eq!(data["account"]["email"], email);
        }
        let changed = hers.replace(".zip", "A.zip");
        let of_a_guest = hers.replace("/api/auth/export/", "/api/face/download/");
        for wrong in [changed.as_str(), hers.strip_suffix(".zip").unwrap(), "/api/auth/export/.zip"] {
            assert_eq!(world.get(wrong, "").await.error(), (404, String::from(GONE)), "{wrong}");
        }
        assert_eq!(world.get(&of_a_guest, "").await.error(), (404, String::from(crate::downloads::GONE)));

        // The next one takes its place.
        let second = export(&world, &meera).await;
        assert_eq!(world.get(&hers, "").await.error(), (404, String::from(GONE)));
        world.clock.advance(DAY - SECOND);
        assert_eq!(world.get(&second, "").await.status, 200);
        world.clock.advance(SECOND);
        assert_eq!(world.get(&second, "").await.error(), (404, String::from(GONE)));
    });
}

#[test]
fn a_link_ends_with_its_session() {
    // [ACC193] [ACC194] [ACC195]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let log_in =
            async || world.log_in("meera@example.com").await.json()["token"].as_str().unwrap().to_owned();
        let gone = async |zip: &str| assert_eq!(world.get(zip, "").await.error(), (404, String::from(GONE)));

        let stolen = log_in().await;
        let zip = export(&world, &stolen).await;
        assert_eq!(world.get(&zip, "").await.status, 200);
        assert_eq!(world.delete("/api/auth/sessions", &token).await.status, 200);
        gone(&zip).await;

        let leaving = log_in().await;
        let zip = export(&world, &leaving).await;
        assert_eq!(world.post("/api/auth/logout", &leaving, json!({})).await.status, 200);
        gone(&zip).await;

        let stolen = log_in().await;
        let zip = export(&world, &stolen).await;
        let change = json!({"current_password": PASSWORD, "new_password": "battery staple"});
        assert_eq!(world.post("/api/auth/change-password", &token, change).await.status, 200);
        gone(&zip).await;

        let asked = json!({"password": "battery staple"});
        let zip = path(&world.post("/api/auth/export", &token, asked).await);
        let close = Request::delete("/api/auth/me")
            .header("authorization", format!("Bearer {token}"))
            .header("content-type", "application/json")
            .body(Body::from(json!({"password": "battery staple"}).to_string()));
        assert_eq!(world.send(close.unwrap()).await.status, 200);
        gone(&zip).await;
    });
}

#[test]
fn an_interrupted_export_goes_on_whatever_the_account_does_meanwhile() {
    // [ACC182] [ACC197]
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        let zip = export(&world, &party.token).await;
        let whole = world.get(&zip, "").await;
        let (etag, total) = (whole.header("etag").to_owned(), whole.bytes.len());
        let name = json!({"name": "Somebody Else"});
        assert_eq!(world.put("/api/auth/update-profile", &party.token, name).await.status, 200);
        upload_later(&world, &party.token, &party.event, "new.jpg", &photo(&[BLUE], 1)).await;
        world.clock.advance(Duration::from_secs(60 * 60));
        world.drain().await;
        for from in [1, 40, 3_000, total / 2, total - 1] {
            let rest = ranged(&world, &zip, from, &etag).await;
            assert_eq!(rest.status, 206);
            assert_eq!(rest.header("content-range"), format!("bytes {from}-{}/{total}", total - 1));
            assert!(rest.bytes == whole.bytes[from..], "from {from}");
        }
        assert_eq!(ranged(&world, &zip, total, &etag).await.error().0, 416);

        // A photo that was deleted changes the bytes: the answer is the whole new ZIP, which says so.
        let gone = party.matches[0]["photo_id"].as_str().unwrap();
        assert_eq!(world.delete(&format!("/api/photos/{gone}"), &party.token).await.status, 200);
        let changed = ranged(&world, &zip, 500, &etag).await;
        assert_eq!(changed.status, 200);
        assert_ne!(changed.header("etag"), etag);
        let (left, data) = unpacked(&changed);
        assert_eq!(left.len(), 4, "three photos, and what says so");
        let photos = data["events"][0]["photos"].as_array().unwrap();
        let file = photos.iter().find(|photo| photo["id"] == gone).unwrap()["file"].as_str().unwrap();
        assert!(!left.contains_key(file));
        let note: Value = serde_json::from_slice(&left["deleted-since.json"]).unwrap();
        assert_eq!(note["files"], json!([file]));

        // So does an event, from the moment its deletion begins.
        let event = format!("/api/events/{}", party.event["id"].as_str().unwrap());
        assert_eq!(world.delete(&event, &party.token).await.status, 202);
        for _ in 0..2 {
            let (left, _) = unpacked(&world.get(&zip, "").await);
            assert_eq!(left.keys().collect::<Vec<_>>(), ["deleted-since.json"]);
            world.drain().await;
        }
    });
}

#[test]
fn what_the_store_has_lost_is_named_and_the_rest_is_there() {
    // [ACC183]
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        let key = async |number: usize| world.stored(&party.matches[number]["photo_id"]).await.key;
        world.parts.store.delete(&key(0).await).await.unwrap();
        let cut = party.originals[1][..100].to_vec();
        world.parts.store.put(&key(1).await, Source::Bytes(cut.into())).await.unwrap();
        let over = event_later(&world, &party.token, "Over").await;
        upload_later(&world, &party.token, &over, "over.jpg", &photo(&[BLUE], 3)).await;
        let path_of_event = format!("/api/events/{}", over["id"].as_str().unwrap());
        assert_eq!(world.delete(&path_of_event, &party.token).await.status, 202);

        let made = ask(&world, &party.token).await;
        let (found, data) = unpacked(&world.get(&path(&made), "").await);
        let made = made.json();
        assert_eq!((&made["photos"], &made["missing"]), (&json!(2), &json!(3)));
        assert_eq!(found.len(), 2);
        let all: Vec<&Value> = data["events"]
            .as_array()
            .unwrap()
            .iter()
            .flat_map(|event| event["photos"].as_array().unwrap())
            .collect();
        let of = |id: &Value| all.iter().find(|photo| photo["id"] == *id).unwrap();
        for (number, missing) in [(0, json!("not_stored")), (1, json!("damaged")), (2, Value::Null)] {
            let photo = of(&party.matches[number]["photo_id"]);
            assert_eq!((&photo["missing"], photo["file"].is_null()), (&missing, !missing.is_null()));
        }
        let over = all.iter().find(|photo| photo["name"] == "over.jpg").unwrap();
        assert_eq!(over["missing"], "being_deleted");
        assert!(found.values().any(|bytes| *bytes == party.originals[2]));

        // Photos of an earlier version have no checksum: it is computed.
        world.clear_checksums().await;
        let (again, data) = unpacked(&world.get(&export(&world, &party.token).await, "").await);
        assert!(again == found);
        let of_the_last = &party.matches[2]["photo_id"];
        let id: PhotoId = of_the_last.as_str().unwrap().parse().unwrap();
        let crc32 = storage::photos::by_id(&world.parts.db, id).await.unwrap().unwrap().crc32.unwrap();
        assert!(data.to_string().contains(&format!("\"crc32\":\"{crc32:08x}\"")));
    });
}

#[test]
fn an_account_without_anything_gets_its_data() {
    // [ACC177]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let made = ask(&world, &token).await;
        let (files, data) = unpacked(&world.get(&path(&made), "").await);
        assert!(files.is_empty());
        assert_eq!((&data["events"], &data["library"]["photos"]), (&json!([]), &json!([])));
        assert_eq!(data["studio"], Value::Null);
        assert_eq!((&made.json()["photos"], &made.json()["missing"]), (&json!(0), &json!(0)));
    });
}
