//! An S3 server that keeps its objects in a folder, and can stop to answer.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper::{Method, Request};
use hyper_util::rt::{TokioExecutor, TokioIo};
use s3s::service::{S3Service, S3ServiceBuilder};

const ACCESS_KEY: &str = "afterglow";
const SECRET_KEY: &str = "a secret of the test";

/// The server; it checks signatures, and lasts for as long as the runtime.
pub(crate) struct Bucket {
    pub(crate) port: u16,
    puts_left: Arc<AtomicI64>,
}

impl Bucket {
    /// A server whose bucket `media` lies in `folder`.
    pub(crate) async fn start(folder: &Path) -> Self {
        std::fs::create_dir(folder.join("media")).unwrap();
        let mut builder = S3ServiceBuilder::new(s3s_fs::FileSystem::new(folder).unwrap());
        builder.set_auth(s3s::auth::SimpleAuth::from_single(ACCESS_KEY, SECRET_KEY));
        let service = builder.build();
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let puts_left = Arc::new(AtomicI64::new(i64::MAX));
        let counter = puts_left.clone();
        tokio::spawn(async move {
            loop {
                let (socket, _) = listener.accept().await.unwrap();
                let (service, counter) = (service.clone(), counter.clone());
                tokio::spawn(async move {
                    let answer = service_fn(move |request| answer(service.clone(), counter.clone(), request));
                    let server = hyper_util::server::conn::auto::Builder::new(TokioExecutor::new());
                    // A client that hangs up is no failure of the test.
                    let _ = server.serve_connection(TokioIo::new(socket), answer).await;
                });
            }
        });
        Self { port, puts_left }
    }

    /// The settings of a process that shall use it; its media store is `s3://media/party`.
    pub(crate) fn settings(&self) -> Vec<(&'static str, String)> {
        vec![
            ("AWS_ENDPOINT_URL", format!("http://127.0.0.1:{}", self.port)),
            ("AWS_ALLOW_HTTP", String::from("true")),
            ("AWS_ACCESS_KEY_ID", String::from(ACCESS_KEY)),
            ("AWS_SECRET_ACCESS_KEY", String::from(SECRET_KEY)),
            ("AWS_REGION", String::from("us-east-1")),
        ]
    }

    /// Takes so many more objects, and leaves whoever puts another one without an answer.
    pub(crate) fn take_only(&self, objects: i64) {
        self.puts_left.store(objects, Ordering::Relaxed);
    }

    /// Whether somebody is left without an answer.
    pub(crate) fn is_stuck(&self) -> bool {
        self.puts_left.load(Ordering::Relaxed) < 0
    }
}

async fn answer(
    service: S3Service,
    puts_left: Arc<AtomicI64>,
    request: Request<Incoming>,
) -> Result<hyper::Response<s3s::Body>, s3s::HttpError> {
    if request.method() == Method::PUT && puts_left.fetch_sub(1, Ordering::Relaxed) <= 0 {
        std::future::pending::<()>().await;
    }
    service.call(request.map(s3s::Body::from)).await
}
