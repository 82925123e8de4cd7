//! The published tables, and sets of them: sources of an answer, and audiences of changes.

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tables(u32);

impl Tables {
    /// No table: an answer that never changes while the program runs.
    pub const NONE: Self = Self(0);
    pub const ARTISTS: Self = Self(1);
    pub const RELEASES: Self = Self(1 << 1);
    pub const SITE_CONTENT: Self = Self(1 << 2);
    pub const SITE_IMAGES: Self = Self(1 << 3);
    pub const MAINTENANCE: Self = Self(1 << 4);
    /// Sessions: their ends close their streams. Not published.
    pub const SESSIONS: Self = Self(1 << 5);
    /// Admin rights: their changes close the admin's streams. Not published.
    pub const ADMIN_USERS: Self = Self(1 << 6);
    pub const NEWSLETTER: Self = Self(1 << 7);
    pub const DEMOS: Self = Self(1 << 8);
    pub const PRODUCTS: Self = Self(1 << 9);
    pub const MEDIA: Self = Self(1 << 10);
    pub const UNPUBLISHED_RELEASES: Self = Self(1 << 11);
    pub const TRASH: Self = Self(1 << 12);
    pub const UNPUBLISHED_ARTISTS: Self = Self(1 << 13);
    /// Letters in every state.
    pub const LETTERS: Self = Self(1 << 14);
    /// The letters of the archive.
    pub const PUBLIC_LETTERS: Self = Self(1 << 15);
    pub const PUBLIC: Self = Self(0b1_1111).and(Self::PUBLIC_LETTERS);
    pub const FOR_ADMINS: Self = Self::NEWSLETTER
        .and(Self::DEMOS)
        .and(Self::PRODUCTS)
        .and(Self::MEDIA)
        .and(Self::UNPUBLISHED_RELEASES)
        .and(Self::UNPUBLISHED_ARTISTS)
        .and(Self::TRASH)
        .and(Self::LETTERS);

    pub const ALL: Self = Self((1 << Self::COUNT) - 1);

    pub const COUNT: usize = Self::NAMES.len();

    const NAMES: [(&'static str, Self); 16] = [
        ("artists", Self::ARTISTS),
        ("releases", Self::RELEASES),
        ("site_content", Self::SITE_CONTENT),
        ("site_images", Self::SITE_IMAGES),
        ("maintenance_settings", Self::MAINTENANCE),
        ("sessions", Self::SESSIONS),
        ("admin_users", Self::ADMIN_USERS),
        ("newsletter_subscriptions", Self::NEWSLETTER),
        ("demos", Self::DEMOS),
        ("store_products", Self::PRODUCTS),
        ("media_files", Self::MEDIA),
        ("unpublished_releases", Self::UNPUBLISHED_RELEASES),
        ("trash", Self::TRASH),
        ("unpublished_artists", Self::UNPUBLISHED_ARTISTS),
        ("letters", Self::LETTERS),
        ("public_letters", Self::PUBLIC_LETTERS),
    ];

    pub fn named(name: &str) -> Option<Self> {
        Self::NAMES.iter().find(|(known, _)| *known == name).map(|(_, table)| *table)
    }

    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub fn indices(self) -> impl Iterator<Item = usize> {
        (0..Self::COUNT).filter(move |index| self.0 & (1 << index) != 0)
    }

    pub const fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}
