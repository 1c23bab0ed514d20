//! A provider of OpenID Connect that is strict with its clients, and wrong in one way where a test wants it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};

use axum::extract::{Form, State};
use axum::http::header::AUTHORIZATION;
use axum::http::{HeaderMap, StatusCode};
use axum::routing::{get, post};
use axum::{Json, Router};
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use domain::Clock;
use ring::rand::SystemRandom;
use ring::signature::{RSA_PKCS1_SHA256, RsaKeyPair};
use rsa::pkcs1::EncodeRsaPrivateKey as _;
use rsa::traits::PublicKeyParts as _;
use serde_json::{Value, json};
use tokio::task::JoinHandle;

pub(super) const CLIENT_ID: &str = "afterglow";
pub(super) const CLIENT_SECRET: &str = "a secret: of 100% & more";
const MINUTE: i64 = 60;

/// What is wrong with the tokens of a provider.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Wrong {
    Nothing,
    /// Claims of the ID token are others.
    Claims(Value),
    /// It is not signed, and says so.
    Unsigned,
    /// It is signed with the client's secret, which is no key of the provider.
    SignedWithSecret,
    /// It is signed with another key under the name of the right one.
    OtherKey,
    /// There is no ID token.
    NoToken,
    /// The token endpoint fails.
    Broken,
}

struct Code {
    person: Value,
    nonce: String,
    challenge: String,
    redirect_uri: String,
}

struct Key {
    id: String,
    pair: RsaKeyPair,
    modulus: String,
    exponent: String,
}

/// Two keys, which all tests share: making one takes a while.
fn keys() -> &'static [Key; 2] {
    static KEYS: OnceLock<[Key; 2]> = OnceLock::new();
    KEYS.get_or_init(|| {
        ["first", "second"].map(|id| {
            let key = rsa::RsaPrivateKey::new(&mut rsa::rand_core::OsRng, 2048).unwrap();
            let public = |number: &rsa::BigUint| URL_SAFE_NO_PAD.encode(number.to_bytes_be());
            Key {
                id: id.to_owned(),
                pair: RsaKeyPair::from_der(key.to_pkcs1_der().unwrap().as_bytes()).unwrap(),
                modulus: public(key.n()),
                exponent: public(key.e()),
            }
        })
    })
}

struct Inner {
    url: String,
    clock: Clock,
    codes: HashMap<String, Code>,
    access_tokens: HashMap<String, Value>,
    wrong: Wrong,
    /// Which of the keys it signs with, and publishes.
    key: usize,
    /// Claims that are at the endpoint for them alone.
    only_userinfo: Vec<String>,
    requests: Vec<String>,
    counter: u32,
}

type Shared = Arc<Mutex<Inner>>;

fn lock(inner: &Shared) -> MutexGuard<'_, Inner> {
    inner.lock().unwrap()
}

/// The provider on a port of its own. Stops when dropped.
pub(super) struct Provider {
    pub(super) url: String,
    inner: Shared,
    server: JoinHandle<()>,
}

impl Provider {
    pub(super) async fn start(clock: &Clock) -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let inner = Arc::new(Mutex::new(Inner {
            url: url.clone(),
            clock: clock.clone(),
            codes: HashMap::new(),
            access_tokens: HashMap::new(),
            wrong: Wrong::Nothing,
            key: 0,
            only_userinfo: Vec::new(),
            requests: Vec::new(),
            counter: 0,
        }));
        let router = Router::new()
            .route("/.well-known/openid-configuration", get(discovery))
            .route("/jwks", get(published_keys))
            .route("/token", post(tokens))
            .route("/userinfo", get(userinfo))
            .with_state(Arc::clone(&inner));
        let server = tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self { url, inner, server }
    }

    /// Makes everything that it gives out from now on wrong.
    pub(super) fn be(&self, wrong: Wrong) {
        lock(&self.inner).wrong = wrong;
    }

    /// It signs with another key from now on, and publishes that alone.
    pub(super) fn change_keys(&self) {
        lock(&self.inner).key = 1;
    }

    /// Says these claims at the endpoint for them alone.
    pub(super) fn keep_for_userinfo(&self, claims: &[&str]) {
        lock(&self.inner).only_userinfo = claims.iter().map(|claim| (*claim).to_owned()).collect();
    }

    /// The paths that were asked for.
    pub(super) fn requests(&self) -> Vec<String> {
        lock(&self.inner).requests.clone()
    }

    /// Answers nobody any more.
    pub(super) async fn go_away(&mut self) {
        self.server.abort();
        let _ = (&mut self.server).await;
    }

    /// What a browser that comes to `url` brings back, once this person has logged in: code and state.
    pub(super) fn authorize(&self, url: &str, person: Value) -> (String, String) {
        let address = format!("{}/authorize?", self.url);
        let query = url.strip_prefix(&address).unwrap_or_else(|| panic!("not to the provider: {url}"));
        let query: HashMap<String, String> = serde_json::from_value(pairs(query)).unwrap();
        let of = |name: &str| query.get(name).cloned().unwrap_or_else(|| panic!("no {name}: {url}"));
        assert_eq!(of("response_type"), "code");
        assert_eq!(of("client_id"), CLIENT_ID);
        assert_eq!(of("code_challenge_method"), "S256");
        assert!(of("scope").split(' ').any(|scope| scope == "openid"), "{url}");
        assert_eq!(of("redirect_uri"), "http://localhost:8080/api/auth/oidc/callback");
        assert!(of("state").len() >= 32 && of("nonce").len() >= 32 && of("state") != of("nonce"));
        let mut inner = lock(&self.inner);
        inner.counter += 1;
        let code = format!("code-{}", inner.counter);
        let given = Code {
            person,
            nonce: of("nonce"),
            challenge: of("code_challenge"),
            redirect_uri: of("redirect_uri"),
        };
        inner.codes.insert(code.clone(), given);
        (code, of("state"))
    }
}

impl Drop for Provider {
    fn drop(&mut self) {
        self.server.abort();
    }
}

fn pairs(query: &str) -> Value {
    let decode = |text: &str| {
        percent_encoding::percent_decode_str(&text.replace('+', " ")).decode_utf8().unwrap().into_owned()
    };
    let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
    pairs
        .map(|(name, value)| (decode(name), Value::from(decode(value))))
        .collect::<serde_json::Map<_, _>>()
        .into()
}

async fn discovery(State(inner): State<Shared>) -> Json<Value> {
    let mut inner = lock(&inner);
    inner.requests.push(String::from("discovery"));
    let url = &inner.url;
    Json(json!({
        "issuer": url,
        "authorization_endpoint": format!("{url}/authorize"),
        "token_endpoint": format!("{url}/token"),
        "userinfo_endpoint": format!("{url}/userinfo"),
        "jwks_uri": format!("{url}/jwks"),
        "response_types_supported": ["code"],
        "subject_types_supported": ["public"],
        // A provider may offer more than is good.
        "id_token_signing_alg_values_supported": ["RS256", "HS256", "none"],
    }))
}

async fn published_keys(State(inner): State<Shared>) -> Json<Value> {
    let mut inner = lock(&inner);
    inner.requests.push(String::from("keys"));
    let key = &keys()[inner.key];
    Json(json!({"keys": [
        {"kty": "RSA", "use": "sig", "alg": "RS256", "kid": key.id, "n": key.modulus, "e": key.exponent},
    ]}))
}

fn refuse(error: &str) -> (StatusCode, Json<Value>) {
    (StatusCode::BAD_REQUEST, Json(json!({"error": error})))
}

async fn tokens(
    State(inner): State<Shared>,
    headers: HeaderMap,
    Form(form): Form<HashMap<String, String>>,
) -> (StatusCode, Json<Value>) {
    let mut inner = lock(&inner);
    inner.requests.push(String::from("tokens"));
    if inner.wrong == Wrong::Broken {
        return (StatusCode::INTERNAL_SERVER_ERROR, Json(json!({"oops": true})));
    }
    let encode = |text: &str| {
        percent_encoding::utf8_percent_encode(text, percent_encoding::NON_ALPHANUMERIC).to_string()
    };
    let secret = encode(CLIENT_SECRET).replace("%20", "+");
    let basic = format!("Basic {}", STANDARD.encode(format!("{CLIENT_ID}:{secret}")));
    let given = headers.get(AUTHORIZATION).and_then(|header| header.to_str().ok()).unwrap_or_default();
    if given != basic {
        return refuse("invalid_client");
    }
    let of = |name: &str| form.get(name).map(String::as_str).unwrap_or_default();
    if of("grant_type") != "authorization_code" {
        return refuse("unsupported_grant_type");
    }
    let Some(code) = inner.codes.remove(of("code")) else { return refuse("invalid_grant") };
    let digest = ring::digest::digest(&ring::digest::SHA256, of("code_verifier").as_bytes());
    if URL_SAFE_NO_PAD.encode(digest) != code.challenge || of("redirect_uri") != code.redirect_uri {
        return refuse("invalid_grant");
    }
    inner.counter += 1;
    let access_token = format!("access-{}", inner.counter);
    inner.access_tokens.insert(access_token.clone(), code.person.clone());
    let mut answer = json!({"access_token": access_token, "token_type": "Bearer", "expires_in": 300});
    if inner.wrong != Wrong::NoToken {
        answer["id_token"] = Value::from(id_token(&inner, &code));
    }
    (StatusCode::OK, Json(answer))
}

fn id_token(inner: &Inner, code: &Code) -> String {
    let now = inner.clock.now().as_millis() / 1_000;
    let mut claims = json!({
        "iss": inner.url, "aud": CLIENT_ID, "nonce": code.nonce, "iat": now, "exp": now + 5 * MINUTE,
    });
    for (name, value) in code.person.as_object().unwrap() {
        if name == "sub" || !inner.only_userinfo.contains(name) {
            claims[name] = value.clone();
        }
    }
    if let Wrong::Claims(others) = &inner.wrong {
        for (name, value) in others.as_object().unwrap() {
            claims[name] = value.clone();
        }
    }
    let key = &keys()[inner.key];
    let algorithm = match inner.wrong {
        Wrong::Unsigned => "none",
        Wrong::SignedWithSecret => "HS256",
        _ => "RS256",
    };
    let header = json!({"alg": algorithm, "typ": "JWT", "kid": key.id});
    let encode = |value: Value| URL_SAFE_NO_PAD.encode(value.to_string());
    let signed = format!("{}.{}", encode(header), encode(claims));
    let by = |key: &Key| {
        let mut signature = vec![0; key.pair.public().modulus_len()];
        key.pair.sign(&RSA_PKCS1_SHA256, &SystemRandom::new(), signed.as_bytes(), &mut signature).unwrap();
        signature
    };
    let signature = match inner.wrong {
        Wrong::Unsigned => Vec::new(),
        Wrong::SignedWithSecret => {
            let secret = ring::hmac::Key::new(ring::hmac::HMAC_SHA256, CLIENT_SECRET.as_bytes());
            ring::hmac::sign(&secret, signed.as_bytes()).as_ref().to_vec()
        }
        Wrong::OtherKey => by(&keys()[1 - inner.key]),
        _ => by(key),
    };
    format!("{signed}.{}", URL_SAFE_NO_PAD.encode(signature))
}

async fn userinfo(State(inner): State<Shared>, headers: HeaderMap) -> (StatusCode, Json<Value>) {
    let mut inner = lock(&inner);
    inner.requests.push(String::from("userinfo"));
    let token = headers.get(AUTHORIZATION).and_then(|header| header.to_str().ok()).unwrap_or_default();
    let person = token.strip_prefix("Bearer ").and_then(|token| inner.access_tokens.get(token));
    match person {
        Some(person) => (StatusCode::OK, Json(person.clone())),
        None => (StatusCode::UNAUTHORIZED, Json(json!({}))),
    }
}
