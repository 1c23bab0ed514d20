//! Whether a guest has taken the pictures for this request, and is the person in them, as far as two frames of a camera can show.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use bytes::Bytes;
use domain::events::Event;
use domain::faces::{BoundingBox, Strictness};
use domain::guests::objections::live_capture::{self, CHALLENGE_LIFETIME, Side, Sketch};
use domain::photos::pixels::Pixels;
use domain::{EventId, Refusal, Timestamp};
use media::decoders::Picture;
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};
use vision::{Face, Recognisers};

use crate::faces::descriptions::Descriptions;
use crate::faces::indexing;
use crate::faces::sealing::{Key, Purpose};
use crate::faces::search::{self, Selfies};
use crate::operations::metrics::SearchStage;
use crate::{App, Failure, Result};

/// How similar the faces of both pictures are to be: as a search of a small event wants it. A strict one would turn away too many whose
/// head is turned, a loose one lets in ten times as many strangers (decision 0069).
const SAME_PERSON: Strictness = Strictness::Normal;

/// What a guest is asked to do.
pub struct Challenge {
    /// To which side the head is to be turned.
    pub side: Side,
    /// It comes back with the pictures.
    pub token: String,
    /// Until when.
    pub expires_at: Timestamp,
}

/// The second picture of a live capture, with what the guest was asked to do.
pub struct Capture {
    /// The token of the [`Challenge`].
    pub challenge: String,
    /// With the head turned; the first picture is that of the search.
    pub turned: Bytes,
}

/// What a token says, encrypted with the event's key: nothing is stored.
#[derive(Serialize, Deserialize)]
struct Drawn {
    side: String,
    expires_at: i64,
}

/// Draws a side.
///
/// # Errors
/// [`Refusal::EventNotFound`] when the event is closed.
pub async fn challenge(app: &App, event: &Event) -> Result<Challenge> {
    let key = Key::of_open(app, event.id, Purpose::Objections).await?.ok_or(Refusal::EventNotFound)?;
    let [random] = app.randomness.bytes::<1>();
    let (side, expires_at) = (Side::drawn(random), app.now().plus(CHALLENGE_LIFETIME));
    let drawn = Drawn { side: side.as_str().to_owned(), expires_at: expires_at.as_millis() };
    let plain = serde_json::to_vec(&drawn)
        .map_err(|error| Failure::Internal(format!("the side of a live capture: {error}")))?;
    let token = URL_SAFE_NO_PAD.encode(key.seal(app, &context(app, event.id), &plain)?);
    Ok(Challenge { side, token, expires_at })
}

/// The side that a token of this event names; none when it was altered or has expired.
fn side_of(app: &App, key: &Key, event: EventId, token: &str) -> Option<Side> {
    let plain = key.open(&context(app, event), &URL_SAFE_NO_PAD.decode(token).ok()?)?;
    let drawn: Drawn = serde_json::from_slice(&plain).ok()?;
    (app.now() < Timestamp::from_millis(drawn.expires_at)).then(|| Side::parse(&drawn.side)).flatten()
}

fn context(app: &App, event: EventId) -> String {
    app.context_here(format!("live capture {event}"))
}

/// The person of a live capture, of whom the first picture alone is searched with.
pub(super) struct Person {
    pub(super) descriptions: Descriptions,
    pub(super) bounds: BoundingBox,
}

/// Checks a live capture.
///
/// # Errors
/// [`Refusal::LiveCaptureExpired`], the refusals of the pictures, or those of a live capture.
pub(super) async fn person(
    app: &App,
    event: EventId,
    key: &Key,
    mut selfies: Selfies,
    capture: Capture,
    by: Recognisers,
) -> Result<Person> {
    let side = side_of(app, key, event, &capture.challenge).ok_or(Refusal::LiveCaptureExpired)?;
    selfies.pictures.truncate(1);
    selfies.pictures.push(capture.turned);
    search::in_background(app, selfies, move |engine, pictures, _, record| {
        look(engine, pictures, side, by, record)
    })
    .await
}

fn look(
    engine: &vision::Engine,
    pictures: &mut [Picture],
    side: Side,
    by: Recognisers,
    record: &dyn Fn(SearchStage, Duration),
) -> Result<Person> {
    let [first, second] = pictures else { return Err(Refusal::SelfieRequired.into()) };
    let (first_sketch, first) = only_face(engine, first, by, record)?;
    let (second_sketch, second) = only_face(engine, second, Recognisers::Current, record)?;
    if first_sketch.is_same(&second_sketch) {
        return Err(Refusal::LiveCaptureSamePicture.into());
    }
    let turns = [&first, &second].map(|face| live_capture::turn_of(&face.landmarks));
    live_capture::check_turn(turns[0], turns[1], side)?;
    let compared = engine.face_index([&second.embedding])?.compare(
        std::slice::from_ref(&first.embedding),
        1,
        SAME_PERSON,
    )?;
    if !compared.iter().all(|(_, is_same)| *is_same) {
        return Err(Refusal::LiveCaptureOtherPerson.into());
    }
    let mut descriptions = Descriptions::default();
    descriptions.push(&first);
    Ok(Person { descriptions, bounds: first.bounds })
}

/// The one face of a picture that can be searched with: whoever is small or blurred behind the guest does not count.
fn only_face(
    engine: &vision::Engine,
    picture: &mut Picture,
    by: Recognisers,
    record: &dyn Fn(SearchStage, Duration),
) -> Result<(Sketch, Face)> {
    let started = Instant::now();
    let pixels = indexing::decode_selfie(picture)?;
    record(SearchStage::Decode, started.elapsed());
    let vision::Selfie { faces, detection, description } = engine.selfie_by(&pixels, by)?;
    record(SearchStage::Detect, detection);
    record(SearchStage::Describe, description);
    let worst = faces.first().ok_or(Refusal::NoFace)?.quality.flaw();
    let mut fit = faces.into_iter().filter(|face| face.quality.flaw().is_none());
    match (fit.next(), fit.next()) {
        (Some(face), None) => Ok((sketch(&pixels, &face.bounds), face)),
        (Some(_), Some(_)) => Err(Refusal::LiveCaptureSeveralFaces.into()),
        (None, _) => Err(worst.map_or(Refusal::NoFace, search::refusal_of).into()),
    }
}

/// The face alone: before a wall little else changes where the camera stands still.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a place in a picture, cut off at its edges"
)]
fn sketch(picture: &Pixels, bounds: &BoundingBox) -> Sketch {
    let pixels = |part: f64, side: u32| (part * f64::from(side)) as u32;
    let (width, height) = (picture.width(), picture.height());
    Sketch::of(&picture.part(
        pixels(bounds.x, width),
        pixels(bounds.y, height),
        pixels(bounds.width, width),
        pixels(bounds.height, height),
    ))
}
