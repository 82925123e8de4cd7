import { screen, within } from "@testing-library/react";
import { beforeEach, expect, it } from "vitest";
import { aDeskDemo, anAnswer, keepDesk } from "../../../testing/desk.ts";
import { fakePlayers, onDesk, openDesk, press } from "../../../testing/deskScreen.tsx";

beforeEach(fakePlayers);

it("what people wrote runs the way of its own letters, and turns nothing around it", async () => {
  const words = {
    artist_name: "שלום עולם",
    original_name: "סקיצה.wav",
    message: "שלום! שתי סקיצות.",
    tag: "טכנו",
    note: "תופים!",
    subject: "הדמו שלכם",
  };
  const { artist_name, original_name, message } = words;
  const note = {
    id: "note",
    person: "mira",
    is_mine: true,
    text: words.note,
    created_at: "2026-11-20T10:00:00Z",
  };
  keepDesk(
    aDeskDemo({
      artist_name,
      original_name,
      message,
      tags: [words.tag],
      notes: [note],
      answers: [anAnswer({ subject: words.subject })],
    }),
  );
  await openDesk();
  await onDesk(artist_name);
  await screen.findByText(words.note);
  for (const text of Object.values(words)) {
    const places = screen.getAllByText(text, { ignore: "title, option, [role=status], .sr-only" });
    expect(places.filter((place) => !place.closest("bdi, [dir=auto]"))).toEqual([]);
  }
  press("r");
  const letter = within(await screen.findByRole("form", { name: "Answer" }));
  for (const name of ["Subject", "Text"]) {
    expect((await letter.findByRole("textbox", { name })).getAttribute("dir")).toBe("auto");
  }
  expect(screen.getByRole("textbox", { name: "Note" }).getAttribute("dir")).toBe("auto");
});
