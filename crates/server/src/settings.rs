//! The settings: from `afterglow.toml`, then the environment, then flags; the later wins.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use app::SocialLinks;
use app::limits::LimitSettings;
use figment::Figment;
use figment::providers::{Env, Format, Serialized};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::cli::CliError;
use crate::machine;

/// The file, which is optional.
const FILE: &str = "afterglow.toml";
const PREFIX: &str = "AFTERGLOW_";

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
            $($(#[doc = $doc])+ #[arg(long, global = true, hide_short_help = true, value_name = "VALUE")] $name: Option<String>,)+
        }

        impl Flags {
            fn values(&self) -> BTreeMap<&'static str, &str> {
                let mut values = BTreeMap::new();
                $(if let Some(value) = &self.$name { values.insert(stringify!($name), value.as_str()); })+
                values
            }
        }

        /// Name, default and meaning of every setting.
        pub(crate) const TABLE: &[(&str, &str, &str)] = &[$((stringify!($name), $shown, concat!($($doc),+)),)+];
    };
}

settings! {
    /// Address to listen on; port 0 picks one and the log says which.
    listen: SocketAddr = SocketAddr::from(([127, 0, 0, 1], 8080)), shown "127.0.0.1:8080";
    /// Scheme and host in links, mails and QR codes.
    public_url: Option<String> = None, shown "http://localhost:8080 (the port is the one listened on)";
    /// Folder of everything the embedded defaults keep.
    data_dir: PathBuf = PathBuf::from("./data"), shown "./data";
    /// Database: sqlite://FILE or postgres://USER:PASSWORD@HOST/NAME.
    database_url: Option<String> = None, shown "sqlite://<data>/afterglow.db";
    /// Originals and renditions: file://FOLDER or s3://BUCKET/PREFIX (with the usual AWS_* variables).
    media_url: Option<String> = None, shown "file://<data>/media";
    /// Mail: outbox://FOLDER, smtp://USER:PASSWORD@HOST:587 or smtps://…; the outbox writes files and logs links.
    mail_url: Option<String> = None, shown "outbox://<data>/outbox";
    /// Sender of mails.
    mail_from: String = String::from("no-reply@localhost"), shown "no-reply@localhost";
    /// Whether guests can ask to be told of new photos by mail: on, off, or auto, which means with a mail server.
    tell_guests: Offer = Offer::Auto, shown "auto";
    /// Folder of the face model pack, as `make models` builds it.
    model_dir: PathBuf = PathBuf::from("./models"), shown "./models";
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
    /// Public half of the Razorpay keys; without keys the sandbox takes the place of the provider.
    razorpay_key_id: Option<String> = None, shown "none: the sandbox";
    /// Secret half of the Razorpay keys.
    razorpay_key_secret: Option<String> = None, shown "none";
    /// Secret of the Razorpay webhook; without it every webhook is refused.
    razorpay_webhook_secret: Option<String> = None, shown "none";
    /// Address of the Razorpay API, for tests.
    razorpay_api_url: String = String::from(gateway::payments::RAZORPAY_API_URL), shown "https://api.razorpay.com";
    /// Days photos are kept after an event's date or last upload; 0 keeps them for ever.
    retention_days: u32 = 30, shown "30";
    /// Days that files which belong to no photo lie in the media store's trash before they are removed for good.
    trash_days: u32 = 14, shown "14";
    /// Photos indexed at one moment; 0 means one a processor.
    index_workers: usize = 0, shown "0";
    /// Uploads judged at one moment.
    upload_workers: usize = 2, shown "2";
    /// Selfies looked at at one moment.
    search_workers: usize = 2, shown "2";
    /// Megabytes that all pictures which are decoded at one moment may take together; 0 means a quarter of the machine's memory.
    decode_memory_mb: u64 = 0, shown "0";
    /// Megabytes of embeddings kept in memory for searches.
    search_cache_mb: usize = 512, shown "512";
    /// Whether the limits below hold: on, or off for load tests.
    rate_limits: Switch = Switch::On, shown "on";
    /// Searches by selfie that one address may make in a minute; 0 lifts the limit.
    limit_searches_per_minute: u32 = LimitSettings::default().searches, shown "30";
    /// Logins, right or wrong, that one address may try in an hour; 0 lifts the limit.
    limit_logins_per_hour: u32 = LimitSettings::default().logins, shown "10";
    /// Registrations that one address may try in an hour; 0 lifts the limit.
    limit_registrations_per_hour: u32 = LimitSettings::default().registrations, shown "5";
    /// Mails that one address may cause in an hour; 0 lifts the limit.
    limit_mails_per_hour: u32 = LimitSettings::default().mails, shown "5";
    /// Questions which photos are there already, each for up to 200, that one address may ask in a minute; 0 lifts the limit.
    limit_lookups_per_minute: u32 = LimitSettings::default().lookups, shown "240";
    /// ZIPs of chosen photos, results opened again and photos reported by one address in a minute; 0 lifts the limit.
    limit_results_per_minute: u32 = LimitSettings::default().results, shown "120";
    /// Addresses and networks of reverse proxies, such as 127.0.0.1,10.0.0.0/8, that say in X-Forwarded-For (or Forwarded) whom they pass on.
    trusted_proxies: String = String::new(), shown "none";
    /// Bearer token that opens /metrics to other machines; without one only this machine can read it.
    metrics_token: Option<String> = None, shown "none";
    /// What is logged: error, warn, info, debug, trace, or a filter such as info,app=debug.
    log: String = String::from("info"), shown "info";
    /// Form of the log: text or json.
    log_format: LogFormat = LogFormat::Text, shown "text";
}

/// On or off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Switch {
    /// Enabled.
    On,
    /// Disabled.
    Off,
}

/// Whether something is offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Offer {
    /// Always.
    On,
    /// Never.
    Off,
    /// Where it can work.
    Auto,
}

/// Form of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum LogFormat {
    /// One human-readable line an event.
    Text,
    /// One JSON object an event.
    Json,
}

/// TOML by the `toml` crate that the rest uses; figment's own feature brings an older one.
struct Toml;

impl Format for Toml {
    type Error = toml::de::Error;

    const NAME: &'static str = "TOML";

    fn from_str<T: DeserializeOwned>(text: &str) -> Result<T, Self::Error> {
        toml::from_str(text)
    }
}

impl Settings {
    /// Reads every source, the later wins; an unknown key is an error that names it.
    pub(crate) fn read(flags: &Flags) -> Result<Self, CliError> {
        Self::read_from(Path::new(FILE), flags)
    }

    fn read_from(file: &Path, flags: &Flags) -> Result<Self, CliError> {
        let mut sources = Figment::from(Serialized::defaults(Self::default()));
        if file.exists() {
            sources = sources.merge(Toml::file_exact(file));
        }
        sources = sources.merge(Env::prefixed(PREFIX));
        for (name, value) in flags.values() {
            // Read as the environment is, so that `--retention-days 7` is a number.
            let value: figment::value::Value = value.parse().unwrap_or_else(|never| match never {});
            sources = sources.merge(Serialized::default(name, value));
        }
        sources.extract().map_err(|error| CliError::new(explain(&error)))
    }

    /// The database's address.
    pub(crate) fn database_url(&self) -> String {
        self.database_url.clone().unwrap_or_else(|| in_data("sqlite", &self.data_dir, "afterglow.db"))
    }

    /// The media store's address.
    pub(crate) fn media_url(&self) -> String {
        self.media_url.clone().unwrap_or_else(|| in_data("file", &self.data_dir, "media"))
    }

    /// The mail transport's address.
    pub(crate) fn mail_url(&self) -> String {
        self.mail_url.clone().unwrap_or_else(|| in_data("outbox", &self.data_dir, "outbox"))
    }

    /// The rate limits of one address.
    pub(crate) fn limits(&self) -> LimitSettings {
        match self.rate_limits {
            Switch::Off => LimitSettings::OFF,
            Switch::On => LimitSettings {
                searches: self.limit_searches_per_minute,
                logins: self.limit_logins_per_hour,
                registrations: self.limit_registrations_per_hour,
                mails: self.limit_mails_per_hour,
                lookups: self.limit_lookups_per_minute,
                results: self.limit_results_per_minute,
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

/// One sentence that names the key and where it stands.
fn explain(error: &figment::Error) -> String {
    use figment::error::Kind;
    let from_environment = error.metadata.as_ref().is_some_and(|source| source.name.contains("environment"));
    let named = |key: &str| {
        if from_environment { format!("{PREFIX}{}", key.to_uppercase()) } else { format!("`{key}`") }
    };
    let key = error.path.join(".");
    match &error.kind {
        Kind::UnknownField(field, _) => {
            let place = if from_environment { "in the environment" } else { "in afterglow.toml" };
            format!(
                "The setting {} {place} is not known. `afterglow config` lists every setting.",
                named(field)
            )
        }
        kind if key.is_empty() => format!("The settings cannot be read: {kind}."),
        kind => format!("The setting {} cannot be read: {kind}.", named(&key)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[allow(clippy::result_large_err, reason = "the closure's error is figment's own type")]
    fn read(toml: &str, environment: &[(&str, &str)], flags: &Flags) -> Result<Settings, String> {
        let mut outcome = Err(String::new());
        figment::Jail::expect_with(|jail| {
            jail.create_file("afterglow.toml", toml)?;
            for (name, value) in environment {
                jail.set_env(name, value);
            }
            outcome = Settings::read_from(&jail.directory().join("afterglow.toml"), flags)
                .map_err(|error| error.to_string());
            Ok(())
        });
        outcome
    }

    #[test]
    fn the_later_source_wins() {
        // [RUN020]
        let toml = "retention_days = 1\nsupport_email = \"toml@example.com\"\nlog = \"warn\"";
        let environment = [("AFTERGLOW_RETENTION_DAYS", "2"), ("AFTERGLOW_SUPPORT_EMAIL", "env@example.com")];
        let flags = Flags { retention_days: Some(String::from("3")), ..Flags::default() };
        let settings = read(toml, &environment, &flags).unwrap();
        assert_eq!(settings.retention_days, 3);
        assert_eq!(settings.support_email, "env@example.com");
        assert_eq!(settings.log, "warn");
    }

    #[test]
    fn unknown_keys_are_named() {
        // [RUN021] [RUN022]
        let toml = read("colour = 1", &[], &Flags::default()).unwrap_err();
        assert!(toml.contains("`colour`") && toml.contains("afterglow.toml"), "{toml}");
        let variable = read("", &[("AFTERGLOW_COLOUR", "red")], &Flags::default()).unwrap_err();
        assert!(variable.contains("AFTERGLOW_COLOUR"), "{variable}");
        let bad = read("", &[("AFTERGLOW_LISTEN", "here")], &Flags::default()).unwrap_err();
        assert!(bad.contains("AFTERGLOW_LISTEN"), "{bad}");
    }

    #[test]
    fn defaults_are_those_of_the_table() {
        // [RUN023] [RUN026] [RUN027] [RUN029] [RUN031] [RUN041] [RUN075] [RUN079] [EVT078]
        let settings = read("", &[], &Flags::default()).unwrap();
        let shown: BTreeMap<_, _> = TABLE.iter().map(|(name, default, _)| (*name, *default)).collect();
        for (name, used, default) in [
            ("listen", settings.listen.to_string(), "127.0.0.1:8080"),
            ("data_dir", settings.data_dir.display().to_string(), "./data"),
            ("model_dir", settings.model_dir.display().to_string(), "./models"),
            ("support_email", settings.support_email.clone(), "support@example.com"),
            ("retention_days", settings.retention_days.to_string(), "30"),
            ("trash_days", settings.trash_days.to_string(), "14"),
        ] {
            assert_eq!((used.as_str(), shown[name]), (default, default), "{name}");
        }
        assert_eq!(settings.database_url(), "sqlite://./data/afterglow.db");
        assert_eq!(settings.media_url(), "file://./data/media");
        assert_eq!(settings.mail_url(), "outbox://./data/outbox");
        // [RUN037]
        assert!(settings.razorpay_key_id.is_none() && settings.razorpay_key_secret.is_none());
        assert!(settings.razorpay_webhook_secret.is_none());
        for (name, default) in [
            ("limit_searches_per_minute", settings.limits().searches),
            ("limit_logins_per_hour", settings.limits().logins),
            ("limit_registrations_per_hour", settings.limits().registrations),
            ("limit_mails_per_hour", settings.limits().mails),
            ("limit_lookups_per_minute", settings.limits().lookups),
            ("limit_results_per_minute", settings.limits().results),
        ] {
            assert_eq!(default.to_string(), shown[name]);
        }
    }

    #[test]
    fn every_limit_can_be_set_and_all_be_lifted() {
        // [RUN039] [RUN040] [SAFE009]
        let own = [
            ("AFTERGLOW_LIMIT_SEARCHES_PER_MINUTE", "1"),
            ("AFTERGLOW_LIMIT_LOGINS_PER_HOUR", "2"),
            ("AFTERGLOW_LIMIT_REGISTRATIONS_PER_HOUR", "3"),
            ("AFTERGLOW_LIMIT_MAILS_PER_HOUR", "4"),
            ("AFTERGLOW_LIMIT_LOOKUPS_PER_MINUTE", "5"),
            ("AFTERGLOW_LIMIT_RESULTS_PER_MINUTE", "6"),
        ];
        let limits = read("", &own, &Flags::default()).unwrap().limits();
        let expected =
            LimitSettings { searches: 1, logins: 2, registrations: 3, mails: 4, lookups: 5, results: 6 };
        assert_eq!(limits, expected);
        assert_eq!(read("", &[], &Flags::default()).unwrap().limits(), LimitSettings::default());
        let off = read("", &[("AFTERGLOW_RATE_LIMITS", "off"), own[0]], &Flags::default()).unwrap();
        assert_eq!(off.limits(), LimitSettings::OFF);
        let neither = read("", &[("AFTERGLOW_RATE_LIMITS", "maybe")], &Flags::default()).unwrap_err();
        assert!(neither.contains("AFTERGLOW_RATE_LIMITS"), "{neither}");
    }
}
