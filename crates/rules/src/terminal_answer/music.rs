//! Answers about listening to, sending and buying music.

use super::{Page, Words, answers};
use crate::terminal_question::Intent;

pub(super) fn about_music(intent: &Intent) -> Option<Words> {
    use Page::{Artists, Contact, Demo, Home, Releases, Store};
    answers! { intent;
        Intent::Listen => "LISTEN", [Releases],
            "PLAY on the releases page opens a player. Each release links to the services that have it. Ask \"where can I listen to TITLE\" for one.",
            "PLAY auf der Seite der Releases öffnet einen Player. Jedes Release verlinkt die Dienste, die es haben. \"Wo kann ich TITEL hören\" nennt sie für eines.";
        Intent::Download => "DOWNLOADS", [Releases],
            "There are none here. The music is where each release links to.",
            "Hier gibt es keine. Die Musik ist dort, wohin jedes Release verlinkt.";
        Intent::Feed => "FEED", [],
            "New releases for a feed reader: /feed.xml",
            "Neue Releases für einen Feedreader: /feed.xml";
        Intent::Demo => "DEMOS", [Demo],
            "The form takes a name, an email address and one file of at most {megabytes} MB ({extensions}). A message is optional.",
            "Das Formular nimmt einen Namen, eine E-Mail-Adresse und eine Datei bis {megabytes} MB ({extensions}). Eine Nachricht kann dazu.";
        Intent::DemoFormats => "DEMOS", [Demo],
            "One file: {extensions}. At most {megabytes} MB; several tracks go into one .zip.",
            "Eine Datei: {extensions}. Höchstens {megabytes} MB; mehrere Tracks kommen in ein .zip.";
        Intent::DemoSize => "DEMOS", [Demo],
            "At most {megabytes} MB in one file ({extensions}). How long it plays does not matter.",
            "Höchstens {megabytes} MB in einer Datei ({extensions}). Wie lange sie spielt, ist gleich.";
        Intent::DemoStatus => "DEMOS", [Contact],
            "When the form says that a demo was submitted, the label has it. The form and the mail that confirms the demo have a link to the demo's page, which says whether the label has heard it and decided.",
            "Wenn das Formular sagt, dass ein Demo eingereicht ist, hat es das Label. Das Formular und die Mail, die das Demo bestätigt, haben einen Link zur Seite des Demos. Sie sagt, ob das Label es gehört und entschieden hat.";
        Intent::Newsletter => "NEWSLETTER", [Home, Contact],
            "The form is on the home page and asks for an email address. Each letter has a link to leave the list.",
            "Das Formular ist auf der Startseite und fragt nach einer E-Mail-Adresse. Jeder Brief hat einen Link, der von der Liste führt.";
        Intent::Unsubscribe => "NEWSLETTER", [Contact],
            "Each letter has a link to leave the list. Without a letter at hand, write to the label and name the address.",
            "Jeder Brief hat einen Link, der von der Liste führt. Ist keiner zur Hand, schreib dem Label und nenn die Adresse.";
        Intent::Store => "STORE", [Store],
            "COMING SOON\nSTATUS: PENDING",
            "COMING SOON\nSTATUS: PENDING";
        Intent::Shipping => "STORE", [Store, Contact],
            "The store is not open yet. Where it will ship to is not settled yet; ask.",
            "Der Store ist noch nicht offen. Wohin er liefern wird, steht noch nicht fest; fragen.";
        Intent::Payment => "STORE", [Store, Contact],
            "The store is not open yet. There are no prices so far.",
            "Der Store ist noch nicht offen. Preise gibt es noch keine.";
        Intent::Returns => "STORE", [Contact, Artists],
            "The store is not open yet. Whatever was bought elsewhere: ask there, or write to the label.",
            "Der Store ist noch nicht offen. Was anderswo gekauft ist: dort fragen oder dem Label schreiben.";
    }
}
