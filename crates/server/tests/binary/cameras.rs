//! The binary takes photos from cameras where its settings say so.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpStream;

use serde_json::{Value, json};

use crate::harness::{Server, afterglow, picture, text};

/// A command of a camera; the code of the reply, and its text.
fn ask(control: &mut BufReader<TcpStream>, line: &str) -> (u16, String) {
    if !line.is_empty() {
        control.get_mut().write_all(format!("{line}\r\n").as_bytes()).unwrap();
    }
    let mut reply = String::new();
    control.read_line(&mut reply).unwrap();
    (reply[..3].parse().unwrap(), reply[4..].trim_end().to_owned())
}

#[test]
fn a_camera_sends_a_photo_where_the_settings_say_so() {
    // [FTP016]
    let folder = tempfile::tempdir().unwrap();
    let listen = ("AFTERGLOW_FTP_LISTEN", "127.0.0.1:0");
    let refused = afterglow(folder.path()).arg("serve").envs([listen]).output().unwrap();
    assert_eq!(refused.status.code(), Some(1));
    assert!(text(&refused.stderr).contains("`ftp_plain` to on"), "{}", text(&refused.stderr));

    let settings = [listen, ("AFTERGLOW_FTP_PLAIN", "on"), ("AFTERGLOW_FTP_PASSIVE_PORTS", "20000-32000")];
    let mut server = Server::start_with(folder.path(), &["serve"], &settings);
    let token = server.photographer();
    let event = server.json("/api/events/", &token, &json!({"name": "Party", "date": "2026-11-14"}));
    let path = format!("/api/events/{}/ftp", event["id"].as_str().unwrap());
    let wanted = json!({"password": "correct horse"}).to_string();
    let (status, made) = server.call("PUT", &path, &token, "application/json", wanted.as_bytes());
    assert_eq!((status, &made["service"]["encryption"]), (200, &json!("none")), "{made}");
    let port = made["service"]["port"].as_u64().unwrap();
    let mut control = BufReader::new(TcpStream::connect(format!("127.0.0.1:{port}")).unwrap());
    assert_eq!(ask(&mut control, "").0, 220);
    let of = |value: &Value| value.as_str().unwrap().to_owned();
    assert_eq!(ask(&mut control, &format!("USER {}", of(&made["login"]["user_name"]))).0, 331);
    assert_eq!(ask(&mut control, &format!("PASS {}", of(&made["password"]))).0, 230);
    let (code, passive) = ask(&mut control, "PASV");
    assert_eq!(code, 227);
    let numbers: Vec<u16> = passive
        .split(|c: char| !c.is_ascii_digit())
        .filter(|number| !number.is_empty())
        .map(|number| number.parse().unwrap())
        .collect();
    let [127, 0, 0, 1, high, low] = numbers[..] else { panic!("{passive}") };
    let mut data = TcpStream::connect(("127.0.0.1", (high << 8) | low)).unwrap();
    assert_eq!(ask(&mut control, "STOR IMG_0001.JPG").0, 150);
    data.write_all(&picture("obama.jpg")).unwrap();
    drop(data);
    assert_eq!(ask(&mut control, "").0, 226);
    let photos = server.get("/api/photos/search", &token);
    assert_eq!(photos["photos"][0]["filename"], "IMG_0001.JPG");
    assert_eq!(photos["photos"][0]["event_id"], event["id"]);
    assert!(server.log().contains("whoever is on the way can read"), "{}", server.log());

    server.signal("-TERM");
    assert_eq!(ask(&mut control, "").0, 421);
    assert_eq!(server.end(), Some(0));
}
