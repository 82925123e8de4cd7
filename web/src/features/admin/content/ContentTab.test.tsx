import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { describe, expect, it } from "vitest";
import { TEXT_CARDS } from "../../../rules/generated/texts.ts";
import { openTab } from "../../../testing/backOffice.ts";
import { holdCall, refuseCall } from "../../../testing/calls.ts";
import { aLabel } from "../../../testing/catalogue.ts";
import { answer, server } from "../../../testing/fakeApi.ts";
import { FakeEventSource } from "../../../testing/fakeEventSource.ts";
import type { SiteText } from "./ContentTab.tsx";

function aText(changes: Partial<SiteText> = {}): SiteText {
  return {
    id: "019aa000-0000-7000-8000-0000000000e1",
    key: "hero_main_title",
    value: "404",
    description: "The loudest line of the home page.",
    created_at: "2026-11-01T10:00:00Z",
    updated_at: "2026-11-01T10:00:00Z",
    version: 2,
    ...changes,
  };
}

const POLICY = aText({
  id: "p",
  key: "privacy_policy",
  value: "We keep nothing.",
  description: null,
});

/** Makes the server store these texts. */
function keepTexts(...texts: SiteText[]) {
  const kept = { texts, sent: [] as { value: string; ifMatch: string | null }[] };
  server.use(
    http.get("*/api/admin/content", () =>
      HttpResponse.json({ items: kept.texts, next_cursor: null }),
    ),
    http.put("*/api/admin/content/:key", async ({ request, params }) => {
      const { value } = (await request.json()) as { value: string };
      const ifMatch = request.headers.get("if-match");
      kept.sent.push({ value, ifMatch });
      const text = kept.texts.find(({ key }) => key === params.key);
      if (!text || ifMatch !== `"${text.version}"`) {
        return HttpResponse.json({ code: "stale_version" }, { status: 412 });
      }
      const saved = { ...text, value, version: text.version + 1 };
      kept.texts = kept.texts.map((other) => (other.key === params.key ? saved : other));
      return HttpResponse.json(saved);
    }),
  );
  return kept;
}

async function openCard() {
  const app = openTab("content");
  const card = within(await screen.findByRole("form", { name: "HERO MAIN TITLE" }));
  return {
    ...app,
    card,
    box: card.getByRole<HTMLInputElement>("textbox", { name: "HERO MAIN TITLE" }),
  };
}

describe("the site's texts", () => {
  it("has a card for each, with its description, its place and a box of its size", async () => {
    keepTexts(aText(), POLICY, aText({ id: "d", key: "hero_description" }));
    const { card, box } = await openCard();
    expect(card.getByText("The loudest line of the home page.")).toBeTruthy();
    expect(card.getByRole("link", { name: /on the site/ }).getAttribute("href")).toBe("/");
    expect(box.tagName).toBe("INPUT");
    expect(screen.getByRole("textbox", { name: "PRIVACY POLICY" }).getAttribute("rows")).toBe("20");
    expect(screen.getByRole("textbox", { name: "HERO DESCRIPTION" }).getAttribute("rows")).toBe(
      "4",
    );
  });

  it("has the label's first, those with their own pages last, and the others in the order of their keys", async () => {
    const isOfLabel = (key: string) => key.startsWith("label_");
    const sorted = Object.keys(TEXT_CARDS).sort();
    const own = ["imprint", "privacy_policy"];
    const others = sorted.filter((key) => !isOfLabel(key) && !own.includes(key));
    const keys = [...Object.keys(TEXT_CARDS).filter(isOfLabel), ...others, ...own];
    expect(keys[0]).toBe("label_name");
    keepTexts(...sorted.map((key) => aText({ id: key, key })));
    await openCard();
    const titles = screen.getAllByRole("heading", { level: 4 }).map((title) => title.textContent);
    expect(titles).toEqual(["LABEL MARK", ...keys.map((key) => TEXT_CARDS[key]?.title)]);
  });

  it("has them by the page they stand on", async () => {
    keepTexts(aText(), POLICY, aText({ id: "d", key: "artists_intro" }));
    await openCard();
    const cards = (page: string) =>
      within(screen.getByRole("region", { name: page }))
        .getAllByRole("form")
        .map((card) => card.getAttribute("aria-label"));
    expect(cards("Home page")).toEqual(["HERO MAIN TITLE"]);
    expect(cards("Artists page")).toEqual(["ARTISTS INTRO"]);
    expect(cards("Privacy policy")).toEqual(["PRIVACY POLICY"]);
  });

  it("leads to the imprint only while it has a text, and lets it be cleared", async () => {
    const kept = keepTexts(aText({ key: "imprint", value: "Berlin" }));
    const { user } = openTab("content");
    const card = within(await screen.findByRole("form", { name: "IMPRINT" }));
    expect(card.getByRole("link", { name: /\/imprint/ }).getAttribute("href")).toBe("/imprint");
    await user.clear(card.getByRole("textbox", { name: "IMPRINT" }));
    await user.click(card.getByText("Preview"));
    expect(card.getByText("Empty: there is no such page, and no link to it.")).toBeTruthy();
    await user.click(card.getByRole("button", { name: "Save Changes" }));
    await waitFor(() => expect(kept.sent).toEqual([{ value: "", ifMatch: '"2"' }]));
    await waitFor(() => expect(card.queryByRole("link", { name: /\/imprint/ })).toBeNull());
  });

  it("counts the texts of the pages, without the label's", async () => {
    const keys = ["label_name", "label_links", "imprint", "privacy_policy"];
    keepTexts(aText(), ...keys.map((key) => aText({ id: key, key })));
    await openCard();
    expect(screen.getByRole("heading", { name: "Content (2)" })).toBeTruthy();
  });

  it("completes the label's links, and names the line of one that is none", async () => {
    const kept = keepTexts(aText({ key: "label_links", value: "" }));
    const { user } = openTab("content");
    const card = within(await screen.findByRole("form", { name: "LABEL LINKS" }));
    const box = card.getByRole<HTMLTextAreaElement>("textbox", { name: "LABEL LINKS" });
    await user.type(box, "mira.bandcamp.com\nmira");
    await user.click(card.getByRole("button", { name: "Save Changes" }));
    expect((await card.findByRole("alert")).textContent).toContain("Invalid Website URL in line 2");
    expect(box.value).toBe("https://mira.bandcamp.com\nmira");
    expect(kept.sent).toEqual([]);
    await user.type(box, ".example");
    await user.click(card.getByRole("button", { name: "Save Changes" }));
    const value = "https://mira.bandcamp.com\nhttps://mira.example";
    await waitFor(() => expect(kept.sent).toEqual([{ value, ifMatch: '"2"' }]));
  });

  it("previews the title with the label's name until it is edited", async () => {
    keepTexts(aText({ value: "404 COLLECTIVE" }));
    const { user, card, box } = await openCard();
    answer("/api/label", aLabel({ name: "Mira" }));
    FakeEventSource.current.say(
      "change",
      { table: "site_content", op: "update", key: "label_name" },
      "2",
    );
    await user.click(card.getByText("Preview"));
    expect(await card.findByText("Mira")).toBeTruthy();
    await user.type(box, "!");
    expect(card.getByText("404 COLLECTIVE!")).toBeTruthy();
  });

  it("takes a colour from the picker, shows it, and refuses one that cannot be read", async () => {
    const kept = keepTexts(aText({ key: "label_signal", value: "" }));
    const { user } = openTab("content");
    const card = within(await screen.findByRole("form", { name: "LABEL SIGNAL" }));
    const box = card.getByRole<HTMLInputElement>("textbox", { name: "LABEL SIGNAL" });
    fireEvent.change(card.getByLabelText("Pick the colour"), { target: { value: "#200000" } });
    expect(box.value).toBe("#200000");
    await user.click(card.getByRole("button", { name: "Save Changes" }));
    const alert = await card.findByRole("alert");
    expect(alert.textContent).toContain(
      "Colour is too dark on black; the nearest that can be read is #",
    );
    expect(kept.sent).toEqual([]);
    await user.clear(box);
    await user.type(box, "#FFD400");
    await user.click(card.getByText("Preview"));
    const preview = card.getByText("Something is missing here.").closest<HTMLElement>("[style]");
    expect(preview?.style.getPropertyValue("--color-signal")).toBe("#FFD400");
    expect(card.getByText("This is how mails of the label begin.")).toBeTruthy();
    expect(card.getByText("MENU")).toBeTruthy();
    await user.click(card.getByRole("radio", { name: "Desktop" }));
    expect(card.queryByText("MENU")).toBeNull();
    await user.click(card.getByRole("button", { name: "Save Changes" }));
    await waitFor(() => expect(kept.sent).toEqual([{ value: "#FFD400", ifMatch: '"2"' }]));
  });

  it("proposes time zones, shows the time there, and keeps a refused one", async () => {
    const kept = keepTexts(aText({ key: "label_time_zone", value: "" }));
    const { user } = openTab("content");
    const card = within(await screen.findByRole("form", { name: "LABEL TIME ZONE" }));
    const box = card.getByRole<HTMLInputElement>("combobox", { name: "LABEL TIME ZONE" });
    const names = [...(box.list?.options ?? [])].map(({ value }) => value);
    expect(names).toContain("Europe/Berlin");
    await user.click(card.getByText("Preview"));
    expect(card.getByText(/^It is \d{4}\.\d\d\.\d\d \d\d:\d\d in UTC\.$/)).toBeTruthy();
    await user.type(box, "Europe Berlin");
    expect(card.getByText("This browser knows no time zone of that name.")).toBeTruthy();
    await user.click(card.getByRole("button", { name: "Save Changes" }));
    expect((await card.findByRole("alert")).textContent).toContain(
      "Unknown time zone: use a name such as Europe/Berlin, or leave it empty for UTC",
    );
    expect(kept.sent).toEqual([]);
    await user.clear(box);
    await user.type(box, "Europe/Berlin");
    expect(card.getByText(/in Europe\/Berlin\.$/)).toBeTruthy();
    await user.click(card.getByRole("button", { name: "Save Changes" }));
    await waitFor(() => expect(kept.sent).toEqual([{ value: "Europe/Berlin", ifMatch: '"2"' }]));
  });

  it("offers to save only what differs", async () => {
    const kept = keepTexts(aText());
    const { user, card, box } = await openCard();
    expect(card.queryByRole("button", { name: "Save Changes" })).toBeNull();
    await user.type(box, "!");
    expect(card.getByRole("button", { name: "Save Changes" })).toBeTruthy();
    await user.type(box, "{Backspace}");
    expect(card.queryByRole("button", { name: "Save Changes" })).toBeNull();
    await user.type(box, " COLLECTIVE");
    await user.dblClick(card.getByRole("button", { name: "Save Changes" }));
    expect(await screen.findByText("Content updated successfully")).toBeTruthy();
    expect(kept.sent).toEqual([{ value: "404 COLLECTIVE", ifMatch: '"2"' }]);
    await waitFor(() => expect(card.queryByRole("button", { name: "Save Changes" })).toBeNull());
    // The pressed button is gone.
    expect(document.activeElement).toBe(box);
  });

  it("leads whoever discards back to the box", async () => {
    keepTexts(aText());
    const { user, card, box } = await openCard();
    await user.type(box, "!");
    await user.click(card.getByRole("button", { name: "Discard" }));
    expect(box.value).toBe("404");
    expect(document.activeElement).toBe(box);
  });

  it("says of what was discarded no more that it is wrong", async () => {
    keepTexts(aText());
    const fields = { value: "This text is too long" };
    refuseCall("put", "/api/admin/content/:key", 422, { code: "invalid", fields });
    const { user, card, box } = await openCard();
    await user.type(box, "!");
    await user.click(card.getByRole("button", { name: "Save Changes" }));
    expect(await card.findByText("This text is too long")).toBeTruthy();
    await user.click(card.getByRole("button", { name: "Discard" }));
    expect(card.queryByText("This text is too long")).toBeNull();
    expect(box.getAttribute("aria-invalid")).not.toBe("true");
  });

  it("keeps what was typed where saving fails", async () => {
    keepTexts(aText());
    refuseCall("put", "/api/admin/content/:key", 500, { code: "internal", detail: "Broken" });
    const { user, card, box } = await openCard();
    await user.type(box, "!");
    await user.click(card.getByRole("button", { name: "Save Changes" }));
    expect(await screen.findAllByText("Failed to update content")).not.toEqual([]);
    expect(box.value).toBe("404!");
  });

  it("keeps what is typed while saving, to be saved next", async () => {
    const kept = keepTexts(aText());
    const letGo = holdCall("put", "/api/admin/content/:key");
    const { user, card, box } = await openCard();
    await user.type(box, " A");
    await user.click(card.getByRole("button", { name: "Save Changes" }));
    await user.type(box, "B");
    letGo();
    expect(await screen.findByText("Content updated successfully")).toBeTruthy();
    expect(box.value).toBe("404 AB");
    await user.click(await card.findByRole("button", { name: "Save Changes" }));
    await waitFor(() => expect(card.queryByRole("button", { name: "Save Changes" })).toBeNull());
    expect(kept.sent).toEqual([
      { value: "404 A", ifMatch: '"2"' },
      { value: "404 AB", ifMatch: '"3"' },
    ]);
  });

  it("says that they cannot be read, and reads them again on demand", async () => {
    refuseCall("get", "/api/admin/content", 422, { code: "refused" });
    const { user } = openTab("content");
    const again = await screen.findByRole("button", { name: "Try Again" });
    expect(screen.getAllByText("Failed to load content")).not.toEqual([]);
    keepTexts(aText());
    await user.click(again);
    expect(await screen.findByRole("form", { name: "HERO MAIN TITLE" })).toBeTruthy();
  });

  it("keeps what was typed in a card that a search hides", async () => {
    keepTexts(aText(), POLICY);
    const { user, box } = await openCard();
    await user.type(box, "!");
    const search = screen.getByRole("searchbox");
    await user.type(search, "keep nothing");
    expect(screen.queryByRole("form", { name: "HERO MAIN TITLE" })).toBeNull();
    expect(screen.getByRole("form", { name: "PRIVACY POLICY" })).toBeTruthy();
    await user.clear(search);
    expect(screen.getByRole<HTMLInputElement>("textbox", { name: "HERO MAIN TITLE" }).value).toBe(
      "404!",
    );
  });

  it("follows another admin where nothing was typed", async () => {
    const kept = keepTexts(aText());
    const { box } = await openCard();
    kept.texts = [aText({ value: "THEIRS", version: 3 })];
    FakeEventSource.current.open();
    FakeEventSource.current.say("change", { table: "site_content", op: "update", key: "a" }, "7");
    await waitFor(() => expect(box.value).toBe("THEIRS"));
  });

  it("has nothing to ask about where what was typed is taken back by hand", async () => {
    const kept = keepTexts(aText());
    const { user, card, box } = await openCard();
    await user.type(box, "!{Backspace}");
    kept.texts = [aText({ value: "THEIRS", version: 3 })];
    FakeEventSource.current.open();
    FakeEventSource.current.say("change", { table: "site_content", op: "update", key: "a" }, "7");
    await waitFor(() => expect(box.value).toBe("THEIRS"));
    expect(card.queryByRole("region", { name: /Newest version/ })).toBeNull();
  });

  it("tells the second of two admins, and saves over the newest on their word", async () => {
    const kept = keepTexts(aText());
    const { user, card, box } = await openCard();
    await user.type(box, "!");
    kept.texts = [aText({ value: "THEIRS", version: 3 })];
    await user.click(card.getByRole("button", { name: "Save Changes" }));
    const newest = within(await card.findByRole("region", { name: /Newest version/ }));
    expect(newest.getByText("THEIRS")).toBeTruthy();
    expect(box.value).toBe("404!");
    await user.click(newest.getByRole("button", { name: "Save Mine Over It" }));
    expect(await screen.findByText("Content updated successfully")).toBeTruthy();
    expect(kept.texts[0]).toMatchObject({ value: "404!", version: 4 });
  });

  it("tells the second of two admins that nothing was saved where the newest cannot be read", async () => {
    const kept = keepTexts(aText());
    const { user, card, box } = await openCard();
    await user.type(box, "!");
    kept.texts = [aText({ value: "THEIRS", version: 3 })];
    refuseCall("get", "/api/admin/content", 503, { code: "busy" });
    await user.click(card.getByRole("button", { name: "Save Changes" }));
    expect(await screen.findAllByText("Failed to update content")).not.toEqual([]);
    expect(box.value).toBe("404!");
  });

  it("warns before another tab, the site or the way out takes unsaved text away", async () => {
    keepTexts(aText());
    const { user, box, router } = await openCard();
    await user.type(box, "!");
    for (const key of [
      () => screen.getByRole("tab", { name: "Artists" }),
      () => screen.getByRole("button", { name: "Live Site" }),
      () => screen.getByRole("button", { name: "Sign Out" }),
    ]) {
      await user.click(key());
      await user.click(await screen.findByRole("button", { name: "Keep Editing" }));
      await waitFor(() => expect(screen.queryByRole("alertdialog")).toBeNull());
      expect(screen.getByRole<HTMLInputElement>("textbox", { name: "HERO MAIN TITLE" }).value).toBe(
        "404!",
      );
    }
    await user.click(screen.getByRole("tab", { name: "Artists" }));
    await user.click(await screen.findByRole("button", { name: "Leave Without Saving" }));
    await screen.findByRole("heading", { name: "Artists (0)" });
    expect(router.state.location.search).toEqual({ tab: "artists" });
  });
});
