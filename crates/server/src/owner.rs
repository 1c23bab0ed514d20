//! Root in somebody else's data folder: files that it makes there belong to root, and the service cannot use them.

use std::io::Write as _;
use std::os::unix::fs::MetadataExt as _;

use crate::settings::Settings;

/// Says so on standard error, with the cure. No refusal: a container's root may have reasons.
pub(crate) fn warn(settings: &Settings) {
    let Ok(folder) = std::fs::metadata(&settings.data_dir) else { return };
    if !rustix::process::geteuid().is_root() || folder.uid() == 0 {
        return;
    }
    let users = std::fs::read_to_string("/etc/passwd").unwrap_or_default();
    let id = folder.uid().to_string();
    // sudo takes a number behind this sign alone, which shells would read as a comment.
    let (user, owner) = name(&users, &id).map_or((format!("'#{id}'"), id), |name| (name.clone(), name));
    let shown = settings.data_dir.display();
    // There is nowhere left to say it when standard error is closed.
    let _ = writeln!(
        std::io::stderr(),
        "afterglow: This runs as root, and {shown} belongs to {owner}: what root makes there the service cannot use. Run it \
         as its user, sudo -u {user} afterglow …, and give files back with chown -R {owner}: {shown}"
    );
}

/// The user's name in the lines of /etc/passwd.
fn name(users: &str, id: &str) -> Option<String> {
    let mut lines = users.lines().map(|line| line.split(':').collect::<Vec<_>>());
    lines
        .find(|fields| fields.get(2) == Some(&id))
        .and_then(|fields| fields.first().map(|name| (*name).to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_user_is_called_by_its_name_where_it_has_one() {
        let users =
            "root:x:0:0:root:/root:/bin/sh\nafterglow:x:998:997::/var/lib/afterglow:/usr/sbin/nologin\n";
        assert_eq!(name(users, "998").as_deref(), Some("afterglow"));
        assert_eq!(name(users, "10001"), None);
        assert_eq!(name("broken", "1"), None);
    }
}
