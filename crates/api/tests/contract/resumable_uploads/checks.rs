//! What uploads in pieces are refused for.

use axum::body::{Body, Bytes};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::{PATH, append, begin, begun, credits, head, metadata, offset, parts, piece, request};
use crate::harness::{RED, World, on_both_engines, photo};

#[test]
fn what_a_piece_says_of_itself_is_checked() {
    // [UPL161]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Party").await;
        let path = begun(&world, &token, &event, b"0123456789").await;
        assert_eq!(append(&world, &path, &token, 0, b"0123").await.status, 204);
        let refused = async |request: axum::http::request::Builder, body: &'static str| {
            let answer = world.send(request.body(Body::from(body)).unwrap()).await;
            assert_eq!(answer.header("tus-resumable"), "1.0.0");
            assert_eq!(offset(&world, &path, &token).await, 4, "nothing has changed");
            answer.error()
        };
        let with = |name: &'static str, value: &'static str| {
            let usual = [("content-type", "application/offset+octet-stream"), ("upload-offset", "4")];
            let others = usual.into_iter().filter(move |(usual, _)| *usual != name);
            let request = others
                .fold(request("PATCH", &path, &token), |request, (name, value)| request.header(name, value));
            if value.is_empty() { request } else { request.header(name, value) }
        };
        let kind = (415, String::from("The bytes must be sent as application/offset+octet-stream"));
        assert_eq!(refused(with("content-type", ""), "4").await, kind);
        assert_eq!(refused(with("content-type", "application/octet-stream"), "4").await, kind);
        let offset = (400, String::from("Upload-Offset must be the number of bytes that are here already"));
        for bad in ["", "-1", "4.0", "+4", "99999999999999999999"] {
            assert_eq!(refused(with("upload-offset", bad), "4").await, offset, "{bad}");
        }
        let elsewhere = (409, String::from("Upload-Offset is not the number of bytes that are here already"));
        for wrong in ["0", "3", "5", "10"] {
            assert_eq!(refused(with("upload-offset", wrong), "4").await, elsewhere, "{wrong}");
        }
        let long = (413, String::from("These are more bytes than Upload-Length says"));
        assert_eq!(refused(with("content-length", "7"), "4567890").await, long);
        assert_eq!(refused(with("x-other", ""), "4567890").await, long, "without a length in its head");
    });
}

#[test]
fn what_a_new_upload_says_of_itself_is_checked() {
    // [UPL161]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let theirs = world.photographer("ravi@example.com").await;
        let theirs = world.event(&theirs, "Theirs").await;
        let post = async |name: &str, value: &str| {
            let request = request("POST", PATH, &token).header(name, value);
            world.send(request.body(Body::empty()).unwrap()).await.error()
        };
        let length = (400, String::from("Upload-Length must be the number of bytes of the file"));
        assert_eq!(post("upload-defer-length", "1").await, length);
        for bad in ["", "-1", "x", "1.5", "99999999999999999999"] {
            assert_eq!(post("upload-length", bad).await, length, "{bad}");
        }
        let empty = (400, String::from("This file is empty (0 bytes). Copy it from the card again."));
        assert_eq!(post("upload-length", "0").await, empty);
        assert_eq!(
            post("upload-length", "104857601").await,
            (413, String::from("The photo is larger than 100 MB"))
        );
        let no_event = (404, String::from("Event not found"));
        let named = |text: &str| format!("event_id {}", STANDARD.encode(text));
        for event in [theirs["id"].as_str().unwrap(), "no id"] {
            assert_eq!(begin(&world, &token, 5, &named(event)).await.error(), no_event);
        }
        let text = "Upload-Metadata must be pairs of a key and a Base64 text, at most 4,096 characters";
        assert_eq!(begin(&world, &token, 5, "filename ?").await.error(), (400, String::from(text)));
        let own = world.event(&token, "Over").await;
        assert_eq!(world.upload(&token, &own, "a.jpg", &photo(&[RED], 0)).await.status, 201);
        let event = format!("/api/events/{}", own["id"].as_str().unwrap());
        assert_eq!(world.delete(&event, &token).await.status, 202);
        let closed = begin(&world, &token, 5, &metadata(&own, "a.jpg")).await.error();
        assert_eq!(closed, (409, String::from("This event is being deleted")));
        assert_eq!(parts(&world), [] as [String; 0]);
        assert_eq!(begin(&world, &token, 5, "").await.status, 201, "the library, and a file without a name");
    });
}

#[test]
fn bytes_are_kept_only_with_the_checksum_that_was_sent() {
    // [UPL162]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Party").await;
        let path = begun(&world, &token, &event, b"hello world, and more").await;
        let send = async |checksum: &str, body: Body| {
            let request = piece(&path, &token, 0).header("upload-checksum", checksum);
            world.send(request.body(body).unwrap()).await
        };
        let right = "sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0=";
        let text = "Upload-Checksum must be sha1 or sha256, and the checksum in Base64";
        let unknown = send("md5 XrY7u+Ae7tCTyyK7j1rNww==", Body::from("hello world")).await;
        assert_eq!(unknown.error(), (400, String::from(text)));
        let text = "The bytes do not have the checksum that was sent. None of them was kept.";
        let altered = send(right, Body::from("hello_world")).await;
        assert_eq!(altered.error(), (460, String::from(text)));
        assert_eq!(offset(&world, &path, &token).await, 0);
        let chunks = vec![Ok(Bytes::from("hello ")), Err(std::io::Error::other("cut"))];
        let torn = send(right, Body::from_stream(futures::stream::iter(chunks))).await;
        assert_eq!(torn.error().0, 503);
        assert_eq!(offset(&world, &path, &token).await, 0, "what cannot be verified is not kept");
        let kept = send(right, Body::from("hello world")).await;
        assert_eq!((kept.status.as_u16(), kept.header("upload-offset")), (204, "11"));
        assert_eq!(offset(&world, &path, &token).await, 11);
    });
}

#[test]
fn refused_bytes_are_not_kept_and_those_without_credit_wait_for_it() {
    // [UPL203]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Party").await;
        let text = b"This is a text and no picture at all.";
        let path = begun(&world, &token, &event, text).await;
        let refused = append(&world, &path, &token, 0, text).await;
        let not_an_image =
            "The file is not an image we can read (PNG, JPG, JPEG, GIF, BMP, TIFF, WEBP, HEIC, AVIF)";
        assert_eq!(refused.error(), (400, String::from(not_an_image)));
        assert_eq!(refused.header("tus-resumable"), "1.0.0");
        assert_eq!(head(&world, &path, &token).await.status, 404);
        assert_eq!(parts(&world), [] as [String; 0]);

        let (bytes, email) = (photo(&[RED], 0), "meera@example.com");
        let balance = credits(&world, &token).await;
        let grant = async |credits: f64| {
            app::operations::operators::grant(&world.operator(), email, credits, Some("a test"))
                .await
                .unwrap();
        };
        grant(-balance).await;
        let path = begun(&world, &token, &event, &bytes).await;
        let unpaid = append(&world, &path, &token, 0, &bytes).await;
        let text = "Insufficient credits. Please add credits to continue uploading.";
        assert_eq!(unpaid.error(), (402, String::from(text)));
        assert_eq!(world.stored_files().await, [] as [String; 0]);
        assert_eq!(offset(&world, &path, &token).await, bytes.len() - 1);
        grant(3.0).await;
        let paid = append(&world, &path, &token, bytes.len() - 1, &bytes[bytes.len() - 1..]).await;
        assert_eq!((paid.status.as_u16(), paid.header("photo-duplicate")), (204, "false"));
        assert!((credits(&world, &token).await - 2.0).abs() < f64::EPSILON);
    });
}

#[test]
fn pieces_of_two_versions_of_a_file_become_no_photo() {
    // [UPL211]
    // The hash of the whole is announced first; a file that is edited while it travels has another one.
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Party").await;
        let before = photo(&[RED], 0);
        // The picture ends before these, so that any of them is one.
        let [first, second] = [b"one", b"two"].map(|end| [&before[..], end].concat());
        let half = first.len() - 2;
        let hash_of = async |bytes: &[u8]| {
            let mut upload = app::photos::Upload::begin(&world.app).await.unwrap();
            upload.write(bytes).await.unwrap();
            domain::photos::hash_text(&upload.finish().await.unwrap().checksums().blake3)
        };
        let described =
            |hash: &str| format!("{},blake3 {}", metadata(&event, "a.jpg"), STANDARD.encode(hash));
        let announced = described(&hash_of(&first).await);
        let path = begin(&world, &token, first.len(), &announced).await.header("location").to_owned();
        assert_eq!(append(&world, &path, &token, 0, &first[..half]).await.status, 204);
        let answer = append(&world, &path, &token, half, &second[half..]).await;
        let text = "The bytes do not have the checksum that was sent. None of them was kept.";
        assert_eq!(answer.error(), (460, String::from(text)));
        assert_eq!(head(&world, &path, &token).await.status, 404, "it begins anew");
        assert_eq!(parts(&world), [] as [String; 0]);
        assert_eq!(credits(&world, &token).await, 100.0);

        let announced = described(&hash_of(&second).await);
        let path = begin(&world, &token, second.len(), &announced).await.header("location").to_owned();
        assert_eq!(append(&world, &path, &token, 0, &second[..half]).await.status, 204);
        assert_eq!(
            append(&world, &path, &token, half, &second[half..]).await.header("photo-duplicate"),
            "false"
        );
        let refused = begin(&world, &token, 5, &described("x")).await.error();
        assert_eq!(refused, (400, String::from("A hash must have 64 hexadecimal digits")));
    });
}
