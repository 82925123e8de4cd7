// Written by scripts/generate from crates/rules: titles and input heights of the editable texts by key.

export const TEXT_CARDS: Readonly<Record<string, { title: string; rows: number }>> = {
  hero_main_title: { title: "HERO MAIN TITLE", rows: 1 },
  hero_subtitle: { title: "HERO SUBTITLE", rows: 1 },
  hero_description: { title: "HERO DESCRIPTION", rows: 4 },
  manifesto_title: { title: "MANIFESTO TITLE", rows: 1 },
  manifesto_intro: { title: "MANIFESTO INTRO", rows: 1 },
  manifesto_p1: { title: "MANIFESTO P1", rows: 1 },
  manifesto_p2: { title: "MANIFESTO P2", rows: 1 },
  manifesto_embrace: { title: "MANIFESTO EMBRACE", rows: 1 },
  manifesto_init: { title: "MANIFESTO INIT", rows: 1 },
  newsletter_title: { title: "NEWSLETTER TITLE", rows: 1 },
  newsletter_description: { title: "NEWSLETTER DESCRIPTION", rows: 4 },
  artists_join_title: { title: "ARTISTS JOIN TITLE", rows: 1 },
  artists_join_description: { title: "ARTISTS JOIN DESCRIPTION", rows: 4 },
  privacy_policy: { title: "PRIVACY POLICY", rows: 20 },
  imprint: { title: "IMPRINT", rows: 20 },
  label_name: { title: "LABEL NAME", rows: 1 },
  label_signal: { title: "LABEL SIGNAL", rows: 1 },
  label_links: { title: "LABEL LINKS", rows: 4 },
  label_ribbon: { title: "LABEL RIBBON", rows: 1 },
  label_copyright: { title: "LABEL COPYRIGHT", rows: 1 },
};
