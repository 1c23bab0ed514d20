//! API tokens.

use domain::accounts::api_tokens::{RECORD_USE_AFTER, Scope};
use domain::accounts::tokens::hash_token;
use domain::{ApiTokenId, DAY, Timestamp, UserId};
use storage::accounts::api_tokens::{self, NewApiToken};
use storage::accounts::users;

use crate::world::{World, worlds};

async fn make(world: &World, user: UserId, text: &str, scope: Scope) -> (ApiTokenId, Timestamp) {
    let created_at = world.now();
    let new = NewApiToken {
        id: world.id(),
        hash: hash_token(text),
        user,
        name: text.to_owned(),
        scope,
        created_at,
        expires_at: (scope == Scope::All).then(|| created_at.plus(DAY)),
    };
    let mut tx = world.begin().await;
    api_tokens::create(&mut tx, &new).await.unwrap();
    tx.commit().await.unwrap();
    world.clock.advance(DAY);
    (new.id, created_at)
}

async fn names(world: &World, user: UserId) -> Vec<String> {
    let listed = api_tokens::list(&world.db, user).await.unwrap();
    listed.into_iter().map(|token| token.name).collect()
}

#[tokio::test]
async fn tokens_are_found_by_their_hash_and_listed_newest_first() {
    // [AUTH133] [AUTH120] [AUTH134]
    for world in worlds().await {
        let (user, other) = (world.user("a@example.com").await, world.user("b@example.com").await);
        let (first, created_at) = make(&world, user, "first", Scope::All).await;
        make(&world, user, "second", Scope::Upload).await;
        make(&world, other, "other", Scope::Upload).await;
        assert_eq!(names(&world, user).await, ["second", "first"]);

        let find = async |text: &str| api_tokens::find(&world.db, &hash_token(text)).await.unwrap();
        let found = find("first").await.unwrap();
        assert_eq!((found.id, found.scope, found.user.id), (first, Scope::All, user));
        assert_eq!((found.expires_at, found.last_used_at), (Some(created_at.plus(DAY)), None));
        assert_eq!(find("second").await.unwrap().expires_at, None);
        assert!(find("third").await.is_none());

        let used = world.now();
        for (after, recorded) in
            [(RECORD_USE_AFTER / 2, used), (RECORD_USE_AFTER, used.plus(RECORD_USE_AFTER))]
        {
            let mut tx = world.begin().await;
            api_tokens::record_use(&mut tx, first, used, used.minus(RECORD_USE_AFTER)).await.unwrap();
            let now = used.plus(after);
            api_tokens::record_use(&mut tx, first, now, now.minus(RECORD_USE_AFTER)).await.unwrap();
            tx.commit().await.unwrap();
            assert_eq!(find("first").await.unwrap().last_used_at, Some(recorded));
        }
        let listed = api_tokens::list(&world.db, user).await.unwrap();
        assert_eq!(listed[1].created_at, created_at);
        assert_eq!(listed[0].last_used_at, None, "each for itself");
    }
}

#[tokio::test]
async fn tokens_end_one_by_one_or_with_their_account() {
    // [AUTH137] [AUTH140] [ACC052]
    for world in worlds().await {
        let (user, other) = (world.user("a@example.com").await, world.user("b@example.com").await);
        let (first, _) = make(&world, user, "first", Scope::All).await;
        for name in ["second", "third"] {
            make(&world, user, name, Scope::Upload).await;
        }
        make(&world, other, "other", Scope::Upload).await;
        let mut tx = world.begin().await;
        assert!(!api_tokens::delete(&mut tx, other, first).await.unwrap(), "another account's");
        assert!(api_tokens::delete(&mut tx, user, first).await.unwrap());
        assert!(!api_tokens::delete(&mut tx, user, first).await.unwrap());
        tx.commit().await.unwrap();
        assert_eq!(names(&world, user).await, ["third", "second"]);

        let mut tx = world.begin().await;
        assert_eq!(api_tokens::delete_all(&mut tx, user).await.unwrap(), 2);
        assert!(users::close(&mut tx, other, world.now()).await.unwrap());
        tx.commit().await.unwrap();
        assert!(names(&world, user).await.is_empty());
        assert!(names(&world, other).await.is_empty());
    }
}
