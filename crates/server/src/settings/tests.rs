use secrecy::ExposeSecret as _;

use super::*;

#[test]
fn the_corpus_of_the_fuzzer_is_read_or_refused() {
    // [SAFE193]
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/corpus/settings");
    let files: Vec<_> = std::fs::read_dir(folder).unwrap().collect();
    assert!(files.len() > 5);
    for file in files {
        fuzz(&std::fs::read(file.unwrap().path()).unwrap());
    }
}

#[allow(clippy::result_large_err, reason = "the closure's error is figment's own type")]
fn read(toml: &str, environment: &[(&str, &str)], flags: &Flags) -> Result<Settings, String> {
    let mut outcome = Err(String::new());
    figment::Jail::expect_with(|jail| {
        jail.create_file("afterglow.toml", toml)?;
        for (name, value) in environment {
            jail.set_env(name, value);
        }
        outcome = Settings::read_in(jail.directory(), flags).map_err(|error| error.to_string());
        Ok(())
    });
    outcome
}

#[test]
fn the_later_source_wins() {
    // [RUN020]
    let toml = "retention_days = 1\nsupport_email = \"toml@example.com\"\nlog = \"warn\"";
    let environment = [("AFTERGLOW_RETENTION_DAYS", "2"), ("AFTERGLOW_SUPPORT_EMAIL", "env@example.com")];
    let flags = Flags { retention_days: Some(String::from("3")), ..Flags::default() };
    let settings = read(toml, &environment, &flags).unwrap();
    assert_eq!(settings.retention_days, 3);
    assert_eq!(settings.support_email, "env@example.com");
    assert_eq!(settings.log, "warn");
}

#[test]
fn who_has_set_a_period_promises_no_longer_one() {
    // [EVT171]
    let longest = |toml: &str, environment: &[(&str, &str)], flags: &Flags| {
        read(toml, environment, flags).map(|settings| settings.longest_retention_days)
    };
    let none = Flags::default();
    assert_eq!(longest("", &[], &none), Ok(365));
    // Before there was a longest period the one that was set was both, 30 days and for ever too.
    for days in [90, 30, 7, 0] {
        assert_eq!(longest(&format!("retention_days = {days}"), &[], &none), Ok(days));
        let text = days.to_string();
        assert_eq!(longest("", &[("AFTERGLOW_RETENTION_DAYS", text.as_str())], &none), Ok(days));
        let flag = Flags { retention_days: Some(text), ..Flags::default() };
        assert_eq!(longest("", &[], &flag), Ok(days));
    }
    assert_eq!(longest("retention_days = 60\nlongest_retention_days = 180", &[], &none), Ok(180));
    assert_eq!(longest("retention_days = 60", &[("AFTERGLOW_LONGEST_RETENTION_DAYS", "0")], &none), Ok(0));
    assert_eq!(longest("longest_retention_days = 30", &[], &none), Ok(30));

    let starts = |toml: &str| {
        let settings = read(toml, &[], &none).unwrap();
        crate::wiring::check(&settings).map_err(|error| error.to_string())
    };
    assert_eq!(starts("retention_days = 60\nlongest_retention_days = 60"), Ok(()));
    let refused = starts("retention_days = 60\nlongest_retention_days = 30").unwrap_err();
    assert!(refused.contains("30 days") && refused.contains("for 60 days"), "{refused}");
    assert!(starts("retention_days = 0\nlongest_retention_days = 365").unwrap_err().contains("for ever"));
}

#[test]
fn the_file_can_be_named_by_a_flag_or_a_variable() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, days: u32| {
        let path = folder.path().join(name);
        std::fs::write(&path, format!("retention_days = {days}")).unwrap();
        path
    };
    let (first, second) = (write("first.toml", 7), write("second.toml", 8));
    let first = [("AFTERGLOW_SETTINGS", first.to_str().unwrap())];
    assert_eq!(read("retention_days = 6", &first, &Flags::default()).unwrap().retention_days, 7);
    let flags = Flags { settings: Some(second), ..Flags::default() };
    assert_eq!(read("retention_days = 6", &first, &flags).unwrap().retention_days, 8);
    let missing = Flags { settings: Some(folder.path().join("third.toml")), ..Flags::default() };
    let refused = read("", &[], &missing).unwrap_err();
    assert!(refused.contains("third.toml"), "{refused}");
}

#[test]
fn unknown_keys_are_named() {
    // [RUN021] [RUN022]
    let toml = read("colour = 1", &[], &Flags::default()).unwrap_err();
    assert!(toml.contains("`colour`") && toml.contains("afterglow.toml"), "{toml}");
    let variable = read("", &[("AFTERGLOW_COLOUR", "red")], &Flags::default()).unwrap_err();
    assert!(variable.contains("AFTERGLOW_COLOUR"), "{variable}");
    let bad = read("", &[("AFTERGLOW_LISTEN", "here")], &Flags::default()).unwrap_err();
    assert!(bad.contains("AFTERGLOW_LISTEN"), "{bad}");
}

#[test]
fn defaults_are_those_of_the_table() {
    // [RUN023] [RUN026] [RUN027] [RUN029] [RUN031] [RUN041] [RUN075] [RUN079] [EVT137] [RUN037]
    let settings = read("", &[], &Flags::default()).unwrap();
    let shown: BTreeMap<_, _> = TABLE.iter().map(|(name, default, _)| (*name, *default)).collect();
    for (name, used, default) in [
        ("listen", settings.listen.to_string(), "127.0.0.1:8080"),
        ("data_dir", settings.data_dir.display().to_string(), "./data"),
        ("model_dir", settings.model_dir.display().to_string(), "./models"),
        ("support_email", settings.support_email.clone(), "support@example.com"),
        ("retention_days", settings.retention_days.to_string(), "30"),
        ("trash_days", settings.trash_days.to_string(), "14"),
    ] {
        assert_eq!((used.as_str(), shown[name]), (default, default), "{name}");
    }
    assert_eq!(settings.database_url(), "sqlite://./data/afterglow.db");
    assert_eq!(settings.media_url(), "file://./data/media");
    assert_eq!(settings.mail_url(), "outbox://./data/outbox");
    assert!(settings.razorpay_key_id.is_none() && settings.razorpay_key_secret.is_none());
    assert!(settings.razorpay_webhook_secret.is_none());
    for (name, default) in [
        ("limit_searches_per_minute", settings.limits().searches),
        ("limit_searches_per_day", settings.limits().daily_searches),
        ("limit_repeated_searches_per_minute", settings.limits().repeated_searches),
        ("limit_logins_per_hour", settings.limits().logins),
        ("limit_registrations_per_hour", settings.limits().registrations),
        ("limit_mails_per_hour", settings.limits().mails),
        ("limit_lookups_per_minute", settings.limits().lookups),
        ("limit_results_per_minute", settings.limits().results),
        ("limit_objections_per_day", settings.limits().objections),
        ("limit_wrong_passwords", settings.limits().wrong_passwords),
        ("limit_orders_per_hour", settings.limits().orders),
        ("limit_coupons_per_hour", settings.limits().coupons),
        ("limit_exports_per_day", settings.limits().exports),
        ("limit_wrong_pins_per_hour", settings.limits().pins),
        ("limit_questions_per_day", settings.limits().questions),
        ("limit_invitations_per_day", settings.limits().invitations),
        ("limit_wrong_ftp_logins_per_hour", settings.limits().ftp_logins),
        ("limit_guest_photos_per_hour", settings.limits().guest_photos),
    ] {
        assert_eq!(default.to_string(), shown[name]);
    }
    assert_eq!(settings.search_capacity(), SearchCapacity::default());
    assert_eq!(settings.upload_capacity(), UploadCapacity::default());
    assert_eq!(settings.connection_capacity(), ConnectionCapacity::default());
    let numbers = serde_json::to_value(&settings).unwrap();
    for name in [
        "search_queue",
        "searches_per_address",
        "search_memory_mb",
        "search_deadline_seconds",
        "uploads_per_user",
        "uploads_per_address",
        "unfinished_uploads_per_user",
        "unfinished_uploads_per_address",
        "unfinished_uploads_mb",
        "unfinished_upload_hours",
        "min_free_disk_mb",
        "max_connections",
        "connections_per_address",
        "request_head_seconds",
        "idle_seconds",
        "min_upload_kb_per_second",
        "request_seconds",
        "stalled_download_seconds",
    ] {
        assert_eq!(numbers[name].to_string(), shown[name], "{name}");
    }
}

#[test]
fn secrets_come_from_files_and_are_not_printed() {
    // [SAFE114] [RUN125] [RUN321]
    let folder = tempfile::tempdir().unwrap();
    let variables: Vec<(String, String)> = FROM_FILES
        .iter()
        .map(|name| {
            let path = folder.path().join(name);
            std::fs::write(&path, "scheme://user:hunter2@host/hunter2\n").unwrap();
            (format!("AFTERGLOW_{}_FILE", name.to_uppercase()), path.display().to_string())
        })
        .collect();
    let variables: Vec<(&str, &str)> = variables.iter().map(|(name, path)| (&**name, &**path)).collect();
    let settings = read("", &variables, &Flags::default()).unwrap();
    assert_eq!(settings.database_url(), "scheme://user:hunter2@host/hunter2", "without the line's end");
    assert!(settings.metrics_token.is_some() && settings.razorpay_webhook_secret.is_some());
    let printed = format!("{settings:?}{}", crate::commands::config::text(&settings));
    assert!(printed.contains("scheme://…@host"), "{printed}");
    assert!(!printed.contains("user:hunter2"), "{printed}");
    for name in ["razorpay_key_secret", "razorpay_webhook_secret", "metrics_token"] {
        assert!(printed.contains(&format!("{name}: Some(…)")), "{printed}");
    }

    let both = [("AFTERGLOW_METRICS_TOKEN", "a"), ("AFTERGLOW_METRICS_TOKEN_FILE", "/nowhere")];
    let refused = read("", &both, &Flags::default()).unwrap_err();
    assert_eq!(refused, "Set either AFTERGLOW_METRICS_TOKEN or AFTERGLOW_METRICS_TOKEN_FILE, not both.");
    let missing = read("", &both[1..], &Flags::default()).unwrap_err();
    assert!(missing.contains("AFTERGLOW_METRICS_TOKEN_FILE"), "{missing}");
}

#[test]
fn texts_are_taken_to_the_letter_and_no_secret_is_printed() {
    // [RUN136] [SAFE411]
    for text in ["12345", "007", "true", "-5", "1e3", " a \"quoted\" text ", "[a, b]", "{a=1}", "'x'"] {
        let environment = [
            ("AFTERGLOW_RAZORPAY_KEY_ID", text),
            ("AFTERGLOW_RAZORPAY_WEBHOOK_SECRET", text),
            ("AFTERGLOW_OPERATOR_NAME", text),
        ];
        let settings = read("", &environment, &Flags::default()).unwrap();
        assert_eq!(settings.razorpay_key_id.as_deref(), Some(text));
        assert_eq!(settings.operator_name, text);
        assert_eq!(settings.razorpay_webhook_secret.unwrap().reveal().expose_secret(), text);
        let flags = Flags { operator_name: Some(text.to_owned()), ..Flags::default() };
        assert_eq!(read("", &[], &flags).unwrap().operator_name, text);
    }
    let numbers = [("AFTERGLOW_RETENTION_DAYS", "7"), ("AFTERGLOW_PLAIN_HTTP", "on")];
    assert_eq!(read("", &numbers, &Flags::default()).unwrap().retention_days, 7);
    for toml in [
        "razorpay_webhook_secret = 54321",
        "razorpay_webhook_secret = [54321]",
        "mail_url = 54321",
        "# one\nrazorpay_webhook_secret = x54321",
        "# one\nrazorpay_webhook_secret = \"54321",
    ] {
        let refused = read(toml, &[], &Flags::default()).unwrap_err();
        assert!(!refused.contains("54321"), "{refused}");
        assert!(
            refused.contains("_secret`") || refused.contains("`mail_url`") || refused.contains("line 2"),
            "{refused}"
        );
    }
}

#[test]
fn a_variable_that_is_no_text_is_refused_by_its_name() {
    // [SAFE411]
    use std::ffi::OsString;
    use std::os::unix::ffi::OsStringExt as _;

    let check = |name: &str, value: &[u8]| {
        let variable = (OsString::from(name), OsString::from_vec(value.to_vec()));
        super::check_variables(std::iter::once(variable)).map_err(|error| error.to_string())
    };
    let refused = check("AFTERGLOW_OPERATOR_NAME", b"M\xfcller").unwrap_err();
    assert_eq!(refused, "The setting AFTERGLOW_OPERATOR_NAME is not in UTF-8.");
    assert_eq!(check("AFTERGLOW_OPERATOR_NAME", "Müller".as_bytes()), Ok(()));
    assert_eq!(check("OTHER", b"M\xfcller"), Ok(()));
}

#[test]
fn every_limit_can_be_set_and_all_be_lifted() {
    // [RUN039] [RUN040] [SAFE009]
    let own = [
        ("AFTERGLOW_LIMIT_SEARCHES_PER_MINUTE", "1"),
        ("AFTERGLOW_LIMIT_LOGINS_PER_HOUR", "2"),
        ("AFTERGLOW_LIMIT_REGISTRATIONS_PER_HOUR", "3"),
        ("AFTERGLOW_LIMIT_MAILS_PER_HOUR", "4"),
        ("AFTERGLOW_LIMIT_LOOKUPS_PER_MINUTE", "5"),
        ("AFTERGLOW_LIMIT_RESULTS_PER_MINUTE", "6"),
        ("AFTERGLOW_LIMIT_OBJECTIONS_PER_DAY", "7"),
        ("AFTERGLOW_LIMIT_WRONG_PASSWORDS", "8"),
        ("AFTERGLOW_LIMIT_ORDERS_PER_HOUR", "9"),
        ("AFTERGLOW_LIMIT_COUPONS_PER_HOUR", "10"),
        ("AFTERGLOW_LIMIT_EXPORTS_PER_DAY", "11"),
        ("AFTERGLOW_LIMIT_WRONG_PINS_PER_HOUR", "12"),
        ("AFTERGLOW_LIMIT_QUESTIONS_PER_DAY", "13"),
        ("AFTERGLOW_LIMIT_INVITATIONS_PER_DAY", "14"),
        ("AFTERGLOW_LIMIT_WRONG_FTP_LOGINS_PER_HOUR", "15"),
        ("AFTERGLOW_LIMIT_GUEST_PHOTOS_PER_HOUR", "18"),
        ("AFTERGLOW_LIMIT_SEARCHES_PER_DAY", "16"),
        ("AFTERGLOW_LIMIT_REPEATED_SEARCHES_PER_MINUTE", "17"),
    ];
    let limits = read("", &own, &Flags::default()).unwrap().limits();
    let expected = LimitSettings {
        searches: 1,
        logins: 2,
        registrations: 3,
        mails: 4,
        lookups: 5,
        results: 6,
        objections: 7,
        wrong_passwords: 8,
        orders: 9,
        coupons: 10,
        exports: 11,
        pins: 12,
        questions: 13,
        invitations: 14,
        ftp_logins: 15,
        daily_searches: 16,
        repeated_searches: 17,
        guest_photos: 18,
    };
    assert_eq!(limits, expected);
    assert_eq!(read("", &[], &Flags::default()).unwrap().limits(), LimitSettings::default());
    let off = read("", &[("AFTERGLOW_RATE_LIMITS", "off"), own[0]], &Flags::default()).unwrap();
    assert_eq!(off.limits(), LimitSettings::OFF);
    let neither = read("", &[("AFTERGLOW_RATE_LIMITS", "maybe")], &Flags::default()).unwrap_err();
    assert!(neither.contains("AFTERGLOW_RATE_LIMITS"), "{neither}");
}
