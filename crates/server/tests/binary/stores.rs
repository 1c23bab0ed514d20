//! The binary on PostgreSQL and on a bucket, and the order in which an upload is made safe.

use std::process::Command;

use crate::bucket::Bucket;
use crate::harness::{Server, picture, wait_for};

/// A party with one photo, uploaded and indexed; the photo as the gallery lists it.
fn party(server: &Server) -> serde_json::Value {
    let token = server.photographer();
    let event = serde_json::json!({"name": "Party", "date": "2026-11-14"});
    let event = server.json("/api/events/", &token, &event);
    let (status, answer) = server.upload(&token, event["id"].as_str().unwrap(), &picture("obama.jpg"));
    assert_eq!(status, 201, "{answer}");
    wait_for("the index", || {
        let photos = server.get("/api/photos/search", &token);
        (photos["photos"][0]["status"] == "ready").then(|| photos["photos"][0].clone())
    })
}

#[test]
fn postgresql_and_a_bucket_replace_the_folder() {
    // [RUN028] [RUN030] [GAL030]
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let (folder, objects) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (database, bucket) =
        runtime.block_on(async { (storage::testing::postgres().await, Bucket::start(objects.path()).await) });
    let port = bucket.port;
    let own = bucket.settings();
    let mut settings: Vec<_> = own.iter().map(|(name, value)| (*name, value.as_str())).collect();
    settings.push(("AFTERGLOW_DATABASE_URL", &database.url));
    settings.push(("AFTERGLOW_MEDIA_URL", "s3://media/party"));
    let server = Server::start_with(folder.path(), &["serve"], &settings);
    let photo = party(&server);
    let data = folder.path().join("data");
    assert!(!data.join("afterglow.db").exists() && !data.join("media").exists());
    for size in ["originals", "previews", "mediums", "thumbnails"] {
        let kept = objects.path().join("media/party").join(size);
        assert_eq!(std::fs::read_dir(kept).unwrap().count(), 1, "{size}");
    }
    // The links lead past the server.
    let link = photo["thumbnail_url"].as_str().unwrap();
    let path = link.strip_prefix(&format!("http://127.0.0.1:{port}")).unwrap_or_else(|| panic!("{link}"));
    let (status, bytes) = crate::harness::fetch(&format!("127.0.0.1:{port}"), path);
    assert_eq!(status, 200);
    assert!(bytes.starts_with(&[0xFF, 0xD8, 0xFF]));
}

/// Tells when a process puts something on stable storage, or gives it its name.
const SYSCALL_TRACER: &str = r#"
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <fcntl.h>

static void tell(const char *what, const char *path) {
    static int log = -1;
    if (log < 0) log = open(getenv("SYSCALL_TRACER"), O_WRONLY | O_APPEND | O_CREAT, 0600);
    char line[4400];
    int length = snprintf(line, sizeof line, "%s %s\n", what, path);
    if (write(log, line, length) != length) abort();
}

static void tell_of(const char *what, int fd) {
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    path[length < 0 ? 0 : length] = 0;
    tell(what, path);
}

int fsync(int fd) {
    int result = ((int (*)(int))dlsym(RTLD_NEXT, "fsync"))(fd);
    tell_of("synced", fd);
    return result;
}

int fdatasync(int fd) {
    int result = ((int (*)(int))dlsym(RTLD_NEXT, "fdatasync"))(fd);
    tell_of("synced", fd);
    return result;
}

int rename(const char *from, const char *to) {
    int result = ((int (*)(const char *, const char *))dlsym(RTLD_NEXT, "rename"))(from, to);
    tell("named", to);
    return result;
}
"#;

#[test]
fn an_original_is_on_stable_storage_before_the_database_commits() {
    // [SAFE017]
    let folder = tempfile::tempdir().unwrap();
    let (source, tracer) = (folder.path().join("tracer.c"), folder.path().join("tracer.so"));
    std::fs::write(&source, SYSCALL_TRACER).unwrap();
    // The linker that every Rust program needs is a C compiler here.
    let compiled =
        Command::new("cc").args(["-shared", "-fPIC", "-O1", "-o"]).args([&tracer, &source]).status();
    assert!(compiled.unwrap().success(), "cc cannot compile the tracer");
    let log = folder.path().join("tracer.log");
    let settings = [("SYSCALL_TRACER", log.to_str().unwrap()), ("LD_PRELOAD", tracer.to_str().unwrap())];
    let server = Server::start_with(folder.path(), &["serve", "--no-worker"], &settings);
    let token = server.photographer_with_worker();

    std::fs::write(&log, "").unwrap();
    let (status, answer) = server.upload(&token, "", &picture("obama.jpg"));
    assert_eq!(status, 201, "{answer}");
    let told = std::fs::read_to_string(&log).unwrap();
    let first = |what: &str, place: &str, end: &str| {
        let mut lines = told.lines();
        let found =
            lines.position(|line| line.starts_with(what) && line.contains(place) && line.ends_with(end));
        found.unwrap_or_else(|| panic!("{what} {place} {end} is not in\n{told}"))
    };
    let bytes = first("synced", "/originals/", ".tmp");
    let name = first("named", "/originals/", ".jpg");
    let fan = told.lines().nth(name).unwrap().strip_prefix("named ").unwrap().rsplit_once('/').unwrap().0;
    let place = told.lines().skip(name).position(|line| line == format!("synced {fan}")).map(|at| at + name);
    let commit = first("synced", "/afterglow.db-wal", "");
    let steps = [Some(bytes), Some(name), place, Some(commit)];
    assert!(steps.is_sorted_by(|a, b| a.is_some() && a < b), "{steps:?} in\n{told}");
}
