//! The commands of a client, parsed.

/// A command that is known here. What has a name takes the rest of its line.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Command<'a> {
    User(&'a str),
    Pass(&'a str),
    Auth(&'a str),
    Pbsz,
    Prot(&'a str),
    Quit,
    Noop,
    Syst,
    Feat,
    Help,
    Opts(&'a str),
    Type(&'a str),
    Mode(&'a str),
    Stru(&'a str),
    Allo(&'a str),
    Rest(&'a str),
    Pwd,
    Cwd(&'a str),
    Cdup,
    Mkd(&'a str),
    Pasv,
    Epsv(&'a str),
    List(&'a str),
    Nlst(&'a str),
    Size(&'a str),
    Mdtm(&'a str),
    Stor(&'a str),
    Rnfr(&'a str),
    Rnto(&'a str),
    Abor,
    Stat,
    /// One that would read, change or delete what is there.
    Forbidden,
    /// One by which the server would connect to the client.
    Active,
    Unknown,
}

impl<'a> Command<'a> {
    pub(crate) fn parse(line: &'a str) -> Self {
        let (verb, rest) = line.split_once(' ').unwrap_or((line, ""));
        match verb.to_ascii_uppercase().as_str() {
            "USER" => Self::User(rest.trim()),
            // A password may have blanks.
            "PASS" => Self::Pass(rest),
            "AUTH" => Self::Auth(rest.trim()),
            "PBSZ" => Self::Pbsz,
            "PROT" => Self::Prot(rest.trim()),
            "QUIT" => Self::Quit,
            "NOOP" => Self::Noop,
            "SYST" => Self::Syst,
            "FEAT" => Self::Feat,
            "HELP" => Self::Help,
            "OPTS" => Self::Opts(rest.trim()),
            "TYPE" => Self::Type(rest.trim()),
            "MODE" => Self::Mode(rest.trim()),
            "STRU" => Self::Stru(rest.trim()),
            "ALLO" => Self::Allo(rest.trim()),
            "REST" => Self::Rest(rest.trim()),
            "PWD" | "XPWD" => Self::Pwd,
            "CWD" | "XCWD" => Self::Cwd(rest),
            "CDUP" | "XCUP" => Self::Cdup,
            "MKD" | "XMKD" => Self::Mkd(rest),
            "PASV" => Self::Pasv,
            "EPSV" => Self::Epsv(rest.trim()),
            "LIST" => Self::List(rest),
            "NLST" => Self::Nlst(rest),
            "SIZE" => Self::Size(rest),
            "MDTM" => Self::Mdtm(rest),
            "STOR" => Self::Stor(rest),
            "RNFR" => Self::Rnfr(rest),
            "RNTO" => Self::Rnto(rest),
            "ABOR" => Self::Abor,
            "STAT" => Self::Stat,
            "RETR" | "DELE" | "RMD" | "XRMD" | "APPE" | "STOU" => Self::Forbidden,
            "PORT" | "EPRT" => Self::Active,
            _ => Self::Unknown,
        }
    }

    /// Whether it may come before the login.
    pub(crate) const fn is_open(&self) -> bool {
        matches!(
            self,
            Self::User(_)
                | Self::Pass(_)
                | Self::Auth(_)
                | Self::Pbsz
                | Self::Prot(_)
                | Self::Quit
                | Self::Noop
                | Self::Syst
                | Self::Feat
                | Self::Help
                | Self::Opts(_)
                | Self::Unknown
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_read_in_any_case_with_the_rest_of_their_line() {
        // [FTP011]
        for (line, command) in [
            ("STOR DSC 0001.JPG", Command::Stor("DSC 0001.JPG")),
            ("stor x.jpg", Command::Stor("x.jpg")),
            ("PASS a b ", Command::Pass("a b ")),
            ("XMKD /DCIM", Command::Mkd("/DCIM")),
            ("RETR x.jpg", Command::Forbidden),
            ("EPRT |1|10.0.0.1|80|", Command::Active),
            ("SITE CHMOD 777 x", Command::Unknown),
            ("", Command::Unknown),
        ] {
            assert_eq!(Command::parse(line), command, "{line}");
        }
        assert!(Command::parse("user x").is_open());
        assert!(!Command::parse("STOR x").is_open());
    }
}
