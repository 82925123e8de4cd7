//! Letters about accounts: what happened, when, and what to do. Links lead to the configured address only and carry
//! their tokens behind the `#`, which neither servers nor their logs see.

mod notices;
mod one_time;

use super::letter::{Label, Letter, Part, say};

pub use notices::{
    already_registered, authenticator_replaced, failed_sign_ins, farewell, password_changed,
    recovery_codes_replaced, recovery_used, token_reuse, two_factor_off, two_factor_on,
};
pub use one_time::{
    FactorLeft, admin_granted, confirm, email_change, email_change_notice, email_changed, recovery_code,
    reset, reset_link, taken_back,
};

/// The sign-in dialog, with the form that asks for a link to a new password.
fn sign_in_link(label: &Label<'_>) -> String {
    label.link("/?dialog=login&reset=true")
}

fn forgot_password_part(label: &Label<'_>) -> Part {
    Part::Link("Begin here, with Forgot password?", sign_in_link(label))
}

fn contact_part(label: &Label<'_>) -> Part {
    Part::Link("Write to us", label.link("/contact"))
}

/// A letter under the heading of its subject.
fn notice(label: &Label<'_>, subject: &str, what: String, more: impl IntoIterator<Item = Part>) -> Letter {
    let parts: Vec<_> = [say(what)].into_iter().chain(more).collect();
    label.letter(subject, &subject.to_uppercase(), &parts)
}

#[cfg(test)]
mod tests {
    use deadwax_config::Origin;
    use jiff::tz::TimeZone;

    use super::*;

    fn origin() -> Origin {
        Origin::parse("https://label.example").unwrap()
    }

    fn label<'a>(name: &str, origin: &'a Origin) -> Label<'a> {
        Label {
            name: name.to_owned(),
            origin,
            at: 1_795_176_000_000_000,
            has_imprint: false,
            signal: rules::signal::SIGNAL.to_owned(),
            zone: TimeZone::UTC,
        }
    }

    fn all(label: &Label<'_>) -> Vec<Letter> {
        vec![
            confirm(label, "TOKEN-1", "TOKEN-2"),
            already_registered(label),
            reset(label, "TOKEN-1"),
            admin_granted(label, "TOKEN-1"),
            email_change(label, "TOKEN-1"),
            email_change_notice(label, "new@example.org", "TOKEN-1"),
            email_changed(label, "new@example.org", "TOKEN-1"),
            password_changed(label),
            two_factor_on(label, Some("TOKEN-1")),
            two_factor_on(label, None),
            two_factor_off(label),
            taken_back(label, "TOKEN-1", FactorLeft::None),
            taken_back(label, "TOKEN-1", FactorLeft::Removed),
            taken_back(label, "TOKEN-1", FactorLeft::Kept),
            recovery_code(label, "01234567"),
            recovery_used(label, true),
            recovery_used(label, false),
            authenticator_replaced(label),
            recovery_codes_replaced(label),
            failed_sign_ins(label),
            token_reuse(label),
            farewell(label),
        ]
    }

    fn links(text: &str) -> Vec<&str> {
        text.split_whitespace().filter(|word| word.starts_with("http")).collect()
    }

    #[test]
    fn every_letter_says_the_same_in_both_forms_and_loads_nothing() {
        let origin = origin();
        for letter in all(&label("404 COLLECTIVE", &origin)) {
            assert!(letter.subject.starts_with("404 COLLECTIVE: "), "{}", letter.subject);
            assert!(letter.text.is_ascii() && letter.html.is_ascii(), "{}", letter.subject);
            assert!(letter.text.contains("on 2026-11-20 at 12:00 UTC"), "{}", letter.text);
            let plain = letter.html.replace("&#38;", "&");
            for link in links(&letter.text) {
                assert!(
                    link == "https://label.example" || link.starts_with("https://label.example/"),
                    "{link}"
                );
                assert!(plain.contains(&format!("href=\"{link}\"")), "{link}: {}", letter.html);
                assert!(!link.split('#').next().unwrap().contains("TOKEN"), "{link}");
            }
            assert_eq!(letter.html.matches("href=").count(), links(&letter.text).len());
            for loaded in ["<img", "<link", "<script", "url(", "src="] {
                assert!(!letter.html.contains(loaded), "{loaded}");
            }
        }
    }

    #[test]
    fn links_carry_their_tokens_behind_the_hash() {
        let origin = origin();
        let label = label("404 COLLECTIVE", &origin);
        assert_eq!(
            confirm(&label, "A-_", "B-_").text,
            "404 COLLECTIVE\n\
            > CONFIRM YOUR ADDRESS\n\n\
            Somebody signed up with this address on 2026-11-20 at 12:00 UTC.\n\n\
            If it was you, confirm within 24 hours:\n\
            https://label.example/auth/callback#type=signup&token=A-_\n\n\
            If this was not you, make it void:\n\
            https://label.example/auth/callback#type=not_me&token=B-_\n\n\
            Without either nothing happens: an address that is not confirmed cannot sign in.\n\n\
            --\n\
            404 COLLECTIVE\n\
            https://label.example\n"
        );
        for (letter, link) in [
            (reset(&label, "T"), "https://label.example/profile#type=recovery&token=T"),
            (email_change(&label, "T"), "https://label.example/profile#type=email_change&token=T"),
            (
                email_change_notice(&label, "new@example.org", "T"),
                "https://label.example/auth/callback#type=email_change_cancel&token=T",
            ),
            (
                two_factor_on(&label, Some("T")),
                "https://label.example/auth/callback#type=two_factor_undo&token=T",
            ),
        ] {
            assert!(letter.text.lines().any(|line| line == link), "{}", letter.text);
        }
        assert!(recovery_code(&label, "01234567").text.contains("\n    01234567\n"));
    }

    #[test]
    fn a_strange_name_stays_a_name() {
        let origin = origin();
        let label = label("<b>\"Ä\r\nBcc: x@y.example</b>", &origin);
        for letter in all(&label) {
            assert!(!letter.html.contains("<b>"), "{}", letter.html);
            assert!(!letter.subject.contains(['\r', '\n']), "{}", letter.subject);
            assert!(letter.text.starts_with("<b>\"Ä Bcc: x@y.example</b>\n> "), "{}", letter.text);
        }
    }
}
