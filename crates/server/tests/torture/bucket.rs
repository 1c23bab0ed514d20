//! An S3 server that keeps its objects in a folder, and can be unavailable.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::{TokioExecutor, TokioIo};
use s3s::auth::SimpleAuth;
use s3s::service::{S3Service, S3ServiceBuilder};
use s3s::{Body, HttpError};
use tokio::net::TcpListener;

const ACCESS_KEY: &str = "afterglow";
const SECRET_KEY: &str = "a secret of the test";

/// The server; it ends with the runtime.
#[derive(Clone)]
pub(crate) struct Bucket {
    port: u16,
    state: Arc<State>,
}

struct State {
    service: S3Service,
    is_unavailable: AtomicBool,
    refused: AtomicU32,
}

impl Bucket {
    pub(crate) async fn start(folder: &Path) -> Self {
        let objects = folder.join("objects");
        std::fs::create_dir_all(objects.join("media")).unwrap();
        let mut builder = S3ServiceBuilder::new(s3s_fs::FileSystem::new(&objects).unwrap());
        builder.set_auth(SimpleAuth::from_single(ACCESS_KEY, SECRET_KEY));
        let (is_unavailable, refused) = (AtomicBool::new(false), AtomicU32::new(0));
        let state = Arc::new(State { service: builder.build(), is_unavailable, refused });
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let bucket = Self { port: listener.local_addr().unwrap().port(), state: state.clone() };
        tokio::spawn(async move {
            loop {
                let (socket, _) = listener.accept().await.unwrap();
                let state = state.clone();
                tokio::spawn(async move {
                    let answer = service_fn(move |request| {
                        let state = state.clone();
                        async move { state.answer(request).await }
                    });
                    let server = hyper_util::server::conn::auto::Builder::new(TokioExecutor::new());
                    // A client that is killed is no failure of the server.
                    let _ = server.serve_connection(TokioIo::new(socket), answer).await;
                });
            }
        });
        bucket
    }

    /// The settings of a process that shall use it.
    pub(crate) fn settings(&self) -> Vec<(String, String)> {
        let endpoint = format!("http://127.0.0.1:{}", self.port);
        let settings = [
            ("AFTERGLOW_MEDIA_URL", "s3://media/torture"),
            ("AWS_ENDPOINT_URL", &endpoint),
            ("AWS_ALLOW_HTTP", "true"),
            ("AWS_ACCESS_KEY_ID", ACCESS_KEY),
            ("AWS_SECRET_ACCESS_KEY", SECRET_KEY),
            ("AWS_REGION", "us-east-1"),
        ];
        settings.map(|(name, value)| (name.to_owned(), value.to_owned())).into()
    }

    /// Answers 503 from now on, or no longer.
    pub(crate) fn set_unavailable(&self, is_unavailable: bool) {
        self.state.is_unavailable.store(is_unavailable, Ordering::Relaxed);
    }

    /// How many requests it has answered with 503.
    pub(crate) fn refused(&self) -> u32 {
        self.state.refused.load(Ordering::Relaxed)
    }
}

impl State {
    async fn answer(&self, request: Request<Incoming>) -> Result<Response<Body>, HttpError> {
        if !self.is_unavailable.load(Ordering::Relaxed) {
            return self.service.call(request.map(Body::from)).await;
        }
        // Every second one is performed all the same: the client cannot tell a lost answer from a refused request.
        if self.refused.fetch_add(1, Ordering::Relaxed) % 2 == 1 {
            self.service.call(request.map(Body::from)).await?;
        }
        let body =
            "<?xml version=\"1.0\"?><Error><Code>SlowDown</Code><Message>Reduce your rate.</Message></Error>";
        let mut response = Response::new(Body::from(body.to_owned()));
        *response.status_mut() = StatusCode::SERVICE_UNAVAILABLE;
        Ok(response)
    }
}
