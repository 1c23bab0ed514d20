//! The own host names of studios.

use domain::UserId;
use domain::studio::hosts::HostName;
use storage::studio::hosts::{self, ProvedHost};

use crate::world::{DAY, NOON, World, worlds};

fn name(text: &str) -> HostName {
    HostName::parse(text, "photos.example.com").unwrap()
}

fn proved(owner: UserId) -> ProvedHost {
    ProvedHost { owner, name: name("bilder.example") }
}

async fn studio(world: &World, email: &str) -> UserId {
    let user = world.user(email).await;
    world.open_studio(user).await;
    user
}

#[tokio::test]
async fn a_host_is_of_the_studio_that_has_proved_it() {
    // [BRAND051]
    for world in worlds().await {
        let db = &world.db;
        let without = world.user("none@example.com").await;
        assert!(!hosts::save(db, without, &name("a.example"), "t0").await.unwrap(), "there is no studio");
        let (a, b) = (studio(&world, "a@example.com").await, studio(&world, "b@example.com").await);
        for (user, token) in [(a, "t1"), (b, "t2")] {
            assert!(hosts::save(db, user, &name("bilder.example"), token).await.unwrap());
        }
        let named = hosts::of_user(db, a).await.unwrap().unwrap();
        assert_eq!((named.name, named.token.as_str(), named.proved_at), (name("bilder.example"), "t1", None));
        assert_eq!(hosts::proved(db).await.unwrap(), []);
        assert_eq!(hosts::holder(db, &name("bilder.example")).await.unwrap(), None);

        assert!(hosts::set_seen(db, a, "t1", NOON).await.unwrap());
        assert!(!hosts::set_seen(db, b, "t2", NOON).await.unwrap(), "it is of the other one");
        assert!(hosts::set_seen(db, a, "t1", NOON.plus(DAY)).await.unwrap());
        let seen = hosts::of_user(db, a).await.unwrap().unwrap();
        assert_eq!((seen.proved_at, seen.seen_at), (Some(NOON), Some(NOON.plus(DAY))));
        assert_eq!(hosts::proved(db).await.unwrap(), [proved(a)]);
        assert_eq!(hosts::holder(db, &name("bilder.example")).await.unwrap(), Some(a));

        // What was asked of DNS before another name was given says nothing of that one.
        assert!(hosts::save(db, a, &name("fotos.example"), "t3").await.unwrap());
        assert!(hosts::set_seen(db, a, "t1", NOON).await.unwrap());
        assert_eq!(hosts::proved(db).await.unwrap(), []);
        assert!(hosts::set_seen(db, b, "t2", NOON).await.unwrap());
        hosts::set_lost(db, b, "t1").await.unwrap();
        assert_eq!(hosts::proved(db).await.unwrap(), [proved(b)]);
        hosts::set_lost(db, b, "t2").await.unwrap();
        assert_eq!(hosts::proved(db).await.unwrap(), []);

        assert!(hosts::set_seen(db, b, "t2", NOON).await.unwrap());
        let mut tx = world.begin().await;
        storage::accounts::users::close(&mut tx, b, NOON).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!((hosts::proved(db).await.unwrap(), hosts::of_user(db, b).await.unwrap()), (vec![], None));
        hosts::delete(db, a).await.unwrap();
        assert_eq!(hosts::of_user(db, a).await.unwrap(), None);
    }
}
