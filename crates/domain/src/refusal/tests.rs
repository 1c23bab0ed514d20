use super::*;
use std::collections::HashSet;

#[test]
fn codes_are_unique_snake_case_and_texts_are_sentences() {
    // [ERR001] [ERR002]
    let all = Refusal::all();
    let codes: HashSet<_> = all.iter().map(Refusal::code).collect();
    assert_eq!(codes.len(), all.len());
    for refusal in all {
        let is_of_code = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
        assert!(refusal.code().bytes().all(is_of_code), "{refusal:?}");
        assert!(refusal.text().chars().next().is_some_and(char::is_uppercase), "{refusal:?}");
    }
}

#[test]
fn texts_of_the_specification_are_exact() {
    // [ERR003] [AUTH008] [AUTH011] [AUTH022] [AUTH059] [AUTH060] [EVT004] [EVT005] [UPL075]
    // [FACE055] [FACE056] [FACE057] [FACE058]
    for (refusal, text) in [
        (Refusal::EmailTaken, "Email already registered"),
        (Refusal::WrongCredentials, "Invalid email or password"),
        (Refusal::EmailNotVerified, "Please verify your email before logging in."),
        (Refusal::VerificationExpired, "Verification link has expired"),
        (Refusal::VerificationUnknown, "Invalid or expired verification token"),
        (Refusal::EventNameRequired, "Event name is required"),
        (Refusal::EventDateRequired, "Event date is required"),
        (Refusal::PasswordTooShort, "Password must be at least 6 characters long"),
        (Refusal::InsufficientCredits, "Insufficient credits. Please add credits to continue uploading."),
    ] {
        assert_eq!(refusal.text(), text);
    }
    for (seconds, wait) in
        [(1, "1 second"), (90, "90 seconds"), (91, "2 minutes"), (3_600, "60 minutes"), (86_400, "24 hours")]
    {
        let refusal = Refusal::TooMany { retry_after: Duration::from_secs(seconds) };
        assert_eq!(refusal.text(), format!("Too many requests. Please try again in {wait}."));
    }
    assert!(Refusal::NoFace.text().starts_with("No face found in the photo. "));
    assert!(Refusal::FaceTooSmall.text().starts_with("The face is too small. "));
    assert!(Refusal::TooBlurry.text().starts_with("The photo is too blurry. "));
    assert!(Refusal::TooDark.text().starts_with("The photo is too dark. "));
}
