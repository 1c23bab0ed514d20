//! The operator's settings, as far as the use cases need them.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use domain::Refusal;
use domain::accounts::EmailAddress;
use domain::accounts::single_sign_on::{Admission, Passwords};
use domain::events::keeping::Keeping;
use domain::payments::invoices::Seller;
use domain::webhooks::Reach;
use gateway::single_sign_on::{Provider, ProviderError, ProviderSettings};
use secrecy::{ExposeSecret as _, SecretString};
use subtle::ConstantTimeEq as _;

use crate::operations::runtime::capacity::{ConnectionCapacity, SearchCapacity, UploadCapacity};
use crate::operations::runtime::proxies::{self, ForwardingHeader, TrustedProxies};
use crate::operations::runtime::rate_limiter::LimitSettings;

/// Where a provider of single sign-on sends browsers back to.
const CALLBACK: &str = "/api/auth/oidc/callback";

/// What computing the hash of a password costs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PasswordCost {
    /// What OWASP recommends: 19 MiB of memory and two passes.
    #[default]
    Recommended,
    /// Hardly any, for tests, most of which need an account and not the price of its password.
    Low,
}

/// What the service is called where the operator says nothing else.
pub const SITE_NAME: &str = "Afterglow";

/// A text of the service, which says its usual name, with another one. No text that somebody has entered is changed so.
pub(crate) fn named(text: &str, site_name: &str) -> String {
    text.replace(SITE_NAME, site_name)
}

/// The operator's settings, as far as the use cases need them.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Scheme and host of every link, without a trailing slash.
    pub public_url: String,
    /// Scheme and host of a cache in front of this server, in the links of renditions; without one they lead to the store, or
    /// to this server, and only their browser may keep what they lead to.
    pub files_url: Option<String>,
    /// What the service is called wherever guests and mails see it.
    pub site_name: String,
    /// Whether the page of a studio's event says what the service is called.
    pub names_itself: bool,
    /// Whether studios may have host names of their own, for which the operator's proxy gets certificates.
    pub studio_hosts: bool,
    /// The name server that is asked for the records of such hosts; none for those of the system.
    pub dns_server: Option<SocketAddr>,
    /// The sender of mails.
    pub mail_from: EmailAddress,
    /// Where contact messages go.
    pub support_email: EmailAddress,
    /// The operator's social media pages.
    pub social: SocialLinks,
    /// Who receives the payments, as receipts show it.
    pub operator: Operator,
    /// Who is named on invoices under the goods and services tax; without one there are none.
    pub seller: Option<Seller>,
    /// Whether guests can ask to be told of new photos by mail.
    pub tells_guests: bool,
    /// For how long photos are kept.
    pub keeping: Keeping,
    /// Days for which files that belong to no photo lie in the trash.
    pub trash_days: u32,
    /// A folder for unfinished uploads, whose files are useless after a restart.
    pub incoming_dir: PathBuf,
    /// What computing the hash of a password costs.
    pub password_cost: PasswordCost,
    /// After how long without use a session expires.
    pub session_lifetime: Duration,
    /// For how long signed links are valid.
    pub link_lifetime: Duration,
    /// How many photos are indexed at once.
    pub index_workers: usize,
    /// How many uploads are inspected at once.
    pub inspections: usize,
    /// In how many selfies faces are detected at once.
    pub searches: usize,
    /// Which searches are let in.
    pub search_capacity: SearchCapacity,
    /// Which uploads are let in.
    pub upload_capacity: UploadCapacity,
    /// Which connections are let in, and how long they may keep the service waiting.
    pub connection_capacity: ConnectionCapacity,
    /// How many bytes all pictures that are decoded at once may take.
    pub decode_memory_bytes: u64,
    /// How many bytes of embeddings are cached for searches.
    pub index_cache_bytes: usize,
    /// How many bytes of renditions are cached, and how many more are in memory while they are sent.
    pub rendition_memory_bytes: usize,
    /// The rate limits of one address.
    pub limits: LimitSettings,
    /// Whether webhooks may be sent to private networks.
    pub private_webhooks: bool,
    /// Gives other machines access to `/metrics`; without one only this machine has it.
    pub metrics_token: Option<SecretString>,
    /// The reverse proxies whose forwarding header is trusted.
    pub trusted_proxies: TrustedProxies,
    /// Their forwarding header.
    pub forwarding_header: ForwardingHeader,
    /// Where cameras send photos over FTP; none while that is off.
    pub ftp: Option<FtpService>,
    /// The provider at which people log in; none where they have passwords alone.
    pub single_sign_on: Option<SingleSignOn>,
    /// Every setting of the program, as administrators are shown it.
    pub in_force: Vec<SettingInForce>,
}

/// A provider at which people log in, and what its word is good for here.
#[derive(Clone, Debug)]
pub struct SingleSignOn {
    /// Its address, as it calls itself.
    pub issuer: String,
    /// This service's name there.
    pub client_id: String,
    /// This service's secret there.
    pub client_secret: SecretString,
    /// What is asked for beside `openid`, separated by spaces.
    pub scopes: String,
    /// What the button says.
    pub label: String,
    /// What makes an administrator; without it roles are as they are set here.
    pub administrators: Option<RoleClaim>,
    /// Whether there are passwords too.
    pub passwords: Passwords,
    /// Who gets in whom nobody here knows.
    pub admission: Admission,
    /// The ways to log in there that count as a second factor here.
    pub second_factors: Vec<String>,
}

/// A claim that makes an administrator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoleClaim {
    /// Its name, with dots between the names of nested ones.
    pub name: String,
    /// The value that does.
    pub value: String,
}

/// Where cameras send photos over FTP, as photographers are told it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FtpService {
    /// The host.
    pub host: String,
    /// The port.
    pub port: u16,
    /// Whether it speaks TLS.
    pub encryption: FtpEncryption,
}

/// Whether FTP is encrypted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FtpEncryption {
    /// Cameras have to.
    Required,
    /// Cameras may.
    Offered,
    /// Nothing is: passwords and photos can be read on their way.
    None,
}

/// A setting as it is shown: no secret is in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingInForce {
    /// Its name in afterglow.toml.
    pub name: &'static str,
    /// Its environment variable.
    pub variable: String,
    /// What is in force.
    pub value: String,
    /// What is in force when nothing is set, in words.
    pub default: &'static str,
    /// Whether what is in force is not the default.
    pub is_changed: bool,
    /// What it does.
    pub meaning: &'static str,
}

/// Who receives the payments, as receipts show it; what is empty is left out.
#[derive(Clone, Debug, Default)]
pub struct Operator {
    /// The name of the person or company.
    pub name: String,
    /// The address, in one or more lines.
    pub address: String,
    /// The tax number, such as a GSTIN.
    pub tax_number: String,
}

/// The URLs of the operator's social media pages.
#[derive(Clone, Debug)]
pub struct SocialLinks {
    /// On Facebook.
    pub facebook: String,
    /// On Instagram.
    pub instagram: String,
    /// On X.
    pub x: String,
    /// On LinkedIn.
    pub linkedin: String,
}

impl Default for SocialLinks {
    fn default() -> Self {
        Self {
            facebook: String::from("https://www.facebook.com/"),
            instagram: String::from("https://www.instagram.com/"),
            x: String::from("https://x.com/"),
            linkedin: String::from("https://www.linkedin.com/"),
        }
    }
}

impl Settings {
    /// Whether the public URL is one of this machine: no proxy is in front of it.
    pub fn is_local(&self) -> bool {
        proxies::is_local(&self.public_url)
    }

    /// How far webhooks are sent: to this machine too where the service itself is tried out on it.
    pub fn webhook_reach(&self) -> Reach {
        match (self.private_webhooks, self.is_local()) {
            (true, _) => Reach::Private,
            (false, true) => Reach::Loopback,
            (false, false) => Reach::Public,
        }
    }

    /// The provider at which people log in.
    ///
    /// # Errors
    /// When its address is none, or is not safe.
    pub fn provider(&self) -> Option<Result<Provider, ProviderError>> {
        let settings = self.single_sign_on.as_ref()?;
        Some(Provider::new(ProviderSettings {
            issuer: settings.issuer.clone(),
            client_id: settings.client_id.clone(),
            client_secret: settings.client_secret.clone(),
            scopes: settings.scopes.clone(),
            redirect_url: format!("{}{CALLBACK}", self.public_url),
            role_claim: settings.administrators.as_ref().map(|claim| claim.name.clone()),
        }))
    }

    /// Whether people log in with passwords.
    pub fn has_passwords(&self) -> bool {
        self.single_sign_on.as_ref().is_none_or(|provider| provider.passwords == Passwords::Beside)
    }

    /// Refuses what concerns passwords where there are none.
    pub(crate) fn check_passwords(&self) -> Result<(), Refusal> {
        if self.has_passwords() { Ok(()) } else { Err(Refusal::PasswordsOff) }
    }

    /// Whether a second factor that was given to the provider counts here.
    pub(crate) fn trusts_second_factors(&self) -> bool {
        self.single_sign_on.as_ref().is_some_and(|provider| !provider.second_factors.is_empty())
    }

    /// Whether this is the token for `/metrics`; compared in constant time.
    pub fn is_metrics_token(&self, candidate: &str) -> bool {
        let token = self.metrics_token.as_ref();
        token.is_some_and(|token| token.expose_secret().as_bytes().ct_eq(candidate.as_bytes()).into())
    }

    /// The public URL of an event.
    pub fn event_url(&self, slug: &str) -> String {
        format!("{}/event/{slug}", self.public_url)
    }
}
