//! Limits and refusals of all fields and forms as tables, for `docs/reference.md` and the test that compares them.
//!
//! The constants and enums decide; these tables only list them. Texts that belong to no field are in `messages`.

use crate::{
    artist, avatar, backups, codes, contact, content_value, demo, demo_desk, email, email_change, forgot,
    hero, image, import, label, letter_arrival, letter_sending, letter_template, letters, login, mark, media,
    newsletter_consent, password, product, release, signup, site_image, subscriber_import, terminal, upload,
    url, username,
};

/// Name, number and unit of a limit. The limit itself is accepted.
pub type Limit = (&'static str, u64, &'static str);

/// Module, code and text of a refusal.
pub type RefusalEntry = (&'static str, &'static str, &'static str);

const CHARACTERS: &str = "characters";
const BYTES: &str = "bytes";

/// Limits of all fields, in the order of the screens.
pub const LIMITS: [Limit; 68] = [
    ("Username, at least", username::USERNAME_MIN as u64, CHARACTERS),
    ("Username, at most", username::USERNAME_MAX as u64, CHARACTERS),
    ("E-mail address, at most", email::EMAIL_MAX as u64, CHARACTERS),
    ("E-mail address before the @, at most", email::LOCAL_MAX as u64, CHARACTERS),
    ("Password at sign-up, at least", password::SIGNUP_MIN as u64, CHARACTERS),
    ("Password on a change, at least", password::CHANGE_MIN as u64, CHARACTERS),
    ("Password of an admin made on the command line, at least", password::ADMIN_MIN as u64, CHARACTERS),
    ("Password, at most", password::PASSWORD_MAX as u64, CHARACTERS),
    ("Full name, at most", signup::FULL_NAME_MAX as u64, CHARACTERS),
    ("Authenticator code", codes::TOTP_DIGITS as u64, "digits"),
    ("E-mail code", codes::RECOVERY_DIGITS as u64, "digits"),
    ("Recovery code", codes::OFFLINE_LENGTH as u64, CHARACTERS),
    ("Recovery codes of an account", codes::OFFLINE_CODES as u64, "codes"),
    ("Contact name, at least", contact::NAME_MIN as u64, CHARACTERS),
    ("Contact name, at most", contact::NAME_MAX as u64, CHARACTERS),
    ("Contact message, at least", contact::MESSAGE_MIN as u64, CHARACTERS),
    ("Contact message, at most", contact::MESSAGE_MAX as u64, CHARACTERS),
    ("Terminal message, at most", terminal::MESSAGE_MAX as u64, CHARACTERS),
    ("Demo artist name, at most", demo::ARTIST_NAME_MAX as u64, CHARACTERS),
    ("Demo message, at most", demo::MESSAGE_MAX as u64, CHARACTERS),
    ("Subject of a letter or a template, at most", letter_template::SUBJECT_MAX as u64, CHARACTERS),
    ("Text of a template, at most", letter_template::TEMPLATE_TEXT_MAX as u64, CHARACTERS),
    ("Text of an answer, at most", letter_template::LETTER_TEXT_MAX as u64, CHARACTERS),
    ("Demo file, at most", demo::DEMO_MAX_BYTES, BYTES),
    ("Artist name, at most", artist::NAME_MAX as u64, CHARACTERS),
    ("Artist bio, at most", artist::BIO_MAX as u64, CHARACTERS),
    ("Release and product title, at most", release::TITLE_MAX as u64, CHARACTERS),
    ("Release and product description, at most", release::DESCRIPTION_MAX as u64, CHARACTERS),
    ("Catalogue number, at most", release::CATALOG_MAX as u64, CHARACTERS),
    ("Format of a release, at most", release::FORMAT_MAX as u64, CHARACTERS),
    ("Address of a page, at most", url::URL_MAX as u64, BYTES),
    ("Price, at most", product::PRICE_MAX, "units"),
    ("Stock, at most", product::STOCK_MAX as u64, "pieces"),
    ("Product category, at most", product::CATEGORY_MAX as u64, CHARACTERS),
    ("Name of the label, at most", label::LABEL_NAME_MAX_CHARS as u64, CHARACTERS),
    ("Ribbon and copyright line of the label, at most", label::LABEL_LINE_MAX_CHARS as u64, CHARACTERS),
    ("Links of the label, at most", label::LABEL_LINKS_MAX as u64, "links"),
    ("Site text, at most", content_value::VALUE_MAX_BYTES as u64, BYTES),
    (
        "Alternative text and description of an image of the pages, at most",
        site_image::TEXT_MAX as u64,
        CHARACTERS,
    ),
    ("Name that is kept of a file, at most", upload::NAME_MAX as u64, CHARACTERS),
    ("Parts of a form with a file, at most", upload::FORM_PARTS_MAX as u64, "parts"),
    ("Image of an artist or a release, at most", image::IMAGE_MAX_BYTES, BYTES),
    ("Image of the home page, at most", hero::HERO_MAX_BYTES, BYTES),
    ("Mark of the label, at most", mark::MARK_MAX_BYTES, BYTES),
    ("Shapes of a mark, at most", mark::MARK_SHAPES_MAX as u64, "shapes"),
    ("Media file, at most", media::MEDIA_MAX_BYTES, BYTES),
    ("Avatar, at most", avatar::AVATAR_MAX_BYTES, BYTES),
    ("Avatar, width and height", avatar::AVATAR_SIZE as u64, "pixels"),
    ("Avatar, JPEG quality", avatar::AVATAR_QUALITY as u64, "percent"),
    ("Score of a demo, at most", demo_desk::SCORE_MAX as u64, "points"),
    ("Note on a demo, at most", demo_desk::NOTE_MAX as u64, CHARACTERS),
    ("Notes on a demo, at most", demo_desk::NOTES_MAX as u64, "notes"),
    ("Tag of a demo, at most", demo_desk::TAG_MAX as u64, CHARACTERS),
    ("Tags of a demo, at most", demo_desk::TAGS_MAX as u64, "tags"),
    ("Postal address below a letter, at most", letter_sending::POSTAL_ADDRESS_MAX as u64, CHARACTERS),
    ("Sentence on where subscribers agreed, at least", newsletter_consent::VOUCH_MIN as u64, CHARACTERS),
    ("Sentence on where subscribers agreed, at most", newsletter_consent::VOUCH_MAX as u64, CHARACTERS),
    ("Subject of a letter to the subscribers, at most", letters::SUBJECT_MAX as u64, CHARACTERS),
    ("Preview line of a letter, at most", letters::PREHEADER_MAX as u64, CHARACTERS),
    ("Parts of a letter, at most", letters::PARTS_MAX as u64, "parts"),
    ("Heading in a letter, at most", letters::HEADING_MAX as u64, CHARACTERS),
    ("Text in a letter, at most", letters::TEXT_MAX as u64, CHARACTERS),
    ("Words of a button in a letter, at most", letters::BUTTON_MAX as u64, CHARACTERS),
    ("Alternative text of a picture in a letter, at most", letters::ALT_MAX as u64, CHARACTERS),
    ("Letter as HTML, at most", letters::HTML_MAX_BYTES as u64, BYTES),
    ("Days of which the last backup is kept, at most", backups::KEEP_DAYS_MAX as u64, "days"),
    ("Weeks of which the last backup is kept, at most", backups::KEEP_WEEKS_MAX as u64, "weeks"),
    ("Months of which the last backup is kept, at most", backups::KEEP_MONTHS_MAX as u64, "months"),
];

/// Refusals of all fields, rule by rule.
pub fn refusals() -> Vec<RefusalEntry> {
    let mut entries = Vec::new();
    macro_rules! list {
        ($($rule:literal: $error:path;)+) => {$(
            entries.extend(<$error>::ALL.iter().map(|error| ($rule, error.code(), error.message())));
        )+};
    }
    list! {
        "login": login::LoginError;
        "signup": signup::SignupError;
        "username": username::UsernameError;
        "email": email::EmailError;
        "email_change": email_change::EmailChangeError;
        "password": password::PasswordError;
        "password_change": password::PasswordChangeError;
        "codes": codes::CodeError;
        "forgot": forgot::ForgotError;
        "contact": contact::ContactError;
        "terminal": terminal::TerminalError;
        "demo": demo::DemoError;
        "artist": artist::ArtistError;
        "release": release::ReleaseError;
        "product": product::ProductError;
        "url": url::UrlError;
        "content_value": content_value::ContentValueError;
        "label": label::LabelError;
        "image": image::ImageError;
        "hero": hero::HeroError;
        "mark": mark::MarkError;
        "media": media::MediaError;
        "avatar": avatar::AvatarError;
        "import": import::ImportError;
        "site_image": site_image::SiteImageError;
        "demo_desk": demo_desk::DeskError;
        "letter_template": letter_template::LetterError;
        "newsletter_consent": newsletter_consent::ConsentError;
        "letters": letters::LetterDraftError;
        "letter_sending": letter_sending::SendingError;
        "letter_arrival": letter_arrival::ArrivalError;
        "subscriber_import": subscriber_import::SubscriberImportError;
        "backups": backups::BackupError;
    }
    entries.push(("demo", "file_too_large", "File size must be under 70MB. Your file is X MB."));
    entries
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_snake_case_and_texts_are_sentences_of_one_line() {
        for (rule, code, text) in refusals() {
            assert!(
                code.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_'),
                "{rule}: {code}"
            );
            assert!(
                text.starts_with(|c: char| c.is_ascii_uppercase()) && !text.contains('\n'),
                "{rule}: {text}"
            );
        }
    }

    #[test]
    fn within_a_rule_and_its_length_a_code_has_one_text() {
        let entries = refusals();
        for (rule, code, text) in &entries {
            let same = |other: &&RefusalEntry| other.0 == *rule && other.1 == *code && other.2 != *text;
            // The two minimum lengths of a password share a code, and so do a demo's wrong extension and wrong content.
            let is_one_kind = *rule == "password" || (*rule, *code) == ("demo", "invalid_file_type");
            assert!(is_one_kind || entries.iter().find(same).is_none(), "{rule}: {code}");
        }
    }
}
