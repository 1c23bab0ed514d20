//! What is said of an endpoint: who may call it, and a valid request.

use crate::harness::{self, RED};

/// Who may call.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Who {
    Anybody,
    SignedIn,
    Photographer,
    Administrator,
}

/// A field of a JSON body: its name, its type, and a valid value as JSON.
pub(crate) struct Field(pub(crate) &'static str, pub(crate) &'static str);

/// The body of a request.
pub(crate) enum Sends {
    Nothing,
    Json(&'static [Field]),
    /// A form with a picture in the field of this name, and text fields with valid values.
    Form(&'static str, &'static [(&'static str, &'static str)]),
    /// Bytes that are verified by a signature.
    Raw,
    /// A piece of an upload.
    Piece,
}

impl Sends {
    pub(crate) const fn kind(&self) -> Option<&'static str> {
        match self {
            Self::Nothing => None,
            Self::Json(_) | Self::Raw => Some("application/json"),
            Self::Form(..) => Some("multipart/form-data; boundary=line"),
            Self::Piece => Some("application/offset+octet-stream"),
        }
    }

    /// A valid body with its placeholders.
    pub(crate) fn valid(&self) -> Vec<u8> {
        match self {
            Self::Nothing => Vec::new(),
            Self::Raw => b"{}".to_vec(),
            Self::Piece => b"piece".to_vec(),
            Self::Json(fields) => {
                object(fields.iter().map(|Field(name, value)| (*name, (*value).to_owned())))
            }
            Self::Form(picture, texts) => form(picture, texts),
        }
    }
}

/// A JSON object of these members, their values JSON already.
pub(crate) fn object<'a>(members: impl Iterator<Item = (&'a str, String)>) -> Vec<u8> {
    let members: Vec<String> = members.map(|(name, value)| format!("\"{name}\":{value}")).collect();
    format!("{{{}}}", members.join(",")).into_bytes()
}

pub(crate) fn form(picture: &str, texts: &[(&str, &str)]) -> Vec<u8> {
    let bytes = harness::photo(&[RED], 3);
    let mut fields = vec![harness::Field::file(picture, "selfie.jpg", &bytes)];
    fields.extend(texts.iter().map(|(name, value)| harness::Field::text(name, value)));
    harness::encode(&fields)
}

/// What a request to this path has in its headers beside the usual.
pub(crate) fn headers(path: &str) -> &'static [(&'static str, &'static str)] {
    if path.starts_with("/api/photos/uploads") {
        &[
            ("tus-resumable", "1.0.0"),
            ("upload-length", "10"),
            ("upload-offset", "0"),
            ("x-http-method-override", "PATCH"),
        ]
    } else if path.contains("/guest-photos") {
        &[
            ("tus-resumable", "1.0.0"),
            ("upload-length", "10"),
            ("upload-offset", "0"),
            ("guest-device", crate::guest_photos::PHONE),
        ]
    } else {
        &[]
    }
}

/// One endpoint.
pub(crate) struct Endpoint {
    pub(crate) method: &'static str,
    /// The path in the contract.
    pub(crate) path: &'static str,
    pub(crate) who: Who,
    /// A path with the caller's own resources.
    pub(crate) path_of_mine: &'static str,
    /// Paths with other parameters, by description.
    pub(crate) paths: &'static [(&'static str, &'static str)],
    /// Query parameters, and whether they hold a number.
    pub(crate) query: &'static [(&'static str, bool)],
    pub(crate) body: Sends,
}

/// An endpoint whose path has no parameters.
pub(crate) const fn endpoint(method: &'static str, path: &'static str, who: Who, body: Sends) -> Endpoint {
    Endpoint { method, path, who, path_of_mine: path, paths: &[], query: &[], body }
}
