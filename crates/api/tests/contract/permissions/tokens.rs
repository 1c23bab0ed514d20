//! What callers present who are no session of a verified account.

use super::scene::Account;
use crate::harness::World;
use crate::hostile::{expired_session, session};

pub(super) struct Tokens {
    pub(super) unverified: String,
    pub(super) expired: String,
    pub(super) revoked: String,
    pub(super) upload: String,
    pub(super) full: String,
}

impl Tokens {
    pub(super) async fn of(world: &World, owner: &Account) -> Self {
        let unverified = Account::unverified(world).await;
        let revoked = session(world, owner.id).await;
        let ended = world.post("/api/auth/logout", &revoked, serde_json::json!({})).await;
        assert_eq!(ended.status, 200);
        Self {
            unverified: session(world, unverified.id).await,
            expired: expired_session(world, owner.id).await,
            revoked,
            upload: api_token(world, owner, "upload").await,
            full: api_token(world, owner, "all").await,
        }
    }
}

async fn api_token(world: &World, owner: &Account, scope: &str) -> String {
    crate::api_tokens::make(world, &session(world, owner.id).await, scope).await
}
