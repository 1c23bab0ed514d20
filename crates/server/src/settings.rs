//! The settings: from `afterglow.toml`, then the environment, then flags; the later wins.

mod choices;
mod sources;

use std::collections::BTreeMap;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};

use app::operations::runtime::limits::LimitSettings;
use app::{ConnectionCapacity, SearchCapacity, SocialLinks, UploadCapacity};
use figment::Figment;
use figment::providers::{Data, Env, Format as _, Serialized};
use figment::value::Value;
use serde::{Deserialize, Serialize};

pub(crate) use self::choices::{HeaderName, LogFormat, Offer, OidcAccounts, OidcPasswords, Switch};
use self::sources::{Environment, PREFIX, Toml, check_form, check_variables, explain};
use crate::cli::CliError;
use crate::machine;
use crate::secrets::{Secret, SecretUrl};
use crate::settings_file;

/// The settings that can come from a file, whose path is in a variable with this suffix.
pub(crate) const FROM_FILES: [&str; 6] = [
    "database_url",
    "mail_url",
    "razorpay_key_secret",
    "razorpay_webhook_secret",
    "oidc_client_secret",
    "metrics_token",
];
const FILE_SUFFIX: &str = "_file";
/// The variable that names the file, without the prefix.
const FILE: &str = "settings";

macro_rules! settings {
    ($($(#[doc = $doc:literal])+ $name:ident: $type:ty = $default:expr, shown $shown:literal;)+) => {
        /// Every setting.
        #[derive(Clone, Debug, Serialize, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub(crate) struct Settings {
            $($(#[doc = $doc])+ pub(crate) $name: $type,)+
        }

        impl Default for Settings {
            fn default() -> Self {
                Self { $($name: $default,)+ }
            }
        }

        /// Every setting as a flag.
        #[derive(clap::Args, Default)]
        #[command(next_help_heading = "Settings (see `afterglow config`)")]
        pub(crate) struct Flags {
            /// The file of the settings, in the place of afterglow.toml in this folder or, for an installed package, in
            /// /etc/afterglow.
            #[arg(id = "settings_file", long = "settings", global = true, value_name = "FILE")]
            settings: Option<PathBuf>,
            $($(#[doc = $doc])+ #[arg(long, global = true, hide_short_help = true, value_name = "VALUE")] $name: Option<String>,)+
        }

        impl Flags {
            fn values(&self) -> BTreeMap<&'static str, &str> {
                let mut values = BTreeMap::new();
                $(if let Some(value) = &self.$name { values.insert(stringify!($name), value.as_str()); })+
                values
            }
        }

        /// The type of every setting.
        const TYPES: &[(&str, &str)] = &[$((stringify!($name), stringify!($type)),)+];

        /// Name, default and meaning of every setting.
        pub(crate) const TABLE: &[(&str, &str, &str)] = &[$((stringify!($name), $shown, concat!($($doc),+)),)+];
    };
}

settings! {
    /// Address to listen on; port 0 picks one and the log says which.
    listen: SocketAddr = SocketAddr::from(([127, 0, 0, 1], 8080)), shown "127.0.0.1:8080";
    /// Scheme and host in links, mails and QR codes.
    public_url: Option<String> = None, shown "http://localhost:8080 (the port is the one listened on)";
    /// Scheme and host of a cache or CDN that passes /renditions/ on to this server; the links of thumbnails and previews lead there then.
    files_url: Option<String> = None, shown "none";
    /// Whether a public URL of another machine may be plain http: on or off.
    plain_http: Switch = Switch::Off, shown "off";
    /// Folder of everything the embedded defaults keep.
    data_dir: PathBuf = PathBuf::from("./data"), shown "./data";
    /// Whether a start may begin with a data folder that was never used: on, or off once the service is set up, so that a disk which is not mounted stops the start.
    begin_empty: Switch = Switch::On, shown "on";
    /// Database: sqlite://FILE or postgres://USER:PASSWORD@HOST/NAME; on another machine with ?sslmode=verify-full, or PostgreSQL may be spoken to unencrypted.
    database_url: Option<SecretUrl> = None, shown "sqlite://<data>/afterglow.db";
    /// Whether a SQLite database is copied to a file beside it before its schema is changed: on, or off where a backup is made before.
    upgrade_snapshots: Switch = Switch::On, shown "on";
    /// Connections to the database for requests; SQLite's one writer is beside them.
    database_connections: u32 = 10, shown "10";
    /// Connections to PostgreSQL for workers; 0 means four, and one for each photo indexed at one moment.
    worker_connections: u32 = 0, shown "0";
    /// Originals and renditions: file://FOLDER or s3://BUCKET/PREFIX (with the usual AWS_* variables).
    media_url: Option<SecretUrl> = None, shown "file://<data>/media";
    /// Mail: outbox://FOLDER, smtp://USER:PASSWORD@HOST:587 or smtps://…; the outbox writes files and logs links.
    mail_url: Option<SecretUrl> = None, shown "outbox://<data>/outbox";
    /// Sender of mails.
    mail_from: String = String::from("no-reply@localhost"), shown "no-reply@localhost";
    /// Whether guests can ask to be told of new photos by mail: on, off, or auto, which means with a mail server.
    tell_guests: Offer = Offer::Auto, shown "auto";
    /// Folder of the face model pack, as the package has it or `make models` builds it.
    model_dir: PathBuf = PathBuf::from("./models"), shown "./models";
    /// What the service is called wherever guests and mails see it: at most 40 characters.
    site_name: String = String::from("Afterglow"), shown "Afterglow";
    /// Whether the page of an event whose studio has a logo says in its menu what the service is called.
    names_itself: Switch = Switch::On, shown "on";
    /// Whether studios may have host names of their own, for which the proxy gets certificates (studio-hosts.md).
    studio_hosts: Switch = Switch::Off, shown "off";
    /// Name server that is asked for the TXT records of such names, with its port; the default is the system's own.
    dns_server: Option<SocketAddr> = None, shown "those of the system";
    /// Address shown on the legal pages, and where contact messages go.
    support_email: String = String::from("support@example.com"), shown "support@example.com";
    /// JSON file in the place of the built-in list of in-app browsers and the ways out of them (in-app-browsers.json).
    in_app_browsers: Option<PathBuf> = None, shown "built-in";
    /// The operator's page on Facebook, linked from /contact.
    facebook_url: String = SocialLinks::default().facebook, shown "https://www.facebook.com/";
    /// The operator's page on Instagram, linked from /contact.
    instagram_url: String = SocialLinks::default().instagram, shown "https://www.instagram.com/";
    /// The operator's page on X, linked from /contact.
    x_url: String = SocialLinks::default().x, shown "https://x.com/";
    /// The operator's page on LinkedIn, linked from /contact.
    linkedin_url: String = SocialLinks::default().linkedin, shown "https://www.linkedin.com/";
    /// Name of the person or company that receives the payments, on receipts.
    operator_name: String = String::new(), shown "none";
    /// Address of the same, on receipts; lines end with a line break.
    operator_address: String = String::new(), shown "none";
    /// Tax number of the same, such as a GSTIN, on receipts.
    operator_tax_number: String = String::new(), shown "none";
    /// Legal name of whoever sells, on invoices under the Indian goods and services tax. They are made where this and the next three settings are set; without them there are receipts alone.
    gst_name: String = String::new(), shown "none: no invoices";
    /// Address of the same, on invoices; lines end with a line break.
    gst_address: String = String::new(), shown "none: no invoices";
    /// GSTIN of the same, whose first two digits are the state.
    gst_number: String = String::new(), shown "none: no invoices";
    /// Code of the service (SAC), 4 to 8 digits such as 998439.
    gst_sac: String = String::new(), shown "none: no invoices";
    /// Rate of the tax in percent, from 1 to 100; prices include it.
    gst_rate: u32 = 18, shown "18";
    /// Public half of the Razorpay keys; without keys the sandbox takes the place of the provider.
    razorpay_key_id: Option<String> = None, shown "none: the sandbox";
    /// Whether the sandbox may take the place of the provider under a public URL of another machine: on or off.
    sandbox_payments: Switch = Switch::Off, shown "off";
    /// Secret half of the Razorpay keys.
    razorpay_key_secret: Option<Secret> = None, shown "none";
    /// Secret of the Razorpay webhook; without it every webhook is refused.
    razorpay_webhook_secret: Option<Secret> = None, shown "none";
    /// Address of the Razorpay API, for tests.
    razorpay_api_url: String = String::from(gateway::payments::RAZORPAY_API_URL), shown "https://api.razorpay.com";
    /// Address of a provider of OpenID Connect, as it calls itself, such as https://login.example.com/realms/studio; people log in there too. `/.well-known/openid-configuration` under it is read.
    oidc_issuer: Option<String> = None, shown "none: no single sign-on";
    /// Name under which this service is registered there, with the redirect address PUBLIC_URL/api/auth/oidc/callback.
    oidc_client_id: Option<String> = None, shown "none";
    /// Secret of this service there.
    oidc_client_secret: Option<Secret> = None, shown "none";
    /// What is asked for there beside `openid`, separated by spaces; some providers want one more for the claim of administrators.
    oidc_scopes: String = String::from("email profile"), shown "email profile";
    /// What the button says.
    oidc_label: String = String::from("Single sign-on"), shown "Single sign-on";
    /// Claim that makes administrators, such as groups, or realm_access.roles with dots between nested names; at each login by single sign-on the role follows it, but the last administrator stays one.
    oidc_admin_claim: Option<String> = None, shown "none: roles are as they are set here";
    /// Value of the claim, or one of its values, that does.
    oidc_admin_value: Option<String> = None, shown "none";
    /// Whether people log in with passwords too: beside, or instead, where single sign-on takes the place of passwords.
    oidc_passwords: OidcPasswords = OidcPasswords::Beside, shown "beside";
    /// Who gets in: known, those who have an account, or everybody whom the provider lets in, who get one.
    oidc_accounts: OidcAccounts = OidcAccounts::Known, shown "known";
    /// Ways to log in there that count as the second factor here: values of the claims amr or acr, such as mfa, separated by commas.
    oidc_second_factor: String = String::new(), shown "none: the second factor is asked for here";
    /// Hours without use after which a session ends, from 1 to 720 (30 days); a shorter one holds for the sessions that there are.
    session_hours: u32 = 720, shown "720";
    /// Days photos are kept after an event's date or its last upload, whichever is later, up to a year after the upload, unless the photographer has chosen others for the event; photos without an event after their upload. A mail warns 7 days before, and nothing is removed without it; 0 keeps them for ever.
    retention_days: u32 = 30, shown "30";
    /// The most days that a photographer can choose for an event, which is what storage has to be planned for; where `retention_days` is set and this is not, it is the same. Fewer than before hold for the events that there are, too. 0 lets photographers keep photos for ever.
    longest_retention_days: u32 = 365, shown "365, or retention_days where that is set";
    /// Days that files which belong to no photo lie in the media store's trash before they are removed for good.
    trash_days: u32 = 14, shown "14";
    /// Photos indexed at one moment; 0 means one a processor.
    index_workers: usize = 0, shown "0";
    /// Uploads judged at one moment.
    upload_workers: usize = 2, shown "2";
    /// Selfies looked at at one moment.
    search_workers: usize = 2, shown "2";
    /// Searches that wait while others run; one more is answered 503 at once.
    search_queue: usize = SearchCapacity::default().queue, shown "32";
    /// Searches of one address that run at once, while others of it wait; 0 lifts the limit.
    searches_per_address: usize = SearchCapacity::default().per_address, shown "2";
    /// Megabytes that all selfies together take in memory before they are decoded.
    search_memory_mb: u64 = SearchCapacity::default().memory_bytes >> 20, shown "256";
    /// Seconds after which a search is answered 503.
    search_deadline_seconds: u64 = SearchCapacity::default().deadline.as_secs(), shown "50";
    /// Uploads of one account that are received at once; 0 lifts the limit.
    uploads_per_user: usize = UploadCapacity::default().per_user, shown "12";
    /// Uploads of one address that are received at once; 0 lifts the limit.
    uploads_per_address: usize = UploadCapacity::default().per_address, shown "48";
    /// Uploads of one account that wait for the rest of their bytes; the one that waits longest makes way for one more; 0 lifts the limit.
    unfinished_uploads_per_user: usize = UploadCapacity::default().unfinished_per_user, shown "48";
    /// Uploads of one address that wait for the rest of their bytes; one more is answered 429; 0 lifts the limit.
    unfinished_uploads_per_address: usize = UploadCapacity::default().unfinished_per_address, shown "192";
    /// Megabytes that all files together have that wait for the rest of their bytes; one more is answered 507.
    unfinished_uploads_mb: u64 = UploadCapacity::default().unfinished_bytes >> 20, shown "8192";
    /// Hours after which an upload that is not complete is removed; those of guests go two hours after their last byte.
    unfinished_upload_hours: u64 = UploadCapacity::default().unfinished_lifetime.as_secs() / 3_600, shown "72";
    /// Megabytes of free disk, in the data folder and the media folder, below which uploads are refused.
    min_free_disk_mb: u64 = UploadCapacity::default().free_disk_bytes >> 20, shown "1024";
    /// Connections at once; one more is answered 503.
    max_connections: usize = ConnectionCapacity::default().connections, shown "4096";
    /// Connections of one address at once, which does not concern trusted proxies; 0 lifts the limit.
    connections_per_address: usize = ConnectionCapacity::default().per_address, shown "512";
    /// Seconds in which the head of a request has to come in.
    request_head_seconds: u64 = ConnectionCapacity::default().head.as_secs(), shown "10";
    /// Seconds after which a connection without a request is closed; longer than a reverse proxy keeps it.
    idle_seconds: u64 = ConnectionCapacity::default().idle.as_secs(), shown "75";
    /// Kilobytes a second at which the body of a request has to come in, on average over 30 seconds.
    min_upload_kb_per_second: usize = 4, shown "4";
    /// Seconds after which a request whose body is in is answered 503.
    request_seconds: u64 = ConnectionCapacity::default().request.as_secs(), shown "300";
    /// Seconds after which a download is ended that takes next to nothing.
    stalled_download_seconds: u64 = ConnectionCapacity::default().stalled_write.as_secs(), shown "120";
    /// Megabytes that all pictures which are decoded at one moment may take together; 0 means a quarter of the machine's memory.
    decode_memory_mb: u64 = 0, shown "0";
    /// Whether pictures are read in processes of their own, which have no files, no network and no secrets: on, or off where none can be started.
    decoder_processes: Switch = Switch::On, shown "on";
    /// Megabytes of embeddings kept in memory for searches.
    search_cache_mb: usize = 512, shown "512";
    /// Megabytes of thumbnails and previews kept in memory, and as many again while they are sent; 0 reads each from the store.
    rendition_memory_mb: usize = 64, shown "64";
    /// Whether the limits below hold: on, or off for load tests.
    rate_limits: Switch = Switch::On, shown "on";
    /// Searches by selfie that the guests of one event behind one address may make in a minute; 0 lifts the limit.
    limit_searches_per_minute: u32 = LimitSettings::default().searches, shown "300";
    /// Searches by selfie that one address may make in a day, in all events; 0 lifts the limit.
    limit_searches_per_day: u32 = LimitSettings::default().daily_searches, shown "5000";
    /// Searches that are repeated without a selfie, by the guests of one event behind one address in a minute; 0 lifts the limit.
    limit_repeated_searches_per_minute: u32 = LimitSettings::default().repeated_searches, shown "1200";
    /// Logins, right or wrong, that one address may try in an hour; 0 lifts the limit.
    limit_logins_per_hour: u32 = LimitSettings::default().logins, shown "10";
    /// Registrations that one address may try in an hour; 0 lifts the limit.
    limit_registrations_per_hour: u32 = LimitSettings::default().registrations, shown "5";
    /// Mails that one address may cause, and one recipient may get on request, in an hour; 0 lifts the limit.
    limit_mails_per_hour: u32 = LimitSettings::default().mails, shown "5";
    /// Questions which photos are there already, each for up to 200, that one address may ask in a minute; 0 lifts the limit.
    limit_lookups_per_minute: u32 = LimitSettings::default().lookups, shown "240";
    /// ZIPs of chosen photos, results opened again, photos reported, hearts and pages of all photos by one address in a minute, and what live walls at one address ask, by event; 0 lifts the limit.
    limit_results_per_minute: u32 = LimitSettings::default().results, shown "120";
    /// Requests to be removed, by guests, that one address may make in a day; 0 lifts the limit.
    limit_objections_per_day: u32 = LimitSettings::default().objections, shown "5";
    /// Wrong passwords in a row after which the next attempt at an account's password has to wait, 30 s at first and up to 15 minutes; 0 lifts the limit.
    limit_wrong_passwords: u32 = LimitSettings::default().wrong_passwords, shown "5";
    /// Orders that one account may create in an hour; 0 lifts the limit.
    limit_orders_per_hour: u32 = LimitSettings::default().orders, shown "30";
    /// Coupons that one account may check in an hour; 0 lifts the limit.
    limit_coupons_per_hour: u32 = LimitSettings::default().coupons, shown "30";
    /// Exports of all its data that one account may ask for in a day; 0 lifts the limit.
    limit_exports_per_day: u32 = LimitSettings::default().exports, shown "5";
    /// Wrong PINs of events that one address may enter in an hour, and ten times as many that all addresses together may enter of one event; 0 lifts the limit.
    limit_wrong_pins_per_hour: u32 = LimitSettings::default().pins, shown "20";
    /// Questions to photographers, by guests, that one address may send in a day, ten times as many about one event and twenty times as many to one photographer; 0 lifts the limit.
    limit_questions_per_day: u32 = LimitSettings::default().questions, shown "5";
    /// Invitations to teams of events that one account may send in a day, and a quarter as many that one address may be sent by all; 0 lifts the limit.
    limit_invitations_per_day: u32 = LimitSettings::default().invitations, shown "20";
    /// User names of cameras that do not exist, by one address in an hour, and ten times as many wrong passwords for one event; 0 lifts the limit.
    limit_wrong_ftp_logins_per_hour: u32 = LimitSettings::default().ftp_logins, shown "20";
    /// Photos that guests at one address may begin to send in an hour, and ten times as many to one event; 0 lifts the limit.
    limit_guest_photos_per_hour: u32 = LimitSettings::default().guest_photos, shown "600";
    /// Address at which cameras store photos over FTP, such as 0.0.0.0:2121; none means that FTP is off.
    ftp_listen: Option<SocketAddr> = None, shown "none";
    /// Host, or host and port, that photographers are told for FTP, such as ftp.example.com:21.
    ftp_address: Option<String> = None, shown "the public URL's host, and the port listened on";
    /// Ports of FTP's data connections, which have to be open to cameras as well.
    ftp_passive_ports: String = String::from("50000-50099"), shown "50000-50099";
    /// Address of IPv4 that cameras are told for data connections; needed behind a router or in a container.
    ftp_passive_address: Option<Ipv4Addr> = None, shown "the one that the camera has reached";
    /// PEM file with the certificate, and those between it and the authority, for FTPS (explicit TLS); it is read again when it changes.
    ftp_certificate: Option<PathBuf> = None, shown "none";
    /// PEM file with its key.
    ftp_key: Option<PathBuf> = None, shown "none";
    /// Whether cameras may send passwords and photos over FTP without TLS: on or off. Many cameras know nothing else.
    ftp_plain: Switch = Switch::Off, shown "off";
    /// Whether each data connection of FTPS has to resume the TLS session of its control connection, which keeps others out: on or off. Off is for cameras whose photos are refused with 522.
    ftp_tls_resumption: Switch = Switch::On, shown "on";
    /// Connections of cameras at once.
    ftp_connections: usize = 100, shown "100";
    /// Whether webhooks may be sent to private networks and to this machine, also by plain http: on or off. To this machine they may also where the public URL is of this machine.
    private_webhooks: Switch = Switch::Off, shown "off";
    /// Addresses and networks of reverse proxies, such as 127.0.0.1,10.0.0.0/8, that say in a header whom they pass on.
    trusted_proxies: String = String::new(), shown "none";
    /// The header in which they do: x-forwarded-for or forwarded (RFC 7239); another one counts for nothing.
    forwarding_header: HeaderName = HeaderName::XForwardedFor, shown "x-forwarded-for";
    /// Bearer token that opens /metrics to other machines, and to this one where the public URL is another's; without one only this machine can read it.
    metrics_token: Option<Secret> = None, shown "none";
    /// Address at which `worker` answers /metrics, and nothing else; the rules of /metrics hold there too.
    worker_metrics_listen: Option<SocketAddr> = None, shown "none";
    /// What is logged: error, warn, info, debug, trace, or a filter such as info,app=debug.
    log: String = String::from("info"), shown "info";
    /// Form of the log: text or json.
    log_format: LogFormat = LogFormat::Text, shown "text";
}

/// Whether a setting is a text, which is taken to the letter: `12345` and `true` are texts as well.
fn is_text(name: &str) -> bool {
    const TEXTS: [&str; 6] =
        ["String", "Option<String>", "Option<Secret>", "Option<SecretUrl>", "PathBuf", "Option<PathBuf>"];
    TYPES.iter().any(|(setting, kind)| *setting == name && TEXTS.contains(kind))
}

/// What stands in a variable or behind a flag.
fn typed(name: &str, text: String) -> Value {
    if is_text(name) { Value::from(text) } else { text.parse().unwrap_or_else(|never| match never {}) }
}

/// What the environment tells `afterglow upload`, which belongs to no installation.
const OF_UPLOADS: [&str; 2] = ["token", "server"];

/// A variable of the environment that is no setting.
pub(crate) fn variable(name: &str) -> Option<String> {
    Env::prefixed(PREFIX).only(&[name]).iter().next().map(|(_, value)| value)
}

impl Settings {
    /// Reads every source, the later wins; an unknown key is an error that names it.
    pub(crate) fn read(flags: &Flags) -> Result<Self, CliError> {
        Self::read_in(Path::new(""), flags)
    }

    fn read_in(folder: &Path, flags: &Flags) -> Result<Self, CliError> {
        let named = flags.settings.clone().or_else(|| variable(FILE).map(PathBuf::from));
        let is_named = named.is_some();
        let binary = std::env::current_exe().ok();
        let text = match settings_file::path(named, folder, binary.as_deref()) {
            Some(path) => settings_file::read(&path, is_named)?,
            None => None,
        };
        if let Some(text) = &text {
            check_form(text)?;
        }
        Self::merged(text.as_deref().map(Toml::string), flags)
    }

    fn merged(file: Option<Data<Toml>>, flags: &Flags) -> Result<Self, CliError> {
        check_variables(std::env::vars_os())?;
        let mut sources = Figment::new();
        if let Some(file) = file {
            sources = sources.merge(file);
        }
        let files: Vec<String> = FROM_FILES.iter().map(|name| format!("{name}{FILE_SUFFIX}")).collect();
        let files: Vec<&str> = files.iter().map(String::as_str).collect();
        let environment = Env::prefixed(PREFIX).ignore(&files).ignore(&[FILE]).ignore(&OF_UPLOADS);
        sources = sources.merge(Environment { variables: environment.clone(), typed });
        for (key, path) in Env::prefixed(PREFIX).only(&files).iter() {
            let key = key.as_str().to_lowercase();
            let name = key.trim_end_matches(FILE_SUFFIX);
            let variable = format!("{PREFIX}{}", name.to_uppercase());
            if environment.iter().any(|(other, _)| other == name) {
                return Err(CliError::new(format!("Set either {variable} or {variable}_FILE, not both.")));
            }
            let text = std::fs::read_to_string(&path).map_err(|error| {
                CliError::context(&format!("The file of {variable}_FILE cannot be read"), &error)
            })?;
            sources = sources.merge(Serialized::default(name, text.trim_end_matches(['\r', '\n'])));
        }
        for (name, value) in flags.values() {
            sources = sources.merge(Serialized::default(name, typed(name, value.to_owned())));
        }
        let keeps_as_set = sources.contains("retention_days") && !sources.contains("longest_retention_days");
        let sources = sources.join(Serialized::defaults(Self::default()));
        let mut settings: Self =
            sources.extract().map_err(|error| CliError::new(explain(&error, is_text)))?;
        if keeps_as_set {
            // Who has set a period has promised it, and planned the disks for it: before there was a longest one, it was both.
            settings.longest_retention_days = settings.retention_days;
        }
        Ok(settings)
    }

    /// Scheme and host in links; without the setting those of this machine, with the port that is listened on.
    pub(crate) fn public_url(&self, port: u16) -> String {
        match &self.public_url {
            Some(url) => url.trim_end_matches('/').to_owned(),
            None => format!("http://localhost:{port}"),
        }
    }

    /// The database's address.
    pub(crate) fn database_url(&self) -> String {
        self.database_url
            .as_ref()
            .map(SecretUrl::reveal)
            .unwrap_or_else(|| in_data("sqlite", &self.data_dir, "afterglow.db"))
    }

    /// The media store's address.
    pub(crate) fn media_url(&self) -> String {
        self.media_url
            .as_ref()
            .map(SecretUrl::reveal)
            .unwrap_or_else(|| in_data("file", &self.data_dir, "media"))
    }

    /// The mail transport's address.
    pub(crate) fn mail_url(&self) -> String {
        self.mail_url
            .as_ref()
            .map(SecretUrl::reveal)
            .unwrap_or_else(|| in_data("outbox", &self.data_dir, "outbox"))
    }

    /// The rate limits of one address.
    pub(crate) fn limits(&self) -> LimitSettings {
        match self.rate_limits {
            Switch::Off => LimitSettings::OFF,
            Switch::On => LimitSettings {
                searches: self.limit_searches_per_minute,
                daily_searches: self.limit_searches_per_day,
                repeated_searches: self.limit_repeated_searches_per_minute,
                logins: self.limit_logins_per_hour,
                registrations: self.limit_registrations_per_hour,
                mails: self.limit_mails_per_hour,
                lookups: self.limit_lookups_per_minute,
                results: self.limit_results_per_minute,
                objections: self.limit_objections_per_day,
                wrong_passwords: self.limit_wrong_passwords,
                orders: self.limit_orders_per_hour,
                coupons: self.limit_coupons_per_hour,
                exports: self.limit_exports_per_day,
                pins: self.limit_wrong_pins_per_hour,
                questions: self.limit_questions_per_day,
                invitations: self.limit_invitations_per_day,
                ftp_logins: self.limit_wrong_ftp_logins_per_hour,
                guest_photos: self.limit_guest_photos_per_hour,
            },
        }
    }

    /// How many bytes all pictures may take that are decoded at a time.
    pub(crate) fn decode_memory(&self) -> u64 {
        match self.decode_memory_mb {
            0 => machine::memory() / 4,
            chosen => chosen.saturating_mul(1 << 20),
        }
    }

    /// How many photos are indexed at a time.
    pub(crate) fn index_workers(&self) -> usize {
        match self.index_workers {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            chosen => chosen,
        }
    }
}

fn in_data(scheme: &str, folder: &Path, name: &str) -> String {
    format!("{scheme}://{}", folder.join(name).display())
}

/// What the fuzz target `settings` does with its input; the test below replays the corpus through the same code. Whatever
/// the file says, there are settings, or one sentence about what is wrong with it.
#[cfg(any(test, fuzzing))]
pub(crate) fn fuzz(text: &[u8]) {
    let Ok(text) = std::str::from_utf8(text) else { return };
    match Settings::merged(Some(Toml::string(text)), &Flags::default()) {
        Ok(settings) => {
            let _ = (settings.database_url(), settings.media_url(), settings.mail_url());
            let _ = (settings.limits(), settings.decode_memory(), settings.index_workers());
        }
        Err(error) => assert!(!error.to_string().trim().is_empty()),
    }
}

#[cfg(test)]
mod tests;
