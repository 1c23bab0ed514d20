//! Builds the service from its settings.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use app::PasswordCost;
use app::operations::operators::OperatorContext;
use app::operations::runtime::proxies::{ForwardingHeader, TrustedProxies};
use app::operations::upgrades;
use app::{App, Failure, FtpService, Parts};
use domain::accounts::EmailAddress;
use domain::events::keeping::Keeping;
use domain::{Clock, Randomness};
use gateway::payments::{RazorpaySettings, RetryPolicy};
use media::decoders::Decoders;

use crate::cli::CliError;
use crate::secrets::Secret;
use crate::settings::{HeaderName, Offer, Settings, Switch};
use crate::{cameras, data_folder, invoicing, replaced, settings_shown, single_sign_on, web_app};

const HOUR: Duration = Duration::from_secs(60 * 60);
/// How long signed links to files are valid.
const LINK_LIFETIME: Duration = Duration::from_secs(6 * 60 * 60);

/// Opens the database and brings it to the current schema, unless its restoration was interrupted.
pub(crate) async fn database(settings: &Settings) -> Result<storage::Db, CliError> {
    replaced::check(settings)?;
    open(settings).await
}

async fn open(settings: &Settings) -> Result<storage::Db, CliError> {
    let db = connect(settings, settings.database_connections).await?;
    let migrated = upgrades::migrate(&db, &Clock::System, settings.upgrade_snapshots == Switch::On).await;
    migrated.map_err(|failure| match failure {
        Failure::Refused(refusal) => refusal.into(),
        other => CliError::context("The database cannot be brought to the current schema", &other),
    })?;
    Ok(db)
}

/// Opens the database with so many connections, and leaves its schema as it is.
pub(crate) async fn connect(settings: &Settings, connections: u32) -> Result<storage::Db, CliError> {
    let options =
        storage::ConnectOptions { max_connections: connections.max(1), ..storage::ConnectOptions::default() };
    storage::Db::connect(&settings.database_url(), options)
        .await
        .map_err(|error| CliError::context("The database cannot be opened", &error))
}

/// The service for workers: on PostgreSQL with connections of their own, so that requests never wait for one of theirs. A
/// SQLite file has one writer for all.
pub(crate) async fn for_workers(settings: &Settings, app: &App) -> Result<App, CliError> {
    if !settings.database_url().starts_with("postgres") {
        return Ok(app.clone());
    }
    let indexing = u32::try_from(settings.index_workers()).unwrap_or(u32::MAX);
    let connections = match settings.worker_connections {
        // Mails, deletions, maintenance, and the one that listens.
        0 => indexing.saturating_add(4),
        set => set,
    };
    // One of them only listens.
    Ok(app.with_connections(connect(settings, connections.max(2)).await?))
}

/// As [`database`], for a command that may come before the first start.
pub(crate) async fn beginning_database(settings: &Settings) -> Result<storage::Db, CliError> {
    data_folder::check_beginning(settings)?;
    database(settings).await
}

/// The context of the operator's commands, which begin no installation.
pub(crate) async fn operator_context(settings: &Settings) -> Result<OperatorContext, CliError> {
    // Where a restoration was interrupted, there may be no database, and another cure.
    replaced::check(settings)?;
    data_folder::check_database(settings)?;
    with_seller(settings, open(settings).await?)
}

/// The same for a command that may come before the first start.
pub(crate) async fn beginning_context(settings: &Settings) -> Result<OperatorContext, CliError> {
    with_seller(settings, beginning_database(settings).await?)
}

fn with_seller(settings: &Settings, db: storage::Db) -> Result<OperatorContext, CliError> {
    Ok(OperatorContext { seller: invoicing::seller(settings)?, ..context(db) })
}

/// The context of a restoration, which goes on with one that was interrupted.
pub(crate) async fn restoring_context(settings: &Settings) -> Result<OperatorContext, CliError> {
    Ok(context(open(settings).await?))
}

const fn context(db: storage::Db) -> OperatorContext {
    OperatorContext { db, clock: Clock::System, randomness: Randomness::System, seller: None }
}

/// The payment provider for the operator's commands.
pub(crate) async fn operator_payments(
    settings: &Settings,
    context: &OperatorContext,
) -> Result<gateway::Payments, CliError> {
    match payments(settings)? {
        Some(payments) => Ok(payments),
        None => Ok(app::sandbox(&context.db, &context.randomness).await?),
    }
}

/// Opens the media store; whether it works is seen when it is used.
pub(crate) fn store(settings: &Settings) -> Result<media::stores::Store, CliError> {
    media::stores::Store::open(&settings.media_url(), aws_variables())
        .map_err(|error| CliError::context("The media store cannot be opened", &error))
}

/// Opens the face engine: loads the pack and runs its self-test, and says what the detector computes with.
pub(crate) fn engine(settings: &Settings) -> Result<vision::Engine, CliError> {
    let at_least_one = |threads| NonZeroUsize::new(threads).unwrap_or(NonZeroUsize::MIN);
    let options = vision::EngineOptions {
        index_threads: at_least_one(settings.index_workers()),
        selfie_threads: at_least_one(settings.search_workers),
    };
    // The pack's errors are whole sentences that say the command to run.
    let engine = vision::Engine::open(&settings.model_dir, options)
        .map_err(|error| CliError::new(error.to_string()))?;
    tracing::info!(pack = engine.pack_id(), detector = %engine.arithmetic(), "opened the face models");
    Ok(engine)
}

/// This program, whose file may have been replaced since.
pub(crate) fn own_program() -> PathBuf {
    PathBuf::from("/proc/self/exe")
}

/// Where pictures are read. A first process is started now, and says what it is denied.
fn decoders(settings: &Settings) -> Result<Decoders, CliError> {
    if settings.decoder_processes == Switch::Off {
        tracing::warn!("pictures are read in this process: `decoder_processes` is off");
        return Ok(Decoders::in_process());
    }
    let started = Decoders::processes(own_program())
        .and_then(|decoders| decoders.confinement().map(|confinement| (decoders, confinement)));
    let (decoders, confinement) = started.map_err(|error| {
        let what = "No process can be started to read pictures (with `decoder_processes` off there is none)";
        CliError::context(what, &error)
    })?;
    if confinement.is_some_and(|confinement| confinement.is_filtered) {
        tracing::info!("pictures are read in processes of their own, without files and network");
    } else {
        tracing::warn!(
            "pictures are read in processes of their own, whose system calls the kernel does not filter"
        );
    }
    Ok(decoders)
}

/// The whole service, ready to serve under `public_url`, and at `ftp` for cameras.
pub(crate) async fn app(
    settings: &Settings,
    public_url: String,
    ftp: Option<FtpService>,
) -> Result<App, CliError> {
    let (site_name, support_email) = (site_name(settings)?, support_email(settings)?);
    let engine = engine(settings)?;
    let db = database(settings).await?;
    let store = store(settings)?;
    let decoders = decoders(settings)?;
    let mail_from = sender(settings)?;
    let mailer = mailer(settings)?;
    let payments = payments(settings)?;
    let trusted_proxies = trusted_proxies(settings)?;
    let files_url = files_url(settings)?;
    let single_sign_on = single_sign_on::read(settings)?;
    let seller = invoicing::seller(settings)?;
    let settings = app::Settings {
        public_url,
        files_url,
        site_name,
        names_itself: settings.names_itself == Switch::On,
        studio_hosts: settings.studio_hosts == Switch::On,
        dns_server: settings.dns_server,
        mail_from,
        support_email,
        social: app::SocialLinks {
            facebook: settings.facebook_url.clone(),
            instagram: settings.instagram_url.clone(),
            x: settings.x_url.clone(),
            linkedin: settings.linkedin_url.clone(),
        },
        operator: app::Operator {
            name: settings.operator_name.clone(),
            address: settings.operator_address.clone(),
            tax_number: settings.operator_tax_number.clone(),
        },
        seller,
        tells_guests: match settings.tell_guests {
            Offer::On => true,
            Offer::Off => false,
            Offer::Auto => mailer.reaches_people(),
        },
        keeping: keeping(settings)?,
        trash_days: settings.trash_days,
        incoming_dir: settings.data_dir.join("incoming"),
        password_cost: PasswordCost::Recommended,
        session_lifetime: HOUR.saturating_mul(settings.session_hours.clamp(1, 720)),
        link_lifetime: LINK_LIFETIME,
        index_workers: settings.index_workers(),
        inspections: settings.upload_workers.max(1),
        searches: settings.search_workers.max(1),
        search_capacity: settings.search_capacity(),
        upload_capacity: settings.upload_capacity(),
        connection_capacity: settings.connection_capacity(),
        decode_memory_bytes: settings.decode_memory(),
        index_cache_bytes: settings.search_cache_mb.saturating_mul(1 << 20),
        rendition_memory_bytes: settings.rendition_memory_mb.saturating_mul(1 << 20),
        limits: settings.limits(),
        private_webhooks: settings.private_webhooks == Switch::On,
        metrics_token: settings.metrics_token.as_ref().map(Secret::reveal),
        trusted_proxies,
        forwarding_header: match settings.forwarding_header {
            HeaderName::XForwardedFor => ForwardingHeader::XForwardedFor,
            HeaderName::Forwarded => ForwardingHeader::Forwarded,
        },
        ftp,
        single_sign_on,
        in_force: settings_shown::in_force(settings),
    };
    let (clock, randomness) = (Clock::System, Randomness::System);
    single_sign_on::check_address(&settings)?;
    let typefaces = web_app::typefaces();
    let parts =
        Parts { settings, clock, randomness, db, store, decoders, engine, mailer, payments, typefaces };
    let app = App::new(parts).await?;
    app::operations::monitoring::log_warnings(&app).await?;
    match app::operations::stores::bind(&app).await {
        Ok(bond) => {
            if let Some(reason) = app::operations::stores::refusal_to_start(&app, &bond).await? {
                return Err(CliError::new(reason));
            }
        }
        // It is tried again with the first upload, and with every `/api/ready`.
        Err(failure) => {
            tracing::error!(error = failure.chain(), "the media store cannot be compared with the database");
        }
    }
    Ok(app)
}

/// Looks at the settings that are read when the service starts, as it does.
///
/// # Errors
/// One sentence that names the setting.
pub(crate) fn check(settings: &Settings) -> Result<(), CliError> {
    site_name(settings)?;
    support_email(settings)?;
    sender(settings)?;
    payments(settings)?;
    trusted_proxies(settings)?;
    files_url(settings)?;
    keeping(settings)?;
    single_sign_on::read(settings)?;
    cameras::check(settings)?;
    invoicing::seller(settings)?;
    Ok(())
}

/// The mail transport; no mail server is contacted.
pub(crate) fn mailer(settings: &Settings) -> Result<gateway::Mailer, CliError> {
    gateway::Mailer::open(&settings.mail_url(), &site_name(settings)?, &sender(settings)?)
        .map_err(|error| CliError::context("The mail transport cannot be opened", &error))
}

fn site_name(settings: &Settings) -> Result<String, CliError> {
    let name = settings.site_name.trim();
    let is_name = (1..=40).contains(&name.chars().count()) && !name.chars().any(char::is_control);
    if is_name {
        Ok(name.to_owned())
    } else {
        Err(CliError::new("The setting `site_name` must have 1 to 40 characters, in one line."))
    }
}

fn support_email(settings: &Settings) -> Result<EmailAddress, CliError> {
    EmailAddress::parse(&settings.support_email)
        .map_err(|_| CliError::new("The setting `support_email` is not an e-mail address."))
}

fn sender(settings: &Settings) -> Result<EmailAddress, CliError> {
    EmailAddress::parse(&settings.mail_from)
        .map_err(|_| CliError::new("The setting `mail_from` is not an e-mail address."))
}

/// For how long photos are kept.
pub(crate) fn keeping(settings: &Settings) -> Result<Keeping, CliError> {
    let (own, longest) = (settings.retention_days, settings.longest_retention_days);
    if longest != 0 && (own == 0 || own > longest) {
        let own = if own == 0 { String::from("for ever") } else { format!("for {own} days") };
        return Err(CliError::new(format!(
            "`longest_retention_days` allows {longest} days, but photos are kept {own} where nothing is chosen (`retention_days`).",
        )));
    }
    Ok(Keeping::of(own, longest))
}

fn trusted_proxies(settings: &Settings) -> Result<TrustedProxies, CliError> {
    settings.trusted_proxies.parse().map_err(|part| {
        CliError::new(format!("The setting `trusted_proxies` names no address or network: `{part}`."))
    })
}

fn files_url(settings: &Settings) -> Result<Option<String>, CliError> {
    let files_url = settings.files_url.as_deref().map(|url| url.trim_end_matches('/').to_owned());
    if !files_url.as_deref().is_none_or(app::photos::files::is_origin) {
        return Err(CliError::new(
            "The setting `files_url` is no scheme and host, such as https://files.example.com.",
        ));
    }
    Ok(files_url)
}

/// The payment provider; none without keys, which means the sandbox.
pub(crate) fn payments(settings: &Settings) -> Result<Option<gateway::Payments>, CliError> {
    let (key_id, key_secret) = match (&settings.razorpay_key_id, &settings.razorpay_key_secret) {
        (Some(key_id), Some(key_secret)) => (key_id.clone(), key_secret.reveal()),
        (None, None) => return Ok(None),
        _ => {
            return Err(CliError::new(
                "The settings `razorpay_key_id` and `razorpay_key_secret` must be set both, or neither.",
            ));
        }
    };
    let settings = RazorpaySettings {
        key_id,
        key_secret,
        webhook_secret: settings.razorpay_webhook_secret.as_ref().map(Secret::reveal),
        api_url: settings.razorpay_api_url.clone(),
        retry: RetryPolicy::default(),
    };
    let payments = gateway::Payments::razorpay(settings);
    payments
        .map(Some)
        .map_err(|error| CliError::context("The payment provider's settings cannot be used", &error))
}

/// The environment variables of S3 clients, passed on because only this crate reads the environment.
#[allow(clippy::disallowed_methods, reason = "settings and these are all that is read from the environment")]
fn aws_variables() -> Vec<(String, String)> {
    std::env::vars().filter(|(name, _)| name.starts_with("AWS_")).collect()
}
