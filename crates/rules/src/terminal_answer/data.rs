//! Answers about privacy and accounts.

use super::{Page, Site, Words, answers};
use crate::terminal_question::Intent;

pub(super) fn about_data(intent: &Intent, site: Site<'_>) -> Option<Words> {
    use Page::{Contact, Imprint, Login, Privacy, Profile, SignUp};
    answers! { intent;
        Intent::Privacy if site.asks_others => "PRIVACY", [Privacy],
            "What is typed here goes to a language model service for an answer. This website does not keep it. The policy tells the rest.",
            "Was hier getippt wird, geht für eine Antwort an ein Sprachmodell. Diese Website behält es nicht. Den Rest sagt die Erklärung.";
        Intent::Privacy => "PRIVACY", [Privacy],
            "What is typed here is answered by this website and not kept. The policy tells the rest.",
            "Was hier getippt wird, beantwortet diese Website und behält es nicht. Den Rest sagt die Erklärung.";
        Intent::Cookies => "PRIVACY", [Privacy],
            "What is kept in your browser stands in the policy.",
            "Was in deinem Browser bleibt, steht in der Erklärung.";
        Intent::Imprint if site.has_imprint => "IMPRINT", [Imprint, Privacy, Contact],
            "The imprint says who runs the label; what happens to data stands in the policy.",
            "Wer das Label leitet, steht im Impressum; was mit Daten geschieht, steht in der Erklärung.";
        Intent::Imprint => "IMPRINT", [Contact, Privacy],
            "No imprint is given here. Ask the label; what happens to data stands in the policy.",
            "Ein Impressum steht hier nicht. Frag das Label; was mit Daten geschieht, steht in der Erklärung.";
        Intent::DeleteData => "PRIVACY", [Contact, Profile, Privacy],
            "Write to the label what is to be erased. An account is deleted on its profile page.",
            "Schreib dem Label, was gelöscht werden soll. Ein Konto wird auf seiner Profilseite gelöscht.";
        Intent::SignUp => "ACCOUNT", [SignUp],
            "An account needs a name, an email address, a username and a password. A mail confirms it.",
            "Ein Konto braucht Name, E-Mail-Adresse, Benutzernamen und Passwort. Eine Mail bestätigt es.";
        Intent::Login => "ACCOUNT", [Login, SignUp],
            "Log in with the email address or the username. A forgotten password is reset there too.",
            "Anmelden geht mit E-Mail-Adresse oder Benutzernamen. Ein vergessenes Passwort wird dort zurückgesetzt.";
        Intent::Logout => "ACCOUNT", [],
            "LOGOUT is in the menu behind the letter at the top of every page.",
            "LOGOUT ist im Menü hinter dem Buchstaben, oben auf jeder Seite.";
        Intent::Password => "ACCOUNT", [Login, Profile],
            "Forgotten: type your email address into the login and choose the reset; a mail brings a link. Known: change it on your profile.",
            "Vergessen: E-Mail-Adresse in die Anmeldung tippen und das Zurücksetzen wählen; eine Mail bringt einen Link. Bekannt: im Profil ändern.";
        Intent::TwoFactor => "ACCOUNT", [Profile, Login],
            "The second factor is switched on and off on the profile. Without the authenticator a recovery code or an email code helps at the login.",
            "Der zweite Faktor wird im Profil ein- und ausgeschaltet. Ohne Authenticator hilft bei der Anmeldung ein Recovery-Code oder ein Code per E-Mail.";
        Intent::DeleteAccount => "ACCOUNT", [Profile],
            "An account is deleted on its profile page.",
            "Ein Konto wird auf seiner Profilseite gelöscht.";
        Intent::ChangeEmail => "ACCOUNT", [Profile],
            "The address is changed on the profile page. A mail to the new one confirms it.",
            "Die Adresse wird auf der Profilseite geändert. Eine Mail an die neue bestätigt sie.";
        Intent::Confirmation => "ACCOUNT", [SignUp, Contact],
            "Look among the spam first. The page after the sign-up sends the mail again.",
            "Zuerst im Spam nachsehen. Die Seite nach der Registrierung schickt die Mail noch einmal.";
        Intent::Account => "ACCOUNT", [Profile, Login],
            "Name, picture, address, password and second factor are on the profile page.",
            "Name, Bild, Adresse, Passwort und zweiter Faktor sind auf der Profilseite.";
    }
}
