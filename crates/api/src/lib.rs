//! The HTTP contract of Afterglow: HTTP in, HTTP out.
//!
//! One module per resource holds its bodies, its handlers and their description; the rules of the product are in `app`.

mod access;
pub mod administration;
mod albums;
mod analytics;
mod api_tokens;
mod assets;
mod auth;
mod browsing;
mod choices;
mod client_ip;
mod conditional;
mod connections;
mod contact;
mod covers;
mod credits;
mod deletions;
mod downloads;
mod error;
mod event_changes;
mod events;
mod exports;
mod extract;
mod faces;
mod files;
mod forms;
mod ftp_access;
#[doc(hidden)]
pub mod fuzzing;
mod headers;
mod health;
mod hearts;
mod history;
mod manifests;
mod metrics;
mod middleware;
mod objections;
mod pages;
mod passwords;
mod payments;
mod people;
mod photo_faces;
mod photo_states;
mod photos;
mod probes;
mod profiles;
mod questions;
mod responses;
mod results;
mod resumable_uploads;
mod sessions;
mod setup;
mod site;
mod state;
mod statistics;
mod studios;
mod subscriptions;
mod teams;
mod timeouts;
mod trash;
mod untrusted_proxy;
mod watermarks;
mod web_app;

use app::App;
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::map_response;
use axum::routing::{any, get, post};
use utoipa::OpenApi as _;
use utoipa::openapi::RefOr;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::router::UtoipaMethodRouterExt as _;
use utoipa_axum::routes;

pub use assets::{Asset, WebApp};
use forms::FORM_BYTES;
pub use forms::UPLOAD_BYTES;
use state::AppState;
use untrusted_proxy::UntrustedProxy;

/// The largest JSON body that any call reads, in bytes.
const JSON_BYTES: usize = 64 * 1024;
/// The largest form with selfies. One selfie too many, or too large, is to be refused with its own text.
const SEARCH_BYTES: usize = (app::search::SELFIES + 1) * app::search::SELFIE_BYTES + FORM_BYTES;
/// The largest form with a logo, or with the picture of a watermark's text.
const LOGO_FORM_BYTES: usize = app::studios::LOGO_BYTES + FORM_BYTES;

#[derive(utoipa::OpenApi)]
#[openapi(
    info(
        title = "Afterglow",
        description = "Event photos, found by a selfie. Errors of every call are `{\"error\": text for a person, \"code\": stable_snake_case}`.",
        license(name = "AGPL-3.0-or-later", identifier = "AGPL-3.0-or-later"),
    ),
    modifiers(&BearerScheme),
    tags(
        (name = "accounts", description = "Registering, verifying, logging in"),
        (name = "events", description = "A photographer's events"),
        (name = "photos", description = "A photographer's photos, and links to bytes"),
        (name = "faces", description = "Finding a person's photos by a selfie"),
        (name = "credits", description = "A photographer's credits"),
        (name = "payments", description = "Buying credits and the premium plan"),
        (name = "contact", description = "Messages to support"),
        (name = "operation", description = "Health of the service"),
        (name = "administration", description = "What administrators look after"),
    ),
)]
struct Contract;

struct BearerScheme;

impl utoipa::Modify for BearerScheme {
    fn modify(&self, openapi: &mut utoipa::openapi::OpenApi) {
        use utoipa::openapi::security::{Http, HttpAuthScheme, SecurityScheme};
        let components = openapi.components.get_or_insert_with(Default::default);
        components.add_security_scheme("bearer", SecurityScheme::Http(Http::new(HttpAuthScheme::Bearer)));
    }
}

fn contract() -> OpenApiRouter<AppState> {
    OpenApiRouter::with_openapi(Contract::openapi())
        .routes(routes!(health::health, health::health_head))
        .routes(routes!(health::ready))
        .routes(routes!(site::site))
        .routes(routes!(setup::set_up))
        .routes(routes!(setup::check_link))
        .routes(routes!(setup::settings))
        .routes(routes!(setup::test_mail))
        .routes(routes!(auth::register))
        .routes(routes!(auth::log_in))
        .routes(routes!(auth::log_out))
        .routes(routes!(auth::me, profiles::close))
        .routes(routes!(sessions::list_sessions, sessions::end_other_sessions))
        .routes(routes!(sessions::end_session))
        .routes(routes!(api_tokens::list_api_tokens, api_tokens::create_api_token))
        .routes(routes!(api_tokens::revoke_api_token))
        .routes(routes!(exports::create_export))
        .routes(routes!(exports::export_zip))
        .routes(routes!(profiles::update))
        .routes(routes!(profiles::revoke_email_change))
        .routes(routes!(passwords::change))
        .routes(routes!(passwords::forgot))
        .routes(routes!(passwords::reset))
        .routes(routes!(auth::check_verification_status))
        .routes(routes!(auth::verify_email))
        .routes(routes!(auth::resend_verification))
        .routes(routes!(events::list, events::create))
        .routes(routes!(analytics::analytics))
        .routes(routes!(events::search_events))
        .routes(routes!(events::by_slug, event_changes::change_event, deletions::delete_event))
        .routes(routes!(deletions::task))
        .routes(routes!(credits::credits))
        .routes(routes!(photos::search))
        .routes(routes!(photos::count))
        .routes(routes!(photos::upload).layer(DefaultBodyLimit::max(UPLOAD_BYTES)))
        .routes(
            routes!(resumable_uploads::upload_capabilities, resumable_uploads::create_upload)
                .layer(map_response(resumable_uploads::with_version)),
        )
        .routes(
            routes!(
                resumable_uploads::upload_capabilities_of_one,
                resumable_uploads::upload_state,
                resumable_uploads::append_to_upload,
                resumable_uploads::end_upload,
                resumable_uploads::upload_by_override
            )
            .layer(map_response(resumable_uploads::with_version)),
        )
        .routes(routes!(photos::known))
        .routes(routes!(photos::retry))
        .routes(routes!(photos::file))
        .routes(routes!(photo_states::photo_status))
        .routes(routes!(photo_faces::of_photo))
        .routes(routes!(deletions::delete_photo))
        .routes(routes!(trash::list_trash, trash::delete_photos).layer(DefaultBodyLimit::max(choices::BYTES)))
        .routes(routes!(trash::restore_photos).layer(DefaultBodyLimit::max(choices::BYTES)))
        .routes(routes!(trash::remove_photos).layer(DefaultBodyLimit::max(choices::BYTES)))
        .routes(routes!(trash::trash_thumbnail))
        .routes(routes!(albums::list_albums, albums::create_album, albums::arrange_albums))
        .routes(routes!(teams::team))
        .routes(routes!(teams::invite))
        .routes(routes!(teams::withdraw_invitation))
        .routes(routes!(teams::change_member, teams::remove_member))
        .routes(routes!(teams::leave_team))
        .routes(routes!(teams::look_at_invitation))
        .routes(routes!(teams::accept_invitation))
        .routes(routes!(teams::decline_invitation))
        .routes(routes!(albums::rename_album, albums::delete_album))
        .routes(routes!(ftp_access::ftp_access, ftp_access::replace_ftp_login, ftp_access::remove_ftp_login))
        .routes(routes!(albums::put_photos).layer(DefaultBodyLimit::max(choices::BYTES)))
        .routes(routes!(photos::download_by_s3))
        .routes(routes!(files::signed))
        .routes(routes!(access::enter_pin))
        .routes(routes!(access::event_pin))
        .routes(routes!(faces::search_event).layer(DefaultBodyLimit::max(SEARCH_BYTES)))
        .routes(routes!(faces::search_library).layer(DefaultBodyLimit::max(SEARCH_BYTES)))
        .routes(routes!(downloads::zip))
        .routes(routes!(downloads::choose).layer(DefaultBodyLimit::max(downloads::CHOICE_BYTES)))
        .routes(routes!(downloads::download_photos).layer(DefaultBodyLimit::max(choices::BYTES)))
        .routes(routes!(results::reopen))
        .routes(routes!(results::not_me))
        .routes(routes!(browsing::photos_of_event))
        .routes(routes!(hearts::count_heart))
        .routes(routes!(questions::ask))
        .routes(routes!(objections::preview).layer(DefaultBodyLimit::max(SEARCH_BYTES)))
        .routes(routes!(objections::object))
        .routes(routes!(people::list_people, people::switch_people))
        .routes(routes!(people::person, people::change_person))
        .routes(routes!(people::merge_people))
        .routes(routes!(people::split_person))
        .routes(routes!(people::download_person))
        .routes(routes!(objections::list_objections))
        .routes(routes!(objections::of_event))
        .routes(routes!(objections::decide))
        .routes(routes!(objections::see))
        .routes(routes!(subscriptions::subscribe))
        .routes(routes!(subscriptions::confirm))
        .routes(routes!(subscriptions::unsubscribe))
        .routes(routes!(statistics::statistics))
        .routes(routes!(statistics::statistics_csv))
        .routes(routes!(statistics::weekly_summary, statistics::set_weekly_summary))
        .routes(routes!(studios::studio, studios::save_studio, studios::remove_studio))
        .routes(
            routes!(studios::upload_logo, studios::remove_logo).layer(DefaultBodyLimit::max(LOGO_FORM_BYTES)),
        )
        .routes(routes!(studios::logo))
        .routes(
            routes!(watermarks::watermark, watermarks::save_watermark, watermarks::remove_watermark)
                .layer(DefaultBodyLimit::max(LOGO_FORM_BYTES)),
        )
        .routes(routes!(watermarks::sample))
        .routes(routes!(payments::validate_coupon))
        .routes(routes!(payments::create_order))
        .routes(routes!(payments::dismiss_order))
        .routes(routes!(history::history))
        .routes(routes!(history::history_csv))
        .routes(routes!(history::receipt))
        .routes(routes!(payments::verify_payment))
        .routes(routes!(payments::pay_in_sandbox))
        .routes(routes!(payments::webhook))
        .routes(routes!(contact::submit))
        .merge(administration_contract())
}

fn administration_contract() -> OpenApiRouter<AppState> {
    use administration::{accounts, events, jobs, overview, payments, settings, webhooks};
    OpenApiRouter::new()
        .routes(routes!(overview::administration_overview))
        .routes(routes!(accounts::list_accounts))
        .routes(routes!(accounts::one_account))
        .routes(routes!(accounts::verify_account))
        .routes(routes!(accounts::lock_account))
        .routes(routes!(accounts::unlock_account))
        .routes(routes!(accounts::change_credits))
        .routes(routes!(events::largest_events))
        .routes(routes!(jobs::job_kinds))
        .routes(routes!(jobs::failed_jobs))
        .routes(routes!(jobs::retry_job))
        .routes(routes!(jobs::retry_jobs))
        .routes(routes!(payments::payments_to_settle))
        .routes(routes!(payments::refund_payment))
        .routes(routes!(settings::settings_in_force))
        .routes(routes!(webhooks::list_webhooks, webhooks::add_webhook))
        .routes(routes!(webhooks::change_webhook, webhooks::delete_webhook))
        .routes(routes!(webhooks::switch_webhook))
        .routes(routes!(webhooks::rotate_webhook_secret))
        .routes(routes!(webhooks::test_webhook))
        .routes(routes!(webhooks::webhook_deliveries))
}

/// The contract as OpenAPI 3.1, pretty JSON with a newline at the end.
pub fn openapi() -> String {
    let mut contract = contract().to_openapi();
    describe_successes(&mut contract);
    let mut text = contract.to_pretty_json().unwrap_or_default();
    text.push('\n');
    text
}

/// OpenAPI 3.1 requires a description of every response; that of a success is mostly said by its operation.
fn describe_successes(contract: &mut utoipa::openapi::OpenApi) {
    for path in contract.paths.paths.values_mut() {
        let operations = [
            &mut path.get,
            &mut path.head,
            &mut path.options,
            &mut path.post,
            &mut path.put,
            &mut path.patch,
            &mut path.delete,
        ];
        for (status, response) in
            operations.into_iter().flatten().flat_map(|each| &mut each.responses.responses)
        {
            if let (RefOr::T(response), true) = (response, status.starts_with('2'))
                && response.description.is_empty()
            {
                "Done".clone_into(&mut response.description);
            }
        }
    }
}

/// The whole service: the contract under `/api`, the web app everywhere else.
pub fn router(app: App, web_app: WebApp) -> Router {
    let state = AppState { app: app.clone(), web_app, untrusted_proxy: UntrustedProxy::default() };
    let (contract, _) = contract().split_for_parts();
    let router = contract
        // The contract has these paths with a trailing slash only; both forms work.
        .route("/api/events", get(events::list).post(events::create))
        .route("/metrics", get(metrics::metrics))
        .route("/api/probe", post(probes::probe))
        .route("/api", any(error::path_not_found))
        .route("/api/", any(error::path_not_found))
        .route("/api/{*rest}", any(error::path_not_found))
        .route("/robots.txt", get(web_app::robots))
        .route("/covers/{name}", get(covers::cover))
        .route(files::SHARED_ROUTE, get(files::shared))
        .route(manifests::ROUTE, get(manifests::manifest))
        .method_not_allowed_fallback(error::method_not_allowed)
        .fallback(web_app::serve)
        .layer(DefaultBodyLimit::max(JSON_BYTES))
        .with_state(state);
    headers::with_security_headers(middleware::with_middleware(router, app.clone()), &app)
}

/// `/metrics` alone, for a process that has no other port.
pub fn metrics_router(app: App) -> Router {
    let web_app = WebApp::new(|_| None);
    let state = AppState { app: app.clone(), web_app, untrusted_proxy: UntrustedProxy::default() };
    let router = Router::new()
        .route("/metrics", get(metrics::metrics))
        .fallback(error::path_not_found)
        .method_not_allowed_fallback(error::method_not_allowed)
        .with_state(state);
    headers::with_security_headers(middleware::with_middleware(router, app.clone()), &app)
}

/// Serves on `listener` until `stop` resolves, then lets running requests finish.
///
/// # Errors
/// When the listener fails.
pub async fn serve(
    listener: tokio::net::TcpListener,
    router: Router,
    app: App,
    stop: impl Future<Output = ()> + Send,
) -> std::io::Result<()> {
    connections::serve(listener, router, &app, stop).await
}

/// For the doc tests of the contract: every operation, as method and path.
#[doc(hidden)]
pub fn operations() -> Vec<(String, String)> {
    let openapi: serde_json::Value = serde_json::from_str(&openapi()).unwrap_or_default();
    let paths = openapi["paths"].as_object().cloned().unwrap_or_default();
    let mut all = Vec::new();
    for (path, operations) in paths {
        for method in operations.as_object().into_iter().flat_map(|operations| operations.keys()) {
            all.push((method.to_uppercase(), path.clone()));
        }
    }
    all
}
