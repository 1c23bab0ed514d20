//! What a session answers at once, and what it remembers for that.

use crate::commands::Command;
use crate::folder::Folder;
use crate::replies::Reply;

pub(crate) struct Dialogue {
    has_tls: bool,
    allows_plain: bool,
    pub(crate) is_encrypted: bool,
    pub(crate) encrypts_data: bool,
    pub(crate) folder: Folder,
    /// How many bytes the next file has, as the client says.
    pub(crate) announced: Option<u64>,
    /// The file to which the next command gives another name.
    pub(crate) renaming: Option<String>,
}

impl Dialogue {
    pub(crate) fn new(has_tls: bool, allows_plain: bool) -> Self {
        Self {
            has_tls,
            allows_plain,
            is_encrypted: false,
            encrypts_data: false,
            folder: Folder::default(),
            announced: None,
            renaming: None,
        }
    }

    /// What needs no waiting.
    pub(crate) fn answer(&mut self, command: &Command<'_>) -> Reply {
        match command {
            Command::Noop => Reply::new(200, "OK"),
            Command::Syst => Reply::new(215, "UNIX Type: L8"),
            Command::Help => Reply::new(214, "Store photos with STOR; docs/uploading.md says more."),
            Command::Stat => Reply::new(211, "Afterglow takes your photos"),
            Command::Feat => {
                let tls = if self.has_tls { &["AUTH TLS", "PBSZ", "PROT"][..] } else { &[] };
                let lines = [&["EPSV", "MDTM", "PASV", "SIZE", "UTF8"][..], tls].concat();
                Reply { code: 211, text: String::from("Features"), lines }
            }
            Command::Opts(option) if option.to_ascii_uppercase().starts_with("UTF8") => {
                Reply::new(200, "Names are in UTF-8")
            }
            Command::Opts(_) => Reply::new(501, "There is no such option."),
            Command::Pbsz => Reply::new(200, "PBSZ=0"),
            Command::Prot(_) if !self.is_encrypted => Reply::new(503, "Please begin TLS first."),
            Command::Prot(level) => match level.to_ascii_uppercase().as_str() {
                "P" => {
                    self.encrypts_data = true;
                    Reply::new(200, "Data is encrypted")
                }
                "C" if self.allows_plain => {
                    self.encrypts_data = false;
                    Reply::new(200, "Data is not encrypted")
                }
                _ => Reply::new(534, "Data has to be encrypted: please send PROT P."),
            },
            // Bytes are kept as they come in either.
            Command::Type(_) => Reply::new(200, "Files are kept as they come"),
            Command::Mode(mode) if mode.eq_ignore_ascii_case("S") => Reply::new(200, "Stream"),
            Command::Stru(structure) if structure.eq_ignore_ascii_case("F") => Reply::new(200, "File"),
            Command::Mode(_) | Command::Stru(_) => Reply::new(504, "Please send files as streams."),
            Command::Allo(size) => {
                self.announced = size.split(' ').next().and_then(|size| size.parse().ok());
                Reply::new(200, "OK")
            }
            Command::Rest("0") => Reply::new(350, "From the beginning"),
            Command::Rest(_) => Reply::new(504, "A file begins at its beginning: please send all of it."),
            Command::Abor => Reply::new(226, "There is nothing to abort."),
            Command::Forbidden => Reply::new(
                550,
                "Photos can only be stored here, as whole files. All else is done in the browser.",
            ),
            Command::Active => {
                Reply::new(502, "Please switch passive mode on: the service opens no connections.")
            }
            command => self.answer_about_files(command),
        }
    }

    fn answer_about_files(&mut self, command: &Command<'_>) -> Reply {
        let unknown = || Reply::new(550, "This session has stored no such file.");
        let unusable = || Reply::new(553, "This name cannot be used.");
        match command {
            Command::Pwd => Reply::new(257, quoted(&self.folder.current())),
            Command::Cwd(path) if self.folder.enter(path) => Reply::new(250, "OK"),
            Command::Cdup if self.folder.enter("..") => Reply::new(250, "OK"),
            Command::Cwd(_) | Command::Cdup => unusable(),
            Command::Mkd(path) => {
                self.folder.resolve(path).map_or_else(unusable, |path| Reply::new(257, quoted(&path)))
            }
            Command::Size(path) => {
                self.folder.find(path).map_or_else(unknown, |file| Reply::new(213, file.size().to_string()))
            }
            Command::Mdtm(path) => {
                self.folder.find(path).map_or_else(unknown, |file| Reply::new(213, file.modified()))
            }
            Command::Rnfr(path) => {
                if self.folder.find(path).is_none() {
                    return unknown();
                }
                self.renaming = self.folder.resolve(path);
                Reply::new(350, "Please send the new name.")
            }
            Command::Rnto(_) => Reply::new(503, "Please name the file to rename first."),
            _ => Reply::new(502, "This command is not known here."),
        }
    }
}

/// A path as replies have it (RFC 959, appendix II).
fn quoted(path: &str) -> String {
    format!("\"{}\"", path.replace('"', "\"\""))
}
