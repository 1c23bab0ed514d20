//! A mail as an Internet message (RFC 5322).

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use domain::Timestamp;
use domain::accounts::EmailAddress;
use domain::operations::mails::Mail;
use lettre::message::header::{ContentType, HeaderName, HeaderValue};
use lettre::message::{Mailbox, MultiPart, MultiPartKind, SinglePart};
use lettre::{Address, Message};

use super::error::MailError;

/// The last second whose year has four digits, as RFC 5322 requires.
const LAST_SECOND: u64 = 253_402_300_799;

/// The message: multipart/alternative, text first, HTML last. Equal arguments give equal bytes.
pub(super) fn compose(
    mail: &Mail,
    sender: &Mailbox,
    at: Timestamp,
    message_id: [u8; 16],
) -> Result<Message, MailError> {
    let unique = hex(message_id);
    let mut message = Message::builder()
        .from(sender.clone())
        .to(Mailbox::new(None, address(&mail.to)?))
        .subject(one_line(&mail.subject))
        .date(date(at))
        .message_id(Some(format!("<{unique}@{}>", sender.email.domain())));
    // Whoever wrote has entered it, and not every address that we take is one for mails: what was written arrives all the same,
    // with the address in its text.
    if let Some(reply_to) = mail.reply_to.as_ref().and_then(|entered| address(entered).ok()) {
        message = message.reply_to(Mailbox::new(None, reply_to));
    }
    let body = MultiPart::builder()
        .kind(MultiPartKind::Alternative)
        .boundary(format!("part-{unique}"))
        .singlepart(SinglePart::plain(mail.text.clone()))
        .singlepart(SinglePart::html(mail.html.clone()));
    let body = match &mail.attachment {
        None => body,
        Some(attachment) => {
            let media_type = ContentType::parse(attachment.media_type)
                .map_err(|error| MailError::Permanent(error.to_string()))?;
            let file = lettre::message::Attachment::new(attachment.file_name.to_owned());
            MultiPart::builder()
                .kind(MultiPartKind::Mixed)
                .boundary(format!("file-{unique}"))
                .multipart(body)
                .singlepart(file.body(attachment.text.clone(), media_type))
        }
    };
    let mut message = message.multipart(body).map_err(|error| MailError::Permanent(error.to_string()))?;
    if let Some(url) = &mail.unsubscribe_url {
        // RFC 8058: a mail program's button needs one POST and no page.
        for (name, value) in [
            ("List-Unsubscribe", format!("<{}>", one_line(url))),
            ("List-Unsubscribe-Post", String::from("List-Unsubscribe=One-Click")),
        ] {
            let name = HeaderName::new_from_ascii(name.to_owned())
                .map_err(|error| MailError::Permanent(error.to_string()))?;
            message.headers_mut().insert_raw(HeaderValue::new(name, value));
        }
    }
    // RFC 3834: no out-of-office answers to what a program sent.
    message.headers_mut().insert_raw(HeaderValue::new(
        HeaderName::new_from_ascii_str("Auto-Submitted"),
        String::from("auto-generated"),
    ));
    Ok(message)
}

/// The address for the envelope and the headers. A host in another script is written in ASCII (IDNA), so that
/// servers without SMTPUTF8 take it.
pub(super) fn address(email: &EmailAddress) -> Result<Address, MailError> {
    let unusable = || MailError::Permanent(format!("`{}` is not an address", email.as_str().escape_debug()));
    let (local, host) = email.as_str().rsplit_once('@').ok_or_else(unusable)?;
    if local.chars().chain(host.chars()).any(char::is_control) {
        return Err(unusable());
    }
    let host = if host.is_ascii() {
        host.to_owned()
    } else {
        url::Host::parse(host).map_err(|_| unusable())?.to_string()
    };
    Address::new(local, host).map_err(|_| unusable())
}

/// The same text on one line: a line break in a header would begin another header.
fn one_line(text: &str) -> String {
    text.split(|c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}'))
        .filter(|piece| !piece.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

fn date(at: Timestamp) -> SystemTime {
    let seconds = u64::try_from(at.as_seconds()).unwrap_or(0).min(LAST_SECOND);
    UNIX_EPOCH + Duration::from_secs(seconds)
}

/// Lower-case hexadecimal.
pub(super) fn hex(message_id: [u8; 16]) -> String {
    format!("{:032x}", u128::from_be_bytes(message_id))
}

#[cfg(test)]
mod tests {
    use super::*;
    use mail_parser::{HeaderValue as Parsed, MessageParser};

    fn sender() -> Mailbox {
        Mailbox::new(Some("Afterglow".to_owned()), Address::new("hello", "afterglow.example").unwrap())
    }

    fn mail(subject: &str) -> Mail {
        Mail {
            to: EmailAddress::parse("meera@example.com").unwrap(),
            reply_to: None,
            attachment: None,
            unsubscribe_url: None,
            subject: subject.to_owned(),
            text: "Hello".to_owned(),
            html: "<p>Hello</p>".to_owned(),
            links: Vec::new(),
        }
    }

    const AT: Timestamp = Timestamp::from_millis(1_795_167_000_500);

    #[test]
    fn equal_arguments_give_equal_bytes() {
        let twice = [0; 2].map(|_| compose(&mail("Hi"), &sender(), AT, [9; 16]).unwrap().formatted());
        assert_eq!(twice[0], twice[1]);
    }

    #[test]
    fn a_subject_cannot_begin_another_header() {
        let breaks = ["\r\n", "\n", "\r", "\u{85}", "\u{2028}", "\u{2029}", "\0", "\u{b}"];
        for line_break in breaks {
            for subject in
                [format!("Hi{line_break}Bcc: x@y.example"), format!("नमस्ते{line_break}Bcc: x@y.example")]
            {
                let bytes = compose(&mail(&subject), &sender(), AT, [1; 16]).unwrap().formatted();
                let parsed = MessageParser::default().parse(&bytes).unwrap();
                assert!(parsed.bcc().is_none(), "{subject:?}");
                assert!(!String::from_utf8(bytes.clone()).unwrap().contains("\nBcc"), "{subject:?}");
                assert_eq!(parsed.subject().unwrap(), subject.replace(line_break, " "));
            }
        }
    }

    #[test]
    fn a_subject_of_any_length_and_script_round_trips() {
        for subject in ["", " ", "नमस्ते ".repeat(200).trim(), "a".repeat(2_000).as_str(), "=?utf-8?q?no?="]
        {
            let bytes = compose(&mail(subject), &sender(), AT, [1; 16]).unwrap().formatted();
            let parsed = MessageParser::default().parse(&bytes).unwrap();
            if !subject.starts_with("=?") {
                assert_eq!(parsed.subject().unwrap_or("").trim(), subject.trim());
            }
            assert!(parsed.date().is_some() && parsed.message_id().is_some());
        }
    }

    #[test]
    fn an_address_with_a_line_break_is_refused() {
        // What the database holds was parsed once, but the composer does not rely on it.
        for bad in
            ["a@b.example\r\nBcc: x@y.example", "a\n@b.example", "a@b.example>", "none", "a b@c.example"]
        {
            let mut mail = mail("Hi");
            mail.reply_to = Some(EmailAddress::from_trusted(bad.to_owned()));
            let bytes = compose(&mail, &sender(), AT, [1; 16]).unwrap().formatted();
            let parsed = MessageParser::default().parse(&bytes).unwrap();
            assert!(parsed.reply_to().is_none() && parsed.bcc().is_none(), "{bad:?}");
            mail.to = mail.reply_to.take().unwrap();
            let refused = compose(&mail, &sender(), AT, [1; 16]);
            assert!(matches!(&refused, Err(MailError::Permanent(text)) if !text.contains('\n')), "{bad:?}");
        }
    }

    #[test]
    fn what_somebody_wrote_is_sent_also_where_their_address_is_none_for_mails() {
        // [ACC219]
        for (entered, is_named) in
            [("meera.@gmail.com", false), ("a..b@docomo.ne.jp", false), ("asha@example.com", true)]
        {
            let mut mail = mail("Hi");
            mail.reply_to = Some(EmailAddress::parse(entered).unwrap());
            let message = compose(&mail, &sender(), AT, [1; 16]).unwrap();
            let text = String::from_utf8(message.formatted()).unwrap();
            assert_eq!(text.contains(&format!("\r\nReply-To: {entered}\r\n")), is_named, "{text}");
            assert_eq!(text.contains("Reply-To"), is_named, "{text}");
        }
    }

    #[test]
    fn a_host_in_another_script_is_written_in_ascii() {
        let email = EmailAddress::parse("meera@bücher.example").unwrap();
        assert_eq!(address(&email).unwrap().to_string(), "meera@xn--bcher-kva.example");
    }

    #[test]
    fn dates_are_clamped_to_four_digit_years() {
        for (millis, year) in [(i64::MIN, 1970), (-1, 1970), (AT.as_millis(), 2026), (i64::MAX, 9999)] {
            let message = compose(&mail("Hi"), &sender(), Timestamp::from_millis(millis), [1; 16]).unwrap();
            let bytes = message.formatted();
            let parsed = MessageParser::default().parse(&bytes).unwrap();
            assert_eq!(parsed.date().unwrap().year, year, "{millis}");
        }
    }

    #[test]
    fn a_mail_somebody_subscribed_to_has_the_headers_of_one_click_unsubscription() {
        let url = "https://afterglow.example/api/face/unsubscribe/aB-_9";
        let mut mail = mail("Hi");
        let bytes = compose(&mail, &sender(), AT, [1; 16]).unwrap().formatted();
        assert!(!String::from_utf8(bytes).unwrap().contains("List-Unsubscribe"));
        mail.unsubscribe_url = Some(url.to_owned());
        let text = String::from_utf8(compose(&mail, &sender(), AT, [1; 16]).unwrap().formatted()).unwrap();
        assert!(text.contains(&format!("\r\nList-Unsubscribe: <{url}>\r\n")), "{text}");
        assert!(text.contains("\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n"), "{text}");
    }

    #[test]
    fn automatic_replies_are_suppressed() {
        let bytes = compose(&mail("Hi"), &sender(), AT, [1; 16]).unwrap().formatted();
        let parsed = MessageParser::default().parse(&bytes).unwrap();
        assert_eq!(parsed.header("Auto-Submitted"), Some(&Parsed::Text("auto-generated".into())));
    }
}
