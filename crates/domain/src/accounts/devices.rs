//! What a session runs on, in the words by which its owner knows it.

/// A browser and a system, as far as a User-Agent header tells them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Device {
    /// The name of the browser.
    pub browser: Option<String>,
    /// The name of the system, or of the phone.
    pub system: Option<String>,
}

/// What in a User-Agent means which browser. The first counts: most say that they are Chrome and Safari too.
const BROWSERS: [(&str, &str); 12] = [
    ("EdgA/", "Edge"),
    ("EdgiOS/", "Edge"),
    ("Edg/", "Edge"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("OPR/", "Opera"),
    ("OPT/", "Opera"),
    ("FxiOS/", "Firefox"),
    ("Firefox/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
    ("curl/", "curl"),
];

/// The same of systems; phones say that they are like Mac OS X, or Linux.
const SYSTEMS: [(&str, &str); 7] = [
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("CrOS", "ChromeOS"),
    ("Windows", "Windows"),
    ("Macintosh", "Mac"),
    ("Linux", "Linux"),
];

impl Device {
    /// Reads a User-Agent header; what is in none of the lists is not known.
    pub fn from_user_agent(header: &str) -> Self {
        let named = |list: &[(&str, &str)]| {
            list.iter().find(|(part, _)| header.contains(part)).map(|(_, name)| (*name).to_owned())
        };
        Self { browser: named(&BROWSERS), system: named(&SYSTEMS) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_user_agent_is_told_in_plain_words() {
        // [AUTH114]
        for (header, browser, system) in [
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36",
                Some("Chrome"),
                Some("Windows"),
            ),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1",
                Some("Safari"),
                Some("iPhone"),
            ),
            (
                "Mozilla/5.0 (Linux; Android 14; SM-S921B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/26.0 Chrome/122.0.0.0 Mobile Safari/537.36",
                Some("Samsung Internet"),
                Some("Android"),
            ),
            (
                "Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0",
                Some("Firefox"),
                Some("Linux"),
            ),
            (
                "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36 Edg/130.0.0.0",
                Some("Edge"),
                Some("Mac"),
            ),
            ("", None, None),
            ("<script>", None, None),
        ] {
            let device = Device::from_user_agent(header);
            assert_eq!((device.browser.as_deref(), device.system.as_deref()), (browser, system), "{header}");
        }
    }
}
