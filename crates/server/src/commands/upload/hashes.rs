//! Which pictures the service has already, by the hashes of their bytes (decision 0011).

use std::collections::HashSet;
use std::io::Read as _;
use std::path::Path;
use std::sync::Arc;

use domain::operations::runtime::texts::folded;
use gateway::photo_uploads::ServiceError;
use tokio::sync::mpsc::{Receiver, Sender};

use super::destination::Destination;
use super::pictures::Picture;

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
            Ok(hash) => {
                let replaces = destination.replaces_any(&picture.name());
                hashed.push(Hashed { picture, hash, replaces });
            }
            Err(error) => found.send(Looked::Unreadable(picture, error)).await.ok()?,
        }
    }
    let hashes: Vec<&str> = hashed.iter().map(|each| each.hash.as_str()).collect();
    let ask = || destination.service.known(&destination.event, &hashes, destination.replaces);
    let known: HashSet<String> = match destination.persist(ask).await {
        Ok(known) => known.into_iter().collect(),
        Err(error) => return found.send(Looked::Stop(error)).await.ok(),
    };
    if destination.replaces
        && let Err(error) = replace_namesakes(destination, &mut hashed).await
    {
        return found.send(Looked::Stop(error)).await.ok();
    }
    for each in hashed {
        let looked = if known.contains(&each.hash) { Looked::There(each.picture) } else { Looked::New(each) };
        found.send(looked).await.ok()?;
    }
    Some(())
}

/// Lets files that differ in their endings from others of the folder take the place of photos of their very names, whatever the
/// case: of `IMG_1.heic` and `IMG_1.jpg` that are both new the second would take the place of the first.
async fn replace_namesakes(destination: &Destination, hashed: &mut [Hashed]) -> Result<(), ServiceError> {
    let names: Vec<String> =
        hashed.iter().filter(|each| !each.replaces).map(|each| each.picture.name()).collect();
    if names.is_empty() {
        return Ok(());
    }
    let asked: Vec<&str> = names.iter().map(String::as_str).collect();
    let ask = || destination.service.versions(&destination.event, &asked);
    let versions = destination.persist(ask).await?;
    for each in hashed.iter_mut().filter(|each| !each.replaces) {
        let name = each.picture.name();
        each.replaces = versions.get(&name).is_some_and(|there| folded(there) == folded(&name));
    }
    Ok(())
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
