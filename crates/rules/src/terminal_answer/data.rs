//! Answers about privacy and accounts.

use super::{Page, Site, Words};
use crate::terminal_question::Intent;

#[expect(clippy::too_many_lines, reason = "a table of words")]
pub(super) fn about_data(intent: &Intent, site: Site<'_>) -> Option<Words> {
    use Page::{Contact, Imprint, Login, Privacy, Profile, SignUp};
    Some(match intent {
        Intent::Privacy if site.asks_others => (
            "PRIVACY",
            (
                "What is typed here goes to a language model service for an answer. This website does not keep it. The policy tells the rest.",
                "Was hier getippt wird, geht für eine Antwort an ein Sprachmodell. Diese Website behält es nicht. Den Rest sagt die Erklärung.",
            ),
            &[Privacy],
        ),
        Intent::Privacy => (
            "PRIVACY",
            (
                "What is typed here is answered by this website and not kept. The policy tells the rest.",
                "Was hier getippt wird, beantwortet diese Website und behält es nicht. Den Rest sagt die Erklärung.",
            ),
            &[Privacy],
        ),
        Intent::Cookies => (
            "PRIVACY",
            (
                "What is kept in your browser stands in the policy.",
                "Was in deinem Browser bleibt, steht in der Erklärung.",
            ),
            &[Privacy],
        ),
        Intent::Imprint if site.has_imprint => (
            "IMPRINT",
            (
                "The imprint says who runs the label; what happens to data stands in the policy.",
                "Wer das Label leitet, steht im Impressum; was mit Daten geschieht, steht in der Erklärung.",
            ),
            &[Imprint, Privacy, Contact],
        ),
        Intent::Imprint => (
            "IMPRINT",
            (
                "No imprint is given here. Ask the label; what happens to data stands in the policy.",
                "Ein Impressum steht hier nicht. Frag das Label; was mit Daten geschieht, steht in der Erklärung.",
            ),
            &[Contact, Privacy],
        ),
        Intent::DeleteData => (
            "PRIVACY",
            (
                "Write to the label what is to be erased. An account is deleted on its profile page.",
                "Schreib dem Label, was gelöscht werden soll. Ein Konto wird auf seiner Profilseite gelöscht.",
            ),
            &[Contact, Profile, Privacy],
        ),
        Intent::SignUp => (
            "ACCOUNT",
            (
                "An account needs a name, an email address, a username and a password. A mail confirms it.",
                "Ein Konto braucht Name, E-Mail-Adresse, Benutzernamen und Passwort. Eine Mail bestätigt es.",
            ),
            &[SignUp],
        ),
        Intent::Login => (
            "ACCOUNT",
            (
                "Log in with the email address or the username. A forgotten password is reset there too.",
                "Anmelden geht mit E-Mail-Adresse oder Benutzernamen. Ein vergessenes Passwort wird dort zurückgesetzt.",
            ),
            &[Login, SignUp],
        ),
        Intent::Logout => (
            "ACCOUNT",
            (
                "LOGOUT is in the menu behind the letter at the top of every page.",
                "LOGOUT ist im Menü hinter dem Buchstaben, oben auf jeder Seite.",
            ),
            &[],
        ),
        Intent::Password => (
            "ACCOUNT",
            (
                "Forgotten: type your email address into the login and choose the reset; a mail brings a link. Known: change it on your profile.",
                "Vergessen: E-Mail-Adresse in die Anmeldung tippen und das Zurücksetzen wählen; eine Mail bringt einen Link. Bekannt: im Profil ändern.",
            ),
            &[Login, Profile],
        ),
        Intent::TwoFactor => (
            "ACCOUNT",
            (
                "The second factor is switched on and off on the profile. Without the authenticator a recovery code or an email code helps at the login.",
                "Der zweite Faktor wird im Profil ein- und ausgeschaltet. Ohne Authenticator hilft bei der Anmeldung ein Recovery-Code oder ein Code per E-Mail.",
            ),
            &[Profile, Login],
        ),
        Intent::DeleteAccount => (
            "ACCOUNT",
            ("An account is deleted on its profile page.", "Ein Konto wird auf seiner Profilseite gelöscht."),
            &[Profile],
        ),
        Intent::ChangeEmail => (
            "ACCOUNT",
            (
                "The address is changed on the profile page. A mail to the new one confirms it.",
                "Die Adresse wird auf der Profilseite geändert. Eine Mail an die neue bestätigt sie.",
            ),
            &[Profile],
        ),
        Intent::Confirmation => (
            "ACCOUNT",
            (
                "Look among the spam first. The page after the sign-up sends the mail again.",
                "Zuerst im Spam nachsehen. Die Seite nach der Registrierung schickt die Mail noch einmal.",
            ),
            &[SignUp, Contact],
        ),
        Intent::Account => (
            "ACCOUNT",
            (
                "Name, picture, address, password and second factor are on the profile page.",
                "Name, Bild, Adresse, Passwort und zweiter Faktor sind auf der Profilseite.",
            ),
            &[Profile, Login],
        ),
        _ => return None,
    })
}
