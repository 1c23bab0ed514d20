//! Single sign-on at a provider of OpenID Connect: the authorization code flow with PKCE, by the crate `openidconnect`.

mod client;
mod transport;

use std::sync::Arc;
use std::time::{Duration, Instant};

use domain::Timestamp;
use domain::accounts::single_sign_on::Person;
use openidconnect::core::{CoreAuthenticationFlow, CoreProviderMetadata};
use openidconnect::{
    AuthorizationCode, ClientId, ClientSecret, CsrfToken, IssuerUrl, Nonce, OAuth2TokenResponse as _,
    PkceCodeChallenge, PkceCodeVerifier, RedirectUrl, RequestTokenError, Scope,
};
use secrecy::{ExposeSecret as _, SecretString};
use tokio::sync::Mutex;

use self::client::{Client, Facts, Tokens};
use self::transport::Transport;
use crate::http::{describe, is_loopback, one_line};

/// For how long what a provider publishes of itself, and its keys, are taken from memory.
const PUBLISHED_FOR: Duration = Duration::from_secs(60 * 60);

/// What the operator has registered at the provider.
#[derive(Clone, Debug)]
pub struct ProviderSettings {
    /// Its address, as it calls itself.
    pub issuer: String,
    /// This service's name there.
    pub client_id: String,
    /// This service's secret there.
    pub client_secret: SecretString,
    /// What is asked for beside `openid`, separated by spaces.
    pub scopes: String,
    /// Where the provider sends browsers back to.
    pub redirect_url: String,
    /// The claim whose values are wanted, with dots between the names of nested ones.
    pub role_claim: Option<String>,
}

/// Why the settings cannot be used, in words.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct ProviderError(String);

/// Why nobody was proved, in words for a log: no token is in them.
#[derive(Debug, thiserror::Error)]
pub enum SignOnError {
    /// The provider does not answer, or in no way that it should.
    #[error("{0}")]
    Unavailable(String),
    /// It refuses, or what it says proves nothing.
    #[error("{0}")]
    Refused(String),
}

/// What belongs to one login, each of it random.
#[derive(Clone, Copy, Debug)]
pub struct Secrets<'a> {
    /// What the browser brings back.
    pub state: &'a str,
    /// What the ID token has to have.
    pub nonce: &'a str,
    /// The verifier of PKCE (RFC 7636).
    pub verifier: &'a str,
}

/// What a provider publishes of itself.
#[derive(Debug)]
struct Published {
    metadata: CoreProviderMetadata,
    read_at: Instant,
}

/// A provider. Clones share what it has published.
#[derive(Clone, Debug)]
pub struct Provider {
    settings: Arc<ProviderSettings>,
    issuer: IssuerUrl,
    redirect_url: RedirectUrl,
    transport: Transport,
    published: Arc<Mutex<Option<Published>>>,
}

impl Provider {
    /// A provider with these settings, which is not asked yet.
    ///
    /// # Errors
    /// When an address is none, or is not safe.
    pub fn new(settings: ProviderSettings) -> Result<Self, ProviderError> {
        let error = |text: String| ProviderError(text);
        let issuer = IssuerUrl::new(settings.issuer.clone())
            .map_err(|cause| error(format!("{} is no address: {cause}", settings.issuer)))?;
        let is_safe = issuer.url().scheme() == "https"
            || (issuer.url().scheme() == "http" && is_loopback(issuer.url()));
        if !is_safe {
            return Err(error(format!("{} has no https", settings.issuer)));
        }
        let redirect_url = RedirectUrl::new(settings.redirect_url.clone())
            .map_err(|cause| error(format!("{} is no address: {cause}", settings.redirect_url)))?;
        let transport = Transport::new(issuer.url()).map_err(error)?;
        Ok(Self { settings: Arc::new(settings), issuer, redirect_url, transport, published: Arc::default() })
    }

    /// The provider's address, as it calls itself.
    pub fn issuer(&self) -> &str {
        &self.settings.issuer
    }

    /// Where a browser goes for a login.
    ///
    /// # Errors
    /// [`SignOnError::Unavailable`]
    pub async fn begin(&self, secrets: Secrets<'_>) -> Result<String, SignOnError> {
        let client = self.client(false).await?;
        let verifier = PkceCodeVerifier::new(secrets.verifier.to_owned());
        let (state, nonce) = (secrets.state.to_owned(), secrets.nonce.to_owned());
        let mut request = client
            .authorize_url(
                CoreAuthenticationFlow::AuthorizationCode,
                move || CsrfToken::new(state),
                move || Nonce::new(nonce),
            )
            .set_pkce_challenge(PkceCodeChallenge::from_code_verifier_sha256(&verifier));
        for scope in self.settings.scopes.split_whitespace() {
            request = request.add_scope(Scope::new(scope.to_owned()));
        }
        let (url, _, _) = request.url();
        Ok(url.into())
    }

    /// Whom the code that a browser has brought back proves.
    ///
    /// # Errors
    /// [`SignOnError`]
    pub async fn finish(
        &self,
        code: &str,
        secrets: Secrets<'_>,
        now: Timestamp,
    ) -> Result<Person, SignOnError> {
        let client = self.client(false).await?;
        let tokens = self.tokens(&client, code, secrets.verifier).await?;
        let facts = match client::verify(&client, &tokens, secrets.nonce, now) {
            // The provider has other keys than an hour ago.
            Err(client::Unproved::UnknownKey) => {
                let client = self.client(true).await?;
                client::verify(&client, &tokens, secrets.nonce, now)
            }
            answer => answer,
        };
        let mut facts = facts.map_err(|error| SignOnError::Refused(one_line(&error.to_string())))?;
        let role_claim = self.settings.role_claim.as_deref();
        if facts.lacks(role_claim) {
            self.ask_for_more(&client, &tokens, &mut facts).await?;
        }
        Ok(facts.person(role_claim))
    }

    async fn tokens(&self, client: &Client, code: &str, verifier: &str) -> Result<Tokens, SignOnError> {
        let request = client
            .exchange_code(AuthorizationCode::new(code.to_owned()))
            .map_err(|error| SignOnError::Unavailable(describe(&error)))?
            .set_pkce_verifier(PkceCodeVerifier::new(verifier.to_owned()));
        request.request_async(&self.transport).await.map_err(|error| match error {
            RequestTokenError::ServerResponse(_) => SignOnError::Refused(describe(&error)),
            RequestTokenError::Request(_) | RequestTokenError::Parse(..) | RequestTokenError::Other(_) => {
                SignOnError::Unavailable(describe(&error))
            }
        })
    }

    /// What an ID token has not said may be at the provider's endpoint for it.
    async fn ask_for_more(
        &self,
        client: &Client,
        tokens: &Tokens,
        facts: &mut Facts,
    ) -> Result<(), SignOnError> {
        // A provider without such an endpoint has said what there is.
        let Ok(request) = client.user_info(tokens.access_token().clone(), Some(facts.subject())) else {
            return Ok(());
        };
        let more = request.request_async(&self.transport).await;
        facts.add(&more.map_err(|error| SignOnError::Unavailable(describe(&error)))?);
        Ok(())
    }

    /// The client of what the provider publishes, which is read anew where that is wanted or was long ago.
    async fn client(&self, anew: bool) -> Result<Client, SignOnError> {
        let mut published = self.published.lock().await;
        let metadata = match &*published {
            Some(known) if !anew && known.read_at.elapsed() < PUBLISHED_FOR => known.metadata.clone(),
            _ => {
                let read = CoreProviderMetadata::discover_async(self.issuer.clone(), &self.transport).await;
                let metadata = read.map_err(|error| SignOnError::Unavailable(describe(&error)))?;
                *published = Some(Published { metadata: metadata.clone(), read_at: Instant::now() });
                metadata
            }
        };
        drop(published);
        let secret = ClientSecret::new(self.settings.client_secret.expose_secret().to_owned());
        let id = ClientId::new(self.settings.client_id.clone());
        Ok(client::of(metadata, id, secret, self.redirect_url.clone()))
    }
}
