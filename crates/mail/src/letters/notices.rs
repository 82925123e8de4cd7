//! Letters that report what happened to an account, and what to do if someone else did it.

use super::{contact_part, forgot_password_part, notice, one_time::token_link, sign_in_link};
use crate::letter::{Label, Letter, Part, say};

/// Advice to an owner who did not do it themselves.
fn take_it_back(label: &Label<'_>) -> [Part; 2] {
    let advice = "If it was not you: set a new password at once. That signs everybody else out.";
    [say(advice), forgot_password_part(label)]
}

/// Advice about an unknown second factor: a new password needs a code of it.
fn ask_the_label(label: &Label<'_>) -> [Part; 2] {
    let advice =
        "If it was not you, tell us at once: we can turn two-factor off, so that you can set a new password.";
    [say(advice), contact_part(label)]
}

pub fn already_registered(label: &Label<'_>) -> Letter {
    let what = format!(
        "Somebody tried to sign up with this address {}. It already has an account, so none was made and nothing was \
        changed.",
        label.when()
    );
    let sign_in = Part::Link("If it was you, sign in or ask for a new password", sign_in_link(label));
    let advice = [sign_in, say("If it was not you, there is nothing to do.")];
    notice(label, "you already have an account", what, advice)
}

pub fn password_changed(label: &Label<'_>) -> Letter {
    let what = format!("It was changed {}. All other sessions of your account have ended.", label.when());
    notice(label, "your password was changed", what, take_it_back(label))
}

/// `undo_token` takes the account back.
pub fn two_factor_on(label: &Label<'_>, undo_token: Option<&str>) -> Letter {
    let mut parts = vec![say(format!(
        "It was turned on {}. From now on signing in asks for a code of your authenticator app. Keep your recovery codes where \
        you will find them.",
        label.when()
    ))];
    match undo_token {
        Some(token) => parts.extend([
            Part::Link(
                "If it was not you, take your account back within 72 hours",
                token_link(label, "/auth/callback", "two_factor_undo", token),
            ),
            say("That turns two-factor off, signs everybody out and voids the password. A link to a new one comes by mail."),
        ]),
        None => parts.extend(ask_the_label(label)),
    }
    label.letter("two-factor authentication is on", "TWO-FACTOR IS ON", &parts)
}

pub fn two_factor_off(label: &Label<'_>) -> Letter {
    let [first, second] = take_it_back(label);
    let what = say(format!(
        "It was turned off {}. From now on your password alone signs you in. All other sessions of your account have ended.",
        label.when()
    ));
    label.letter("two-factor authentication is off", "TWO-FACTOR IS OFF", &[what, first, second])
}

/// The account was opened with a recovery code, or else with an e-mail code.
pub fn recovery_used(label: &Label<'_>, is_recovery: bool) -> Letter {
    let subject = if is_recovery { "a recovery code was used" } else { "an email code was used" };
    let what = format!(
        "It took the place of your authenticator app {}. Two-factor stays on, and all other sessions of your account \
        have ended.",
        label.when()
    );
    notice(label, subject, what, take_it_back(label))
}

pub fn authenticator_replaced(label: &Label<'_>) -> Letter {
    let what = format!(
        "A new one was set up {} after signing in with a recovery code. The one before and its recovery codes count no \
        more, and all other sessions of your account have ended.",
        label.when()
    );
    notice(label, "your authenticator was replaced", what, ask_the_label(label))
}

pub fn recovery_codes_replaced(label: &Label<'_>) -> Letter {
    let what = format!("New ones were made {}. The earlier ones no longer work.", label.when());
    let advice =
        take_it_back(label).into_iter().chain([say("Then make new recovery codes in your profile.")]);
    notice(label, "your recovery codes were replaced", what, advice)
}

/// The account is being guessed at.
pub fn failed_sign_ins(label: &Label<'_>) -> Letter {
    let what = format!(
        "Signing in to your account has failed several times in a row, last {}. Further tries are refused for a while.",
        label.when()
    );
    let advice = [
        say("If it was you, wait a few minutes and try again."),
        say(
            "If it was not you, nobody got in. A wrong code means that somebody knows your password: then set a new one.",
        ),
        forgot_password_part(label),
    ];
    notice(label, "failed sign-ins", what, advice)
}

/// A session token was used twice.
pub fn token_reuse(label: &Label<'_>) -> Letter {
    let what = format!(
        "A session of your account was continued {} with a key that had already been replaced. That happens when somebody \
        has copied it, so the session was ended everywhere. Sign in again to go on.",
        label.when()
    );
    notice(label, "a session was ended", what, take_it_back(label))
}

pub fn farewell(label: &Label<'_>) -> Letter {
    let what = format!(
        "It was deleted {}, with its profile, its picture and all its sessions. You can sign up again with this address \
        whenever you like.",
        label.when()
    );
    let advice = [
        say(
            "What was sent without it stays: a newsletter subscription until you ask us to end it, a demo until you \
            withdraw it by the link in its letter.",
        ),
        say("It cannot be brought back. If it was not you, tell us."),
        contact_part(label),
    ];
    notice(label, "your account was deleted", what, advice)
}
