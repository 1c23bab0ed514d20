//! Every format comes out upright, in sRGB, over white.

use crate::fixtures::*;
use domain::photos::ImageFormat;
use domain::photos::pixels::{Color, Pixels};
use image::{DynamicImage, GrayAlphaImage, GrayImage, ImageBuffer, Luma, LumaA, Rgb, Rgba, RgbaImage};
use media::pictures::{
    Limits, Unreadable, decode, decode_within, encode_jpeg, inspect, medium, preview, renditions, resize,
};
use moxcms::ColorProfile;
use mozjpeg::ColorSpace;

#[test]
fn every_format_is_recognised_by_its_bytes_and_decoded() {
    // [UPL063] [UPL065] [UPL066] [UPL189] [UPL067]: nothing but the bytes is asked.
    for format in ImageFormat::ALL {
        let bytes = encode_rgb(format, quarters(640, 400));
        let inspected = inspect(&bytes).unwrap();
        assert_eq!((inspected.format, inspected.width, inspected.height), (format, 640, 400));
        let whole = decode(&bytes, 640).unwrap();
        assert_eq!((whole.width(), whole.height()), (640, 400), "{format:?}");
        assert_quarters(&whole);
        let small = decode(&bytes, 150).unwrap();
        assert!((150..300).contains(&small.long_side()), "{format:?} {small:?}");
        assert_quarters(&small);
        assert_eq!(decode(&bytes, 9000).unwrap().long_side(), 640);
    }
}

#[test]
fn the_average_color_is_known_from_the_inspection_on() {
    for (width, height) in [(640, 400), (96, 1_600), (16, 16)] {
        for format in ImageFormat::ALL {
            let bytes = encode_rgb(format, quarters(width, height));
            let Some(found) = inspect(&bytes).unwrap().average_color else {
                assert_eq!(format, ImageFormat::Bmp, "{format:?} is decoded by its inspection");
                continue;
            };
            let wanted = decode(&bytes, u32::MAX).unwrap().average_color();
            let bytes = |color: Color| [color.red, color.green, color.blue];
            assert_near(bytes(found), bytes(wanted), 12);
        }
    }
}

#[test]
fn other_bytes_are_no_image() {
    // [UPL064] [UPL068]
    let texts: [&[u8]; 8] = [
        b"",
        b"x",
        b"BM",
        b"BMW is a maker of cars, and this is a text about them",
        b"GIF",
        b"\xFF\xD8",
        b"%PDF-1.7\n",
        b"RIFF\x10\0\0\0WAVEfmt ",
    ];
    for text in texts {
        assert_eq!(inspect(text), Err(Unreadable::NotAnImage));
        assert_eq!(decode(text, 100), Err(Unreadable::NotAnImage));
    }
    assert_eq!(inspect(&vec![0; 100_000]), Err(Unreadable::NotAnImage));
}

#[test]
fn all_eight_orientations_come_out_upright() {
    // [UPL079]: the upright picture, stored in the eight ways that EXIF knows.
    let upright = DynamicImage::ImageRgb8(quarters(320, 160));
    for orientation in 1..=8u8 {
        let stored = match orientation {
            1 => upright.clone(),
            2 => upright.fliph(),
            3 => upright.rotate180(),
            4 => upright.flipv(),
            5 => upright.rotate270().flipv(),
            6 => upright.rotate270(),
            7 => upright.rotate90().flipv(),
            _ => upright.rotate90(),
        };
        let png = encode(ImageFormat::Png, &stored);
        for bytes in [
            with_exif(&encode(ImageFormat::Jpeg, &stored), orientation),
            with_chunk(&png, b"eXIf", &exif(orientation)),
        ] {
            let found = inspect(&bytes).unwrap();
            assert_eq!((found.width, found.height), (320, 160), "orientation {orientation}");
            let pixels = decode(&bytes, 320).unwrap();
            assert_eq!((pixels.width(), pixels.height()), (320, 160));
            assert_quarters(&pixels);
            assert_quarters(&decode(&bytes, 100).unwrap());
        }
    }
}

#[test]
fn profiles_are_applied_and_broken_ones_are_not() {
    // [UPL080]: a red of Display P3 is a stronger red in sRGB's numbers.
    let red = [200, 60, 60].repeat(64 * 64);
    let p3 = ColorProfile::new_display_p3().encode().unwrap();
    let srgb = ColorProfile::new_srgb().encode().unwrap();
    let with = |icc| decode(&raw_jpeg(ColorSpace::JCS_RGB, 64, 64, &red, false, icc), 64).unwrap();
    let plain = at(&with(None), 4, 4);
    assert_near(plain, [200, 60, 60], 3);
    let wide = at(&with(Some(&p3)), 4, 4);
    assert!(wide[0] > 210 && wide[1] < 55, "{wide:?}");
    assert_eq!(at(&with(Some(&srgb)), 4, 4), plain);
    assert_eq!(at(&with(Some(&p3[..200])), 4, 4), plain);
    assert_eq!(at(&with(Some(b"no profile at all")), 4, 4), plain);
}

#[test]
fn cmyk_grayscale_and_16_bit_samples_are_decoded() {
    // Adobe's way: how much paper shows.
    let red: Vec<u8> = [255, 0, 0, 255].repeat(32 * 32);
    let cmyk = raw_jpeg(ColorSpace::JCS_CMYK, 32, 32, &red, false, None);
    assert_near(at(&decode(&cmyk, 32).unwrap(), 4, 4), [255, 0, 0], 6);
    let grey = raw_jpeg(ColorSpace::JCS_GRAYSCALE, 32, 32, &[90; 32 * 32], true, None);
    assert_near(at(&decode(&grey, 32).unwrap(), 4, 4), [90; 3], 2);

    let deep = ImageBuffer::from_pixel(20, 20, Rgb([0x8000u16, 0xFFFF, 0x1234]));
    let deep_grey = ImageBuffer::from_pixel(20, 20, Luma([0x8000u16]));
    for format in [ImageFormat::Png, ImageFormat::Tiff] {
        let pixels = decode(&encode(format, &DynamicImage::ImageRgb16(deep.clone())), 20).unwrap();
        assert_near(at(&pixels, 4, 4), [0x80, 0xFF, 0x12], 1);
        let pixels = decode(&encode(format, &DynamicImage::ImageLuma16(deep_grey.clone())), 20).unwrap();
        assert_near(at(&pixels, 4, 4), [0x80; 3], 1);
        let pixels = decode(&encode(format, &GrayImage::from_pixel(9, 9, Luma([77])).into()), 9).unwrap();
        assert_eq!(at(&pixels, 4, 4), [77; 3]);
    }
}

#[test]
fn transparent_pictures_are_composited_on_white() {
    let clear = DynamicImage::ImageRgba8(RgbaImage::from_fn(40, 40, |x, _| match x {
        0..20 => Rgba([200, 0, 0, 255]),
        _ => Rgba([0, 0, 0, 0]),
    }));
    for format in [ImageFormat::Png, ImageFormat::WebP, ImageFormat::Gif, ImageFormat::Tiff] {
        let pixels = decode(&encode(format, &clear), 40).unwrap();
        assert_near(at(&pixels, 1, 4), [200, 0, 0], 4);
        assert_eq!(at(&pixels, 7, 4), [255; 3], "{format:?}");
    }
    let grey = GrayAlphaImage::from_pixel(10, 10, LumaA([0, 0]));
    assert_eq!(at(&decode(&encode(ImageFormat::Png, &grey.into()), 10).unwrap(), 4, 4), [255; 3]);
}

#[test]
fn tiff_palettes_are_decoded() {
    // Two by two pixels of 8 bits: indices 0 1 / 2 3.
    let mut tiff = b"II*\0\x08\0\0\0".to_vec();
    let entries: [(u16, u16, u32, u32); 9] = [
        (256, 3, 1, 2),
        (257, 3, 1, 2),
        (258, 3, 1, 8),
        (259, 3, 1, 1),
        (262, 3, 1, 3),
        (273, 4, 1, 122),
        (278, 3, 1, 2),
        (279, 4, 1, 4),
        (320, 3, 768, 126),
    ];
    tiff.extend_from_slice(&9u16.to_le_bytes());
    for (tag, kind, count, value) in entries {
        tiff.extend_from_slice(&tag.to_le_bytes());
        tiff.extend_from_slice(&kind.to_le_bytes());
        tiff.extend_from_slice(&count.to_le_bytes());
        tiff.extend_from_slice(&value.to_le_bytes());
    }
    tiff.extend_from_slice(&[0; 4]);
    tiff.extend_from_slice(&[0, 1, 2, 3]);
    let mut map = vec![0u16; 768];
    (map[1], map[256 + 2], map[512 + 3]) = (0xFFFF, 0xFFFF, 0xFFFF);
    tiff.extend(map.into_iter().flat_map(u16::to_le_bytes));
    let inspected = inspect(&tiff).unwrap();
    assert_eq!((inspected.format, inspected.width, inspected.height), (ImageFormat::Tiff, 2, 2));
    assert_eq!(decode(&tiff, 2).unwrap().data(), [0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255]);
}

#[test]
fn interlaced_pngs_and_jpegs_with_trailing_data_are_decoded() {
    // [UPL082]
    let picture = quarters(333, 201);
    // The `png` crate writes no Adam7: three passes of a picture of two by two pixels, hand-written.
    let mut bytes = b"\x89PNG\r\n\x1a\n".to_vec();
    bytes.extend(chunk(b"IHDR", &[0, 0, 0, 2, 0, 0, 0, 2, 8, 0, 0, 0, 1]));
    // zlib, stored: each pass's row is a filter byte and its samples.
    let rows = [0, 10, 0, 20, 0, 30, 40];
    let adler = rows.iter().fold((1u32, 0u32), |(a, b), row| (a + row, b + a + row));
    let mut zlib = vec![0x78, 1, 1, 7, 0, 0xF8, 0xFF];
    zlib.extend(rows.map(|row| row as u8));
    zlib.extend((adler.1 << 16 | adler.0).to_be_bytes());
    bytes.extend(chunk(b"IDAT", &zlib));
    bytes.extend(chunk(b"IEND", &[]));
    assert_eq!(decode(&bytes, 2).unwrap().data(), [10, 10, 10, 20, 20, 20, 30, 30, 30, 40, 40, 40]);
    assert_eq!(decode(&bytes, 1).unwrap().data(), [25; 3]);

    // A camera's appended preview is no reason to refuse.
    let mut jpeg = encode_rgb(ImageFormat::Jpeg, picture);
    jpeg.extend_from_slice(&encode_rgb(ImageFormat::Jpeg, scene(16, 16)));
    jpeg.extend_from_slice(b"trailing bytes");
    assert_eq!(inspect(&jpeg).map(|found| (found.width, found.height)), Ok((333, 201)));
    assert_quarters(&decode(&jpeg, 333).unwrap());
}

#[test]
fn renditions_have_their_sizes_and_carry_nothing() {
    // [UPL076] [UPL077] [UPL078] [UPL079] [UPL080] [UPL081] [GAL060]
    let jpeg = with_exif(&jpeg(&quarters(1800, 3000), false), 6);
    let pixels = decode(&jpeg, 2048).unwrap();
    let made = renditions(&preview(&pixels)).unwrap();
    for (rendition, size) in
        [(&made.preview, (2048, 1229)), (&made.medium, (1024, 615)), (&made.thumbnail, (480, 288))]
    {
        assert_eq!((rendition.width, rendition.height), size);
        let found = inspect(&rendition.jpeg).unwrap();
        assert_eq!((found.format, found.width, found.height), (ImageFormat::Jpeg, size.0, size.1));
        assert!(!rendition.jpeg.windows(4).any(|bytes| bytes == b"Exif" || bytes == b"ICC_"));
        // Turned by a quarter: the stored lower left corner becomes the upper left.
        let small = decode(&rendition.jpeg, 480).unwrap();
        assert_near(at(&small, 2, 2), [20, 20, 230], 12);
        assert_near(at(&small, 6, 2), [230, 20, 20], 12);
    }
    assert!(made.thumbnail.jpeg.len() < made.medium.jpeg.len());
    assert!(made.medium.jpeg.len() < made.preview.jpeg.len());
    // Made of the preview's file it is about the same.
    let later = medium(&decode(&made.preview.jpeg, 2048).unwrap()).unwrap();
    assert_eq!((later.width, later.height), (1024, 615));
    let (at_once, later) = (decode(&made.medium.jpeg, 1024).unwrap(), decode(&later.jpeg, 1024).unwrap());
    for (x, y) in [(1, 1), (6, 1), (1, 6), (6, 6)] {
        assert_near(at(&later, x, y), at(&at_once, x, y), 3);
    }
}

#[test]
fn a_single_pixel_and_the_longest_panorama_are_decoded_and_rendered() {
    for format in ImageFormat::ALL {
        let dot = encode_rgb(format, quarters(1, 1));
        let inspected = inspect(&dot);
        if format == ImageFormat::Heic && inspected.is_err() {
            continue; // Some encoders of HEIC pad so small a picture, some refuse it.
        }
        assert_eq!(inspected.map(|found| (found.width, found.height)), Ok((1, 1)), "{format:?}");
        let made = renditions(&preview(&decode(&dot, 2048).unwrap())).unwrap();
        assert_eq!((made.thumbnail.width, made.preview.height), (1, 1), "{format:?}");
    }
    for format in [ImageFormat::Jpeg, ImageFormat::Png, ImageFormat::Tiff, ImageFormat::Bmp] {
        for (width, height) in [(30_000, 200), (200, 30_000)] {
            let made =
                renditions(&preview(&decode(&encode_rgb(format, quarters(width, height)), 2048).unwrap()))
                    .unwrap();
            assert_eq!(made.preview.width.max(made.preview.height), 2048, "{format:?}");
            assert_eq!(made.thumbnail.width.max(made.thumbnail.height), 480, "{format:?}");
            let short = made.thumbnail.width.min(made.thumbnail.height);
            assert!((3..=4).contains(&short), "{format:?}: {short}");
            assert_quarters(&decode(&made.preview.jpeg, 2048).unwrap());
        }
    }
}

#[test]
fn small_pictures_are_never_enlarged() {
    let pixels = decode(&jpeg(&scene(300, 200), false), 2048).unwrap();
    assert_eq!(resize(&pixels, 480), pixels);
    let made = renditions(&preview(&pixels)).unwrap();
    assert_eq!((made.preview.width, made.preview.height), (300, 200));
    assert_eq!((made.medium.width, made.medium.height), (300, 200));
    assert_eq!((made.thumbnail.width, made.thumbnail.height), (300, 200));
    let strip = Pixels::new(3000, 1, vec![9; 9000]).unwrap();
    assert_eq!((resize(&strip, 480).width(), resize(&strip, 480).height()), (480, 1));
}

#[test]
fn downscaling_averages_linear_light() {
    // Black and white in turn give half the light: 188 in sRGB, not 128.
    let data = (0..200 * 200u32)
        .flat_map(|index| [if (index + index / 200) % 2 == 0 { 0 } else { 255 }; 3])
        .collect();
    let small = resize(&Pixels::new(200, 200, data).unwrap(), 20);
    assert_near(at(&small, 4, 4), [188; 3], 3);
}

#[test]
fn what_jpeg_cannot_hold_is_an_error() {
    let long = Pixels::new(70_000, 1, vec![0; 210_000]).unwrap();
    assert!(encode_jpeg(&long, 80).is_err());
}

#[test]
fn real_photos_are_accepted() {
    // The evaluation photos, which are never committed. `var_os`, because tests have no settings to come from.
    let Some(folder) = std::env::var_os("EVAL_DIR") else {
        eprintln!("EVAL_DIR is not set: real photos are not tried");
        return;
    };
    let mut folders = vec![std::path::PathBuf::from(folder)];
    let mut tried = 0;
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "jpg") {
                let bytes = std::fs::read(&path).unwrap();
                let found = inspect(&bytes).unwrap_or_else(|refused| panic!("{}: {refused}", path.display()));
                let pixels = decode(&bytes, 480).unwrap();
                assert!(pixels.long_side() >= 480.min(found.width.max(found.height)));
                tried += 1;
            }
        }
    }
    assert!(tried > 0, "EVAL_DIR holds no photos");
}

#[test]
fn a_callers_own_limits_are_checked_by_the_headers() {
    // [SAFE077]
    let limits = Limits { pixels: 60 * 40, memory: 1 << 20, scans: 20 };
    let of = |bytes: &[u8], limits: Limits| decode_within(bytes, 10, &limits).map(|_| ());
    for format in ImageFormat::ALL {
        let picture = encode(format, &scene(60, 40).into());
        assert_eq!(of(&picture, limits), Ok(()), "{format:?}");
        assert_eq!(of(&picture, Limits { pixels: 60 * 40 - 1, ..limits }), Err(Unreadable::TooManyPixels));
        assert_eq!(
            of(&picture, Limits { memory: 0, ..limits }),
            Err(Unreadable::TooManyPixels),
            "{format:?}"
        );
    }
    let progressive = jpeg(&scene(60, 40), true);
    assert_eq!(of(&progressive, limits), Ok(()));
    assert_eq!(of(&progressive, Limits { scans: 1, ..limits }), Err(Unreadable::TooComplex));
    assert_eq!(of(b"no picture", limits), Err(Unreadable::NotAnImage));
    assert_eq!(of(&jpeg(&scene(60, 40), false)[..500], limits), Err(Unreadable::Truncated));
}

#[test]
fn a_picture_that_takes_more_memory_than_a_caller_allows_has_too_many_pixels() {
    // [SAFE248]
    let limits = Limits { pixels: 50_000_000, memory: 256 << 20, scans: 20 };
    let mut heic = encode(ImageFormat::Heic, &scene(64, 64).into());
    let size = heic.windows(4).position(|name| name == b"ispe").unwrap() + 8;
    let mut of = |width: u32, height: u32| {
        heic[size..size + 4].copy_from_slice(&width.to_be_bytes());
        heic[size + 4..size + 8].copy_from_slice(&height.to_be_bytes());
        decode_within(&heic, 1280, &limits).map(|_| ())
    };
    // What phones write as 48 megapixels: a HEIC is decoded whole.
    assert_eq!(of(8064, 6048), Err(Unreadable::TooManyPixels));
    assert_ne!(of(6048, 4536), Err(Unreadable::TooManyPixels));
}
