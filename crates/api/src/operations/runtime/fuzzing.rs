//! What a fuzz target does with its input, so that the tests replay the corpus through the same code.

use app::faces::search::{SELFIE_BYTES, SELFIES};
use axum::body::Body;
use axum::http::Request;
use axum::response::IntoResponse as _;
use domain::Refusal;
use domain::faces::REJECTED_FACES;

use crate::faces;
use crate::operations::runtime::error::Result;
use crate::uploads::forms::{self, Form};

/// A form of any kind: the first line is the content type, the rest the body. Every field is read in both ways.
pub fn multipart(input: &[u8]) {
    let end = input.iter().position(|byte| *byte == b'\n').unwrap_or(input.len());
    let (kind, body) = (&input[..end], input.get(end + 1..).unwrap_or_default());
    refused_in_words(run(async {
        let mut form = open(kind, body).await?;
        let mut number = 0;
        while let Some(field) = form.next(&Refusal::SelfieTooLarge).await? {
            if number % 2 == 0 {
                forms::text(field).await?;
            } else {
                let bytes = forms::bytes(field, 1_000, &Refusal::SelfieTooLarge, &mut None).await?;
                assert!(bytes.len() <= 1_000);
            }
            number += 1;
        }
        Ok(())
    }));
}

/// The form of a search, with the boundary `line`.
pub fn search_form(body: &[u8]) {
    refused_in_words(run(async {
        let form = open(b"multipart/form-data; boundary=line", body).await?;
        let selfies = faces::read(form, None).await?.selfies;
        assert!((1..=SELFIES).contains(&selfies.pictures.len()));
        assert!(selfies.pictures.iter().all(|each| !each.is_empty() && each.len() <= SELFIE_BYTES));
        assert!(selfies.rejected.len() <= REJECTED_FACES);
        Ok(())
    }));
}

async fn open(kind: &[u8], body: &[u8]) -> Result<Form> {
    // In parts, as they come from a network.
    let parts: Vec<_> =
        body.chunks(61).map(|part| Ok::<_, std::io::Error>(bytes::Bytes::copy_from_slice(part))).collect();
    let request = Request::builder().header("content-type", kind);
    // What is no header never reaches a handler.
    match request.body(Body::from_stream(futures::stream::iter(parts))) {
        Ok(request) => Form::open(request).await,
        Err(_) => Err(Refusal::FormUnreadable.into()),
    }
}

fn run<T>(future: impl Future<Output = Result<T>>) -> Result<T> {
    match tokio::runtime::Builder::new_current_thread().build() {
        Ok(runtime) => runtime.block_on(future),
        Err(error) => panic!("no runtime: {error}"),
    }
}

/// Whatever was sent, it is no error of the server.
fn refused_in_words(outcome: Result<()>) {
    if let Err(error) = outcome {
        let status = error.into_response().status();
        assert!(status.is_client_error(), "{status}");
    }
}
