//! Strangers' pictures are read in processes of their own, which can do nothing but that.

use std::os::fd::AsFd as _;
use std::path::PathBuf;
use std::process::Command;

use media::decoders::{Confinement, Decoders, Picture, Priority, Purpose, Trial};
use media::pictures::Unreadable;
use media::temp_files::Contents;
use serde_json::json;

use crate::harness::{Server, picture, root, run, text, wait_for};

fn decoders() -> Decoders {
    Decoders::processes(PathBuf::from(env!("CARGO_BIN_EXE_afterglow"))).unwrap()
}

fn open(decoders: &Decoders, bytes: &[u8]) -> Picture {
    decoders.open(Contents::InMemory(bytes.to_vec().into()), Priority::Foreground)
}

#[test]
fn a_decoder_has_no_files_no_network_no_programs_and_no_secrets() {
    // [SAFE352]
    // Whatever the process that starts it has left open for its descendants, and has in its environment.
    let inherited = std::fs::File::open("/dev/null").unwrap();
    rustix::io::fcntl_setfd(inherited.as_fd(), rustix::io::FdFlags::empty()).unwrap();
    assert!(std::env::vars_os().count() > 0);
    let decoders = decoders();
    let confinement = Confinement { is_filtered: true, descriptors: 3, variables: 0 };
    assert_eq!(decoders.confinement().unwrap(), Some(confinement));
    let mut photo = open(&decoders, &picture("obama.jpg"));
    for trial in [Trial::OpenFile, Trial::OpenSocket, Trial::RunProgram, Trial::SignalAnother] {
        let told = photo.attempt(trial).unwrap().unwrap();
        assert!(told.contains("Operation not permitted"), "{trial:?}: {told}");
    }
    assert!(photo.examine().unwrap().is_ok(), "and it reads pictures");
}

#[test]
fn what_a_decoder_answers_is_what_this_process_would() {
    // [SAFE353]
    let (apart, here) = (decoders(), Decoders::in_process());
    let folder = root().join("fuzz/corpus/pictures");
    let files = std::fs::read_dir(folder).unwrap().map(|entry| std::fs::read(entry.unwrap().path()).unwrap());
    let (mut accepted, mut refused) = (0, 0);
    for bytes in files.chain([Vec::new(), picture("obama.jpg")]) {
        let (mut apart, mut here) = (open(&apart, &bytes), open(&here, &bytes));
        for purpose in [Purpose::Examine, Purpose::Decode { at_least: 64 }] {
            assert_eq!(apart.memory(purpose).unwrap(), here.memory(purpose).unwrap());
        }
        assert_eq!(apart.capture().unwrap(), here.capture().unwrap());
        let (one, other) = (apart.examine().unwrap(), here.examine().unwrap());
        assert_eq!(format!("{one:?}"), format!("{other:?}"));
        match one {
            Ok(found) => {
                accepted += 1;
                let format = found.inspected.format;
                assert_eq!(apart.redact(format).unwrap().ok(), here.redact(format).unwrap().ok());
            }
            Err(_) => refused += 1,
        }
        let (one, other) = (apart.decode(64, None).unwrap(), here.decode(64, None).unwrap());
        assert!(one == other, "{one:?} {other:?}");
    }
    assert!(accepted > 10 && refused > 10, "{accepted} {refused}");
}

#[test]
fn a_picture_that_ends_its_decoder_twice_is_refused_and_others_go_on() {
    // [SAFE354] [SAFE478]
    let decoders = decoders().within_seconds(1);
    let bytes = picture("obama.jpg");
    let mut other = open(&decoders, &bytes);
    assert!(other.memory(Purpose::Examine).unwrap().unwrap() > 0);
    for (trial, refusal) in [
        (Trial::Abort, Unreadable::Damaged),
        (Trial::Allocate, Unreadable::Damaged),
        (Trial::Spin, Unreadable::TooComplex),
    ] {
        let mut bad = open(&decoders, &bytes);
        assert_eq!(bad.attempt(trial).unwrap(), Err(refusal), "{trial:?}");
        // The file itself is fine, so that whatever was asked of it again would be answered.
        assert_eq!(bad.memory(Purpose::Examine).unwrap(), Err(refusal), "{trial:?}");
        assert_eq!(bad.examine().unwrap().err(), Some(refusal), "{trial:?}");
        assert!(bad.decode(64, None).unwrap().is_err(), "{trial:?}");
        assert!(open(&decoders, &bytes).examine().unwrap().is_ok(), "the next picture has another decoder");
    }
    assert!(other.examine().unwrap().is_ok());
    let none = Decoders::processes(PathBuf::from("/nowhere")).unwrap();
    assert!(open(&none, &bytes).examine().is_err(), "which is no fault of the picture");
    let other_program = Decoders::processes(PathBuf::from("/bin/false")).unwrap();
    assert!(other_program.confinement().is_err());
}

#[test]
fn decoders_are_replaced_when_they_are_killed_and_end_with_the_service() {
    // [SAFE355]
    let folder = tempfile::tempdir().unwrap();
    let mut server = Server::start(folder.path(), &["serve"]);
    let token = server.photographer();
    let event = server.json("/api/events/", &token, &json!({"name": "Party", "date": "2026-11-14"}));
    let id = event["id"].as_str().unwrap();
    let kill = |signal: &str, process: u32| {
        let sent = Command::new("kill").args([signal, &process.to_string()]).status().unwrap();
        assert!(sent.success());
    };
    for name in ["obama.jpg", "biden.jpg"] {
        let before = server.decoders();
        before.iter().for_each(|process| kill("-KILL", *process));
        assert_eq!(server.upload(&token, id, &picture(name)).0, 201);
        let after = wait_for("another decoder", || Some(server.decoders()).filter(|now| !now.is_empty()));
        assert!(after.iter().all(|process| !before.contains(process)), "{before:?} {after:?}");
    }
    let (status, refused) = server.upload(&token, id, &picture("obama2.jpg")[..5_000]);
    assert!((400..500).contains(&status) && refused["error"].is_string(), "{status} {refused}");

    let there = wait_for("a decoder", || {
        server.upload(&token, id, &picture("obama2.jpg"));
        Some(server.decoders()).filter(|now| !now.is_empty())
    });
    // One that cannot see for itself that nobody asks any more.
    there.iter().for_each(|process| kill("-STOP", *process));
    server.signal("-KILL");
    server.end();
    for process in there {
        wait_for("the end of a decoder", || (!is_running(process)).then_some(()));
    }
}

/// Whether there is such a process that was not only not waited for.
fn is_running(process: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    stat.rsplit(") ").next().is_some_and(|state| !state.is_empty() && !state.starts_with(['Z', 'X']))
}

#[test]
fn nobody_runs_a_decoder_by_hand() {
    let folder = tempfile::tempdir().unwrap();
    let output = run(folder.path(), &["decoder"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("Pictures cannot be read"), "{}", text(&output.stderr));
}
