//! Cameras, over real connections: a client of others' making for what works, and lines of ours for what must not.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod addresses;
mod raw_files;
mod tls;

use std::io::Cursor;
use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use app::accounts::registrations;
use app::operations::runtime::limits::LimitSettings;
use app::uploads::ftp as logins;
use app::{App, events};
use domain::accounts::User;
use domain::events::Event;
use ftp::{Config, Patience};
use storage::testing::TestDb;
use suppaftp::types::FileType;
use suppaftp::{FtpError, FtpStream};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;

const PATIENCE: Duration = Duration::from_secs(20);

/// A service with an event and its login.
struct Service {
    app: App,
    owner: User,
    event: Event,
    name: String,
    password: String,
    address: SocketAddr,
    stop: CancellationToken,
    served: tokio::task::JoinHandle<()>,
    database: TestDb,
    folder: tempfile::TempDir,
}

/// A login that is good for as long as most are.
fn wanted() -> logins::Wanted {
    logins::Wanted {
        lifetime: domain::accounts::api_tokens::Lifetime::Usual,
        password: String::from("correct horse"),
    }
}

impl Service {
    async fn start() -> Self {
        Self::with(|_| {}, LimitSettings::OFF).await
    }

    async fn with(change: impl FnOnce(&mut Config), limits: LimitSettings) -> Self {
        let (database, folder) = (storage::testing::sqlite().await, tempfile::tempdir().unwrap());
        let mut parts = app::testing::parts(database.db.clone(), folder.path());
        parts.settings.limits = limits;
        let app = App::new(parts).await.unwrap();
        let (name, email, password) = ("Meera".into(), "meera@example.com".into(), "correct horse".into());
        let registration = registrations::Registration { name, email, password };
        let owner = app::accounts::register(&app, registration.parse().unwrap()).await.unwrap().user;
        let mut tx = database.db.begin().await.unwrap();
        storage::accounts::users::verify_email(&mut tx, owner.id, &owner.email, app.now()).await.unwrap();
        tx.commit().await.unwrap();
        let new =
            events::NewEvent { name: "Sangeet".into(), date: "2026-11-20".into(), ..Default::default() };
        let event = events::create(&app, &owner, new).await.unwrap();
        let made = logins::replace(&app, &owner, "", event.id, wanted()).await.unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let (address, stop) = (listener.local_addr().unwrap(), CancellationToken::new());
        let patience = Patience { login: PATIENCE, idle: PATIENCE, data: PATIENCE };
        let mut config = Config {
            passive_address: None,
            passive_ports: 20_000..=32_000,
            certificate: None,
            allows_plain: true,
            connections: 50,
            patience,
        };
        change(&mut config);
        let served = tokio::spawn(ftp::serve(listener, config, app.clone(), stop.clone()));
        let (name, password) = (made.login.name, made.password);
        Self { app, owner, event, name, password, address, stop, served, database, folder }
    }

    async fn photos(&self) -> Vec<String> {
        let query = app::photos::Query { event: Some(self.event.id), ..Default::default() };
        let page = app::photos::search(&self.app, &self.owner, query).await.unwrap();
        page.photos.into_iter().map(|photo| photo.original_filename).collect()
    }

    async fn credits(&self) -> i64 {
        let owner = storage::accounts::users::by_id(&self.database.db, self.owner.id).await.unwrap();
        owner.unwrap().credits.get()
    }

    /// Whether no file lies where photos are received.
    fn is_clean(&self) -> bool {
        std::fs::read_dir(self.folder.path()).unwrap().all(|entry| entry.unwrap().path().is_dir())
    }

    async fn client(&self) -> Client {
        let mut client = Client::connect(self.address).await;
        assert_eq!(client.ask(&format!("USER {}", self.name)).await.0, 331);
        let (code, text) = client.ask(&format!("PASS {}", self.password)).await;
        assert_eq!(code, 230, "{text}");
        client
    }
}

/// A control connection.
struct Client(BufReader<TcpStream>);

impl Client {
    async fn connect(address: SocketAddr) -> Self {
        let mut client = Self(BufReader::new(TcpStream::connect(address).await.unwrap()));
        assert_eq!(client.reply().await.0, 220);
        client
    }

    async fn reply(&mut self) -> (u16, String) {
        let mut line = String::new();
        tokio::time::timeout(PATIENCE, self.0.read_line(&mut line)).await.unwrap().unwrap();
        let (code, text) = line.trim_end().split_at_checked(3).unwrap_or(("0", ""));
        (code.parse().unwrap(), text.trim_start_matches([' ', '-']).to_owned())
    }

    async fn ask(&mut self, line: &str) -> (u16, String) {
        self.0.get_mut().write_all(format!("{line}\r\n").as_bytes()).await.unwrap();
        self.reply().await
    }

    /// A data connection.
    async fn data(&mut self) -> TcpStream {
        let (code, text) = self.ask("EPSV").await;
        assert_eq!(code, 229, "{text}");
        let port = text.split('|').nth(3).unwrap().parse::<u16>().unwrap();
        TcpStream::connect((Ipv4Addr::LOCALHOST, port)).await.unwrap()
    }

    async fn store(&mut self, name: &str, bytes: &[u8]) -> (u16, String) {
        let mut data = self.data().await;
        let (code, text) = self.ask(&format!("STOR {name}")).await;
        if code != 150 {
            return (code, text);
        }
        let _ = data.write_all(bytes).await;
        drop(data);
        self.reply().await
    }
}

fn picture(salt: u8) -> Vec<u8> {
    let picture = image::RgbImage::from_fn(120, 80, |x, y| image::Rgb([(x * 2) as u8, (y * 3) as u8, salt]));
    let mut bytes = Cursor::new(Vec::new());
    let encoder = image::codecs::jpeg::JpegEncoder::new_with_quality(&mut bytes, 90);
    picture.write_with_encoder(encoder).unwrap();
    bytes.into_inner()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_camera_stores_photos_which_are_charged_once() {
    // [FTP005] [FTP023] [FTP007] [FTP029]
    // A file under the name of an unfinished one is taken in before it is renamed, and without that.
    let service = Service::start().await;
    let (address, name, password) = (service.address, service.name.clone(), service.password.clone());
    let before = service.credits().await;
    tokio::task::spawn_blocking(move || {
        let mut camera = FtpStream::connect(address).unwrap();
        let wrong = camera.login(name.as_str(), "wrong").unwrap_err();
        let FtpError::UnexpectedResponse(reply) = wrong else { panic!("{wrong}") };
        assert_eq!(reply.status.code(), 530);
        camera.login(name.as_str(), password.as_str()).unwrap();
        camera.transfer_type(FileType::Binary).unwrap();
        assert!(camera.feat().unwrap().contains_key("UTF8"));
        camera.mkdir("DCIM").unwrap();
        camera.cwd("DCIM/100CANON").unwrap();
        assert_eq!(camera.pwd().unwrap(), "/DCIM/100CANON");
        assert!(camera.list(None).unwrap().is_empty());
        let bytes = picture(1);
        for name in ["IMG_0001.JPG", "IMG_0001.JPG", "IMG_0002.JPG"] {
            camera.put_file(name, &mut bytes.as_slice()).unwrap();
        }
        camera.put_file("/IMG_0003.JPG", &mut picture(2).as_slice()).unwrap();
        assert_eq!(camera.nlst(None).unwrap(), ["IMG_0001.JPG", "IMG_0002.JPG"]);
        assert_eq!(camera.size("IMG_0001.JPG").unwrap(), bytes.len());
        // Some clients rename what they have stored once it is whole.
        camera.put_file("IMG_0004.JPG.tmp", &mut picture(3).as_slice()).unwrap();
        camera.rename("IMG_0004.JPG.tmp", "IMG_0004.JPG").unwrap();
        camera.put_file("IMG_0005.JPG.part", &mut picture(4).as_slice()).unwrap();
        camera.quit().unwrap();
    })
    .await
    .unwrap();
    let mut photos = service.photos().await;
    photos.sort();
    assert_eq!(photos, ["IMG_0001.JPG", "IMG_0003.JPG", "IMG_0004.JPG", "IMG_0005.JPG"]);
    assert_eq!(before - service.credits().await, 400);
    assert!(service.is_clean());
    let login = logins::of_event(&service.app, &service.owner, service.event.id).await.unwrap().login;
    assert!(login.unwrap().last_used_at.is_some());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_was_replaced_by_an_edited_one_is_there_already_over_ftp_too() {
    // [FTP033]
    let service = Service::start().await;
    let (raw, edited) = (picture(1), picture(2));
    let mut camera = service.client().await;
    assert_eq!(camera.store("IMG_0001.JPG", &raw).await.0, 226);
    let mut upload = app::uploads::Upload::begin(&service.app).await.unwrap();
    upload.write(&edited).await.unwrap();
    let file = upload.finish().await.unwrap();
    let (event, hash) = (Some(service.event.id), file.checksums().blake3);
    let replaced = app::uploads::replace(&service.app, &service.owner, event, "img_0001.jpg", file).await;
    assert!(matches!(replaced, Ok(app::uploads::Accepted::Replaced(_))), "{replaced:?}");
    let before = service.credits().await;
    // The camera sends its card once more, under another name too.
    for name in ["IMG_0001.JPG", "DSC_7.JPG"] {
        assert_eq!(camera.store(name, &raw).await.0, 226);
    }
    assert_eq!(service.photos().await, ["IMG_0001.JPG"]);
    assert_eq!(service.credits().await, before);
    let query = app::photos::Query { event, ..Default::default() };
    let page = app::photos::search(&service.app, &service.owner, query).await.unwrap();
    assert_eq!(page.photos[0].content_hash, hash);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_cut_is_not_taken_in() {
    // [FTP008] [FTP009]
    let service = Service::start().await;
    let (whole, mut client) = (picture(1), service.client().await);
    let half = &whole[..whole.len() / 2];
    let cut = (426, String::from("The image is incomplete: the end of the file is missing"));
    // A camera whose battery is empty ends its file as any other does.
    assert_eq!(client.store("a.jpg", half).await, cut);
    assert_eq!(client.store("a.jpg", &whole[..whole.len() - 1]).await, cut);
    let torn = (426, String::from("The file did not come to its end, and nothing of it is kept."));
    assert_eq!(client.ask(&format!("ALLO {}", whole.len() + 1)).await.0, 200);
    assert_eq!(client.store("a.jpg", &whole).await, torn, "less than was announced");

    // A connection that is reset.
    let mut data = client.data().await;
    assert_eq!(client.ask("STOR a.jpg").await.0, 150);
    data.write_all(half).await.unwrap();
    data.set_zero_linger().unwrap();
    drop(data);
    assert_eq!(client.reply().await, torn);

    // ABOR, with the bytes of Telnet that clients send before it.
    let data = client.data().await;
    assert_eq!(client.ask("STOR a.jpg").await.0, 150);
    client.0.get_mut().write_all(b"\xFF\xF4\xFF\xF2ABOR\r\n").await.unwrap();
    assert_eq!((client.reply().await.0, client.reply().await.0), (426, 226));
    drop(data);

    // A client that is gone, whatever it has sent.
    let mut data = client.data().await;
    assert_eq!(client.ask("STOR a.jpg").await.0, 150);
    data.write_all(&whole).await.unwrap();
    drop(client);
    tokio::time::sleep(Duration::from_millis(200)).await;
    drop(data);
    service.stop.cancel();
    service.served.await.unwrap();
    let query = app::photos::Query { event: Some(service.event.id), ..Default::default() };
    let page = app::photos::search(&service.app, &service.owner, query).await.unwrap();
    assert!(page.photos.is_empty() && page.total == 0);
    assert!(std::fs::read_dir(service.folder.path()).unwrap().all(|entry| entry.unwrap().path().is_dir()));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_acknowledged_under_an_interim_name_is_not_lost() {
    // [FTP029]
    // Whether another one follows, or the line is cut before any of them has its name.
    let service = Service::start().await;
    let mut client = service.client().await;
    for (salt, name) in [(1, "a.jpg.tmp"), (2, "b.jpg.part"), (3, ".in.c.jpg."), (4, "upload-7f3a")] {
        assert_eq!(client.store(name, &picture(salt)).await.0, 226, "{name}");
    }
    drop(client);
    let mut photos = service.photos().await;
    photos.sort();
    assert_eq!(photos, ["a.jpg", "b.jpg", "c.jpg", "upload-7f3a"]);
    // The client comes back and begins anew.
    let mut client = service.client().await;
    assert_eq!(client.store("a.jpg.tmp", &picture(1)).await.0, 226);
    assert_eq!((client.ask("RNFR a.jpg.tmp").await.0, client.ask("RNTO a.jpg").await.0), (350, 250));
    assert_eq!(service.photos().await.len(), 4);
    assert!(service.is_clean());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_renames_what_it_has_stored_and_nothing_else() {
    // [FTP030]
    let service = Service::start().await;
    let (mut client, mut other) = (service.client().await, service.client().await);
    assert_eq!(other.store("there.jpg", &picture(9)).await.0, 226);
    assert_eq!(client.store("random-1", &picture(1)).await.0, 226);
    assert_eq!(client.store("sub/random-2.tmp", &picture(2)).await.0, 226);
    assert_eq!(client.store("again.tmp", &picture(9)).await.0, 226);
    for (from, to, codes) in [
        ("random-1", "IMG_0001.JPG.part", (350, 250)),
        ("IMG_0001.JPG.part", "IMG_0001.JPG", (350, 250)),
        ("sub/random-2.tmp", "/IMG_0002.JPG", (350, 250)),
        // Its bytes were there before, under another name.
        ("again.tmp", "again.jpg", (350, 250)),
        ("there.jpg", "mine.jpg", (550, 503)),
        ("IMG_0001.JPG", "/", (350, 553)),
    ] {
        let answers =
            (client.ask(&format!("RNFR {from}")).await.0, client.ask(&format!("RNTO {to}")).await.0);
        assert_eq!(answers, codes, "{from} {to}");
    }
    assert_eq!(client.ask("SIZE IMG_0002.JPG").await.0, 213);
    assert_eq!(client.ask("SIZE sub/random-2.tmp").await.0, 550);
    let mut photos = service.photos().await;
    photos.sort();
    assert_eq!(photos, ["IMG_0001.JPG", "IMG_0002.JPG", "there.jpg"]);

    // A photo that was deleted meanwhile has no name to be given, and a login that ended gives none.
    let page = app::photos::Query { event: Some(service.event.id), ..Default::default() };
    let page = app::photos::search(&service.app, &service.owner, page).await.unwrap();
    let named = |name: &str| page.photos.iter().find(|photo| photo.original_filename == name).unwrap().id;
    app::photos::delete::delete_photo(&service.app, &service.owner, named("IMG_0002.JPG")).await.unwrap();
    client.ask("RNFR IMG_0002.JPG").await;
    assert_eq!(client.ask("RNTO x.jpg").await, (550, String::from("Photo not found")));
    logins::replace(&service.app, &service.owner, "", service.event.id, wanted()).await.unwrap();
    client.ask("RNFR IMG_0001.JPG").await;
    assert_eq!(client.ask("RNTO x.jpg").await.0, 530);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_photo_with_a_film_behind_it_is_taken_in_when_the_film_is_whole() {
    // [FTP009]
    let service = Service::start().await;
    let mut client = service.client().await;
    let film =
        [&16_u32.to_be_bytes()[..], b"ftypmp42\0\0\0\0", &4_096_u32.to_be_bytes(), b"mdat", &[0; 4_088]];
    let moving = [picture(1), film.concat()].concat();
    let cut = (426, String::from("The image is incomplete: the end of the file is missing"));
    assert_eq!(client.store("PXL_1.MP.jpg", &moving[..moving.len() - 1]).await, cut);
    assert_eq!(client.store("PXL_1.MP.jpg", &moving).await.0, 226);
    assert_eq!(service.photos().await, ["PXL_1.MP.jpg"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn raw_files_whose_pictures_are_there_are_left_out_and_counted() {
    // [UPL223] [FTP029]
    let service = Service::start().await;
    let mut client = service.client().await;
    let canon = b"\0\0\0\x18ftypcrx \0\0\0\x01crx isom".to_vec();
    let older = [&b"II*\0\x10\0\0\0CR\x02\0\0\0\0\0"[..], &[0; 6]].concat();
    let refused = (550, domain::Refusal::RawPhoto.text().into_owned());
    assert_eq!(client.store("IMG_1.CR3", &canon).await, refused, "nothing of it is there");
    assert_eq!(client.store("IMG_1.JPG", &picture(1)).await.0, 226);
    let left_out = |files: &str| (226, format!("The event has its picture: {files} left out"));
    assert_eq!(client.store("IMG_1.CR3", &canon).await, left_out("1 RAW file"));
    // Another connection, for some cameras make one for each file.
    let mut again = service.client().await;
    assert_eq!(again.store("img_1.cr2", &older).await, left_out("1 RAW file"));
    assert_eq!(client.store("sub/IMG_1.CR3", &canon).await, left_out("2 RAW files"));
    assert_eq!(client.store("IMG_2.CR3", &canon).await, refused);
    assert_eq!(
        client.store("IMG_3.MP4", b"\0\0\0\x18ftypmp42\0\0\0\0mp42isom").await.1,
        domain::Refusal::VideoFile.text()
    );
    assert_eq!(service.photos().await, ["IMG_1.JPG"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn refusals_are_told_in_their_own_words() {
    // [FTP003]
    let service = Service::start().await;
    let mut client = service.client().await;
    let not_an_image =
        "The file is not an image we can read (PNG, JPG, JPEG, GIF, BMP, TIFF, WEBP, HEIC, AVIF)";
    assert_eq!(client.store("a.mp4", b"no picture").await, (550, not_an_image.to_owned()));
    assert_eq!(client.store("a.jpg", b"").await.0, 550);
    storage::testing::change(&service.database.db, "UPDATE users SET credits = 0").await;
    let (code, text) = client.store("a.jpg", &picture(1)).await;
    assert_eq!((code, text), (452, domain::Refusal::InsufficientCredits.text().into_owned()));
    assert!(service.photos().await.is_empty());

    // What is replaced or switched off ends at once, also for who is logged in.
    logins::replace(&service.app, &service.owner, "", service.event.id, wanted()).await.unwrap();
    let gone = (530, String::from("The user name or the password is wrong, or no longer good"));
    assert_eq!(client.store("a.jpg", &picture(1)).await, gone);
    let mut late = Client::connect(service.address).await;
    late.ask(&format!("USER {}", service.name)).await;
    assert_eq!(late.ask(&format!("PASS {}", service.password)).await, gone);
    assert!(service.is_clean());
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_else_is_done_and_nothing_before_the_login() {
    // [FTP011] [FTP012] [FTP013]
    let service = Service::start().await;
    let mut stranger = Client::connect(service.address).await;
    for command in ["LIST", "STOR a.jpg", "EPSV", "PWD", "SIZE a.jpg"] {
        assert_eq!(stranger.ask(command).await.0, 530, "{command}");
    }
    assert_eq!(stranger.ask("PASS x").await.0, 503);

    let mut client = service.client().await;
    assert_eq!(client.store("a.jpg", &picture(1)).await.0, 226);
    for (command, code) in [
        ("RETR a.jpg", 550),
        ("DELE a.jpg", 550),
        ("RMD /", 550),
        ("APPE a.jpg", 550),
        ("RNFR b.jpg", 550),
        ("RNTO c.jpg", 503),
        ("REST 5", 504),
        ("PORT 127,0,0,1,0,80", 502),
        ("EPRT |1|127.0.0.1|80|", 502),
        ("SITE CHMOD 777 a.jpg", 502),
        ("STOR a.jpg", 425),
        ("STOR /", 553),
        ("AUTH TLS", 503),
        ("PROT P", 503),
        ("USER x", 503),
    ] {
        assert_eq!(client.ask(command).await.0, code, "{command}");
    }
    // A line without an end takes no memory.
    let long = format!("STOR {}", "a".repeat(5_000));
    let _ = client.0.get_mut().write_all(long.as_bytes()).await;
    let mut rest = String::new();
    let ended = tokio::time::timeout(PATIENCE, client.0.read_line(&mut rest)).await.unwrap();
    assert!(ended.is_err() || rest.is_empty(), "{rest}");
    assert_eq!(service.photos().await, ["a.jpg"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn guesses_and_connections_are_bounded() {
    // [FTP024] [FTP025]
    let limits = LimitSettings { ftp_logins: 2, ..LimitSettings::OFF };
    let service = Service::with(|config| config.connections = 3, limits).await;
    let mut stranger = Client::connect(service.address).await;
    for _ in 0..2 {
        stranger.ask("USER nobody").await;
        assert!(stranger.ask("PASS x").await.1.starts_with("The user name or the password"));
    }
    stranger.ask("USER nobody").await;
    let (code, text) = stranger.ask("PASS x").await;
    assert_eq!(code, 530);
    assert!(text.contains("Too many"), "{text}");
    assert_eq!(stranger.reply_or_end().await, None, "three are enough");
    // Another camera at the same address is let in all the same.
    let mut client = service.client().await;
    assert_eq!(client.store("a.jpg", &picture(1)).await.0, 226);

    let _more = [Client::connect(service.address).await, Client::connect(service.address).await];
    let mut refused = BufReader::new(TcpStream::connect(service.address).await.unwrap());
    let mut line = String::new();
    tokio::time::timeout(PATIENCE, refused.read_line(&mut line)).await.unwrap().unwrap();
    assert!(line.starts_with("421 "), "{line}");
}

impl Client {
    /// The next reply; none when the connection is closed.
    async fn reply_or_end(&mut self) -> Option<String> {
        let mut line = String::new();
        let read = tokio::time::timeout(PATIENCE, self.0.read_line(&mut line)).await.unwrap().unwrap_or(0);
        (read > 0).then_some(line)
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn at_a_stop_what_is_being_sent_is_taken_in() {
    let service = Service::start().await;
    let (mut idle, mut busy, bytes) = (service.client().await, service.client().await, picture(1));
    let mut data = busy.data().await;
    assert_eq!(busy.ask("STOR a.jpg").await.0, 150);
    data.write_all(&bytes[..100]).await.unwrap();
    service.stop.cancel();
    assert_eq!(idle.reply().await.0, 421);
    assert!(TcpStream::connect(service.address).await.is_err() || !service.served.is_finished());
    data.write_all(&bytes[100..]).await.unwrap();
    drop(data);
    assert_eq!((busy.reply().await.0, busy.reply().await.0), (226, 421));
    assert_eq!(service.photos().await, ["a.jpg"]);
    tokio::time::timeout(PATIENCE, service.served).await.unwrap().unwrap();
}
