//! Built-in texts in the label's voice, each with the description on its card.

/// The description and text of a key.
pub(super) fn find(key: &str) -> Option<(&'static str, &'static str)> {
    Some(match key {
        "hero_main_title" => (
            "The large title at the top of the home page. As delivered, it is the label's name.",
            "404 COLLECTIVE",
        ),
        "hero_subtitle" => ("The line under the title.", "Independent techno, pressed without permission"),
        "hero_description" => (
            "The short paragraph beside the title.",
            "We are a collective of producers who run our own label. We write, cut and ship our records ourselves, and \
             we answer to nobody but the floor.",
        ),
        "manifesto_title" => ("The heading of the manifesto.", "MANIFESTO"),
        "manifesto_intro" => (
            "The first line of the manifesto.",
            "A 404 is not an error. It is a place the index has not reached yet.",
        ),
        "manifesto_p1" => (
            "The first paragraph of the manifesto.",
            "We met in rooms that no longer exist, over records nobody could name. No charts, no algorithm, no A&R: \
             someone put on a white label and the rest of the night was decided. This label exists so that those \
             moments keep a catalogue number.",
        ),
        "manifesto_p2" => (
            "The second paragraph of the manifesto.",
            "Every release is decided by the people who made it. Rights stay with the artist, money is split before it \
             is spent, and nothing is deleted to make room for something that sells. If a track needs eleven minutes, \
             it gets a side of its own.",
        ),
        "manifesto_embrace" => (
            "The closing call of the manifesto.",
            "Embrace the noise floor. Read what is scratched into the dead wax.",
        ),
        "manifesto_init" => {
            ("The last line of the manifesto, in the terminal's voice.", "INIT: SIGNAL FOUND")
        }
        "imprint" => (
            "Who runs the label, with a postal address, as some countries ask: shown as plain text. Empty: no such page.",
            "",
        ),
        "label_name" => (
            "The label's name in titles, mails, the feed and the terminal. Empty: the name in the settings.",
            "",
        ),
        "label_header" => (
            "The head of every page, once there is a mark: the mark alone, or beside the name. Empty: the mark alone.",
            "",
        ),
        "label_signal" => {
            ("The one colour beside black and white, as #rrggbb. Empty: the colour of the design.", "")
        }
        "label_links" => (
            "Where else the label is, an address to a line: shown in the foot of every page. Empty: no links.",
            "",
        ),
        "label_ribbon" => (
            "The line on the strip under the navigation, repeated. Empty: what is etched into the run-out, with the label's name.",
            "",
        ),
        "label_copyright" => ("The copyright line in the foot. Empty: © 2024 and the label's name.", ""),
        "label_time_zone" => {
            ("The time zone of schedules, backups and times in mails, such as Europe/Berlin. Empty: UTC.", "")
        }
        "newsletter_title" => ("The heading of the newsletter form.", "JOIN THE TRANSMISSION"),
        "newsletter_description" => (
            "The sentence above the newsletter form.",
            "New records, rare represses and the odd address without a door number. A few mails a year, never a share \
             of your attention sold on.",
        ),
        "artists_join_title" => ("The heading of the call for demos.", "JOIN THE COLLECTIVE"),
        "artists_join_description" => (
            "The paragraph above the demo form.",
            "Send us music that has nowhere else to go. We listen to everything, in full, on speakers. We do not ask \
             how many people follow you.",
        ),
        "privacy_policy" => {
            ("The whole privacy policy, shown as plain text.", include_str!("privacy_policy.txt"))
        }
        _ => return None,
    })
}
