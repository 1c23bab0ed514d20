//! Deleting events and photos, and cleaning up after crashes.

use std::time::Duration;

use app::operations::orphans::Sweep;
use serde_json::{Value, json};

use crate::harness::{GREEN, RED, World, on_both_engines, photo};

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

fn path(event: &Value) -> String {
    format!("/api/events/{}", event["id"].as_str().unwrap())
}

#[test]
fn an_empty_event_is_deleted_at_once() {
    // [EVT062]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Party").await;
        let answer = world.delete(&path(&event), &token).await;
        assert_eq!(answer.status, 200);
        assert_eq!(answer.json(), json!({"event_data": {"id": event["id"], "name": "Party"}}));
        assert_eq!(world.get("/api/events/", &token).await.json(), json!([]));
        assert_eq!(world.delete(&path(&event), &token).await.error(), (404, String::from("Event not found")));
    });
}

#[test]
fn an_event_with_photos_is_deleted_in_the_background_and_leaves_no_file_once_it_cannot_be_restored() {
    // [API039] [API040] [API041] [DOWN023] [EVT061] [EVT064] [EVT065] [EVT066] [EVT071]
    // [EVT068] [EVT069] [EVT070]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let (event, other) = (world.event(&token, "Party").await, world.event(&token, "Other").await);
        for salt in 0..3 {
            world.upload(&token, &event, "a.jpg", &photo(&[RED, GREEN], salt)).await;
        }
        world.upload(&token, &other, "a.jpg", &photo(&[RED], 0)).await;
        world.drain().await;
        assert_eq!(world.stored_files().await.len(), 16);
        let found = world.search(&event, &photo(&[GREEN], 7)).await.json();
        let download =
            format!("/api/photos/download-by-s3?key={}", found["matches"][0]["s3_key"].as_str().unwrap());
        assert_eq!(world.get(&download, "").await.status, 200);

        let answer = world.delete(&path(&event), &token).await;
        assert_eq!(answer.status, 202);
        let task = answer.json()["task_id"].as_str().unwrap().to_owned();
        assert_eq!(answer.json()["event_data"]["name"], "Party");
        let again = world.delete(&path(&event), &token).await;
        assert_eq!((again.status.as_u16(), again.json()), (202, answer.json()));

        let progress = async || world.get(&format!("/api/events/task/{task}"), &token).await.json();
        assert_eq!(progress().await["status"], "in_progress");
        let slug = event["slug"].as_str().unwrap();
        assert_eq!(world.get(&format!("/api/events/{slug}"), "").await.status, 404);
        assert_eq!(world.search(&event, &photo(&[RED], 7)).await.status, 404);
        for token in ["", token.as_str()] {
            assert_eq!(world.get(&download, token).await.error(), (404, String::from("Photo not found")));
        }
        let upload = world.upload(&token, &event, "b.jpg", &photo(&[RED], 8)).await;
        assert_eq!(upload.error(), (409, String::from("This event is being deleted")));
        let list = world.get("/api/events/", &token).await.json();
        let going =
            list.as_array().unwrap().iter().find(|listed| listed["id"] == event["id"]).unwrap().clone();
        assert_eq!((&going["deleting"], &going["task_id"]), (&json!(true), &json!(task)));

        world.drain().await;
        assert_eq!(progress().await["status"], "completed");
        assert_eq!(world.get(&download, "").await.error(), (404, String::from("Photo not found")));
        assert_eq!(world.stored_files().await.len(), 16, "it can be restored");
        assert_eq!(world.get("/api/photos/count", &token).await.json()["total_count"], 1);
        let found = world
            .form(
                "/api/face/search",
                &token,
                &[crate::harness::Field::file("image", "s", &photo(&[GREEN], 3))],
            )
            .await;
        assert_eq!(found.json()["matches"], json!([]));
        assert_eq!(world.get("/api/events/", &token).await.json().as_array().unwrap().len(), 1);
        assert_eq!(world.delete(&path(&event), &token).await.status, 404);

        world.clock.advance(DAY * 7);
        app::operations::maintenance::all(&world.app).await.unwrap();
        world.drain().await;
        assert_eq!(world.stored_files().await.len(), 4, "those of the other event");
    });
}

#[test]
fn a_deletion_resumes_whose_job_has_failed_or_is_lost() {
    // [EVT063] [SAFE020]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        for loss in ["UPDATE jobs SET state = 'failed'", "DELETE FROM jobs"] {
            let event = world.event(&token, "Party").await;
            world.upload(&token, &event, "a.jpg", &photo(&[RED], 0)).await;
            world.drain().await;
            let deleted = world.delete(&path(&event), &token).await.json();
            let task = format!("/api/events/task/{}", deleted["task_id"].as_str().unwrap());
            let status = async || world.get(&task, &token).await.json()["status"].clone();
            storage::testing::change(&world.parts.db, loss).await;
            world.drain().await;
            assert_ne!(status().await, "completed");
            app::operations::maintenance::all(&world.app).await.unwrap();
            assert_eq!(status().await, "in_progress");
            world.drain().await;
            assert_eq!(status().await, "completed");
        }
    });
}

#[test]
fn files_of_a_deleted_event_go_when_the_store_is_back() {
    // [EVT064] [EVT065] [SAFE020]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Party").await;
        world.upload(&token, &event, "a.jpg", &photo(&[RED], 0)).await;
        world.drain().await;
        world.delete(&path(&event), &token).await;
        world.drain().await;
        let media::stores::Store::Memory(store) = &world.parts.store else {
            unreachable!("the harness keeps files in memory")
        };
        store.set_broken(true);
        world.post(&format!("{}/purge", path(&event)), &token, json!({})).await;
        for _ in 0..40 {
            world.drain().await;
            world.clock.advance(Duration::from_secs(5 * 60 * 60));
        }
        store.set_broken(false);
        for _ in 0..20 {
            world.clock.advance(DAY);
            // Each file is seen without a photo, moved to the store's trash, and removed from it.
            app::operations::maintenance::all(&world.app).await.unwrap();
            world.drain().await;
        }
        assert_eq!(world.stored_files().await.len(), 0);
    });
}

#[test]
fn an_event_task_or_photo_of_another_account_is_not_found() {
    // [SAFE028] [SAFE029] [SAFE030]
    on_both_engines(async |world: World| {
        let (meera, ravi) =
            (world.photographer("meera@example.com").await, world.photographer("ravi@example.com").await);
        let event = world.event(&meera, "Party").await;
        let uploaded = world.upload(&meera, &event, "a.jpg", &photo(&[RED], 0)).await.json();
        assert_eq!(world.delete(&path(&event), &ravi).await.error(), (404, String::from("Event not found")));
        let photo_path = format!("/api/photos/{}", uploaded["id"].as_str().unwrap());
        assert_eq!(world.delete(&photo_path, &ravi).await.error(), (404, String::from("Photo not found")));
        let task = world.delete(&path(&event), &meera).await.json()["task_id"].as_str().unwrap().to_owned();
        for (path, token) in
            [(format!("/api/events/task/{task}"), &ravi), (String::from("/api/events/task/none"), &meera)]
        {
            assert_eq!(world.get(&path, token).await.error(), (404, String::from("Task not found")));
        }
        assert_eq!(world.delete("/api/events/none", &meera).await.status, 404);
        assert_eq!(world.delete("/api/photos/none", &meera).await.status, 404);
    });
}

#[test]
fn deleting_a_photo_deletes_its_files_and_faces_and_refunds_nothing() {
    // [GAL026] [GAL027]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Party").await;
        let one = world.upload(&token, &event, "a.jpg", &photo(&[RED], 0)).await.json();
        world.drain().await;
        let of_one = world.stored_files().await;
        assert_eq!(of_one.len(), 4, "the original and its renditions");
        world.upload(&token, &event, "b.jpg", &photo(&[RED], 1)).await;
        world.drain().await;
        assert_eq!(
            world.search(&event, &photo(&[RED], 5)).await.json()["matches"].as_array().unwrap().len(),
            2
        );
        let path = format!("/api/photos/{}", one["id"].as_str().unwrap());
        assert_eq!(world.delete(&path, &token).await.json(), json!({"success": true}));
        assert_eq!(
            world.search(&event, &photo(&[RED], 5)).await.json()["matches"].as_array().unwrap().len(),
            1
        );
        assert_eq!(world.stored_files().await.len(), 8, "it can be restored");
        world.clock.advance(DAY * 7);
        app::operations::maintenance::all(&world.app).await.unwrap();
        let kept = world.stored_files().await;
        assert_eq!(kept.len(), 4);
        assert!(kept.iter().all(|file| !of_one.contains(file)), "{kept:?}");
        assert_eq!(world.get("/api/subscription/credits", &token).await.json()["credits"], 98.0);
        let event = world.get(&format!("/api/events/{}", event["slug"].as_str().unwrap()), "").await.json();
        assert_eq!((&event["total_photos_uploaded"], &event["photos_indexed"]), (&json!(2), &json!(1)));
        assert_eq!(event["faces_indexed"], 1);
        assert_eq!(world.delete(&path, &token).await.status, 404);
    });
}

#[test]
fn only_files_without_a_photo_are_removed_after_a_day() {
    // [SAFE021]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Party").await;
        world.upload(&token, &event, "a.jpg", &photo(&[RED], 0)).await;
        world.drain().await;
        let kept = world.stored_files().await;
        let orphans =
            ["originals/orphan.png", "previews/orphan.jpg", "mediums/orphan.jpg", "thumbnails/orphan.jpg"];
        for orphan in orphans {
            let key = domain::photos::MediaKey::from_trusted(orphan.to_owned());
            world.parts.store.put(&key, media::stores::Source::Bytes(b"x".as_slice().into())).await.unwrap();
        }
        world.clock.advance(DAY / 2);
        let sweep = async || app::operations::orphans::sweep(&world.app).await.unwrap();
        assert_eq!(sweep().await, Sweep::Swept(0), "they may belong to an upload in progress");
        world.clock.advance(DAY);
        assert_eq!(sweep().await, Sweep::Swept(4));
        assert_eq!(world.stored_files().await, kept);
    });
}

#[test]
fn photos_are_removed_after_the_retention_period_and_one_warning() {
    // [EVT074] [EVT075] [EVT076] [EVT077] [EVT080] [EVT083]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Party").await;
        world.upload(&token, &event, "a.jpg", &photo(&[RED], 0)).await;
        world.drain().await;
        let warnings = || {
            let sent = world.mails.sent();
            sent.iter()
                .filter(|sent| sent.mail.subject == "Photos of your event will be removed soon")
                .count()
        };
        let maintenance = async || {
            app::operations::maintenance::all(&world.app).await.unwrap();
            world.drain().await;
        };
        let shown = world.get(&format!("/api/events/{}", event["slug"].as_str().unwrap()), "").await.json();
        assert_eq!(shown["expires_at"], "2026-12-20T09:00:00.000Z", "30 days after the upload");
        world.clock.advance(DAY * 22);
        maintenance().await;
        assert_eq!(warnings(), 0);
        world.clock.advance(DAY);
        maintenance().await;
        maintenance().await;
        assert_eq!(warnings(), 1);
        let mail = world.mails.sent().pop().unwrap().mail;
        assert!(mail.text.contains("\"Party\" (1 now) will be removed on 20 December 2026"), "{}", mail.text);

        // An upload moves the date, and there is a warning of the new date as well. The worker was not running, so that it comes late
        // and the removal moves.
        world.upload(&token, &event, "b.jpg", &photo(&[GREEN], 0)).await;
        world.drain().await;
        world.clock.advance(DAY * 33);
        maintenance().await;
        assert_eq!(warnings(), 2);
        let mail = world.mails.sent().pop().unwrap().mail;
        assert!(mail.text.contains("\"Party\" (2 now) will be removed on 22 January 2027"), "{}", mail.text);
        let shown = world.get(&format!("/api/events/{}", event["slug"].as_str().unwrap()), "").await.json();
        assert_eq!(shown["expires_at"], "2027-01-22T09:00:00.000Z", "a week after the warning");
        world.clock.advance(DAY * 6);
        maintenance().await;
        assert_eq!((world.stored_files().await.len(), warnings()), (8, 2));
        world.clock.advance(DAY);
        maintenance().await;
        assert_eq!((world.stored_files().await.len(), warnings()), (0, 2));
        let shown = world.get(&format!("/api/events/{}", event["slug"].as_str().unwrap()), "").await.json();
        assert_eq!((&shown["faces_indexed"], &shown["total_photos_uploaded"]), (&json!(0), &json!(2)));
    });
}

#[test]
fn a_warning_that_cannot_be_sent_is_sent_later_and_the_removal_waits() {
    // [EVT083] [EVT124]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Party").await;
        world.upload(&token, &event, "a.jpg", &photo(&[RED], 0)).await;
        world.drain().await;
        let maintenance = async || {
            app::operations::maintenance::all(&world.app).await.unwrap();
            world.drain().await;
        };
        world.clock.advance(DAY * 23);
        world.mails.fail_with(Some(gateway::MailError::Transient(String::from("unavailable"))));
        for _ in 0..20 {
            maintenance().await;
            world.clock.advance(DAY);
        }
        assert_eq!(world.stored_files().await.len(), 4, "nobody was warned");
        world.mails.fail_with(None);
        for _ in 0..3 {
            maintenance().await;
            world.clock.advance(DAY);
        }
        let subject = "Photos of your event will be removed soon";
        let sent = world.mails.sent().into_iter().filter(|sent| sent.mail.subject == subject).count();
        assert_eq!(sent, 1);
        for _ in 0..3 {
            maintenance().await;
            assert_eq!(world.stored_files().await.len(), 4);
            world.clock.advance(DAY);
        }
        for _ in 0..4 {
            world.clock.advance(DAY);
            maintenance().await;
        }
        assert_eq!(world.stored_files().await.len(), 0);
    });
}

#[test]
fn photos_of_the_library_are_removed_after_a_warning() {
    // [EVT084]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        for (number, salt) in [(1, 0), (2, 1)] {
            let picture = photo(&[RED], salt);
            let fields = [crate::harness::Field::file("photos", "a.jpg", &picture)];
            let answer = world.form("/api/photos/upload", &token, &fields).await;
            assert_eq!(answer.status, 201, "{number}");
            world.drain().await;
            world.clock.advance(DAY * 10);
        }
        let warned = || {
            let sent = world.mails.sent();
            let subject = "Photos of your library will be removed soon";
            let texts = sent.iter().filter(|sent| sent.mail.subject == subject);
            texts.map(|sent| sent.mail.text.clone()).collect::<Vec<_>>()
        };
        let days = async |days: u32| {
            for _ in 0..days * 4 {
                app::operations::maintenance::all(&world.app).await.unwrap();
                world.drain().await;
                world.clock.advance(DAY / 4);
            }
        };
        days(2).await;
        assert!(warned().is_empty());
        days(2).await;
        assert_eq!(warned().len(), 1);
        assert!(warned()[0].contains("(1 now) will be removed on 20 December 2026"), "{}", warned()[0]);
        days(6).await;
        assert_eq!(world.stored_files().await.len(), 8);
        days(1).await;
        assert_eq!(world.stored_files().await.len(), 4, "the other was uploaded ten days later");
        days(10).await;
        assert_eq!((world.stored_files().await.len(), warned().len()), (0, 2));
    });
}

#[test]
fn a_deleted_events_embeddings_leave_every_processs_memory() {
    // [SAFE134]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Party").await;
        world.upload(&token, &event, "a.jpg", &photo(&[RED], 0)).await;
        world.drain().await;
        let another = world.second_process(&world.parts.db).await;
        for process in [&world, &another] {
            let found = process.search(&event, &photo(&[RED], 9)).await.json();
            assert_eq!(found["matches"].as_array().unwrap().len(), 1);
            assert_eq!(app::testing::face_indexes_in_memory(&process.app), 1);
            app::faces::stale_embeddings::drop_stale(&process.app).await.unwrap();
            assert_eq!(app::testing::face_indexes_in_memory(&process.app), 1, "it is current");
        }
        let path = format!("/api/events/{}", event["id"].as_str().unwrap());
        assert_eq!(world.delete(&path, &token).await.status, 202);
        assert_eq!(app::testing::face_indexes_in_memory(&world.app), 0, "at once");
        app::faces::stale_embeddings::drop_stale(&another.app).await.unwrap();
        assert_eq!(app::testing::face_indexes_in_memory(&another.app), 0);
    });
}

#[test]
fn a_deletion_that_was_interrupted_behind_its_last_photo_completes() {
    // [EVT063]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Party").await;
        let uploaded = world.upload(&token, &event, "a.jpg", &photo(&[RED], 0)).await.json();
        world.drain().await;
        let deleted = world.delete(&path(&event), &token).await.json();
        // The photos are in the trash, and the process ended before the event was recorded as deleted.
        let collection = storage::photos::Collection::Event(event["id"].as_str().unwrap().parse().unwrap());
        let photo: domain::PhotoId = uploaded["id"].as_str().unwrap().parse().unwrap();
        let mut tx = world.parts.db.begin().await.unwrap();
        storage::photos::trash::put(&mut tx, collection, &[photo], world.clock.now()).await.unwrap();
        tx.commit().await.unwrap();
        world.drain().await;
        let task = format!("/api/events/task/{}", deleted["task_id"].as_str().unwrap());
        assert_eq!(world.get(&task, &token).await.json()["status"], "completed");
    });
}
