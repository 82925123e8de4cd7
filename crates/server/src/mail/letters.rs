//! What the label writes to people about their accounts: what happened, when, and what to do. Links lead to the configured
//! address only and carry their tokens behind the `#`, where neither servers nor their logs see them.

use url::form_urlencoded;

use super::{
    compose,
    letter::{Label, Letter, Part, say},
};

/// The page that redeems a token by the kind named in its fragment.
fn token_link(label: &Label<'_>, path: &str, kind: &str, token: &str) -> String {
    let fragment = form_urlencoded::Serializer::new(String::new())
        .append_pair("type", kind)
        .append_pair("token", token)
        .finish();
    label.link(&format!("{path}#{fragment}"))
}

/// The login, where a link to a new password can be asked for without signing in.
fn sign_in_link(label: &Label<'_>) -> String {
    label.link("/?dialog=login&reset=true")
}

/// What to do about something one did not do oneself.
fn take_it_back(label: &Label<'_>) -> [Part; 2] {
    [
        say("If it was not you: set a new password at once. That signs everybody else out."),
        Part::Link("Begin here, with Forgot password?", sign_in_link(label)),
    ]
}

/// To somebody who signed up: `token` confirms the address, `not_me_token` voids this sign-up.
pub fn confirm(label: &Label<'_>, token: &str, not_me_token: &str) -> Letter {
    label.letter(
        "confirm your e-mail address",
        "CONFIRM YOUR ADDRESS",
        &[
            say(format!("Somebody signed up with this address {}.", label.when())),
            Part::Link(
                "If it was you, confirm within 24 hours",
                token_link(label, "/auth/callback", "signup", token),
            ),
            Part::Link(
                "If this was not you, make it void",
                token_link(label, "/auth/callback", "not_me", not_me_token),
            ),
            say("Without either nothing happens: an address that is not confirmed cannot sign in."),
        ],
    )
}

/// To the owner of an account whose address somebody tried to sign up with again.
pub fn already_registered(label: &Label<'_>) -> Letter {
    label.letter(
        "you already have an account",
        "YOU ALREADY HAVE AN ACCOUNT",
        &[
            say(format!(
                "Somebody tried to sign up with this address {}. It already has an account, so none was made \
                and nothing was changed.",
                label.when()
            )),
            Part::Link("If it was you, sign in or ask for a new password", sign_in_link(label)),
            say("If it was not you, there is nothing to do."),
        ],
    )
}

/// The page where a new password is set.
pub fn reset_link(label: &Label<'_>, token: &str) -> String {
    token_link(label, "/profile", "recovery", token)
}

/// To somebody whose account was given admin rights, and whose password counts no more.
pub fn admin_granted(label: &Label<'_>, token: &str) -> Letter {
    label.letter(
        "you are an admin now",
        "YOU ARE AN ADMIN NOW",
        &[
            say(format!(
                "Your account was given admin rights {}. To be sure that it is yours, its password counts no more, and all \
                its sessions have ended.",
                label.when()
            )),
            Part::Link("Set a new password within one hour, once", reset_link(label, token)),
            Part::Link("Later, ask for another link", sign_in_link(label)),
            say("If you do not expect this, do nothing and tell the label."),
        ],
    )
}

/// To somebody who forgot a password.
pub fn reset(label: &Label<'_>, token: &str) -> Letter {
    label.letter(
        "set a new password",
        "SET A NEW PASSWORD",
        &[
            say(format!("Somebody asked for a new password for this account {}.", label.when())),
            Part::Link("If it was you, follow this within one hour, once", reset_link(label, token)),
            say("If it was not you, do nothing: your password stays as it is."),
        ],
    )
}

/// To the new address of an account.
pub fn email_change(label: &Label<'_>, token: &str) -> Letter {
    label.letter(
        "confirm your new e-mail address",
        "CONFIRM YOUR NEW ADDRESS",
        &[
            say(format!(
                "The owner of an account asked {} to be reached at this address from now on.",
                label.when()
            )),
            Part::Link(
                "If it was you, confirm within 30 minutes",
                token_link(label, "/profile", "email_change", token),
            ),
            say("If it was not you, do nothing: the account keeps its old address."),
        ],
    )
}

/// To the old address of an account; `cancel_token` stops the change.
pub fn email_change_notice(label: &Label<'_>, new_email: &str, cancel_token: &str) -> Letter {
    label.letter(
        "your e-mail address is about to change",
        "YOUR ADDRESS IS ABOUT TO CHANGE",
        &[
            say(format!(
                "Somebody signed in to your account asked {} to change its address to {}. It changes as soon as that address \
                confirms.",
                label.when(),
                compose::one_line(new_email)
            )),
            Part::Link(
                "If it was not you, stop it",
                token_link(label, "/auth/callback", "email_change_cancel", cancel_token),
            ),
            Part::Link("Then set a new password, because somebody has been in your account", sign_in_link(label)),
            say("If it was you, there is nothing to do here."),
        ],
    )
}

/// To the address that an account had until just now; `undo_token` puts it back.
pub fn email_changed(label: &Label<'_>, new_email: &str, undo_token: &str) -> Letter {
    label.letter(
        "your e-mail address was changed",
        "YOUR ADDRESS WAS CHANGED",
        &[
            say(format!(
                "Your account was moved {} from this address to {}.",
                label.when(),
                compose::one_line(new_email)
            )),
            Part::Link(
                "If it was not you, put this address back within 72 hours",
                token_link(label, "/auth/callback", "email_change_undo", undo_token),
            ),
            say("That signs everybody out. Then set a new password, because somebody has been in your account."),
            say("If it was you, there is nothing to do here."),
        ],
    )
}

/// To somebody whose password was changed.
pub fn password_changed(label: &Label<'_>) -> Letter {
    let [first, second] = take_it_back(label);
    label.letter(
        "your password was changed",
        "YOUR PASSWORD WAS CHANGED",
        &[
            say(format!("It was changed {}. All other sessions of your account have ended.", label.when())),
            first,
            second,
        ],
    )
}

/// To somebody whose second factor was turned on or off.
pub fn two_factor_changed(label: &Label<'_>, enabled: bool) -> Letter {
    let [first, second] = take_it_back(label);
    let (subject, heading, what) = if enabled {
        (
            "two-factor authentication is on",
            "TWO-FACTOR IS ON",
            "From now on signing in asks for a code of your authenticator app. Keep your recovery codes where you will \
            find them.",
        )
    } else {
        (
            "two-factor authentication is off",
            "TWO-FACTOR IS OFF",
            "From now on your password alone signs you in. All other sessions of your account have ended.",
        )
    };
    label.letter(subject, heading, &[say(format!("It was changed {}. {what}", label.when())), first, second])
}

/// To somebody without their authenticator; `code` is eight digits.
pub fn recovery_code(label: &Label<'_>, code: &str) -> Letter {
    label.letter(
        "your e-mail code",
        "YOUR E-MAIL CODE",
        &[
            say(format!(
                "Somebody who knows your password asked for this code {}. It works once, within 10 minutes, in the window \
                that asked for it.",
                label.when()
            )),
            Part::Code(code.to_owned()),
            say("Nobody from the label will ever ask you for it."),
            say("If it was not you, somebody knows your password: set a new one at once."),
            Part::Link("Begin here, with Forgot password?", sign_in_link(label)),
        ],
    )
}

/// To somebody whose account was opened with a recovery code, or else with an e-mail code.
pub fn recovery_used(label: &Label<'_>, is_recovery: bool) -> Letter {
    let [first, second] = take_it_back(label);
    let (subject, heading) = if is_recovery {
        ("a recovery code was used", "A RECOVERY CODE WAS USED")
    } else {
        ("an e-mail code was used", "AN E-MAIL CODE WAS USED")
    };
    label.letter(
        subject,
        heading,
        &[
            say(format!(
                "It took the place of your authenticator app {}. Two-factor stays on, and all other sessions of your account \
                have ended.",
                label.when()
            )),
            first,
            second,
        ],
    )
}

/// To somebody whose account has another authenticator now.
pub fn authenticator_replaced(label: &Label<'_>) -> Letter {
    let [first, second] = take_it_back(label);
    label.letter(
        "your authenticator was replaced",
        "YOUR AUTHENTICATOR WAS REPLACED",
        &[
            say(format!(
                "A new one was set up {} after signing in with a recovery code. The one before and its recovery codes count no \
                more, and all other sessions of your account have ended.",
                label.when()
            )),
            first,
            second,
        ],
    )
}

/// To somebody whose recovery codes were replaced.
pub fn recovery_codes_replaced(label: &Label<'_>) -> Letter {
    let [first, second] = take_it_back(label);
    label.letter(
        "your recovery codes were replaced",
        "YOUR RECOVERY CODES WERE REPLACED",
        &[
            say(format!("New ones were made {}. The earlier ones no longer work.", label.when())),
            first,
            second,
        ],
    )
}

/// To somebody whose account is being guessed at.
pub fn failed_sign_ins(label: &Label<'_>) -> Letter {
    label.letter(
        "failed sign-ins",
        "FAILED SIGN-INS",
        &[
            say(format!(
                "Signing in to your account has failed several times in a row, last {}. Further tries are refused for a \
                while.",
                label.when()
            )),
            say("If it was you, wait a few minutes and try again."),
            say("If it was not you, nobody got in. A wrong code means that somebody knows your password: then set a new one."),
            Part::Link("Begin here, with Forgot password?", sign_in_link(label)),
        ],
    )
}

/// To somebody whose session was used by two.
pub fn token_reuse(label: &Label<'_>) -> Letter {
    let [first, second] = take_it_back(label);
    label.letter(
        "a session was ended",
        "A SESSION WAS ENDED",
        &[
            say(format!(
                "A session of your account was continued {} with a key that had already been replaced. That happens when \
                somebody has copied it, so the session was ended everywhere. Sign in again to go on.",
                label.when()
            )),
            first,
            second,
        ],
    )
}

/// To somebody whose account was deleted just now.
pub fn farewell(label: &Label<'_>) -> Letter {
    label.letter(
        "your account was deleted",
        "YOUR ACCOUNT WAS DELETED",
        &[
            say(format!(
                "It was deleted {}, with its profile and everything else we had of you. You can sign up again with this \
                address whenever you like.",
                label.when()
            )),
            say("It cannot be brought back. If it was not you, tell us."),
            Part::Link("Write to us", label.link("/contact")),
        ],
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Origin;

    fn origin() -> Origin {
        Origin::parse("https://label.example").unwrap()
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
            two_factor_changed(label, true),
            two_factor_changed(label, false),
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
        for letter in all(&Label::new("404 COLLECTIVE", &origin, 1_795_176_000_000_000)) {
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
        let label = Label::new("404 COLLECTIVE", &origin, 1_795_176_000_000_000);
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
        ] {
            assert!(letter.text.lines().any(|line| line == link), "{}", letter.text);
        }
        assert!(recovery_code(&label, "01234567").text.contains("\n    01234567\n"));
    }

    #[test]
    fn a_strange_name_stays_a_name() {
        let origin = origin();
        let label = Label::new("<b>\"Ä\r\nBcc: x@y.example</b>", &origin, 1_795_176_000_000_000);
        for letter in all(&label) {
            assert!(!letter.html.contains("<b>"), "{}", letter.html);
            assert!(!letter.subject.contains(['\r', '\n']), "{}", letter.subject);
            assert!(letter.text.starts_with("<b>\"Ä Bcc: x@y.example</b>\n> "), "{}", letter.text);
        }
    }
}
