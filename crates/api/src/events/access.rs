//! Events that ask their guests for a PIN: entering it, and the proof that later calls have.

use app::App;
use app::events::access;
use axum::extract::{FromRequestParts, State};
use axum::http::request::Parts;
use domain::{EventId, Refusal};
use serde::{Deserialize, Serialize};
use utoipa::openapi::Required;
use utoipa::openapi::path::{Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::schema::{ObjectBuilder, SchemaType, Type};
use utoipa::{IntoParams, ToSchema};

use crate::operations::runtime::client_ip::ClientIp;
use crate::operations::runtime::error::{Error, ErrorBody, Result};
use crate::operations::runtime::extract::{Json, MaybeSignedIn, Path, Photographer};
use crate::operations::runtime::responses::{InvalidBody, PhotographersOnly, RateLimited, Unavailable};
use crate::operations::runtime::state::AppState;

/// The header of the proof. Not part of a body: a search is refused before its pictures come in.
const PROOF: &str = "event-access";

/// Whoever asks for an event as a guest does, with what the caller has to show.
pub(crate) struct Visitor(pub(crate) access::Visitor);

impl FromRequestParts<AppState> for Visitor {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self> {
        let MaybeSignedIn(account) = MaybeSignedIn::from_request_parts(parts, state).await?;
        let proof = parts.headers.get(PROOF).and_then(|proof| proof.to_str().ok()).map(str::to_owned);
        Ok(Self(access::Visitor { proof, account }))
    }
}

/// [`PROOF`] in the contract.
pub(crate) enum ProofHeader {}

impl IntoParams for ProofHeader {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        let header = ParameterBuilder::new()
            .name(PROOF)
            .parameter_in(ParameterIn::Header)
            .description(Some(
                "The `access_token` that `POST /api/face/access/{slug}` has answered; needed for an event that asks for a PIN. \
                 Its owner\nneeds none.",
            ))
            .required(Required::False)
            .schema(Some(ObjectBuilder::new().schema_type(SchemaType::from_iter([Type::String, Type::Null]))));
        vec![header.build()]
    }
}

#[derive(Deserialize, ToSchema)]
pub(crate) struct PinEnteredBody {
    /// The PIN, as the guest has entered it: digits of any script, with or without spaces.
    pub(crate) pin: String,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct AccessBody {
    /// Later calls have it as the header `event-access`. Good until the PIN is changed or removed; null when the event asks
    /// for none.
    pub(crate) access_token: Option<String>,
}

/// Enters the PIN of an event. Wrong ones are counted, by address and by event.
#[utoipa::path(post, path = "/api/face/access/{slug}", tag = "faces", request_body = PinEnteredBody,
    params(("slug" = String, Path, description = "The event's name in links")),
    responses(
        (status = 200, body = AccessBody),
        InvalidBody,
        RateLimited,
        (status = 403, body = ErrorBody, description = "It is another PIN"),
        (status = 404, body = ErrorBody, description = "No such event"),
        Unavailable,
    ))]
pub(crate) async fn enter_pin(
    State(app): State<App>,
    client: ClientIp,
    Path(slug): Path<String>,
    Json(PinEnteredBody { pin }): Json<PinEnteredBody>,
) -> Result<Json<AccessBody>> {
    let access_token = access::enter(&app, &slug, &pin, client.address()).await?;
    Ok(Json(AccessBody { access_token }))
}

#[derive(Serialize, ToSchema)]
pub(crate) struct PinBody {
    /// Null when the event asks for none.
    pin: Option<String>,
}

/// The PIN of an event of the caller, to be printed. No other answer has it.
#[utoipa::path(get, path = "/api/events/{event}/pin", tag = "events", security(("bearer" = [])),
    params(("event" = String, Path, description = "The event's **id**")),
    responses(
        (status = 200, body = PinBody),
        PhotographersOnly,
        (status = 404, body = ErrorBody, description = "No such event of the caller"),
        Unavailable,
    ))]
pub(crate) async fn event_pin(
    State(app): State<App>,
    Photographer(owner): Photographer,
    Path(id): Path<String>,
) -> Result<Json<PinBody>> {
    let id: EventId = id.parse().map_err(|_| Refusal::EventNotFound)?;
    let pin = access::pin(&app, &owner, id).await?;
    Ok(Json(PinBody { pin: pin.map(|pin| pin.reveal().to_owned()) }))
}
