//! Finding a person's photos by a selfie.

pub(crate) mod people;
pub(crate) mod photo_faces;

use app::App;
use app::faces::consents;
use app::faces::search::{self, Admission, Match, SELFIE_BYTES, SELFIES, SearchResult, Selfies};
use app::guests::objections::live_captures::Capture;
use app::guests::results::FoundPhoto;
use app::operations::runtime::limits::Limit;
use axum::extract::State;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use domain::Refusal;
use domain::events::Event;
use domain::faces::consents::NoticeVersion;
use domain::faces::{BoundingBox, REJECTED_FACES, Strictness};
use serde::Serialize;
use utoipa::ToSchema;

use crate::events::IndexingBody;
use crate::events::access::{ProofHeader, Visitor};
use crate::operations::runtime::client_ip::ClientIp;
use crate::operations::runtime::error::{Error, ErrorBody, Result};
use crate::operations::runtime::extract::{Json, Path, Photographer};
use crate::operations::runtime::responses::{
    InvalidBody, PhotographersOnly, PinRequired, RateLimited, Unavailable,
};
use crate::photos::albums::AlbumBody;
use crate::photos::focus::FocusBody;
use crate::photos::local_time;
use crate::photos::stacks::StackBody;
use crate::uploads::forms::{self, Form};

#[derive(ToSchema)]
#[allow(dead_code, reason = "describes the form in the contract")]
pub(crate) struct SearchForm {
    /// One to three pictures of the same person, each at most 20 MB.
    #[schema(value_type = Vec<String>, format = Binary, min_items = 1, max_items = 3)]
    image: Vec<Vec<u8>>,
    /// Which of the faces of the first picture, counted from 0 as `faces` counts; the first when left out.
    face: Option<u32>,
    /// `strict`, `normal` or `loose`; `normal` when left out.
    strictness: Option<String>,
    /// `face_id` of matches that are somebody else: they are not found, nor are faces that are nearer to one of them than to
    /// the person of the pictures. At most 100 count; those that are in no photo any more are ignored.
    not_me: Option<Vec<String>>,
    /// The version of the notice about selfies that the person was shown and agreed to, as the page has it. Counted by day,
    /// without anything about the person. One that no page shows is refused.
    notice_version: Option<String>,
    /// `true` when this device has found photos in the event before: it is not counted as another guest who was helped.
    found_before: Option<bool>,
    /// `true` for the first picture in the answer.
    preview: Option<bool>,
}

/// A photo in which the person was found.
#[derive(Serialize, ToSchema)]
pub(crate) struct FoundPhotoBody {
    /// By which `download-by-s3` is asked for the original; it stands in no link.
    s3_key: String,
    /// A signed link to the preview.
    url: String,
    /// A signed link to the rendition whose long side is 1024; null while that is not made.
    medium_url: Option<String>,
    /// A signed link to the thumbnail.
    thumbnail_url: String,
    /// Always null: every match comes with its links.
    error: Option<String>,
    photo_id: String,
    /// Pixels, upright.
    width: i64,
    /// Pixels, upright.
    height: i64,
    /// The name the photographer's file had.
    filename: String,
    /// The size of the original.
    size_bytes: i64,
    /// The average color of the picture, `#rrggbb`, to stand in its place while it loads; null for some photos that were
    /// uploaded before it was computed.
    color: Option<String>,
    /// Where its faces are, everybody's alike; left out where no face is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    focus: Option<FocusBody>,
    /// The ids of the albums it is in, all of them among the answer's `albums`; left out when it is in none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    albums: Vec<String>,
    /// When it was taken by the camera's clock, such as `2026-11-20T18:30:05.120`: no zone is known. Left out where the file does
    /// not tell it.
    #[serde(skip_serializing_if = "Option::is_none")]
    captured_at: Option<String>,
    /// The stack of photos that are alike which it is of; left out where it is of none.
    #[serde(skip_serializing_if = "Option::is_none")]
    stack: Option<StackBody>,
}

impl From<FoundPhoto> for FoundPhotoBody {
    fn from(FoundPhoto { photo, handle, url, medium_url, thumbnail_url }: FoundPhoto) -> Self {
        Self {
            s3_key: handle,
            url,
            medium_url,
            thumbnail_url,
            error: None,
            photo_id: photo.id.to_string(),
            width: photo.width,
            height: photo.height,
            filename: photo.original_filename,
            size_bytes: photo.size_bytes,
            color: photo.average_color.map(|color| color.to_string()),
            focus: photo.focus.map(FocusBody::from),
            albums: photo.albums.iter().map(ToString::to_string).collect(),
            captured_at: photo.capture.at.map(local_time),
            stack: photo.stack.map(StackBody::from),
        }
    }
}

/// A match of a search.
#[derive(Serialize, ToSchema)]
pub(crate) struct MatchBody {
    face_id: String,
    /// From 0 to 1.
    similarity: f32,
    #[serde(flatten)]
    photo: FoundPhotoBody,
}

impl From<Match> for MatchBody {
    fn from(Match { face, similarity, found }: Match) -> Self {
        Self { face_id: face.to_string(), similarity, photo: found.into() }
    }
}

/// Where a face is in a picture, as fractions of its width and height from the top left; may extend beyond it.
#[derive(Serialize, ToSchema)]
pub(crate) struct FaceBody {
    x: f64,
    y: f64,
    width: f64,
    height: f64,
}

impl From<BoundingBox> for FaceBody {
    fn from(BoundingBox { x, y, width, height }: BoundingBox) -> Self {
        Self { x, y, width, height }
    }
}

#[derive(Serialize, ToSchema)]
pub(crate) struct FoundBody {
    /// One a photo, best first.
    matches: Vec<MatchBody>,
    /// The albums of the event that these photos are in; left out when they are in none, and for a search of a whole library.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    albums: Vec<AlbumBody>,
    /// The faces of the first picture, largest and most central first.
    faces: Vec<FaceBody>,
    /// Whether the person is blurred in every picture: a sharper one would find more.
    blurred: bool,
    indexing: IndexingBody,
    /// For 6 hours, `/api/face/download/{download_token}.zip` has the originals of all matches in one. Null when there
    /// are none, and for a search of a whole library.
    download_token: Option<String>,
    /// For 6 hours, `/api/face/search/{slug}/again` repeats the search by it, without the pictures. Null for a search of a whole
    /// library.
    search_token: Option<String>,
    /// For 6 hours, `/api/face/subscriptions` takes it to tell the guest of new photos. Null where that is not offered, and for a
    /// search of a whole library.
    subscription_token: Option<String>,
    /// The first picture as a `data:` URL of a JPEG, upright and without metadata, its long side at most 720 pixels: not
    /// every browser can draw what phones take. Null unless it was asked for.
    preview: Option<String>,
}

impl From<SearchResult> for FoundBody {
    fn from(found: SearchResult) -> Self {
        Self {
            matches: found.matches.into_iter().map(MatchBody::from).collect(),
            albums: found.albums.into_iter().map(AlbumBody::from).collect(),
            faces: found.faces.into_iter().map(FaceBody::from).collect(),
            blurred: found.blurred,
            indexing: found.indexing.into(),
            download_token: found.download_token,
            search_token: found.search_token,
            subscription_token: found.subscription_token,
            preview: found.preview.map(|jpeg| format!("data:image/jpeg;base64,{}", STANDARD.encode(jpeg))),
        }
    }
}

/// Searches one event. The pictures are held in memory until the answer is made, and nowhere else.
#[utoipa::path(post, path = "/api/face/search/{slug}", tag = "faces",
    params(("slug" = String, Path, description = "The event's name in links"), ProofHeader),
    request_body(content = SearchForm, content_type = "multipart/form-data"),
    responses(
        (status = 200, body = FoundBody),
        InvalidBody,
        RateLimited,
        PinRequired,
        (status = 404, body = ErrorBody, description = "No such event"),
        (status = 413, body = ErrorBody, description = "Larger than 20 MB"),
        (status = 422, body = ErrorBody, description = "No face, or one that is too small, blurry or dark"),
        Unavailable,
    ))]
pub(crate) async fn search_event(
    State(app): State<App>,
    client: ClientIp,
    Visitor(visitor): Visitor,
    Path(slug): Path<String>,
    form: Form,
) -> Result<Json<FoundBody>> {
    let event = countable_event(&app, client, &visitor, &slug).await?;
    let (found, notice) = search::within_deadline(&app, async {
        let Search { selfies, notice, .. } = receive(&app, client, form).await?;
        Ok::<_, Error>((search::in_event(&app, &event, &visitor, selfies).await?, notice))
    })
    .await?;
    consents::record(&app, notice).await;
    Ok(Json(found.into()))
}

/// Searches all of the caller's photos.
#[utoipa::path(post, path = "/api/face/search", tag = "faces", security(("bearer" = [])),
    request_body(content = SearchForm, content_type = "multipart/form-data"),
    responses(
        (status = 200, body = FoundBody),
        InvalidBody,
        PhotographersOnly,
        RateLimited,
        (status = 413, body = ErrorBody, description = "Larger than 20 MB"),
        (status = 422, body = ErrorBody, description = "No face, or one that is too small, blurry or dark; or too many photos, so that an event is to be searched"),
        Unavailable,
    ))]
pub(crate) async fn search_library(
    State(app): State<App>,
    client: ClientIp,
    Photographer(owner): Photographer,
    form: Form,
) -> Result<Json<FoundBody>> {
    client.check_rate_limit(&app, Limit::DailySearches).await?;
    client.check_rate_limit(&app, Limit::Searches).await?;
    let (found, notice) = search::within_deadline(&app, async {
        let Search { selfies, notice, .. } = receive(&app, client, form).await?;
        Ok::<_, Error>((search::in_library(&app, &owner, selfies).await?, notice))
    })
    .await?;
    consents::record(&app, notice).await;
    Ok(Json(found.into()))
}

/// The event of a search by selfie, which is counted: in a day for the address, and in a minute for the event's guests at that
/// address, since all of a venue may have one.
pub(crate) async fn countable_event(
    app: &App,
    client: ClientIp,
    visitor: &app::events::access::Visitor,
    slug: &str,
) -> Result<Event> {
    client.check_rate_limit(app, Limit::DailySearches).await?;
    let event = app::events::access::by_slug(app, visitor, slug).await?;
    client.check_guest(app, Limit::Searches, event.id).await?;
    Ok(event)
}

/// The form of a search.
pub(crate) struct Search {
    pub(crate) selfies: Selfies,
    /// What the person agreed to, where the call says so.
    pub(crate) notice: Option<NoticeVersion>,
    /// The second picture of a live capture with its challenge, where the form has both.
    pub(crate) capture: Option<Capture>,
}

/// Receives a form with selfies once its search is let in. Until then none of its body is read.
pub(crate) async fn receive(app: &App, client: ClientIp, form: Form) -> Result<Search> {
    let admission = search::admit(app, client.address()).await?;
    read(form, Some(admission)).await
}

/// Reads a form with selfies, whose memory is reserved with `admission`.
pub(crate) async fn read(mut form: Form, mut admission: Option<Admission>) -> Result<Search> {
    let (mut notice, mut turned, mut challenge) = (None, None, None);
    let mut selfies = Selfies {
        pictures: Vec::new(),
        face: None,
        strictness: Strictness::default(),
        rejected: Vec::new(),
        wants_preview: false,
        found_before: false,
        admission: None,
    };
    while let Some(field) = form.next(&Refusal::SelfieTooLarge).await? {
        match field.name() {
            Some("image") => {
                if selfies.pictures.len() == SELFIES {
                    return Err(Refusal::TooManySelfies.into());
                }
                let picture =
                    forms::bytes(field, SELFIE_BYTES, &Refusal::SelfieTooLarge, &mut admission).await?;
                if picture.is_empty() {
                    return Err(Refusal::SelfieRequired.into());
                }
                selfies.pictures.push(picture);
            }
            Some("turned_image") => {
                let picture =
                    forms::bytes(field, SELFIE_BYTES, &Refusal::SelfieTooLarge, &mut admission).await?;
                turned = (!picture.is_empty()).then_some(picture);
            }
            Some("challenge") => challenge = Some(forms::text(field).await?),
            Some("face") => {
                let number = forms::text(field).await?;
                selfies.face = Some(number.trim().parse().map_err(|_| Refusal::FaceOutOfRange)?);
            }
            Some("strictness") => {
                let strictness = forms::text(field).await?;
                selfies.strictness =
                    Strictness::parse(strictness.trim()).ok_or(Refusal::StrictnessUnknown)?;
            }
            Some("not_me") => {
                let id = forms::text(field).await?;
                // A page must not fail because a face is not there any more.
                if let Ok(face) = id.trim().parse()
                    && selfies.rejected.len() < REJECTED_FACES
                {
                    selfies.rejected.push(face);
                }
            }
            Some("preview") => selfies.wants_preview = forms::flag(field).await?,
            Some("found_before") => selfies.found_before = forms::flag(field).await?,
            Some("notice_version") => {
                notice = Some(NoticeVersion::parse(&forms::text(field).await?)?);
            }
            _ => forms::skip(field, &Refusal::SelfieTooLarge).await?,
        }
    }
    if selfies.pictures.is_empty() {
        return Err(Refusal::SelfieRequired.into());
    }
    selfies.admission = admission;
    let capture = challenge.zip(turned).map(|(challenge, turned)| Capture { challenge, turned });
    Ok(Search { selfies, notice, capture })
}
