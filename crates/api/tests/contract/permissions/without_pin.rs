//! What needs no PIN.

/// The route of what matches no other: pages and files of the web app.
pub(super) const WEB_APP: &str = "(web app)";

/// What a guest reaches of an event without its PIN, and why.
pub(super) const WITHOUT_PIN: [(&str, &str, &str); 20] = [
    ("GET", "/api/events/{event}", "what the page shows that asks for the PIN"),
    ("GET", "/api/events/{event}/indexing", "how many photos there are, as that page shows"),
    ("GET", WEB_APP, "that page"),
    ("GET", "/event/{slug}/manifest.webmanifest", "its name"),
    ("GET", "/event/{slug}/calendar.ics", "its name and the day after it"),
    (
        "GET",
        "/covers/{name}",
        "drawn from the slug, or the photo that the photographer has chosen for everybody",
    ),
    ("POST", "/api/face/access/{slug}", "how the PIN is entered"),
    ("GET", "/api/files/{photo}/{file}", "a link that was signed for somebody who was let in, for hours"),
    ("GET", "/renditions/{photo}/{size}/{expires}/{name}", "such a link"),
    ("GET", "/api/face/download/{file}", "not found: its token ends with the PIN with which it was made"),
    ("GET", "/wall/{secret}", "the address is the key, which its photographer has given to the screen"),
    ("GET", "/api/wall/{secret}", "the same"),
    ("GET", "/api/wall/{secret}/photos/{photo}", "the same"),
    (
        "GET",
        "/api/selections/{secret}",
        "the address is the key, which its photographer has given to a client, with a PIN of its own or without",
    ),
    ("POST", "/api/selections/{secret}/access", "how that PIN is entered"),
    ("GET", "/api/selections/{secret}/photos", "the same address"),
    ("PUT", "/api/selections/{secret}/photos/{photo}", "the same"),
    ("POST", "/api/selections/{secret}/done", "the same"),
    ("POST", "/api/face/subscriptions/confirm", "a mailed link, which opens no photo"),
    ("POST", "/api/face/unsubscribe/{token}", "another; nobody must be kept from ending mails"),
];
