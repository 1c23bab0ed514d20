//! Until when a certificate is valid (RFC 5280, 4.1). TLS has verified the rest of it by then.

use domain::Timestamp;

const SEQUENCE: u8 = 0x30;
const VERSION: u8 = 0xA0;
const UTC_TIME: u8 = 0x17;
const GENERALIZED_TIME: u8 = 0x18;

/// The end of validity of a certificate in DER; none when it is no certificate.
pub(super) fn valid_until(certificate: &[u8]) -> Option<Timestamp> {
    let (SEQUENCE, certificate, _) = element(certificate)? else { return None };
    let (SEQUENCE, mut rest, _) = element(certificate)? else { return None };
    if let (VERSION, _, after) = element(rest)? {
        rest = after;
    }
    // The serial number, the algorithm, the issuer.
    for _ in 0..3 {
        (_, _, rest) = element(rest)?;
    }
    let (SEQUENCE, validity, _) = element(rest)? else { return None };
    let (_, _, validity) = element(validity)?;
    let (tag, end, _) = element(validity)?;
    time(tag, std::str::from_utf8(end).ok()?)
}

/// The first element: its tag, its contents, and what comes after it.
fn element(bytes: &[u8]) -> Option<(u8, &[u8], &[u8])> {
    let (&tag, bytes) = bytes.split_first()?;
    let (&first, bytes) = bytes.split_first()?;
    let (length, bytes) = if first < 0x80 {
        (usize::from(first), bytes)
    } else {
        let (digits, bytes) = bytes.split_at_checked(usize::from(first & 0x7F))?;
        if digits.len() > 4 {
            return None;
        }
        (digits.iter().fold(0, |length, digit| (length << 8) | usize::from(*digit)), bytes)
    };
    let (contents, rest) = bytes.split_at_checked(length)?;
    Some((tag, contents, rest))
}

/// `YYMMDDHHMMSSZ` of the years 1950 to 2049, or `YYYYMMDDHHMMSSZ`.
fn time(tag: u8, text: &str) -> Option<Timestamp> {
    let number = |text: &str| text.parse::<i16>().ok();
    let (year, rest) = match tag {
        UTC_TIME => {
            let (year, rest) = text.split_at_checked(2)?;
            let year = number(year)?;
            (if year < 50 { 2000 + year } else { 1900 + year }, rest)
        }
        GENERALIZED_TIME => {
            let (year, rest) = text.split_at_checked(4)?;
            (number(year)?, rest)
        }
        _ => return None,
    };
    let part = |at: usize| rest.get(at..at + 2)?.parse::<i8>().ok();
    Timestamp::from_utc(year, [part(0)?, part(2)?, part(4)?, part(6)?, part(8)?])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_certificate_is_read() {
        let mut parameters = rcgen::CertificateParams::new(vec![String::from("photos.example")]).unwrap();
        for (year, expected) in [(2031, "2031-02-03T00:00:00.000Z"), (2055, "2055-02-03T00:00:00.000Z")] {
            parameters.not_after = rcgen::date_time_ymd(year, 2, 3);
            let certificate = parameters.self_signed(&rcgen::KeyPair::generate().unwrap()).unwrap();
            let end = valid_until(certificate.der()).unwrap();
            assert_eq!(end.to_rfc3339(), expected);
        }
    }

    #[test]
    fn what_is_no_certificate_has_no_end() {
        let certificate = rcgen::generate_simple_self_signed([String::from("photos.example")]).unwrap();
        let der = certificate.cert.der();
        for length in 0..der.len() {
            // Whatever is missing, there is no panic.
            let _ = valid_until(&der[..length]);
        }
        for bytes in
            [&b""[..], b"0", &[0x30, 0x84, 255, 255, 255, 255], &[0x30, 0x02, 0x30, 0x00], &[0x30; 64]]
        {
            assert_eq!(valid_until(bytes), None, "{bytes:?}");
        }
    }
}
