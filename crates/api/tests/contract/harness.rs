//! The whole service on a real database, with fixed clock, seeded randomness, and fakes of face engine, store and mail.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, PoisonError};

use app::operations::runtime::limits::LimitSettings;
use app::{App, Parts, Settings};
use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, Request, StatusCode};
use domain::Clock;
use domain::operations::clock_watch::ClockWatch;
use futures::StreamExt as _;
use http_body_util::BodyExt as _;
use serde_json::{Value, json};
use tower::ServiceExt as _;

pub(crate) const METRICS_TOKEN: &str = "metrics-token";
pub(crate) const PASSWORD: &str = "correct horse";

/// The public URL of the service under test.
pub(crate) const PUBLIC_URL: &str = "http://localhost:8080";

/// The page of the built web app, reduced to what the server reads of it.
pub(crate) const PAGE: &str = "<!doctype html><head><!-- head: replaced --><title>Afterglow</title><!-- /head --></head><div id=\"root\"></div>";

pub(crate) struct World {
    pub(crate) app: App,
    /// What `app` is made of, to reach behind its verbs.
    pub(crate) parts: Parts,
    pub(crate) clock: Clock,
    pub(crate) mails: gateway::mails::Memory,
    router: Router,
    _incoming: tempfile::TempDir,
}

pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) bytes: Vec<u8>,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.bytes)
            .unwrap_or_else(|error| panic!("no JSON ({error}): {}", String::from_utf8_lossy(&self.bytes)))
    }

    /// The status and the error's text.
    pub(crate) fn error(&self) -> (u16, String) {
        let json = self.json();
        assert!(json["code"].as_str().is_some_and(|code| !code.is_empty()), "an error without code: {json}");
        (self.status.as_u16(), json["error"].as_str().unwrap_or_default().to_owned())
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }
}

/// Runs a test once on each engine, each time with a service of its own.
pub(crate) fn on_both_engines<F: Future<Output = ()>>(test: impl Fn(World) -> F) {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        for database in storage::testing::engines().await {
            test(World::new(database.db.clone()).await).await;
        }
    });
}

impl World {
    pub(crate) async fn new(db: storage::Db) -> Self {
        Self::with(db, None).await
    }

    /// A service with rate limits.
    pub(crate) async fn limited(db: storage::Db, limits: LimitSettings, proxies: &str) -> Self {
        Self::build(db, None, limits, proxies, PUBLIC_URL).await
    }

    /// A service with some settings of its own.
    pub(crate) async fn with_settings(db: storage::Db, change: impl FnOnce(&mut Settings)) -> Self {
        let world = Self::new(db).await;
        let mut parts = world.parts.clone();
        change(&mut parts.settings);
        Self::of(parts, world.mails.clone(), world._incoming).await
    }

    /// A service under another public address.
    pub(crate) async fn at(db: storage::Db, public_url: &str) -> Self {
        Self::build(db, None, LimitSettings::OFF, "", public_url).await
    }

    /// A service that takes money through `payments`; through the sandbox without one.
    pub(crate) async fn with(db: storage::Db, payments: Option<gateway::Payments>) -> Self {
        Self::build(db, payments, LimitSettings::OFF, "", PUBLIC_URL).await
    }

    async fn build(
        db: storage::Db,
        payments: Option<gateway::Payments>,
        limits: LimitSettings,
        proxies: &str,
        public_url: &str,
    ) -> Self {
        let incoming = tempfile::tempdir().unwrap();
        let settings = Settings {
            public_url: public_url.to_owned(),
            operator: app::Operator {
                name: String::from("Sundar & Sons <Studios>"),
                address: String::from("1 Lake Road\nPune 411001"),
                tax_number: String::from("27ABCDE1234F1Z5"),
            },
            limits,
            metrics_token: Some(String::from(METRICS_TOKEN).into()),
            trusted_proxies: proxies.parse().unwrap(),
            ..app::testing::settings(incoming.path())
        };
        let parts = Parts { settings, payments, ..app::testing::parts(db, incoming.path()) };
        let gateway::Mailer::Memory(mails) = parts.mailer.clone() else {
            unreachable!("the parts for tests keep mails in memory")
        };
        Self::of(parts, mails, incoming).await
    }

    async fn of(parts: Parts, mails: gateway::mails::Memory, incoming: tempfile::TempDir) -> Self {
        let (app, clock) = (App::new(parts.clone()).await.unwrap(), parts.clock.clone());
        let web_app = api::WebApp::new(|path| {
            (path == "index.html").then(|| api::Asset {
                bytes: PAGE.as_bytes().into(),
                brotli: None,
                media_type: String::from("text/html; charset=utf-8"),
                version: String::from("1"),
            })
        });
        let router = api::router(app.clone(), web_app);
        Self { app, clock, mails, router, parts, _incoming: incoming }
    }

    /// Another process with the same clock and media store, on this database.
    pub(crate) async fn second_process(&self, db: &storage::Db) -> Self {
        let incoming = tempfile::tempdir().unwrap();
        let mut parts = Parts { db: db.clone(), ..self.parts.clone() };
        parts.settings.incoming_dir = incoming.path().to_owned();
        Self::of(parts, self.mails.clone(), incoming).await
    }

    /// The same process with the settings that its parts have by now.
    pub(crate) async fn restarted(self) -> Self {
        Self::of(self.parts.clone(), self.mails.clone(), self._incoming).await
    }

    /// What the operator's commands work with, beside this process.
    pub(crate) fn operator(&self) -> app::operations::operators::OperatorContext {
        app::operations::operators::OperatorContext {
            db: self.parts.db.clone(),
            clock: self.clock.clone(),
            randomness: self.parts.randomness.clone(),
            seller: self.parts.settings.seller.clone(),
        }
    }

    pub(crate) async fn send(&self, request: Request<Body>) -> Answer {
        answer(self.begin(request).await).await
    }

    /// Sends a request and leaves the body of the answer to be read.
    pub(crate) async fn begin(&self, request: Request<Body>) -> axum::response::Response {
        self.router.clone().oneshot(request).await.unwrap()
    }

    /// The response of another service with `app`.
    pub(crate) async fn get_from(&self, app: App, path: &str) -> Answer {
        let router = api::router(app, api::WebApp::new(|_| None));
        let request = request("GET", path, "").body(Body::empty()).unwrap();
        answer(router.oneshot(request).await.unwrap()).await
    }

    /// The response of a service with another web app.
    pub(crate) async fn get_with(
        &self,
        web_app: api::WebApp,
        path: &str,
        headers: &[(&str, &str)],
    ) -> Answer {
        let router = api::router(self.app.clone(), web_app);
        let request = headers
            .iter()
            .fold(request("GET", path, ""), |request, (name, value)| request.header(*name, *value));
        answer(router.oneshot(request.body(Body::empty()).unwrap()).await.unwrap()).await
    }

    /// The routes of the service, read from what the router prints of itself.
    pub(crate) fn routes(&self) -> std::collections::BTreeSet<String> {
        let printed = format!("{:?}", self.router);
        let routes = printed.split("RouteId(").filter_map(|part| {
            let (id, rest) = part.split_once("): \"")?;
            id.parse::<u32>().ok()?;
            let route = rest.split_once('"')?.0;
            // How the router prints its fallback.
            (!route.contains("__private__")).then(|| route.to_owned())
        });
        routes.collect()
    }

    /// A photo as the database has it.
    pub(crate) async fn stored(&self, id: &Value) -> domain::photos::Photo {
        let id = id.as_str().unwrap().parse().unwrap();
        storage::photos::by_id(&self.parts.db, id).await.unwrap().unwrap()
    }

    /// Removes the checksums of all photos, as if they were stored by an older version.
    pub(crate) async fn clear_checksums(&self) {
        let statement = "UPDATE photos SET crc32 = NULL";
        storage::testing::change(&self.parts.db, statement).await;
    }

    pub(crate) async fn get(&self, path: &str, token: &str) -> Answer {
        self.send(request("GET", path, token).body(Body::empty()).unwrap()).await
    }

    pub(crate) async fn post(&self, path: &str, token: &str, body: Value) -> Answer {
        let request = request("POST", path, token).header("content-type", "application/json");
        self.send(request.body(Body::from(body.to_string())).unwrap()).await
    }

    pub(crate) async fn put(&self, path: &str, token: &str, body: Value) -> Answer {
        let request = request("PUT", path, token).header("content-type", "application/json");
        self.send(request.body(Body::from(body.to_string())).unwrap()).await
    }

    pub(crate) async fn patch(&self, path: &str, token: &str, body: Value) -> Answer {
        let request = request("PATCH", path, token).header("content-type", "application/json");
        self.send(request.body(Body::from(body.to_string())).unwrap()).await
    }

    pub(crate) async fn delete(&self, path: &str, token: &str) -> Answer {
        self.send(request("DELETE", path, token).body(Body::empty()).unwrap()).await
    }

    /// Sends a form; that of a search says that the notice was agreed to, unless it says something else about it.
    pub(crate) async fn form(&self, path: &str, token: &str, fields: &[Field<'_>]) -> Answer {
        let is_search = path.starts_with("/api/face/search");
        if is_search && !fields.iter().any(|field| field.name == "notice_version") {
            return self.raw_form(path, token, &[fields, &[Field::notice()]].concat()).await;
        }
        if path.starts_with("/api/face/objections/")
            && let Some(selfie) = fields.iter().find(|field| field.name == "image")
            && let Some((challenge, turned)) = self.capture(path, token, selfie.bytes).await
        {
            let capture =
                [Field::file("turned_image", "turned.jpg", &turned), Field::text("challenge", &challenge)];
            return self.raw_form(path, token, &[fields, &capture].concat()).await;
        }
        self.raw_form(path, token, fields).await
    }

    /// What makes a selfie of one person a live capture of an event that the guest may see: the challenge, and the same person with
    /// the head turned.
    async fn capture(&self, path: &str, token: &str, selfie: &[u8]) -> Option<(String, Vec<u8>)> {
        let drawn = self.post(&format!("{path}/challenge"), token, json!({})).await;
        if drawn.status != 200 {
            return None;
        }
        let drawn = drawn.json();
        let turned = turned(selfie, if drawn["side"] == "left" { 0.75 } else { 0.25 })?;
        Some((drawn["challenge"].as_str()?.to_owned(), turned))
    }

    /// Sends a form of these fields alone.
    pub(crate) async fn raw_form(&self, path: &str, token: &str, fields: &[Field<'_>]) -> Answer {
        let request =
            request("POST", path, token).header("content-type", "multipart/form-data; boundary=line");
        self.send(request.body(Body::from(encode(fields))).unwrap()).await
    }

    pub(crate) async fn register(&self, email: &str) -> Answer {
        let body =
            json!({"name": "Meera Kapoor", "email": email, "password": PASSWORD, "is_photographer": true});
        self.post("/api/auth/register", "", body).await
    }

    pub(crate) async fn log_in(&self, email: &str) -> Answer {
        self.post("/api/auth/login", "", json!({"email": email, "password": PASSWORD})).await
    }

    /// The names of all files that are kept.
    pub(crate) async fn stored_files(&self) -> Vec<String> {
        let entries: Vec<_> = self.parts.store.list("").collect().await;
        entries.into_iter().map(|entry| entry.unwrap().key.to_string()).collect()
    }

    /// Runs all jobs that are due.
    pub(crate) async fn drain(&self) -> usize {
        app::operations::runtime::worker::drain(&self.app).await.unwrap()
    }

    /// Runs each task of maintenance that is due, in a service that has run all the time: its clock has not jumped.
    pub(crate) async fn run_due(&self) -> usize {
        let now = self.clock.now();
        let mut tx = self.parts.db.begin().await.unwrap();
        storage::operations::clock_watch::lock(&mut tx, now).await.unwrap();
        storage::operations::clock_watch::save(&mut tx, &ClockWatch::new(now)).await.unwrap();
        tx.commit().await.unwrap();
        app::operations::maintenance::run_due(&self.app).await.unwrap()
    }

    /// The token of the newest verification mail to `email`.
    pub(crate) async fn mailed_token(&self, email: &str) -> String {
        self.token_mailed_to(email, "verify-email").await
    }

    /// The token of the newest mail to `email` with a link to this page.
    pub(crate) async fn token_mailed_to(&self, email: &str, page: &str) -> String {
        self.drain().await;
        // A token in the fragment reaches no server; that of /verify-email is specified to be in the query.
        let separator = if page == "verify-email" { '?' } else { '#' };
        let start = format!("http://localhost:8080/{page}{separator}token=");
        let sent = self.mails.sent();
        let mails = sent.iter().rev().filter(|sent| sent.mail.to.as_str() == email);
        let mut tokens =
            mails.filter_map(|sent| sent.mail.links.iter().find_map(|link| link.strip_prefix(&start)));
        tokens.next().expect("a mail was sent").to_owned()
    }

    /// Registers, verifies and logs in; answers the bearer token. The first one is an administrator, as whoever sets a service up.
    pub(crate) async fn photographer(&self, email: &str) -> String {
        assert_eq!(self.register(email).await.status, 200);
        if storage::accounts::setup::is_wanted(&self.parts.db).await.unwrap() {
            app::operations::operator_accounts::set_admin(&self.operator(), email, true).await.unwrap();
        }
        let token = self.mailed_token(email).await;
        assert_eq!(self.post("/api/auth/verify-email", "", json!({"token": token})).await.status, 200);
        let answer = self.log_in(email).await;
        assert_eq!(answer.status, 200);
        answer.json()["token"].as_str().unwrap().to_owned()
    }

    pub(crate) async fn event(&self, token: &str, name: &str) -> Value {
        let answer = self.post("/api/events/", token, json!({"name": name, "date": "2026-11-14"})).await;
        assert_eq!(answer.status, 201, "{}", String::from_utf8_lossy(&answer.bytes));
        answer.json()
    }

    pub(crate) async fn upload(&self, token: &str, event: &Value, name: &str, bytes: &[u8]) -> Answer {
        let id = event["id"].as_str().unwrap_or_default();
        let fields = [Field::file("photos", name, bytes), Field::text("event_id", id)];
        self.form("/api/photos/upload", token, &fields).await
    }

    pub(crate) async fn search(&self, event: &Value, selfie: &[u8]) -> Answer {
        let path = format!("/api/face/search/{}", event["slug"].as_str().unwrap());
        self.form(&path, "", &[Field::file("image", "selfie.jpg", selfie)]).await
    }
}

async fn answer(response: axum::response::Response) -> Answer {
    let (parts, body) = response.into_parts();
    let bytes = body.collect().await.unwrap().to_bytes().to_vec();
    Answer { status: parts.status, headers: parts.headers, bytes }
}

/// A store in the bucket `media` of https://objects.example, whose links are presigned: that sends no request to it.
pub(crate) fn bucket() -> media::stores::Store {
    let options = [
        ("AWS_ACCESS_KEY_ID", "afterglow"),
        ("AWS_SECRET_ACCESS_KEY", "a secret"),
        ("AWS_REGION", "ap-south-1"),
        ("AWS_ENDPOINT_URL", "https://objects.example"),
    ];
    let options = options.map(|(name, value)| (name.to_owned(), value.to_owned()));
    media::stores::Store::open("s3://media/party", options).unwrap()
}

pub(crate) fn request(method: &str, path: &str, token: &str) -> axum::http::request::Builder {
    let request =
        Request::builder().method(method).uri(path.strip_prefix("http://localhost:8080").unwrap_or(path));
    if token.is_empty() { request } else { request.header("authorization", format!("Bearer {token}")) }
}

/// A field of a form.
#[derive(Clone, Copy)]
pub(crate) struct Field<'a> {
    name: &'a str,
    filename: Option<&'a str>,
    bytes: &'a [u8],
}

impl<'a> Field<'a> {
    pub(crate) fn file(name: &'a str, filename: &'a str, bytes: &'a [u8]) -> Self {
        Self { name, filename: Some(filename), bytes }
    }

    /// The person agreed to the notice that the page shows.
    pub(crate) fn notice() -> Self {
        Self::text("notice_version", domain::faces::consents::NoticeVersion::CURRENT.as_str())
    }

    pub(crate) fn text(name: &'a str, text: &'a str) -> Self {
        Self { name, filename: None, bytes: text.as_bytes() }
    }
}

pub(crate) fn encode(fields: &[Field<'_>]) -> Vec<u8> {
    let mut body = Vec::new();
    for Field { name, filename, bytes } in fields {
        body.extend_from_slice(
            format!("--line\r\nContent-Disposition: form-data; name=\"{name}\"").as_bytes(),
        );
        if let Some(filename) = filename {
            body.extend_from_slice(
                format!("; filename=\"{filename}\"\r\nContent-Type: image/jpeg").as_bytes(),
            );
        }
        body.extend_from_slice(b"\r\n\r\n");
        body.extend_from_slice(bytes);
        body.extend_from_slice(b"\r\n");
    }
    body.extend_from_slice(b"--line--\r\n");
    body
}

/// The people of these tests: the fake engine takes a block of plain colour for a face.
pub(crate) const RED: [u8; 3] = [230, 20, 20];
pub(crate) const GREEN: [u8; 3] = [20, 230, 20];
pub(crate) const BLUE: [u8; 3] = [20, 20, 230];
pub(crate) const BLACK: [u8; 3] = [0, 0, 0];

/// A JPEG of 200 × 100 pixels a person, one block of colour each; `salt` makes two pictures of the same people differ.
pub(crate) fn photo(people: &[[u8; 3]], salt: u8) -> Vec<u8> {
    let width = 200 * u32::try_from(people.len()).unwrap();
    encoded(width, 60 + salt, |x| people[(x / 200) as usize])
}

/// The picture with its nose elsewhere: white at its top, so far from the left of it.
pub(crate) fn turned(picture: &[u8], nose: f64) -> Option<Vec<u8>> {
    let mut picture = image::load_from_memory(picture).ok()?.into_rgb8();
    let (width, height) = picture.dimensions();
    for (x, y, pixel) in picture.enumerate_pixels_mut() {
        if y < height / 10 && (f64::from(x) / f64::from(width) - nose).abs() < 0.1 {
            *pixel = image::Rgb([255; 3]);
        }
    }
    let mut bytes = std::io::Cursor::new(Vec::new());
    let encoder = image::codecs::jpeg::JpegEncoder::new_with_quality(&mut bytes, 90);
    picture.write_with_encoder(encoder).unwrap();
    Some(bytes.into_inner())
}

/// A JPEG 100 pixels high whose columns have the colours that `column` gives.
pub(crate) fn picture(width: u32, column: impl Fn(u32) -> [u8; 3]) -> Vec<u8> {
    encoded(width, 90, column)
}

/// Pictures that were drawn before: many tests draw the same ones.
static DRAWN: LazyLock<Mutex<HashMap<Drawing, Vec<u8>>>> = LazyLock::new(Mutex::default);

/// The colours of a picture's columns, and its quality as a JPEG.
type Drawing = (Vec<[u8; 3]>, u8);

fn encoded(width: u32, quality: u8, column: impl Fn(u32) -> [u8; 3]) -> Vec<u8> {
    let columns: Vec<[u8; 3]> = (0..width).map(column).collect();
    let mut drawn = DRAWN.lock().unwrap_or_else(PoisonError::into_inner);
    let bytes = drawn.entry((columns, quality)).or_insert_with_key(|(columns, quality)| {
        let picture = image::RgbImage::from_fn(width, 100, |x, _| image::Rgb(columns[x as usize]));
        let mut bytes = std::io::Cursor::new(Vec::new());
        let encoder = image::codecs::jpeg::JpegEncoder::new_with_quality(&mut bytes, *quality);
        picture.write_with_encoder(encoder).unwrap();
        bytes.into_inner()
    });
    bytes.clone()
}
