//! Which ZIPs are let in, before their photos are looked up.

use std::net::IpAddr;
use std::time::Duration;

use domain::Refusal;

use crate::operations::runtime::keyed_slots::KeyedSlot;
use crate::operations::runtime::limits::block_of;
use crate::{App, Result};

/// When an address to which as many are sent as may be may try again.
const RETRY_AFTER: Duration = Duration::from_secs(10);

/// A ZIP that is let in, whose address has its turn to have one laid out.
pub struct ArchiveAdmission {
    place: ArchivePlace,
    _turn: KeyedSlot<IpAddr>,
}

/// One of the places of an address to which ZIPs are sent, until it is dropped.
pub struct ArchivePlace {
    _of_address: KeyedSlot<IpAddr>,
}

/// Lets a ZIP of this address in, or refuses it at once. It may wait for others of the same address to be laid out.
///
/// # Errors
/// [`Refusal::TooMany`] while as many are sent to this address, or wait for that, as may be.
pub async fn admit(app: &App, address: IpAddr) -> Result<ArchiveAdmission> {
    let (slots, address) = (&app.concurrency, block_of(address));
    let too_many = Refusal::TooMany { retry_after: RETRY_AFTER };
    let place = slots.archives_by_address.enter(address).ok_or_else(|| too_many.clone())?;
    let turn = slots.archive_turns.enter(address).ok_or(too_many)?.wait().await?;
    Ok(ArchiveAdmission { place: ArchivePlace { _of_address: place }, _turn: turn })
}

impl ArchiveAdmission {
    /// What is kept while the ZIP is sent: the next one of the address has its turn.
    pub fn laid_out(self) -> ArchivePlace {
        self.place
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::timeout;

    use super::*;
    use crate::Failure;
    use crate::accounts::exports;
    use crate::guests::archives;

    const SOON: Duration = Duration::from_millis(50);
    const HOME: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(192, 0, 2, 1));
    const ELSEWHERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(192, 0, 2, 2));

    /// Why a ZIP that nobody has is not there.
    async fn refusals(app: &App) -> [Option<Refusal>; 2] {
        let refusal = |failure| match failure {
            Failure::Refused(refusal) => Some(refusal),
            _ => None,
        };
        let of_guests = archives::archive(app, "unknown").await.err().and_then(refusal);
        [of_guests, exports::archive(app, "unknown").await.err().and_then(refusal)]
    }

    #[tokio::test]
    async fn so_many_zips_are_laid_out_and_wait_for_that_at_once() {
        // [SAFE482]
        for database in storage::testing::engines().await {
            let incoming = tempfile::tempdir().unwrap();
            let app = App::new(crate::testing::parts(database.db.clone(), incoming.path())).await.unwrap();
            let mut laid_out = Vec::new();
            while let Ok(slot) = timeout(SOON, app.concurrency.archive_slot()).await {
                laid_out.push(slot.unwrap());
            }
            assert_eq!(laid_out.len(), 4);
            assert!(timeout(SOON, exports::archive(&app, "unknown")).await.is_err(), "it did not wait");
            let waiting: Vec<_> = std::iter::from_fn(|| app.concurrency.archives.enter(())).collect();
            assert_eq!(waiting.len(), 256);
            // Whether a guest's is large is known by its token.
            assert_eq!(refusals(&app).await, [Some(Refusal::DownloadNotFound), Some(Refusal::Busy)]);
            drop(waiting);
            laid_out.pop();
            assert_eq!(
                refusals(&app).await,
                [Some(Refusal::DownloadNotFound), Some(Refusal::ExportNotFound)]
            );
        }
    }

    #[tokio::test]
    async fn an_address_does_not_have_all_zips_laid_out_that_may_be_at_once() {
        // [SAFE482]
        for database in storage::testing::engines().await {
            let incoming = tempfile::tempdir().unwrap();
            let app = App::new(crate::testing::parts(database.db.clone(), incoming.path())).await.unwrap();
            let mut admitted = Vec::new();
            while let Ok(admission) = timeout(SOON, admit(&app, HOME)).await {
                admitted.push(admission.unwrap());
            }
            assert_eq!(admitted.len(), 3);
            let first = admitted.remove(0);
            assert!(timeout(SOON, admit(&app, HOME)).await.is_err(), "it did not wait");
            admit(&app, ELSEWHERE).await.unwrap();
            let _sent = first.laid_out();
            admit(&app, HOME).await.unwrap();
        }
    }
}
