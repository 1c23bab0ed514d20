//! RAW files beside pictures of their names: whose pictures they are.

use crate::{Service, picture};

const MARK: &[u8; 8] = b"CR\x02\0\0\0\0\0";

/// A TIFF structure that says when the shutter was released; with [`MARK`] it is a RAW file.
fn structure(mark: &[u8; 8], taken_at: &str) -> Vec<u8> {
    let directory = |tag: u16, kind: u16, count: u32, value: u32| {
        let entry = [&tag.to_le_bytes()[..], &kind.to_le_bytes(), &count.to_le_bytes(), &value.to_le_bytes()];
        [&1_u16.to_le_bytes()[..], &entry.concat(), &[0; 4]].concat()
    };
    assert_eq!(taken_at.len(), 19);
    let (root, camera) = (directory(0x8769, 4, 1, 34), directory(0x9003, 2, 20, 52));
    [&b"II*\0\x10\0\0\0"[..], mark, &root, &camera, taken_at.as_bytes(), &[0]].concat()
}

/// A JPEG that says when the shutter was released.
fn taken(salt: u8, taken_at: &str) -> Vec<u8> {
    let (plain, exif) = (picture(salt), structure(&[0; 8], taken_at));
    let length = u16::try_from(2 + 6 + exif.len()).unwrap().to_be_bytes();
    [&plain[..2], &[0xFF, 0xE1], &length, b"Exif\0\0", &exif, &plain[2..]].concat()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_raw_file_is_left_out_for_the_picture_of_its_own_moment_alone() {
    // [FTP037]
    let service = Service::start().await;
    let mut client = service.client().await;
    let (refused, at) = ((550, domain::Refusal::RawPhoto.text().into_owned()), "2026:11:20 19:30:05");
    let left_out = |files: &str| (226, format!("The event has its picture: {files} left out"));
    assert_eq!(client.store("IMG_1.JPG", &taken(1, at)).await.0, 226);
    // Another camera's, which has counted as far.
    let of_other = structure(MARK, "2026:11:20 21:04:41");
    assert_eq!(client.store("IMG_1.CR2", &of_other).await, refused);
    assert_eq!(client.store("IMG_1.CR2", &structure(MARK, at)).await, left_out("1 RAW file"));
    assert_eq!(
        client.store("IMG_1.CR2", &structure(MARK, "2026:11:20 19:30:07")).await,
        left_out("2 RAW files")
    );
    assert_eq!(client.store("IMG_1.CR2", &structure(MARK, "2026:11:20 19:30:08")).await, refused);
    // Once its own picture is there too, whichever of the two came first.
    assert_eq!(client.store("IMG_1.JPG", &taken(2, "2026:11:20 21:04:41")).await.0, 226);
    assert_eq!(client.store("IMG_1.CR2", &of_other).await, left_out("3 RAW files"));

    // Where one of the two tells no moment, the name decides.
    let unset = structure(MARK, "    :  :     :  :  ");
    assert_eq!(client.store("IMG_1.CR2", &unset).await, left_out("4 RAW files"));
    assert_eq!(client.store("IMG_2.JPG", &picture(3)).await.0, 226);
    assert_eq!(client.store("IMG_2.CR2", &structure(MARK, at)).await, left_out("5 RAW files"));
    assert_eq!(service.photos().await.len(), 3);
    assert!(service.is_clean());
}
