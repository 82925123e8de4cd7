//! Letters that carry a one-time link or code.

use url::form_urlencoded;

use super::{contact_part, forgot_password_part, notice, sign_in_link};
use crate::{
    letter,
    letter::{Label, Letter, Part, say},
};

/// The page that redeems a token by the kind named in its fragment.
pub(super) fn token_link(label: &Label<'_>, path: &str, kind: &str, token: &str) -> String {
    let fragment = form_urlencoded::Serializer::new(String::new())
        .append_pair("type", kind)
        .append_pair("token", token)
        .finish();
    label.link(&format!("{path}#{fragment}"))
}

/// `token` confirms the address, `not_me_token` voids the sign-up.
pub fn confirm(label: &Label<'_>, token: &str, not_me_token: &str) -> Letter {
    label.letter(
        "confirm your email address",
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

pub fn reset_link(label: &Label<'_>, token: &str) -> String {
    token_link(label, "/profile", "recovery", token)
}

/// For an account that was given admin rights, and whose password was voided.
pub fn admin_granted(label: &Label<'_>, token: &str) -> Letter {
    let what = format!(
        "Your account was given admin rights {}. To be sure that it is yours, its password counts no more, and all \
        its sessions have ended.",
        label.when()
    );
    let more = [
        Part::Link("Set a new password within one hour, once", reset_link(label, token)),
        Part::Link("Later, ask for another link", sign_in_link(label)),
        say("If you do not expect this, do nothing and tell the label."),
    ];
    notice(label, "you are an admin now", what, more)
}

pub fn reset(label: &Label<'_>, token: &str) -> Letter {
    let what = format!("Somebody asked for a new password for this account {}.", label.when());
    let more = [
        Part::Link("If it was you, follow this within one hour, once", reset_link(label, token)),
        say("Of several such letters only the newest counts."),
        say("If it was not you, do nothing: your password stays as it is."),
    ];
    notice(label, "set a new password", what, more)
}

const TAKES_BACK: &str = "That signs everybody out, voids the password and turns off two-factor authentication that was set up \
    lately. A link to a new password comes by mail.";

/// The second factor of an account that was taken back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FactorLeft {
    None,
    /// It was set up lately, and is off.
    Removed,
    /// It is older, or an admin's, and stays.
    Kept,
}

pub fn taken_back(label: &Label<'_>, token: &str, factor: FactorLeft) -> Letter {
    let mut parts = vec![
        say(format!(
            "A link mailed to this address took your account back {}. Its password no longer works, and all its sessions have \
            ended.",
            label.when()
        )),
        Part::Link("Set a new password within one hour, once", reset_link(label, token)),
        Part::Link("Later, ask for another link", sign_in_link(label)),
    ];
    match factor {
        FactorLeft::None => {}
        FactorLeft::Removed => {
            parts.push(say("Two-factor authentication had been set up lately and is off. You can set it up again in your profile."));
        }
        FactorLeft::Kept => parts.extend([
            say(
                "Two-factor authentication stays on; recovery codes that were made lately no longer work. If \
                the authenticator is not yours, tell us.",
            ),
            contact_part(label),
        ]),
    }
    label.letter("set a new password", "YOUR ACCOUNT IS YOURS AGAIN", &parts)
}

/// To the new address.
pub fn email_change(label: &Label<'_>, token: &str) -> Letter {
    label.letter(
        "confirm your new email address",
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

/// To the old address; `cancel_token` stops the change.
pub fn email_change_notice(label: &Label<'_>, new_email: &str, cancel_token: &str) -> Letter {
    label.letter(
        "your email address is about to change",
        "YOUR ADDRESS IS ABOUT TO CHANGE",
        &[
            say(format!(
                "Somebody signed in to your account asked {} to change its address to {}. It changes as soon as that address \
                confirms.",
                label.when(),
                letter::one_line(new_email)
            )),
            Part::Link(
                "If it was not you, stop it",
                token_link(label, "/auth/callback", "email_change_cancel", cancel_token),
            ),
            say(TAKES_BACK),
            say("If it was you, there is nothing to do here."),
        ],
    )
}

/// To the previous address; `undo_token` puts it back.
pub fn email_changed(label: &Label<'_>, new_email: &str, undo_token: &str) -> Letter {
    label.letter(
        "your email address was changed",
        "YOUR ADDRESS WAS CHANGED",
        &[
            say(format!(
                "Your account was moved {} from this address to {}.",
                label.when(),
                letter::one_line(new_email)
            )),
            Part::Link(
                "If it was not you, put this address back within 72 hours",
                token_link(label, "/auth/callback", "email_change_undo", undo_token),
            ),
            say(TAKES_BACK),
            say("If it was you, there is nothing to do here."),
        ],
    )
}

pub fn recovery_code(label: &Label<'_>, code: &str) -> Letter {
    let what = format!(
        "Somebody who knows your password asked for this code {}. It works once, within 10 minutes, in the window \
        that asked for it.",
        label.when()
    );
    let more = [
        Part::Code(code.to_owned()),
        say("Nobody from the label will ever ask you for it."),
        say("If it was not you, somebody knows your password: set a new one at once."),
        forgot_password_part(label),
    ];
    notice(label, "your email code", what, more)
}
