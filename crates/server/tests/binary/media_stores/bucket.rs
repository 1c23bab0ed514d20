//! An S3 server in this process.

use std::convert::Infallible;
use std::path::Path;
use std::sync::{Arc, Mutex};

use bytes::Bytes;
use http_body_util::{BodyExt as _, Empty};
use hyper::{Request, Response, Uri};
use hyper_util::rt::{TokioExecutor, TokioIo};
use media::stores::Store;
use s3s::auth::SimpleAuth;
use s3s::service::S3ServiceBuilder;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;

const ACCESS_KEY: &str = "afterglow";
const SECRET_KEY: &str = "a secret of the test";

/// A server that checks signatures, keeps its bucket `media` in a folder, and ends with the test.
pub(crate) struct Bucket {
    /// The store at a prefix of the bucket.
    pub(crate) store: Store,
    port: u16,
    /// Method and path with query of every request.
    pub(crate) requests: Arc<Mutex<Vec<String>>>,
    /// What the list of unfinished uploads is answered with; the library of the server has none.
    pub(crate) unfinished: Arc<Mutex<String>>,
    /// Each part of an upload takes a permit.
    pub(crate) parts: Arc<Semaphore>,
}

impl Bucket {
    pub(crate) async fn serve(folder: &Path) -> Self {
        std::fs::create_dir(folder.join("media")).unwrap();
        let mut builder = S3ServiceBuilder::new(s3s_fs::FileSystem::new(folder).unwrap());
        builder.set_auth(SimpleAuth::from_single(ACCESS_KEY, SECRET_KEY));
        let service = builder.build();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let requests = Arc::<Mutex<Vec<String>>>::default();
        let unfinished = Arc::new(Mutex::new(String::from(
            "<ListMultipartUploadsResult><IsTruncated>false</IsTruncated></ListMultipartUploadsResult>",
        )));
        let parts = Arc::new(Semaphore::new(Semaphore::MAX_PERMITS));
        let (seen, listed, permits) = (requests.clone(), unfinished.clone(), parts.clone());
        let answer = hyper::service::service_fn(move |request: hyper::Request<hyper::body::Incoming>| {
            let (service, seen, listed, permits) =
                (service.clone(), seen.clone(), listed.clone(), permits.clone());
            async move {
                let line = format!("{} {}", request.method(), request.uri());
                seen.lock().unwrap().push(line.clone());
                if line.contains("partNumber=") {
                    permits.acquire_many_owned(1).await.unwrap().forget();
                }
                if line.starts_with("GET /media/?") && line.contains("uploads=") {
                    assert!(line.contains("X-Amz-Signature="), "{line}");
                    let body = s3s::Body::from(listed.lock().unwrap().clone());
                    return Ok::<_, Infallible>(s3s::HttpResponse::new(body));
                }
                let listed = listed.lock().unwrap().clone();
                let id = line.split_once("uploadId=").map(|(_, id)| format!("<UploadId>{id}</UploadId>"));
                if line.starts_with("DELETE ") && id.is_some_and(|id| listed.contains(&id)) {
                    let mut answer = s3s::HttpResponse::new(s3s::Body::empty());
                    *answer.status_mut() = hyper::StatusCode::NO_CONTENT;
                    return Ok(answer);
                }
                Ok(hyper::service::Service::call(&service, request).await.unwrap())
            }
        });
        tokio::spawn(async move {
            loop {
                let (socket, _) = listener.accept().await.unwrap();
                let answer = answer.clone();
                tokio::spawn(async move {
                    let server = hyper_util::server::conn::auto::Builder::new(TokioExecutor::new());
                    // A client that hangs up is no failure of the test.
                    let _ = server.serve_connection(TokioIo::new(socket), answer).await;
                });
            }
        });
        let store = store(port, ("AWS_PROFILE", "left alone"));
        Self { store, port, requests, unfinished, parts }
    }

    /// The same store, opened with one more option.
    pub(crate) fn store_with(&self, option: (&str, &str)) -> Store {
        store(self.port, option)
    }

    /// The requests so far whose line contains this.
    pub(crate) fn requests_with(&self, part: &str) -> Vec<String> {
        let requests = self.requests.lock().unwrap();
        requests.iter().filter(|line| line.contains(part)).cloned().collect()
    }
}

fn store(port: u16, option: (&str, &str)) -> Store {
    let endpoint = format!("http://127.0.0.1:{port}");
    let options = [
        ("AWS_ACCESS_KEY_ID", ACCESS_KEY),
        ("AWS_SECRET_ACCESS_KEY", SECRET_KEY),
        ("AWS_REGION", "us-east-1"),
        ("AWS_ENDPOINT", endpoint.as_str()),
        ("AWS_ALLOW_HTTP", "true"),
        option,
    ];
    let options = options.map(|(name, value)| (name.to_owned(), value.to_owned()));
    Store::open("s3://media/some/prefix", options).unwrap()
}

/// What a link of a server in this process answers.
pub(crate) async fn fetch(link: &str) -> Response<Bytes> {
    let link: Uri = link.parse().unwrap();
    let host = link.authority().unwrap().as_str();
    let stream = TokioIo::new(TcpStream::connect(host).await.unwrap());
    let (mut sender, connection) = hyper::client::conn::http1::handshake(stream).await.unwrap();
    tokio::spawn(connection);
    let request = Request::get(link.path_and_query().unwrap().as_str()).header("host", host);
    let answer = sender.send_request(request.body(Empty::<Bytes>::new()).unwrap()).await.unwrap();
    let (head, body) = answer.into_parts();
    Response::from_parts(head, body.collect().await.unwrap().to_bytes())
}
