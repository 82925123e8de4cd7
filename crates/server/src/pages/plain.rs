//! Pages without catalogue data: their paths and titles.

pub(super) struct Plain {
    pub(super) path: &'static str,
    pub(super) name: &'static str,
    pub(super) sentence: &'static str,
    pub(super) indexed: bool,
}

const fn listed(path: &'static str, name: &'static str, sentence: &'static str) -> Plain {
    Plain { path, name, sentence, indexed: true }
}

const fn unlisted(path: &'static str, name: &'static str, sentence: &'static str) -> Plain {
    Plain { path, name, sentence, indexed: false }
}

/// In sentences, `{label}` stands for the label's name.
pub(super) const PLAIN: [Plain; 12] = [
    listed("/store", "Store", "Records and merchandise from {label}. The store opens soon."),
    listed(
        "/terminal",
        "Terminal",
        "A terminal that answers questions about the artists and records of {label}.",
    ),
    listed("/contact", "Contact us", "Write to the people who run {label}."),
    listed("/privacy-policy", "Privacy policy", "How {label} handles personal data on this website."),
    listed("/signup", "Sign up", "Create an account with {label}."),
    unlisted("/profile", "Profile", "Your account with {label}."),
    unlisted("/auth/callback", "Confirmation", "Your email address is being confirmed."),
    unlisted("/auth/welcome", "Welcome", "Your account with {label} is ready."),
    unlisted(
        "/auth/signup-success",
        "Check your inbox",
        "A link to confirm your email address is on its way.",
    ),
    unlisted("/admin/login", "Admin Login", "Access the CMS dashboard."),
    unlisted("/admin", "Admin", "The back office of {label}."),
    unlisted("/admin/demos", "Demo Desk", "What artists have sent to {label}."),
];

impl Plain {
    pub(super) fn at(path: &str) -> Option<&'static Self> {
        PLAIN.iter().find(|page| page.path == path)
    }
}

/// The indexable pages, except those of artists and releases.
pub(super) fn listed_paths() -> impl Iterator<Item = &'static str> {
    let plain = PLAIN.iter().filter(|page| page.indexed).map(|page| page.path);
    ["/", "/releases", "/artists"].into_iter().chain(plain)
}
