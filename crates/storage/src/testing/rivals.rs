//! Two transactions at once, in every order that their locks allow.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::sync::Notify;

/// How long a rival has before it counts as waiting for a lock of the transaction that it came into.
const PATIENCE: Duration = Duration::from_millis(200);

tokio::task_local! {
    static PAUSE: Arc<Pause>;
}

struct Pause {
    place: usize,
    begun: AtomicUsize,
    reached: Notify,
    continued: Notify,
}

/// Waits where the statement of this task is the one that a rival comes before.
pub(crate) async fn before_statement() {
    let Ok(pause) = PAUSE.try_with(Arc::clone) else { return };
    if pause.begun.fetch_add(1, Ordering::Relaxed) == pause.place {
        pause.reached.notify_one();
        pause.continued.notified().await;
    }
}

/// What two rivals answered.
#[derive(Debug)]
pub struct Rivalry<A, B> {
    /// What the first one answered.
    pub first: A,
    /// What the one that came in between answered.
    pub rival: B,
    /// Whether the first one has as many statements; the rival came after it otherwise.
    pub is_between: bool,
}

/// Performs `first`, and `rival` before its statement number `place`, from 0 with BEGIN and COMMIT counted. Where the rival waits
/// for a lock of the first one, that goes on.
pub async fn rival_before<A, B>(
    place: usize,
    first: impl Future<Output = A>,
    rival: impl Future<Output = B>,
) -> Rivalry<A, B> {
    let (reached, continued) = (Notify::new(), Notify::new());
    let pause = Arc::new(Pause { place, begun: AtomicUsize::new(0), reached, continued });
    let first = async {
        let answer = PAUSE.scope(Arc::clone(&pause), first).await;
        pause.reached.notify_one();
        answer
    };
    let rival = async {
        pause.reached.notified().await;
        tokio::pin!(rival);
        let early = tokio::time::timeout(PATIENCE, &mut rival).await;
        pause.continued.notify_one();
        match early {
            Ok(answer) => answer,
            Err(_) => rival.await,
        }
    };
    let (first, rival) = tokio::join!(first, rival);
    Rivalry { first, rival, is_between: pause.begun.load(Ordering::Relaxed) > place }
}
