// Written by scripts/generate from crates/rules: the built-in texts, for when the stored ones cannot be read.

export const BUILT_IN_TEXTS: Readonly<Record<string, string>> = {
  hero_main_title: "404 COLLECTIVE",
  hero_subtitle: "Independent techno, pressed without permission",
  hero_description:
    "We are a collective of producers who run our own label. We write, cut and ship our records ourselves, and we answer to nobody but the floor.",
  manifesto_title: "MANIFESTO",
  manifesto_intro: "A 404 is not an error. It is a place the index has not reached yet.",
  manifesto_p1:
    "We met in rooms that no longer exist, over records nobody could name. No charts, no algorithm, no A&R: someone put on a white label and the rest of the night was decided. This label exists so that those moments keep a catalogue number.",
  manifesto_p2:
    "Every release is decided by the people who made it. Rights stay with the artist, money is split before it is spent, and nothing is deleted to make room for something that sells. If a track needs eleven minutes, it gets a side of its own.",
  manifesto_embrace: "Embrace the noise floor. Read what is scratched into the dead wax.",
  manifesto_init: "INIT: SIGNAL FOUND",
  newsletter_title: "JOIN THE TRANSMISSION",
  newsletter_description:
    "New records, rare represses and the odd address without a door number. A few mails a year, never a share of your attention sold on.",
  artists_join_title: "JOIN THE COLLECTIVE",
  artists_join_description:
    "Send us music that has nowhere else to go. We listen to everything, in full, on speakers. We do not ask how many people follow you.",
};

/** In their place, visitors read the label's name. */
export const NAME_IN_TEXTS = "404 COLLECTIVE";
