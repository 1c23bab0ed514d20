//! Which pictures the service has already, by the hashes of their bytes (decision 0011).

use std::collections::{HashMap, HashSet};
use std::io::Read as _;
use std::path::Path;
use std::sync::Arc;

use domain::operations::runtime::texts::folded;
use gateway::photo_uploads::ServiceError;
use tokio::sync::mpsc::{Receiver, Sender};

use super::destination::Destination;
use super::pictures::{Claim, Picture};

/// How many hashes one call asks for. It may be more; the first photo waits until so many files are read.
const AT_ONCE: usize = 50;
/// How many bytes are read at once.
const CHUNK: usize = 1024 * 1024;

/// A picture whose bytes were read once.
#[derive(Clone, Debug)]
pub(super) struct Hashed {
    pub(super) picture: Picture,
    /// BLAKE3, in hexadecimal.
    pub(super) hash: String,
    /// Whether it takes the place of the photo that it is a version of.
    pub(super) replaces: bool,
}

/// What became of the question about a picture.
pub(super) enum Looked {
    /// Its bytes are there.
    There(Picture),
    /// They are not.
    New(Hashed),
    Unreadable(Picture, std::io::Error),
    /// Nothing can be asked.
    Stop(ServiceError),
}

/// Looks each batch of pictures up, until there are no more of them, or nobody wants to know.
pub(super) async fn look_up(
    destination: Arc<Destination>,
    mut pictures: Receiver<Vec<Picture>>,
    found: Sender<Looked>,
) {
    while let Some(batch) = pictures.recv().await {
        for part in batch.chunks(AT_ONCE) {
            if look_up_part(&destination, part, &found).await.is_none() {
                return;
            }
        }
    }
}

/// None when nobody listens any more.
async fn look_up_part(destination: &Destination, part: &[Picture], found: &Sender<Looked>) -> Option<()> {
    let mut hashed = Vec::with_capacity(part.len());
    for picture in part.iter().cloned() {
        let path = picture.path.clone();
        match tokio::task::spawn_blocking(move || hash(&path)).await.ok()? {
            Ok(hash) => hashed.push(Hashed { picture, hash, replaces: false }),
            Err(error) => found.send(Looked::Unreadable(picture, error)).await.ok()?,
        }
    }
    let known = match decide(destination, &mut hashed).await {
        Ok(known) => known,
        Err(error) => return found.send(Looked::Stop(error)).await.ok(),
    };
    for each in hashed {
        let looked = if known.contains(&each.hash) { Looked::There(each.picture) } else { Looked::New(each) };
        found.send(looked).await.ok()?;
    }
    Some(())
}

/// Decides which of them take the place of a photo, and answers the hashes of those whose bytes are there.
async fn decide(destination: &Destination, hashed: &mut [Hashed]) -> Result<HashSet<String>, ServiceError> {
    let claims: Vec<Claim> = hashed.iter().map(|each| destination.claim_of(&each.picture)).collect();
    let names = hashed.iter().zip(&claims).filter(|(_, claim)| **claim == Claim::Namesake);
    let names: Vec<String> = names.map(|(each, _)| each.picture.name()).collect();
    let versions = match names.is_empty() {
        true => HashMap::new(),
        false => {
            let asked: Vec<&str> = names.iter().map(String::as_str).collect();
            destination.persist(|| destination.service.versions(&destination.event, &asked)).await?
        }
    };
    for (each, claim) in hashed.iter_mut().zip(claims) {
        let name = each.picture.name();
        each.replaces = match claim {
            Claim::Any => true,
            Claim::Namesake => versions.get(&name).is_some_and(|there| folded(there) == folded(&name)),
            Claim::Nothing => false,
        };
    }
    let mut known = HashSet::new();
    // Bytes that were replaced themselves are there for all but those that replace.
    for replaces in [false, true] {
        let hashes = hashed.iter().filter(|each| each.replaces == replaces);
        let hashes: Vec<&str> = hashes.map(|each| each.hash.as_str()).collect();
        if !hashes.is_empty() {
            let ask = || destination.service.known(&destination.event, &hashes, replaces);
            known.extend(destination.persist(ask).await?);
        }
    }
    Ok(known)
}

fn hash(path: &Path) -> std::io::Result<String> {
    let mut file = std::fs::File::open(path)?;
    let mut hasher = blake3::Hasher::new();
    let mut chunk = vec![0; CHUNK];
    loop {
        let length = file.read(&mut chunk)?;
        if length == 0 {
            return Ok(hasher.finalize().to_hex().to_string());
        }
        hasher.update(&chunk[..length]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_is_that_of_the_service() {
        // [UPL174]
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.jpg");
        let bytes: Vec<u8> = (0..CHUNK + 10).map(|at| u8::try_from(at % 251).unwrap()).collect();
        std::fs::write(&path, &bytes).unwrap();
        assert_eq!(hash(&path).unwrap(), blake3::hash(&bytes).to_hex().as_str());
        assert!(hash(&folder.path().join("none")).is_err());
    }
}
