//! How much strangers may send, and for how long it is kept.

use std::net::SocketAddr;
use std::time::Duration;

use app::operations::runtime::limits::LimitSettings;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::Request;
use domain::guests::guest_photos::OF_EVENT;
use domain::photos::MAX_BYTES;
use gateway::MailError;
use serde_json::json;

use super::{OTHER_PHONE, PHONE, append, issues, party};
use crate::harness::{GREEN, PASSWORD, RED, World, on_both_engines, photo};
use crate::resumable_uploads;

const HOUR: Duration = Duration::from_secs(60 * 60);
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

async fn maintain(world: &World) {
    app::operations::maintenance::all(&world.app).await.unwrap();
    world.drain().await;
}

#[test]
fn a_device_adds_as_many_photos_as_the_event_says() {
    // [UPL255] [SAFE436]
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        party.change(&world, json!({"guest_photo_limit": 1})).await;
        let id = party.sent(&world, PHONE, "", &photo(&[RED], 0)).await;
        let text = "You have added as many photos as you can here. Take one back to add another.";
        let refused = party.send(&world, PHONE, "", &photo(&[GREEN], 0)).await;
        assert_eq!(refused.error(), (409, text.to_owned()));
        party.sent(&world, OTHER_PHONE, "", &photo(&[GREEN], 0)).await;
        // One that was let in counts too, and one that was taken back does not.
        assert_eq!(party.decide(&world, "let-in", &[&id]).await.status, 200);
        assert_eq!(party.send(&world, PHONE, "", &photo(&[GREEN], 1)).await.status, 409);
    });
}

#[test]
fn photographers_have_the_last_of_the_disk() {
    // [SAFE437]
    on_both_engines(async |world: World| {
        let folder = world.parts.settings.incoming_dir.clone();
        std::fs::create_dir_all(&folder).unwrap();
        let free = media::disk_space::free(&folder).await.unwrap().unwrap();
        let least = free / 3 * 2;
        let change = |settings: &mut app::Settings| settings.upload_capacity.free_disk_bytes = least;
        let world = World::with_settings(world.parts.db.clone(), change).await;
        let party = party(&world).await;
        let text = "Too many photos are waiting for the photographer. Please try again another day.";
        let refused = party.send(&world, PHONE, "", &photo(&[RED], 0)).await;
        assert_eq!(refused.error(), (409, text.to_owned()));
        assert_eq!(world.upload(&party.token, &party.event, "a.jpg", &photo(&[RED], 0)).await.status, 201);
    });
}

#[test]
fn an_event_holds_so_many_photos_of_strangers() {
    // [SAFE436] [SAFE437]
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        let id = party.sent(&world, PHONE, "", &photo(&[RED], 0)).await;
        let text = "Too many photos are waiting for the photographer. Please try again another day.";
        let full = format!("UPDATE guest_photos SET stored_bytes = {} WHERE id = '{id}'", OF_EVENT.bytes);
        storage::testing::change(&world.parts.db, &full).await;
        let refused = party.send(&world, OTHER_PHONE, "", &photo(&[GREEN], 0)).await;
        assert_eq!(refused.error(), (409, text.to_owned()));
        // The photographer's own uploads go on.
        assert_eq!(world.upload(&party.token, &party.event, "a.jpg", &photo(&[GREEN], 1)).await.status, 201);
    });
}

#[test]
fn an_address_begins_to_send_so_many_photos_an_hour() {
    // [SAFE438]
    on_both_engines(async |world: World| {
        let limits = LimitSettings { guest_photos: 1, ..LimitSettings::OFF };
        let world = World::limited(world.parts.db.clone(), limits, "").await;
        let party = party(&world).await;
        party.sent(&world, PHONE, "", &photo(&[RED], 0)).await;
        let refused = party.send(&world, OTHER_PHONE, "", &photo(&[GREEN], 0)).await;
        assert_eq!(refused.status, 429);
        world.clock.advance(Duration::from_secs(60 * 60));
        party.sent(&world, OTHER_PHONE, "", &photo(&[GREEN], 0)).await;
    });
}

#[test]
fn the_photographer_is_warned_on_the_eleventh_day_and_what_waits_goes_on_the_fourteenth() {
    // [UPL264]
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        party.sent(&world, PHONE, "Meera", &photo(&[RED], 0)).await;
        let let_in = party.sent(&world, PHONE, "Meera", &photo(&[GREEN], 0)).await;
        assert_eq!(party.decide(&world, "let-in", &[&let_in]).await.status, 200);
        world.drain().await;
        let before = world.mails.sent().len();
        for (days, mails, waiting) in [(10, 0, 1), (1, 1, 1), (2, 1, 1), (1, 1, 0)] {
            for _ in 0..days {
                world.clock.advance(DAY);
                maintain(&world).await;
            }
            let sent = world.mails.sent();
            let warnings =
                sent[before..].iter().filter(|sent| sent.mail.subject.starts_with("Photos from guests"));
            assert_eq!(warnings.count(), mails, "after {days} more days");
            let listed = party.waiting(&world).await["photos"].as_array().unwrap().len();
            assert_eq!(listed, waiting, "after {days} more days");
        }
        assert_eq!(party.states(&world, PHONE).await, [(let_in, String::from("in"))]);
        assert_eq!(issues(&world).await, []);
    });
}

/// How many mails have warned of what waits, and how much does.
async fn warned(world: &World, party: &super::Party) -> (usize, usize) {
    maintain(world).await;
    let sent = world.mails.sent();
    let warnings = sent.iter().filter(|sent| sent.mail.subject.starts_with("Photos from guests"));
    (warnings.count(), party.waiting(world).await["photos"].as_array().unwrap().len())
}

#[test]
fn nothing_that_waits_goes_within_three_days_of_the_warning() {
    // [UPL264] [UPL269]
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        party.sent(&world, PHONE, "Meera", &photo(&[RED], 0)).await;
        // The service stood still.
        world.clock.advance(DAY * 15);
        assert_eq!(warned(&world, &party).await, (1, 1));
        let day = (world.clock.now().plus(DAY * 3)).to_rfc3339()[..10].to_owned();
        let mail = world.mails.sent().pop().unwrap().mail;
        assert!(mail.text.contains(&format!("the first of it on {day}")), "{}", mail.text);
        let goes_at = party.waiting(&world).await["photos"][0]["goes_at"].clone();
        assert_eq!(goes_at.as_str().unwrap()[..10], day);
        world.clock.advance(DAY * 2);
        assert_eq!(warned(&world, &party).await, (1, 1));
        world.clock.advance(DAY);
        assert_eq!(warned(&world, &party).await, (1, 0));
    });
}

#[test]
fn what_waits_in_an_event_that_is_restored_is_there_and_warned_of() {
    // [UPL264] [UPL269]
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        party.sent(&world, PHONE, "Meera", &photo(&[RED], 0)).await;
        let restore = async || {
            maintain(&world).await;
            let restored = world.post(&party.own("/restore"), &party.token, json!({})).await;
            assert_eq!(restored.status, 200);
            world.drain().await;
        };
        let delete = async || {
            assert_eq!(world.delete(&party.own(""), &party.token).await.status, 200);
            world.drain().await;
        };
        world.clock.advance(DAY * 10);
        delete().await;
        world.clock.advance(DAY * 5);
        restore().await;
        assert_eq!(warned(&world, &party).await, (1, 1));
        // What was warned of before the event was deleted is warned of again.
        delete().await;
        world.clock.advance(DAY * 5);
        restore().await;
        assert_eq!(warned(&world, &party).await, (2, 1));
        world.clock.advance(DAY * 3);
        assert_eq!(warned(&world, &party).await, (2, 0));
    });
}

#[test]
fn a_warning_that_cannot_be_sent_is_tried_again_every_day_and_nothing_goes_without_it() {
    // [UPL269]
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        party.sent(&world, PHONE, "Meera", &photo(&[RED], 0)).await;
        world.drain().await;
        let refused = MailError::Permanent(String::from("550 no such user"));
        world.mails.fail_with(Some(refused));
        for day in [11, 1, 1, 1, 1] {
            world.clock.advance(DAY * day);
            for _ in 0..2 {
                assert_eq!(warned(&world, &party).await, (0, 1));
            }
        }
        let failed = storage::operations::runtime::jobs::failed_of_kind;
        let kind = domain::operations::runtime::jobs::JobKind::WarnOfGuestPhotos;
        assert_eq!(failed(&world.parts.db, kind, None, 99).await.unwrap().len(), 5);
        world.mails.fail_with(None);
        world.clock.advance(DAY);
        assert_eq!(warned(&world, &party).await, (1, 1));
        world.clock.advance(DAY * 3);
        assert_eq!(warned(&world, &party).await, (1, 0));
    });
}

/// Lets nothing have been written to uploads in pieces for longer than the clock of the tests goes back.
fn leave_alone(world: &World) {
    for entry in std::fs::read_dir(world.parts.settings.incoming_dir.join("partial")).unwrap() {
        let file = std::fs::File::options().write(true).open(entry.unwrap().path()).unwrap();
        file.set_modified(std::time::SystemTime::UNIX_EPOCH).unwrap();
    }
}

#[test]
fn uploads_that_others_have_left_keep_the_guests_at_an_address_out_for_two_hours_at_most() {
    // [SAFE447]
    on_both_engines(async |world: World| {
        let change = |settings: &mut app::Settings| settings.upload_capacity.unfinished_per_address = 8;
        let world = World::with_settings(world.parts.db.clone(), change).await;
        let party = party(&world).await;
        for _ in 0..3 {
            assert_eq!(resumable_uploads::begin(&world, &party.token, 100, "").await.status, 201);
        }
        let begin = async |phone: char| {
            let phone: String = std::iter::repeat_n(phone, 43).collect();
            party.begin(&world, &phone, 100, "filename YQ==").await
        };
        // Guests have a quarter of what an address may have, whatever its photographers have.
        let first = begin('a').await;
        assert_eq!((first.status.as_u16(), begin('b').await.status.as_u16()), (201, 201));
        assert_eq!(begin('c').await.status, 429);
        leave_alone(&world);
        world.clock.advance(HOUR * 2 - Duration::from_secs(1));
        assert_eq!(begin('c').await.status, 429);
        assert_eq!(append(&world, first.header("location"), &"a".repeat(43), 0, b"bytes").await.status, 204);
        world.clock.advance(Duration::from_secs(1));
        assert_eq!(begin('c').await.status, 201, "nothing was written to the other one");
        assert_eq!(begin('d').await.status, 429);
        let kept = || resumable_uploads::parts(&world).len();
        let before = kept();
        app::operations::maintenance::all(&world.app).await.unwrap();
        assert!(kept() < before, "what guests have left goes");
        let sent = append(&world, first.header("location"), &"a".repeat(43), 5, b"bytes").await;
        assert_eq!(sent.status, 204, "what is written to stays");
    });
}

#[test]
fn what_guests_have_left_fills_their_part_of_the_room_until_it_is_removed() {
    // [SAFE447]
    on_both_engines(async |world: World| {
        let change = |settings: &mut app::Settings| settings.upload_capacity.unfinished_bytes = 400;
        let world = World::with_settings(world.parts.db.clone(), change).await;
        let party = party(&world).await;
        let begin =
            async |phone: &str| party.begin(&world, phone, 100, "filename YQ==").await.status.as_u16();
        assert_eq!(begin(PHONE).await, 201);
        leave_alone(&world);
        world.clock.advance(HOUR * 2);
        assert_eq!(begin(OTHER_PHONE).await, 429);
        app::operations::maintenance::all(&world.app).await.unwrap();
        assert_eq!(begin(OTHER_PHONE).await, 201);
    });
}

/// Begins an upload of the greatest length from an address, of which no byte comes.
async fn begin_at(world: &World, party: &super::Party, device: char, address: &str) -> u16 {
    let device: String = std::iter::repeat_n(device, 43).collect();
    let request = Request::post(party.of_guests("/uploads"))
        .extension(ConnectInfo(SocketAddr::new(address.parse().unwrap(), 4_000)))
        .header("tus-resumable", "1.0.0")
        .header("guest-device", device)
        .header("upload-length", MAX_BYTES)
        .header("upload-metadata", "filename YQ==");
    world.send(request.body(Body::empty()).unwrap()).await.status.as_u16()
}

#[test]
fn neither_an_event_nor_an_address_takes_the_room_of_the_guests_of_others() {
    // [SAFE483]
    // Guests have 2 GiB in all: an event has half of it, for ten of the largest, and an address a quarter.
    on_both_engines(async |world: World| {
        let first = party(&world).await;
        let event = async |name: &str| {
            let event = world.event(&first.token, name).await;
            let other = super::Party { event, token: first.token.clone() };
            other.change(&world, json!({"takes_guest_photos": true})).await;
            other
        };
        let (second, third) = (event("Ball").await, event("Dinner").await);
        for (device, address) in ('b'..='k').zip(21..) {
            assert_eq!(begin_at(&world, &first, device, &format!("192.0.2.{address}")).await, 201);
        }
        let refused = first.begin(&world, PHONE, 100 << 20, "filename YQ==").await;
        assert_eq!(
            (refused.status.as_u16(), refused.header("retry-after")),
            (429, "60"),
            "there is room soon"
        );
        assert_eq!(begin_at(&world, &second, 'a', "192.0.2.9").await, 201, "another event is not concerned");

        let address = "192.0.2.10";
        for (party, device) in [(&second, 'l'), (&second, 'm'), (&second, 'n'), (&third, 'o'), (&third, 'p')]
        {
            assert_eq!(begin_at(&world, party, device, address).await, 201);
        }
        assert_eq!(begin_at(&world, &third, 'q', address).await, 429, "the address has its part");
        assert_eq!(begin_at(&world, &third, 'q', "192.0.2.11").await, 201, "another one is not concerned");
    });
}

#[test]
fn what_guests_added_goes_with_its_event_and_with_the_account() {
    // [SAFE440] [SAFE356]
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        let bytes = photo(&[RED], 0);
        party.sent(&world, PHONE, "Meera", &bytes).await;
        assert_eq!(world.delete(&party.own(""), &party.token).await.status, 200);
        world.drain().await;
        assert_eq!(world.stored_files().await.len(), 4, "it can be restored for a week");
        assert_eq!(world.post(&party.own("/purge"), &party.token, json!({})).await.status, 204);
        world.drain().await;
        assert_eq!(world.stored_files().await, Vec::<String>::new());
        assert_eq!(storage::testing::count(&world.parts.db, "guest_photos").await, 0);
        let receipts = world.get("/api/auth/deletion-receipts", &party.token).await.json();
        let receipt = receipts["receipts"][0]["document"].as_str().unwrap();
        let receipt = app::accounts::deletion_receipts::check(&world.operator(), receipt).await.unwrap();
        let removed = receipt.unwrap().receipt.removed;
        assert_eq!((removed.photos, usize::try_from(removed.bytes).unwrap()), (1, bytes.len()));

        let second = super::Party { event: world.event(&party.token, "Ball").await, token: party.token };
        second.change(&world, json!({"takes_guest_photos": true})).await;
        second.sent(&world, PHONE, "Meera", &photo(&[RED], 0)).await;
        let closed = axum::http::Request::delete("/api/auth/me")
            .header("authorization", format!("Bearer {}", second.token))
            .header("content-type", "application/json")
            .body(axum::body::Body::from(json!({"password": PASSWORD}).to_string()));
        assert!(world.send(closed.unwrap()).await.status.is_success());
        world.drain().await;
        assert_eq!(world.stored_files().await, Vec::<String>::new());
        assert_eq!(storage::testing::count(&world.parts.db, "guest_photos").await, 0);
        assert_eq!(issues(&world).await, []);
    });
}

#[test]
fn what_maintenance_removes_of_a_purged_event_goes_after_its_files_and_is_counted() {
    // [SAFE493]
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        party.sent(&world, PHONE, "Meera", &photo(&[RED], 0)).await;
        world.clock.advance(DAY * 15);
        assert_eq!(world.delete(&party.own(""), &party.token).await.status, 200);
        world.drain().await;
        assert_eq!(world.post(&party.own("/purge"), &party.token, json!({})).await.status, 204);

        // Maintenance comes before the job.
        let media::stores::Store::Memory(files) = &world.parts.store else {
            unreachable!("the harness keeps files in memory")
        };
        files.set_broken(true);
        assert!(app::operations::maintenance::all(&world.app).await.is_err());
        assert_eq!(storage::testing::count(&world.parts.db, "guest_photos").await, 1);
        files.set_broken(false);
        app::operations::maintenance::all(&world.app).await.unwrap();
        assert_eq!(storage::testing::count(&world.parts.db, "guest_photos").await, 0);
        assert_eq!(world.stored_files().await, Vec::<String>::new());
        world.drain().await;
        let receipts = world.get("/api/auth/deletion-receipts", &party.token).await.json();
        assert_eq!(receipts["receipts"][0]["photos"], 1);
    });
}

#[test]
fn no_address_is_kept_with_a_photo() {
    // [SAFE439]
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        party.sent(&world, PHONE, "Meera", &photo(&[RED], 0)).await;
        let folder = world.parts.settings.incoming_dir.join("partial");
        let mut described = 0;
        for entry in std::fs::read_dir(folder).unwrap() {
            let text = std::fs::read_to_string(entry.unwrap().path()).unwrap_or_default();
            if text.contains("\"address\"") {
                assert!(text.contains("\"address\":\"0.0.0.0\""), "{text}");
                described += 1;
            }
        }
        assert_eq!(described, 1);
    });
}

#[test]
fn the_check_reads_the_files_of_what_waits_and_the_sweep_leaves_them() {
    // [SAFE441]
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        party.sent(&world, PHONE, "Meera", &photo(&[RED], 0)).await;
        world.clock.advance(DAY * 3);
        app::operations::maintenance::all(&world.app).await.unwrap();
        let files = world.stored_files().await;
        assert_eq!(files.len(), 4);
        let original = files.into_iter().find(|name| name.starts_with("originals/")).unwrap();
        let key = domain::photos::MediaKey::from_trusted(original);
        world.parts.store.delete(&key).await.unwrap();
        let found = issues(&world).await;
        assert!(
            matches!(&found[..], [app::operations::checks::Issue::OriginalMissing(_, missing)] if *missing == key),
            "{found:?}"
        );
    });
}
