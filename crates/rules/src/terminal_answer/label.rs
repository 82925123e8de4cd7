//! Answers about the label and how to contact it.

use super::{Page, Site, Words, answers};
use crate::terminal_question::Intent;

pub(super) fn about_label(intent: &Intent, site: Site<'_>) -> Option<Words> {
    use Page::{Artists, Contact, Home, Imprint, Releases};
    answers! { intent;
        Intent::Thanks => "", [Releases],
            "ANY TIME.",
            "GERN.";
        Intent::Bye => "", [Home],
            "SEE YOU. THE CONNECTION STAYS OPEN.",
            "BIS BALD. DIE VERBINDUNG BLEIBT OFFEN.";
        Intent::Exit => "", [Home],
            "NO WAY OUT FROM IN HERE. The pages are one key away.",
            "KEIN AUSGANG VON HIER. Die Seiten sind einen Klick entfernt.";
        Intent::Clear => "", [],
            "Reload the page to begin with an empty screen.",
            "Seite neu laden, dann ist der Bildschirm leer.";
        Intent::Bot => "TERMINAL", [Contact],
            "This is a program. It answers from the label's catalogue. People read what comes by the contact form.",
            "Hier antwortet ein Programm, aus dem Katalog des Labels. Menschen lesen, was über das Kontaktformular kommt.";
        Intent::Languages => "LANGUAGES", [],
            "This terminal understands English and German.",
            "Dieses Terminal versteht Deutsch und Englisch.";
        Intent::Owner if site.has_imprint => "LABEL", [Artists, Imprint, Contact],
            "{collective}The imprint says who runs it.",
            "{collective}Wer es leitet, steht im Impressum.";
        Intent::Owner => "LABEL", [Artists, Contact],
            "{collective}This site does not say who runs it: ask.",
            "{collective}Wer es leitet, steht hier nicht: fragen.";
        Intent::Place if site.has_imprint => "LABEL", [Imprint, Contact],
            "The imprint has the label's address.",
            "Die Adresse des Labels steht im Impressum.";
        Intent::Place => "LABEL", [Contact],
            "This site does not say where the label is based. Ask.",
            "Wo das Label sitzt, steht hier nicht. Fragen.";
        Intent::Genre => "LABEL", [Releases],
            "An independent {techno}label. Listen for yourself.",
            "Ein unabhängiges {techno}Label. Am besten selbst hören.";
        Intent::Jobs => "WORK", [Contact],
            "No positions are listed here. Write to the label.",
            "Stellen sind hier keine ausgeschrieben. Schreib dem Label.";
        Intent::Social if !site.links.is_empty() => "ELSEWHERE", [Artists],
            "The label:\n{links}\nThe artists' profiles on other services stand on their pages. \"Who is NAME\" lists them.",
            "Das Label:\n{links}\nDie Profile der Artists auf anderen Diensten stehen auf ihren Seiten. \"Wer ist NAME\" nennt sie.";
        Intent::Social => "ELSEWHERE", [Artists],
            "The artists' profiles on other services stand on their pages. \"Who is NAME\" lists them.",
            "Die Profile der Artists auf anderen Diensten stehen auf ihren Seiten. \"Wer ist NAME\" nennt sie.";
        Intent::Events => "EVENTS", [Artists, Contact],
            "No dates are listed here. Artists tell theirs on the profiles their pages link to; the label knows the rest.",
            "Termine stehen hier keine. Die Artists nennen ihre auf den Profilen, die ihre Seiten verlinken; den Rest weiß das Label.";
        Intent::Contact => "CONTACT", [Contact],
            "Write to the label here. The answer comes by email.",
            "Hier schreibst du dem Label. Die Antwort kommt per E-Mail.";
        Intent::Booking => "BOOKING", [Contact],
            "Write to the label: which artist, where and when.",
            "Schreib dem Label: welcher Artist, wo und wann.";
        Intent::Press => "PRESS", [Contact],
            "For interviews, pictures and promos write to the label.",
            "Für Interviews, Bilder und Promos schreib dem Label.";
        Intent::Licence => "LICENSING", [Contact],
            "Whoever wants to use the music elsewhere asks first: name the release and what it is for.",
            "Wer die Musik anderswo verwenden will, fragt vorher: nenn das Release und wofür.";
    }
}
