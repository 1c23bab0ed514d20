//! Invalid values in the place of valid ones.

use super::endpoint::{Endpoint, Field, Sends, form, object};
use crate::harness;

/// Values of every JSON type with their edge cases, by name.
fn values() -> Vec<(&'static str, String)> {
    let text = |what: &str| format!("\"{what}\"");
    vec![
        ("null", "null".to_owned()),
        ("a number", "7".to_owned()),
        ("a negative number", "-1".to_owned()),
        ("a fraction", "0.5".to_owned()),
        ("a number beyond 64 bits", "18446744073709551616".to_owned()),
        ("a number beyond a double", "1e999".to_owned()),
        ("true", "true".to_owned()),
        ("a list", "[]".to_owned()),
        ("an object", "{}".to_owned()),
        ("an empty text", text("")),
        ("spaces", text("   ")),
        ("a NUL", text("a\\u0000b")),
        ("control characters", text("a\\r\\nb\\u001b[31m")),
        ("half a surrogate pair", text("\\ud800")),
        ("other scripts", text("\u{202e}मीरा 🎉 \u{0301}")),
        ("quotes and dashes", text("'; DROP TABLE users; --")),
        ("5,001 characters", text(&"x".repeat(5_001))),
    ]
}

/// Texts in paths and queries, percent-encoded where they must be.
fn encoded() -> Vec<(&'static str, String)> {
    vec![
        ("a NUL", "%00".to_owned()),
        ("no UTF-8", "%ff%fe".to_owned()),
        ("other scripts", "%E0%A4%AE%F0%9F%8E%89".to_owned()),
        ("dots and slashes", "..%2F..%2Fetc%2Fpasswd".to_owned()),
        ("quotes and dashes", "'%3B%20DROP%20TABLE%20users%3B%20--".to_owned()),
        ("5,000 characters", "x".repeat(5_000)),
    ]
}

/// Paths with invalid parameters.
pub(crate) fn paths(endpoint: &Endpoint) -> Vec<(String, String)> {
    let mut paths = Vec::new();
    if let Some(start) = endpoint.path.find('{') {
        let (before, rest) = endpoint.path.split_at(start);
        let after = rest.split_once('}').map_or("", |(_, after)| after).replace("{name}", "none.jpg");
        let query =
            endpoint.path_of_mine.split_once('?').map_or_else(String::new, |(_, query)| format!("?{query}"));
        for (label, text) in encoded() {
            paths.push((format!("path: {label}"), format!("{before}{text}{after}{query}")));
        }
    }
    for (name, is_number) in endpoint.query {
        let path = endpoint.path_of_mine.split('?').next().unwrap_or_default();
        let nothing = ("nothing", String::new());
        for (label, text) in std::iter::once(nothing).chain(encoded()) {
            paths.push((format!("{name}: {label}"), format!("{path}?{name}={text}")));
        }
        if *is_number {
            for text in ["0", "-1", "1.5", "1e9", "99999999999999999999", "4294967295"] {
                paths.push((format!("{name}: {text}"), format!("{path}?{name}={text}")));
            }
        }
        paths.push((format!("{name}: twice"), format!("{path}?{name}=1&{name}=2")));
    }
    paths
}

type BadBody = (String, Option<&'static str>, Vec<u8>);

/// Invalid bodies, each with its content type.
pub(crate) fn bodies(endpoint: &Endpoint) -> Vec<BadBody> {
    match &endpoint.body {
        Sends::Nothing => Vec::new(),
        Sends::Piece => [("no content type", None), ("JSON", Some("application/json"))]
            .map(|(label, kind)| (label.to_owned(), kind, b"piece".to_vec()))
            .into(),
        Sends::Json(fields) => json(fields),
        Sends::Form(picture, texts) => forms(picture, texts),
        Sends::Raw => [
            ("nothing", &b""[..]),
            ("no JSON", b"{"),
            ("no UTF-8", b"\xff\xfe"),
            ("an unsigned event", b"{\"event\":\"order.paid\"}"),
        ]
        .map(|(label, body)| (label.to_owned(), Some("application/json"), body.to_vec()))
        .into(),
    }
}

fn json(fields: &[Field]) -> Vec<BadBody> {
    let kind = Some("application/json");
    let valid = Sends::valid(&Sends::Json(&[]));
    let mut bodies: Vec<BadBody> = vec![
        ("no content type".to_owned(), None, valid.clone()),
        ("text/plain".to_owned(), Some("text/plain"), valid.clone()),
        ("a form".to_owned(), Some("multipart/form-data; boundary=line"), b"--line--\r\n".to_vec()),
    ];
    let nested = format!("{}{}", "[".repeat(500), "]".repeat(500));
    let long = format!("{{\"x\":\"{}\"}}", "x".repeat(70_000));
    for (label, body) in [
        ("nothing", &b""[..]),
        ("half an object", b"{\"email\":"),
        ("an empty object", b"{}"),
        ("null", b"null"),
        ("a list", b"[]"),
        ("a text", b"\"text\""),
        ("no UTF-8", b"{\"email\":\"\xff\"}"),
        ("500 lists in each other", nested.as_bytes()),
        ("70,000 bytes", long.as_bytes()),
    ] {
        bodies.push((label.to_owned(), kind, body.to_vec()));
    }
    for Field(changed, _) in fields {
        let with = |value: Option<&str>| {
            let members = fields.iter().filter_map(|Field(name, good)| {
                let value = if name == changed { value? } else { good };
                Some((*name, value.to_owned()))
            });
            object(members)
        };
        bodies.push((format!("{changed}: left out"), kind, with(None)));
        for (label, value) in values() {
            bodies.push((format!("{changed}: {label}"), kind, with(Some(&value))));
        }
    }
    bodies
}

fn forms(picture: &'static str, texts: &[(&'static str, &'static str)]) -> Vec<BadBody> {
    let kind = Some("multipart/form-data; boundary=line");
    let good = harness::photo(&[harness::RED], 3);
    let half = b"--line\r\nContent-Disposition: form-data; name=\"image\"; filename=\"a\"\r\n\r\nhalf";
    let mut bodies: Vec<BadBody> = vec![
        ("no content type".to_owned(), None, Vec::new()),
        ("JSON".to_owned(), Some("application/json"), b"{}".to_vec()),
        ("a form without boundary".to_owned(), Some("multipart/form-data"), Vec::new()),
        ("nothing".to_owned(), kind, Vec::new()),
        ("an empty form".to_owned(), kind, b"--line--\r\n".to_vec()),
        ("half a form".to_owned(), kind, half.to_vec()),
        ("no form".to_owned(), kind, b"no form at all".to_vec()),
    ];
    // What a search cannot do without.
    let notice = texts.iter().copied().find(|(name, _)| *name == "notice_version");
    let long_name = "x".repeat(5_000);
    let half_picture = &good[..good.len() / 2];
    for (label, name, bytes) in [
        ("an empty file", "a.jpg", &b""[..]),
        ("a text", "a.jpg", b"no picture"),
        ("half a picture", "a.jpg", half_picture),
        ("a name with 5,000 characters", &long_name, &good),
        ("a name with a NUL", "a\0b.jpg", &good),
        ("a name of dots and slashes", "../../etc/passwd", &good),
    ] {
        let mut fields = vec![harness::Field::file(picture, name, bytes)];
        fields.extend(notice.map(|(name, value)| harness::Field::text(name, value)));
        bodies.push((format!("{picture}: {label}"), kind, harness::encode(&fields)));
    }
    let file = || harness::Field::file(picture, "a.jpg", &good);
    bodies.push((format!("{picture}: four files"), kind, harness::encode(&[file(), file(), file(), file()])));
    bodies.push((format!("{picture}: in another field"), kind, form("other", &[])));
    let long_text = "x".repeat(1_001);
    for (changed, _) in texts {
        for (label, value) in [
            ("nothing", ""),
            ("a negative number", "-1"),
            ("a number beyond 64 bits", "18446744073709551616"),
            ("a NUL", "\0"),
            ("other scripts", "मीरा 🎉"),
            ("quotes and dashes", "'; DROP TABLE users; --"),
            ("1,001 characters", long_text.as_str()),
        ] {
            let mut fields: Vec<_> = notice.into_iter().filter(|(name, _)| name != changed).collect();
            fields.push((*changed, value));
            bodies.push((format!("{changed}: {label}"), kind, form(picture, &fields)));
        }
    }
    bodies
}
