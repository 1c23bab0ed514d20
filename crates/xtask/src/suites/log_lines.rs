//! What no log line of a server under test may have: the end of every run reads the logs of all of them.

use std::fs;
use std::path::{Path, PathBuf};

use crate::failure::Failure;

/// The variable that tells the tests where the servers' logs go.
pub(super) const VARIABLE: &str = "SERVER_LOGS";
/// Where they go.
pub(super) const FOLDER: &str = "target/test-logs/servers";

/// Passwords of the tests.
const PASSWORDS: [&str; 4] = ["correct horse", "staple battery", "password=", "passphrase="];
/// The outbox, which stands in for a mail server while something is tried out, says in its lines that it is not for real
/// use: they have the links of the mails.
const OUTBOX: &str = "which is not for real use";
/// The beginning of the paths of the web app's files, which everybody is given.
const ASSETS: &str = "/assets/";
/// Characters of a token: 256 bits in base64url.
const TOKEN_LENGTH: usize = 43;
/// What API tokens have before that.
const API_TOKEN: &str = "afterglow_";
/// So many numbers in a row are an embedding, or somebody's bytes.
const NUMBERS: usize = 8;

/// A line with something that no log may have.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Find {
    file: PathBuf,
    line: usize,
    /// What it is. The line itself is not repeated.
    what: &'static str,
}

impl std::fmt::Display for Find {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{} has {}", self.file.display(), self.line, self.what)
    }
}

/// Empties the folder of the logs.
pub(super) fn clear(folder: &Path) -> Result<(), Failure> {
    let in_folder = |source| Failure::File { path: folder.to_path_buf(), source };
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(in_folder)?;
    }
    fs::create_dir_all(folder).map_err(in_folder)
}

/// Reads all logs; answers how many lines there were, and those that have what no log may have.
pub(super) fn read(folder: &Path) -> Result<(usize, Vec<Find>), Failure> {
    let in_folder = |source| Failure::File { path: folder.to_path_buf(), source };
    let (mut lines, mut finds) = (0, Vec::new());
    for entry in fs::read_dir(folder).map_err(in_folder)? {
        let path = entry.map_err(in_folder)?.path();
        let bytes = fs::read(&path).map_err(|source| Failure::File { path: path.clone(), source })?;
        for (number, line) in String::from_utf8_lossy(&bytes).lines().enumerate() {
            lines += 1;
            if let Some(what) = secret_in(line) {
                finds.push(Find { file: path.clone(), line: number + 1, what });
            }
        }
    }
    Ok((lines, finds))
}

/// What a line has that no log may have.
fn secret_in(line: &str) -> Option<&'static str> {
    if line.contains(OUTBOX) {
        return None;
    }
    let line = &without_assets(&without_colors(line));
    let is_word = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
    let mut words = line.split(|c: char| !is_word(c));
    if PASSWORDS.iter().any(|password| line.contains(password)) {
        Some("a password")
    } else if words.any(is_token) {
        Some("a token")
    } else if has_address(line) {
        Some("an address")
    } else if line.contains("/9j/4") || line.to_ascii_lowercase().contains("ffd8ffe") {
        Some("bytes of a picture")
    } else if has_numbers(line) {
        Some("an embedding, or bytes")
    } else {
        None
    }
}

/// Without the sequences that colour a terminal, which are words to whoever splits at other characters.
fn without_colors(line: &str) -> String {
    let mut plain = String::with_capacity(line.len());
    let mut rest = line;
    while let Some((before, sequence)) = rest.split_once("\u{1b}[") {
        plain.push_str(before);
        rest = sequence.split_once('m').map_or("", |(_, after)| after);
    }
    plain.push_str(rest);
    plain
}

/// Without the names of the web app's files, one of which is as long as a token and has a hash at its end.
fn without_assets(line: &str) -> String {
    let mut parts = line.split(ASSETS);
    let before = parts.next().unwrap_or_default().to_owned();
    parts.fold(before, |plain, part| plain + ASSETS + part.split_once('"').map_or("", |(_, after)| after))
}

fn is_token(word: &str) -> bool {
    let word = word.strip_prefix(API_TOKEN).unwrap_or(word);
    let has = |kind: fn(&char) -> bool| word.chars().any(|c| kind(&c));
    word.len() == TOKEN_LENGTH
        && has(char::is_ascii_uppercase)
        && has(char::is_ascii_lowercase)
        && has(char::is_ascii_digit)
}

/// Whether there is an e-mail address: the part before its @ is not empty, and its domain ends with letters.
fn has_address(line: &str) -> bool {
    let is_local = |c: char| c.is_ascii_alphanumeric() || "._+-".contains(c);
    let is_domain = |c: char| c.is_ascii_alphanumeric() || ".-".contains(c);
    line.match_indices('@').any(|(at, _)| {
        let domain: String = line[at + 1..].chars().take_while(|c| is_domain(*c)).collect();
        let ending = domain.trim_end_matches('.').rsplit_once('.').map_or("", |(_, ending)| ending);
        line[..at].ends_with(is_local) && ending.len() > 1 && ending.chars().all(|c| c.is_ascii_alphabetic())
    })
}

/// Whether numbers follow each other, separated by commas. The placeholders of a statement (`$1, $2`) are none.
fn has_numbers(line: &str) -> bool {
    let mut row = 0;
    for part in line.split([',', ';']) {
        let part = part.trim();
        let number = part.trim_start_matches(|c: char| !c.is_ascii_digit() && c != '-');
        let is_placeholder = part.strip_suffix(number).is_some_and(|before| before.ends_with('$'));
        let is_number = number.trim_end_matches([']', ')', '}', ' ']).parse::<f32>().is_ok();
        row = if is_number && !is_placeholder { row + 1 } else { 0 };
        if row >= NUMBERS {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_planted_line_is_found() {
        // [SAFE137]
        let folder = std::env::temp_dir().join(format!("xtask-logs-{}", std::process::id()));
        clear(&folder).unwrap();
        let planted = [
            ("a token", "INFO session token=dGhpcyBpcyBub3QgYSByZWFsIHRva2VuLCBidXQgNDM"),
            ("a token", "INFO token=afterglow_dGhpcyBpcyBub3QgYSByZWFsIHRva2VuLCBidXQgNDM"),
            ("a password", "WARN login refused body={\"password\":\"correct horse\"}"),
            ("an address", "INFO sending a mail \u{1b}[3mto\u{1b}[0m=meera@example.com"),
            ("an embedding, or bytes", "DEBUG embedding=[0.12, -0.03, 0.5, 1e-3, 0.0, 0.7, -0.9, 0.11, 0.2]"),
            ("an embedding, or bytes", "DEBUG selfie=[255, 216, 255, 224, 0, 16, 74, 70]"),
            (
                "a token",
                "INFO request{path=\"/assets/a.js\"} token=dGhpcyBpcyBub3QgYSByZWFsIHRva2VuLCBidXQgNDM",
            ),
            ("bytes of a picture", "DEBUG selfie=/9j/4AAQSkZJRg"),
        ];
        let harmless = "INFO request{method=POST path=/api/auth/login id=0193a5c2-8d5c-7e3e-a4f1-6a3f9a0c1b2d} status=200 \
             database=postgres://afterglow@127.0.0.1:5432 took 1, 2, 3 ms";
        let statement = "DEBUG db.statement=\"INSERT INTO jobs (id) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)\" rows_affected=1";
        let font = "INFO request{method=GET path=\"/assets/familjen-grotesk-latin-wght-normal-CfZa4wxB.woff2\"}: status=200";
        let link = "INFO link of a mail in the outbox, which is not for real use link=http://localhost/?token=dGhpcyBpcyBub3QgYSByZWFsIHRva2VuLCBidXQgNDM";
        let lines: Vec<&str> = [harmless, statement, font, link]
            .into_iter()
            .chain(planted.iter().map(|(_, line)| *line))
            .collect();
        fs::write(folder.join("server.log"), lines.join("\n")).unwrap();
        let (read, finds) = read(&folder).unwrap();
        fs::remove_dir_all(folder).unwrap();
        assert_eq!(read, 12);
        let found: Vec<(usize, &str)> = finds.iter().map(|find| (find.line, find.what)).collect();
        let expected: Vec<(usize, &str)> =
            planted.iter().enumerate().map(|(index, (what, _))| (index + 5, *what)).collect();
        assert_eq!(found, expected);
        assert!(!finds[0].to_string().contains("dGhp"), "the secret is not repeated");
    }
}
