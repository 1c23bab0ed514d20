//! The HTTP contract of Afterglow: HTTP in, HTTP out.
//!
//! One module per resource holds its bodies, its handlers and their description; the rules of the product are in `app`.

mod accounts;
mod events;
mod faces;
mod guests;
pub mod operations;
mod payments;
mod photos;
mod statistics;
mod studio;
mod team;
mod uploads;
mod webhooks;

use std::sync::LazyLock;

use app::App;
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::map_response;
use axum::routing::{any, get, post};
use utoipa::OpenApi as _;
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouterExt as _};

pub use operations::assets::{Asset, WebApp};
use operations::contract::Contract;
use operations::runtime::handlers::routes;
use operations::runtime::state::AppState;
use operations::runtime::untrusted_proxy::UntrustedProxy;
use uploads::forms::FORM_BYTES;
pub use uploads::forms::UPLOAD_BYTES;

/// The largest JSON body that any call reads, in bytes.
const JSON_BYTES: usize = 64 * 1024;

/// The largest form with selfies. One selfie too many, or too large, is to be refused with its own text.
const SEARCH_BYTES: usize = (app::faces::search::SELFIES + 1) * app::faces::search::SELFIE_BYTES + FORM_BYTES;
/// The largest form with a logo, or with the picture of a watermark's text.
const LOGO_FORM_BYTES: usize = app::studio::studios::LOGO_BYTES + FORM_BYTES;

/// The contract as OpenAPI 3.1, pretty JSON with a newline at the end.
pub fn openapi() -> String {
    operations::contract::document(contract().to_openapi())
}

/// The whole service: the contract under `/api`, the web app everywhere else.
pub fn router(app: App, web_app: WebApp) -> Router {
    let web_app = web_app.named(&app.settings().site_name);
    let router = site(app.clone(), web_app.clone());
    operations::runtime::studio_sites::with_studio_sites(router, app, web_app, site)
}

/// The calls of the contract, without a state. Making it makes its document too, which takes longer than all else of a service.
static CALLS: LazyLock<Router<AppState>> = LazyLock::new(|| contract().split_for_parts().0);

/// The service as it is met at one host.
fn site(app: App, web_app: WebApp) -> Router {
    let inline_script = events::pages::inline_script(&web_app);
    let state = AppState { app: app.clone(), web_app, untrusted_proxy: UntrustedProxy::default() };
    let router = CALLS
        .clone()
        // The contract has these paths with a trailing slash only; both forms work.
        .route("/api/events", get(events::list).post(events::create))
        .route("/metrics", get(operations::metrics::metrics))
        .route("/api/probe", post(operations::probes::probe))
        .route("/api", any(operations::runtime::error::path_not_found))
        .route("/api/", any(operations::runtime::error::path_not_found))
        .route("/api/{*rest}", any(operations::runtime::error::path_not_found))
        .route("/robots.txt", get(operations::web_app::robots))
        .route(operations::web_app::SECURITY_ROUTE, get(operations::web_app::security))
        .route("/covers/{name}", get(events::covers::cover))
        .route(photos::files::SHARED_ROUTE, get(photos::files::shared))
        .route(events::manifests::ROUTE, get(events::manifests::manifest))
        .route(guests::reminders::ROUTE, get(guests::reminders::calendar))
        .route(guests::walls::ROUTE, get(guests::walls::page))
        .method_not_allowed_fallback(operations::runtime::error::method_not_allowed)
        .fallback(operations::web_app::serve)
        .layer(DefaultBodyLimit::max(JSON_BYTES))
        .with_state(state);
    operations::runtime::headers::with_security_headers(
        operations::runtime::middleware::with_middleware(router, app.clone()),
        &app,
        inline_script.as_deref(),
    )
}

/// `/metrics` alone, for a process that has no other port.
pub fn metrics_router(app: App) -> Router {
    let web_app = WebApp::new(|_| None);
    let state = AppState { app: app.clone(), web_app, untrusted_proxy: UntrustedProxy::default() };
    let router = Router::new()
        .route("/metrics", get(operations::metrics::metrics))
        .fallback(operations::runtime::error::path_not_found)
        .method_not_allowed_fallback(operations::runtime::error::method_not_allowed)
        .with_state(state);
    operations::runtime::headers::with_security_headers(
        operations::runtime::middleware::with_middleware(router, app.clone()),
        &app,
        None,
    )
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
    operations::runtime::connections::serve(listener, router, &app, stop).await
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

/// The calls of the contract, by area. One function for each: in the profile of development a function has room on the stack for every
/// value that it makes, and that of all calls took more than half of what a thread has.
fn contract() -> OpenApiRouter<AppState> {
    OpenApiRouter::with_openapi(Contract::openapi())
        .merge(accounts_calls())
        .merge(events_calls())
        .merge(team_calls())
        .merge(photos_calls())
        .merge(uploads_calls())
        .merge(faces_calls())
        .merge(guests_calls())
        .merge(studio_calls())
        .merge(payments_calls())
        .merge(webhooks_calls())
        .merge(statistics_calls())
        .merge(operations_calls())
        .merge(administration_calls())
}

fn accounts_calls() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(accounts::setup::set_up))
        .routes(routes!(accounts::setup::check_link))
        .routes(routes!(accounts::setup::settings))
        .routes(routes!(accounts::setup::test_mail))
        .routes(routes!(accounts::auth::register))
        .routes(routes!(accounts::auth::log_in))
        .routes(routes!(accounts::auth::log_out))
        .routes(routes!(accounts::auth::me, accounts::profiles::close))
        .routes(routes!(accounts::sessions::list_sessions, accounts::sessions::end_other_sessions))
        .routes(routes!(accounts::sessions::end_session))
        .routes(routes!(accounts::api_tokens::list_api_tokens, accounts::api_tokens::create_api_token))
        .routes(routes!(accounts::api_tokens::revoke_api_token))
        .routes(routes!(
            accounts::second_factors::show_second_factor,
            accounts::second_factors::begin_second_factor,
            accounts::second_factors::remove_second_factor
        ))
        .routes(routes!(accounts::second_factors::confirm_second_factor))
        .routes(routes!(accounts::second_factors::check_second_factor))
        .routes(routes!(accounts::deletion_receipts::list_deletion_receipts))
        .routes(routes!(accounts::passkeys::ask_passkey))
        .routes(routes!(accounts::passkeys::list_passkeys, accounts::passkeys::begin_passkey))
        .routes(routes!(accounts::passkeys::confirm_passkey))
        .routes(routes!(accounts::passkeys::remove_passkey))
        .routes(routes!(accounts::single_sign_on::start_single_sign_on))
        .routes(routes!(accounts::single_sign_on::finish_single_sign_on))
        .routes(routes!(accounts::single_sign_on::log_in_with_ticket))
        .routes(routes!(
            accounts::single_sign_on::show_single_sign_on,
            accounts::single_sign_on::link_single_sign_on,
            accounts::single_sign_on::unlink_single_sign_on
        ))
        .routes(routes!(accounts::exports::create_export))
        .routes(routes!(accounts::exports::export_zip))
        .routes(routes!(accounts::profiles::update))
        .routes(routes!(accounts::profiles::agree_email_change))
        .routes(routes!(accounts::profiles::revoke_email_change))
        .routes(routes!(accounts::registrations::revoke_registration))
        .routes(routes!(accounts::passwords::change))
        .routes(routes!(accounts::passwords::forgot))
        .routes(routes!(accounts::passwords::reset))
        .routes(routes!(accounts::auth::check_verification_status))
        .routes(routes!(accounts::auth::verify_email))
        .routes(routes!(accounts::auth::resend_verification))
        .routes(routes!(accounts::languages::language, accounts::languages::set_language))
}

fn events_calls() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(events::list, events::create))
        .routes(routes!(events::search_events))
        .routes(routes!(events::by_slug, events::changes::change_event, events::delete::delete_event))
        .routes(routes!(events::publication::change_publication))
        .routes(routes!(events::indexing))
        .routes(routes!(events::recently_deleted::restore_event))
        .routes(routes!(events::recently_deleted::purge_event))
        .routes(routes!(events::delete::task))
        .routes(routes!(events::access::enter_pin))
        .routes(routes!(events::access::event_pin))
}

fn team_calls() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(team::team))
        .routes(routes!(team::invite))
        .routes(routes!(team::withdraw_invitation))
        .routes(routes!(team::change_member, team::remove_member))
        .routes(routes!(team::leave_team))
        .routes(routes!(team::look_at_invitation))
        .routes(routes!(team::accept_invitation))
        .routes(routes!(team::decline_invitation))
}

fn photos_calls() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(photos::search))
        .routes(routes!(photos::ids::search_ids))
        .routes(routes!(photos::count))
        .routes(routes!(uploads::upload::upload).layer(DefaultBodyLimit::max(UPLOAD_BYTES)))
        .routes(routes!(uploads::upload::known))
        .routes(routes!(photos::retry))
        .routes(routes!(photos::stacks::stand_for_stack))
        .routes(routes!(photos::file))
        .routes(routes!(photos::states::photo_status))
        .routes(routes!(photos::delete::delete_photo))
        .routes(
            routes!(photos::trash::list_trash, photos::trash::delete_photos)
                .layer(DefaultBodyLimit::max(photos::selections::BYTES)),
        )
        .routes(
            routes!(photos::trash::restore_photos).layer(DefaultBodyLimit::max(photos::selections::BYTES)),
        )
        .routes(routes!(photos::trash::remove_photos).layer(DefaultBodyLimit::max(photos::selections::BYTES)))
        .routes(routes!(photos::trash::trash_thumbnail))
        .routes(routes!(
            photos::albums::list_albums,
            photos::albums::create_album,
            photos::albums::arrange_albums
        ))
        .routes(routes!(photos::albums::rename_album, photos::albums::delete_album))
        .routes(routes!(photos::albums::put_photos).layer(DefaultBodyLimit::max(photos::selections::BYTES)))
        .routes(
            routes!(photos::name_lists::list_names).layer(DefaultBodyLimit::max(photos::selections::BYTES)),
        )
        .routes(routes!(photos::links::download_by_s3))
        .routes(routes!(photos::files::signed))
}

fn uploads_calls() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(
            routes!(uploads::resumable::upload_capabilities, uploads::resumable::create_upload)
                .layer(map_response(uploads::resumable::with_version)),
        )
        .routes(
            routes!(
                uploads::resumable::upload_capabilities_of_one,
                uploads::resumable::upload_state,
                uploads::resumable::append_to_upload,
                uploads::resumable::end_upload,
                uploads::resumable::upload_by_override
            )
            .layer(map_response(uploads::resumable::with_version)),
        )
        .routes(routes!(uploads::versions::versions).layer(DefaultBodyLimit::max(uploads::versions::BYTES)))
        .routes(routes!(
            uploads::ftp::ftp_access,
            uploads::ftp::replace_ftp_login,
            uploads::ftp::remove_ftp_login
        ))
        .routes(
            routes!(uploads::from_guests::create_guest_upload)
                .layer(map_response(uploads::resumable::with_version)),
        )
        .routes(
            routes!(
                uploads::from_guests::guest_upload_state,
                uploads::from_guests::append_to_guest_upload,
                uploads::from_guests::end_guest_upload
            )
            .layer(map_response(uploads::resumable::with_version)),
        )
}

fn faces_calls() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(faces::photo_faces::of_photo))
        .routes(routes!(faces::search_event).layer(DefaultBodyLimit::max(SEARCH_BYTES)))
        .routes(routes!(faces::search_library).layer(DefaultBodyLimit::max(SEARCH_BYTES)))
        .routes(routes!(faces::people::list_people, faces::people::switch_people))
        .routes(routes!(faces::people::person, faces::people::change_person))
        .routes(routes!(faces::people::merge_people))
        .routes(routes!(faces::people::split_person))
        .routes(routes!(faces::people::download_person))
}

fn guests_calls() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(guests::kept_searches::search_again))
        .routes(routes!(guests::kept_searches::find_missed))
        .routes(routes!(guests::without_strangers::without_strangers))
        .routes(routes!(guests::kept_searches::keep_search))
        .routes(routes!(guests::kept_searches::revoke_kept_searches))
        .routes(routes!(guests::archives::zip))
        .routes(
            routes!(guests::archives::choose).layer(DefaultBodyLimit::max(guests::archives::CHOICE_BYTES)),
        )
        .routes(
            routes!(guests::archives::download_photos)
                .layer(DefaultBodyLimit::max(photos::selections::BYTES)),
        )
        .routes(routes!(guests::results::reopen))
        .routes(routes!(guests::results::mail_results))
        .routes(routes!(guests::results::not_me))
        .routes(routes!(guests::browsing::photos_of_event))
        .routes(routes!(guests::everything::download_all))
        .routes(routes!(guests::guest_photos::own_guest_photos))
        .routes(routes!(guests::guest_photos::own_guest_photo_thumbnail))
        .routes(routes!(guests::guest_photos::take_back_guest_photo))
        .routes(routes!(guests::guest_photos::list_guest_photos))
        .routes(routes!(guests::guest_photos::guest_photo_file))
        .routes(routes!(guests::guest_photos::let_guest_photos_in))
        .routes(routes!(guests::guest_photos::decline_guest_photos))
        .routes(routes!(guests::hearts::count_heart))
        .routes(routes!(guests::questions::ask))
        .routes(routes!(guests::objections::preview).layer(DefaultBodyLimit::max(SEARCH_BYTES)))
        .routes(routes!(guests::objections::challenge))
        .routes(routes!(guests::objections::object))
        .routes(routes!(guests::walls::event_wall, guests::walls::put_wall, guests::walls::end_wall))
        .routes(routes!(
            guests::client_selections::list_client_selections,
            guests::client_selections::create_client_selection
        ))
        .routes(routes!(
            guests::client_selections::change_client_selection,
            guests::client_selections::delete_client_selection
        ))
        .routes(routes!(guests::client_selections::reopen_client_selection))
        .routes(routes!(guests::client_selections::see_client_selection))
        .routes(routes!(guests::client_selections::choosing::client_selection))
        .routes(routes!(guests::client_selections::choosing::enter_client_pin))
        .routes(routes!(guests::client_selections::choosing::client_photos))
        .routes(routes!(guests::client_selections::choosing::mark_client_photo))
        .routes(routes!(guests::client_selections::choosing::finish_client_selection))
        .routes(routes!(guests::walls::wall_photos))
        .routes(routes!(guests::walls::wall_photo))
        .routes(routes!(guests::objections::list_objections))
        .routes(routes!(guests::objections::of_event))
        .routes(routes!(guests::objections::decide))
        .routes(routes!(guests::objections::see))
        .routes(routes!(guests::subscriptions::subscribe))
        .routes(routes!(guests::subscriptions::confirm))
        .routes(routes!(guests::subscriptions::unsubscribe))
        .routes(routes!(guests::subscriptions::told_guests))
}

fn studio_calls() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(
            studio::studios::studio,
            studio::studios::save_studio,
            studio::studios::remove_studio
        ))
        .routes(
            routes!(studio::studios::upload_logo, studio::studios::remove_logo)
                .layer(DefaultBodyLimit::max(LOGO_FORM_BYTES)),
        )
        .routes(
            routes!(studio::studios::upload_dark_logo, studio::studios::remove_dark_logo)
                .layer(DefaultBodyLimit::max(LOGO_FORM_BYTES)),
        )
        .routes(routes!(studio::hosts::host, studio::hosts::name_host, studio::hosts::remove_host))
        .routes(routes!(studio::hosts::prove_host))
        .routes(routes!(studio::studios::logo))
        .routes(routes!(studio::studios::dark_logo))
        .routes(routes!(studio::studios::accent))
        .routes(
            routes!(
                studio::watermarks::watermark,
                studio::watermarks::save_watermark,
                studio::watermarks::remove_watermark
            )
            .layer(DefaultBodyLimit::max(LOGO_FORM_BYTES)),
        )
        .routes(routes!(studio::watermarks::sample))
}

fn payments_calls() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(payments::credits::credits))
        .routes(routes!(payments::validate_coupon))
        .routes(routes!(payments::create_order))
        .routes(routes!(payments::dismiss_order))
        .routes(routes!(payments::history::history))
        .routes(routes!(payments::history::history_csv))
        .routes(routes!(payments::history::receipt))
        .routes(routes!(payments::invoices::invoice))
        .routes(routes!(payments::invoices::note))
        .routes(routes!(payments::invoices::billing, payments::invoices::save_billing))
        .routes(routes!(payments::verify_payment))
        .routes(routes!(payments::pay_in_sandbox))
        .routes(routes!(payments::webhook))
}

fn webhooks_calls() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(webhooks::own::list_own_webhooks, webhooks::own::add_own_webhook))
        .routes(routes!(webhooks::own::change_own_webhook, webhooks::own::delete_own_webhook))
        .routes(routes!(webhooks::own::switch_own_webhook))
        .routes(routes!(webhooks::own::rotate_own_webhook_secret))
        .routes(routes!(webhooks::own::test_own_webhook))
        .routes(routes!(webhooks::own::own_webhook_deliveries))
}

fn statistics_calls() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(statistics::analytics::analytics))
        .routes(routes!(statistics::statistics))
        .routes(routes!(statistics::statistics_csv))
        .routes(routes!(statistics::weekly_summary, statistics::set_weekly_summary))
}

fn operations_calls() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(operations::health::health, operations::health::health_head))
        .routes(routes!(operations::health::ready))
        .routes(routes!(operations::site::site))
        .routes(routes!(operations::site::host_allowed))
        .routes(routes!(operations::contact::submit))
}

fn administration_calls() -> OpenApiRouter<AppState> {
    use operations::administration::{accounts, events, jobs, overview, payments, settings};
    OpenApiRouter::new()
        .routes(routes!(overview::administration_overview))
        .routes(routes!(accounts::list_accounts))
        .routes(routes!(accounts::one_account))
        .routes(routes!(accounts::verify_account))
        .routes(routes!(accounts::lock_account))
        .routes(routes!(accounts::unlock_account))
        .routes(routes!(accounts::change_credits))
        .routes(routes!(events::largest_events))
        .routes(routes!(crate::events::recently_deleted::purge_any_event))
        .routes(routes!(jobs::job_kinds))
        .routes(routes!(jobs::failed_jobs))
        .routes(routes!(jobs::retry_job))
        .routes(routes!(jobs::retry_jobs))
        .routes(routes!(payments::payments_to_settle))
        .routes(routes!(payments::refund_payment))
        .routes(routes!(payments::invoice_register))
        .routes(routes!(settings::settings_in_force))
        .routes(routes!(webhooks::list_webhooks, webhooks::add_webhook))
        .routes(routes!(webhooks::change_webhook, webhooks::delete_webhook))
        .routes(routes!(webhooks::switch_webhook))
        .routes(routes!(webhooks::rotate_webhook_secret))
        .routes(routes!(webhooks::test_webhook))
        .routes(routes!(webhooks::webhook_deliveries))
}
