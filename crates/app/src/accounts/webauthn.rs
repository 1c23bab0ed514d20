//! What a browser and a passkey are asked, and whether they have answered it (W3C Web Authentication, Level 3; decisions 0070 and 0077).

mod ceremonies;
mod encoding;
mod keys;
mod party;
#[cfg(test)]
mod vectors;

use domain::accounts::passkeys::{CHALLENGE_LIFETIME, Purpose};
use domain::accounts::tokens;
use domain::{PasskeyId, UserId};
use storage::accounts::passkeys;

pub(crate) use ceremonies::NewCredential;
pub(crate) use encoding::encode;
pub(crate) use party::RelyingParty;

use ceremonies::{Answer, Drawn, Verdict};
use encoding::decode_all;

use crate::operations::runtime::queue::Tx;
use crate::{App, Result};

/// What a browser asks the passkeys of an account for. All of it is text, as it is sent.
pub struct Question {
    /// Drawn for this question, and good for one answer.
    pub challenge: String,
    /// The name that passkeys are bound to.
    pub rp_id: String,
    /// The credential ids of the account's passkeys, in base64url.
    pub credentials: Vec<String>,
}

/// What a passkey has answered, each part in base64url.
pub struct Assertion {
    /// The credential's id.
    pub id: String,
    /// What the browser says of the question.
    pub client_data_json: String,
    /// What the authenticator says of itself.
    pub authenticator_data: String,
    /// Its signature of both.
    pub signature: String,
    /// Whose credential it is; empty where the authenticator does not say so.
    pub user_handle: String,
}

/// What a browser has sent of a new passkey, each part in base64url.
pub struct Attestation {
    /// What the browser says of the question.
    pub client_data_json: String,
    /// The credential, and what vouches for it.
    pub attestation_object: String,
}

/// What the answer of a passkey has proved.
pub(crate) enum Proof {
    /// Nothing.
    Nothing,
    /// That there are two of the passkey.
    Copied,
    /// That its owner has it.
    Used {
        id: PasskeyId,
        /// What its authenticator has counted.
        sign_count: i64,
    },
}

/// Who passkeys are made for here; none where the public URL can have none.
pub(crate) fn party(app: &App) -> Option<RelyingParty> {
    RelyingParty::of(&app.settings.public_url)
}

/// Asks for a new passkey; answers the challenge.
pub(crate) async fn ask_for_new(
    app: &App,
    tx: &mut Tx,
    user: UserId,
    party: &RelyingParty,
) -> Result<String> {
    let drawn = ceremonies::draw_registration(party, &user_handle(user))?;
    keep(app, tx, user, Purpose::Registration, drawn).await
}

/// Keeps a question until it is answered; answers its challenge.
async fn keep(app: &App, tx: &mut Tx, user: UserId, purpose: Purpose, drawn: Drawn) -> Result<String> {
    let (hash, now) = (tokens::hash_token(&drawn.challenge), app.now());
    let expires_at = now.plus(CHALLENGE_LIFETIME);
    passkeys::begin(tx, user, purpose, &hash, &drawn.state, now, expires_at).await?;
    Ok(drawn.challenge)
}

/// Asks the passkeys of an account; none where it has none, or the public URL can have none.
pub(crate) async fn ask(app: &App, user: UserId, purpose: Purpose) -> Result<Option<Question>> {
    let Some(party) = party(app) else { return Ok(None) };
    let mut own = passkeys::list(&app.db, user).await?;
    own.retain(ceremonies::can_answer);
    if own.is_empty() {
        return Ok(None);
    }
    let mut tx = app.begin().await?;
    let challenge = keep(app, &mut tx, user, purpose, ceremonies::draw(&party)?).await?;
    tx.commit().await?;
    let credentials = own.iter().map(|passkey| encode(&passkey.credential_id)).collect();
    Ok(Some(Question { challenge, rp_id: party.id, credentials }))
}

/// What the answer of a passkey of an account to a question for this purpose has proved. The challenge is good no more.
pub(crate) async fn check(app: &App, user: UserId, assertion: &Assertion, purpose: Purpose) -> Result<Proof> {
    let parts = [
        &assertion.id,
        &assertion.client_data_json,
        &assertion.authenticator_data,
        &assertion.signature,
        &assertion.user_handle,
    ];
    let (Some(party), Some([id, client_data, authenticator_data, signature, handle])) =
        (party(app), decode_all(parts))
    else {
        return Ok(Proof::Nothing);
    };
    let Some(state) = take(app, user, &client_data, purpose).await? else { return Ok(Proof::Nothing) };
    // Of this account alone: another's passkey is none.
    let own = passkeys::list(&app.db, user).await?;
    let Some(passkey) = own.into_iter().find(|passkey| passkey.credential_id == id) else {
        return Ok(Proof::Nothing);
    };
    if !handle.is_empty() && handle != user_handle(user) {
        return Ok(Proof::Nothing);
    }
    let answer =
        Answer { client_data: &client_data, authenticator_data: &authenticator_data, signature: &signature };
    Ok(match ceremonies::verdict(&party, &state, &passkey, &answer)? {
        Verdict::Wrong => Proof::Nothing,
        Verdict::Copied => Proof::Copied,
        Verdict::Right(count) => Proof::Used { id: passkey.id, sign_count: i64::from(count) },
    })
}

/// The credential of a new passkey; none where the answer is none to a question of this account for one. The challenge is good
/// no more.
pub(crate) async fn check_new(
    app: &App,
    user: UserId,
    attestation: &Attestation,
) -> Result<Option<NewCredential>> {
    let parts = [&attestation.client_data_json, &attestation.attestation_object];
    let (Some(party), Some([client_data, object])) = (party(app), decode_all(parts)) else {
        return Ok(None);
    };
    let Some(state) = take(app, user, &client_data, Purpose::Registration).await? else { return Ok(None) };
    ceremonies::new_credential(&party, &state, &client_data, &object)
}

/// Takes the challenge that was answered, whatever is wrong with the answer, and answers the state of its question.
async fn take(app: &App, user: UserId, client_data: &[u8], purpose: Purpose) -> Result<Option<String>> {
    let Some(challenge) = ceremonies::challenge_of(client_data) else { return Ok(None) };
    let mut tx = app.begin().await?;
    let state = passkeys::take(&mut tx, user, purpose, &tokens::hash_token(&challenge), app.now()).await?;
    tx.commit().await?;
    Ok(state)
}

/// By which an authenticator knows an account; it tells nothing of the person.
pub(crate) fn user_handle(user: UserId) -> Vec<u8> {
    user.to_string().into_bytes()
}
