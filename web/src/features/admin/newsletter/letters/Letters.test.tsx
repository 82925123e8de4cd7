import { screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { beforeEach, describe, expect, it } from "vitest";
import {
  A_PREVIEW,
  aLetter,
  anEditableRelease,
  answerConsent,
  aSending,
  keepRows,
  openTab,
} from "../../../../testing/backOffice.ts";
import { answerCall, holdCall } from "../../../../testing/calls.ts";
import { server } from "../../../../testing/fakeApi.ts";
import { FakeEventSource } from "../../../../testing/fakeEventSource.ts";
import type { Letter } from "./letterConfig.ts";

const PATH = "/api/admin/letters";

/** The drafts that were rendered. */
let rendered: { parts: unknown[]; in_archive: string | null }[];

beforeEach(() => {
  rendered = [];
  answerConsent();
  server.use(
    http.get("*/api/admin/newsletter", () =>
      HttpResponse.json({ items: [], next_cursor: null, total: 0, active_count: 0 }),
    ),
  );
});

/** Keeps letters; previews are answered too. */
function keep(...letters: Letter[]) {
  const kept = keepRows<Letter>(PATH, ...letters);
  server.use(
    http.get(`*${PATH}/:id/sending`, ({ params }) => {
      const { state = "draft", version = 1 } = kept.rows.find(({ id }) => id === params.id) ?? {};
      return HttpResponse.json(aSending({ state, version }));
    }),
    http.post(`*${PATH}/preview`, async ({ request }) => {
      const draft = (await request.json()) as { parts: unknown[] };
      rendered.push({ ...draft, in_archive: new URL(request.url).searchParams.get("in_archive") });
      return HttpResponse.json({ ...A_PREVIEW, not_out: ["Signal"] });
    }),
    http.get(`*${PATH}/:id/preview`, () => HttpResponse.json({ ...A_PREVIEW, size_bytes: 4000 })),
  );
  return kept;
}

const letters = async () => within(await screen.findByRole("region", { name: "Letters" }));
const editor = async () => within(await screen.findByRole("dialog", { name: "Edit Letter" }));

describe("letters", () => {
  it("are listed with their state, and say when there are none", async () => {
    keep();
    openTab("newsletter");
    expect(await screen.findByText(/No letter yet/)).toBeTruthy();
  });

  it("are shown a few at first, then by the page", async () => {
    const id = (number: number) => `019aa000-0000-7000-8000-${String(number).padStart(12, "0")}`;
    const all = Array.from({ length: 60 }, (_, at) =>
      aLetter({ id: id(at), subject: `No. ${at}` }),
    );
    server.use(
      http.get(`*${PATH}`, ({ request }) => {
        const from = Number(new URL(request.url).searchParams.get("cursor") ?? 0);
        const next_cursor = from + 50 < all.length ? String(from + 50) : null;
        return HttpResponse.json({ items: all.slice(from, from + 50), next_cursor, total: 60 });
      }),
    );
    const { user } = openTab("newsletter");
    const list = await letters();
    const count = () =>
      within(list.getByRole("list", { name: "Letters" })).getAllByRole("listitem").length;
    await user.click(await list.findByRole("button", { name: "Show More" }));
    expect(count()).toBe(50);
    await user.click(list.getByRole("button", { name: "Load more of letters" }));
    expect(await list.findByText("All 60 shown")).toBeTruthy();
    expect(count()).toBe(60);
  });

  it("are opened by their state: a draft to be edited, others to be read", async () => {
    keep(
      aLetter(),
      aLetter({
        id: "019aa000-0000-7000-8000-0000000000a2",
        subject: "Old news",
        state: "sent",
        captured: true,
        began_at: "2026-11-19T12:00:00Z",
      }),
    );
    const { user } = openTab("newsletter");
    const list = await letters();
    expect(await list.findByText("Captured")).toBeTruthy();
    expect(list.queryByRole("button", { name: "Delete Old news" })).toBeNull();
    await user.click(list.getByRole("button", { name: "Open Old news" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Old news" }));
    expect(dialog.queryByLabelText("Subject")).toBeNull();
    expect(await dialog.findByText("4 of 60 KB")).toBeTruthy();
    expect(document.activeElement).toBe(dialog.getByRole("button", { name: "CLOSE" }));
    expect(rendered).toEqual([]);
  });

  it("say of one that could not begin when it was to go out", async () => {
    keep(aLetter({ state: "paused", goes_out_at: "2026-03-01T10:00:00Z" }));
    openTab("newsletter");
    expect(await (await letters()).findByText(/^Was to go out 2026/)).toBeTruthy();
  });

  it("are written in parts, which move, go and come back", async () => {
    const kept = keep(aLetter());
    const { user } = openTab("newsletter");
    await user.click(await (await letters()).findByRole("button", { name: "Edit News" }));
    const form = await editor();
    await user.click(form.getByRole("button", { name: "Add + Text" }));
    const text = within(form.getByRole("group", { name: "Part 2: Text" }));
    await user.type(text.getByLabelText("Text"), "Hello");
    await user.keyboard("{Alt>}{ArrowUp}{/Alt}");
    expect(form.getByRole("group", { name: "Part 1: Text" })).toBe(document.activeElement);
    await user.click(form.getByRole("button", { name: "Remove part 2" }));
    expect(form.queryByRole("group", { name: "Part 2: Heading" })).toBeNull();
    await user.click(form.getByRole("button", { name: "Undo" }));
    expect(form.getByRole("group", { name: "Part 2: Heading" })).toBe(document.activeElement);
    await user.click(form.getByRole("button", { name: "Save" }));
    await waitFor(() => expect(kept.sent).toHaveLength(1));
    expect(kept.sent[0]).toMatchObject({
      call: "PUT",
      ifMatch: '"1"',
      body: { parts: [{ kind: "text", text: "Hello" }, { kind: "heading" }] },
    });
    // Saving does not close it.
    expect(await form.findByRole("button", { name: "SEND A TEST" })).toBeTruthy();
    // Not always the last: the parts before Remove are those after Undo, and may be known already.
    await waitFor(() => expect(rendered.map(({ parts }) => parts.length)).toContain(2));
    expect(form.getByText("“Signal” is not out: links lead to its page once it is.")).toBeTruthy();
  });

  it("have a preview that follows what goes out", async () => {
    keep(aLetter());
    const { user } = openTab("newsletter");
    await user.click(await (await letters()).findByRole("button", { name: "Edit News" }));
    const form = await editor();
    const words = "“Signal” is not out: links lead to its page once it is.";
    expect(await form.findByText(words)).toBeTruthy();
    server.use(http.post(`*${PATH}/preview`, () => HttpResponse.json(A_PREVIEW)));
    FakeEventSource.current.say("change", { table: "releases", op: "insert", key: "x" }, "8");
    await waitFor(() => expect(form.queryByText(words)).toBeNull());
  });

  it("keep the focus in a part that is typed in while they are saved", async () => {
    const kept = keep(aLetter());
    const letGo = holdCall("put", `${PATH}/:id`);
    const { user } = openTab("newsletter");
    await user.click(await (await letters()).findByRole("button", { name: "Edit News" }));
    const form = await editor();
    const subject = form.getByLabelText<HTMLInputElement>("Subject");
    // The blank is not stored.
    await user.type(subject, "! ");
    await user.click(form.getByRole("button", { name: "Save" }));
    await user.type(form.getByLabelText("Heading"), ", and");
    letGo();
    expect(await form.findByRole("button", { name: "Save" })).toBeTruthy();
    expect(subject.value).toBe("News!");
    await user.keyboard(" more");
    await user.click(form.getByRole("button", { name: "Save" }));
    await waitFor(() => expect(kept.rows[0]?.parts).toMatchObject([{ text: "Out now, and more" }]));
  });

  it("keep the focus in a part of which a blank is not stored", async () => {
    const kept = keep(aLetter());
    const letGo = holdCall("put", `${PATH}/:id`);
    const { user } = openTab("newsletter");
    await user.click(await (await letters()).findByRole("button", { name: "Edit News" }));
    const form = await editor();
    const heading = form.getByLabelText<HTMLInputElement>("Heading");
    await user.type(heading, "! {Enter}");
    letGo();
    await waitFor(() => expect(heading.value).toBe("Out now!"));
    expect(document.activeElement).toBe(heading);
    await user.click(form.getByRole("button", { name: "Remove part 1" }));
    await user.click(form.getByRole("button", { name: "Undo" }));
    expect(form.getByLabelText<HTMLInputElement>("Heading").value).toBe("Out now!");
    await user.click(form.getByRole("button", { name: "Save" }));
    await waitFor(() => expect(kept.rows[0]?.parts).toMatchObject([{ text: "Out now!" }]));
  });

  it("are taken out of the archive without a notice, and what was typed stays", async () => {
    const kept = keep(aLetter());
    const { user } = openTab("newsletter");
    await user.click(await (await letters()).findByRole("button", { name: "Edit News" }));
    const form = await editor();
    await user.type(form.getByLabelText("Subject"), "!");
    const archive = form.getByRole<HTMLInputElement>("switch", { name: "In the archive" });
    await user.click(archive);
    await waitFor(() => expect(kept.rows[0]).toMatchObject({ in_archive: false, version: 2 }));
    await waitFor(() => expect(rendered.at(-1)?.in_archive).toBe("false"));
    const letGo = holdCall("put", `${PATH}/:id`);
    await user.click(form.getByRole("button", { name: "Save" }));
    // Sent now it would overtake the save, which would be refused.
    await user.click(archive);
    expect([archive.checked, archive.getAttribute("aria-busy")]).toEqual([false, "true"]);
    letGo();
    await waitFor(() => expect(kept.rows[0]).toMatchObject({ subject: "News!", version: 3 }));
    expect(form.queryByText(/Someone else has saved this/)).toBeNull();
  });

  it("say that someone else has saved, also once the switch is flipped, and are sent only as shown", async () => {
    const kept = keep(aLetter());
    const { user } = openTab("newsletter");
    await user.click(await (await letters()).findByRole("button", { name: "Edit News" }));
    const form = await editor();
    kept.rows = [aLetter({ subject: "Theirs", version: 2 })];
    await user.click(form.getByRole("switch", { name: "In the archive" }));
    expect(await form.findByText(/Someone else has saved this/)).toBeTruthy();
    expect(form.getAllByText("There is a newer version, which is not shown.")).toHaveLength(2);
    const isBusy = (name: string) => {
      const button = form.getByRole<HTMLButtonElement>("button", { name });
      return button.disabled || button.getAttribute("aria-disabled") === "true";
    };
    expect([isBusy("SEND"), isBusy("SEND A TEST")]).toEqual([true, true]);
    await user.click(form.getByRole("button", { name: "Load Newest Version" }));
    expect([isBusy("SEND"), isBusy("SEND A TEST")]).toEqual([false, false]);
  });

  it("are sent again after an undo, as the version it made", async () => {
    const kept = keep(aLetter());
    const versions: (string | null)[] = [];
    const step = (state: "scheduled" | "draft") => {
      const [letter] = kept.rows;
      kept.rows = [{ ...aLetter(letter), state, version: (letter?.version ?? 0) + 1 }];
      return HttpResponse.json(aSending({ state, version: kept.rows[0]?.version ?? 0 }));
    };
    server.use(
      http.post(`*${PATH}/:id/send`, ({ request }) => {
        versions.push(request.headers.get("if-match"));
        return step("scheduled");
      }),
      http.post(`*${PATH}/:id/sending`, () => step("draft")),
    );
    const { user } = openTab("newsletter");
    await user.click(await (await letters()).findByRole("button", { name: "Edit News" }));
    async function send() {
      await user.click(await (await editor()).findByRole("button", { name: "SEND" }));
      const question = within(await screen.findByRole("alertdialog"));
      await question.findByText(/^Will it arrive\? Found/);
      await user.click(question.getByRole("button", { name: "SEND" }));
    }
    await send();
    await user.click(await screen.findByRole("button", { name: "UNDO" }));
    await send();
    await waitFor(() => expect(versions).toEqual(['"1"', '"3"']));
    await screen.findByRole("button", { name: "UNDO" });
    await user.click(screen.getByRole("button", { name: "CLOSE" }));
    await waitFor(() =>
      expect(document.activeElement?.getAttribute("aria-label")).toMatch(/^(Edit|Open) News$/),
    );
    expect(screen.queryByText(/Someone else has saved this/)).toBeNull();
  });

  it("keep what was typed where the server refuses it, and name the part", async () => {
    const kept = keep(aLetter());
    const { user } = openTab("newsletter");
    await user.click(await (await letters()).findByRole("button", { name: "Edit News" }));
    const form = await editor();
    kept.refuseNext(422, {
      code: "letter_too_large",
      fields: { parts: "The letter has 70000 bytes." },
    });
    await user.type(form.getByLabelText("Subject"), "!");
    await user.click(form.getByRole("button", { name: "Save" }));
    expect(await form.findAllByText(/70000 bytes/)).not.toHaveLength(0);
    await user.click(form.getByRole("button", { name: "Add + Button" }));
    await user.click(form.getByRole("button", { name: "Save" }));
    expect(await form.findByText(/Part 2: Please write the words/)).toBeTruthy();
    expect(form.getByLabelText<HTMLInputElement>("Subject").value).toBe("News!");
    expect(kept.sent).toHaveLength(1);
    // Leaving asks first.
    await user.click(form.getByRole("button", { name: "Cancel" }));
    expect(await screen.findByRole("alertdialog", { name: "Unsaved changes" })).toBeTruthy();
  });

  it("say that someone else has deleted one, which has no trash", async () => {
    const kept = keep(aLetter());
    const { user } = openTab("newsletter");
    await user.click(await (await letters()).findByRole("button", { name: "Edit News" }));
    const form = await editor();
    await user.type(form.getByLabelText("Subject"), "!");
    kept.rows = [];
    await user.click(form.getByRole("button", { name: "Save" }));
    const said = await form.findByText(/^Someone else has deleted this/);
    expect(said.textContent).toBe(
      "Someone else has deleted this. What you typed stays here until you close it.",
    );
  });

  it("say why one is not saved until that is undone", async () => {
    const kept = keep(aLetter());
    const { user } = openTab("newsletter");
    await user.click(await (await letters()).findByRole("button", { name: "Edit News" }));
    const form = await editor();
    await user.type(form.getByLabelText("Subject"), "!");
    kept.rows = [aLetter({ state: "scheduled", version: 2 })];
    const detail = "This letter is on its way or was sent: only drafts can be changed.";
    kept.refuseNext(409, { code: "letter_not_draft", detail });
    await user.click(form.getByRole("button", { name: "Save" }));
    expect(await form.findByText(detail)).toBeTruthy();
    FakeEventSource.current.open();
    FakeEventSource.current.say("change", { table: "letters", op: "update", key: "a" }, "7");
    await form.findByRole("region", { name: "Newest version" });
    expect(form.getByText(detail)).toBeTruthy();
    kept.rows = [aLetter({ version: 3 })];
    FakeEventSource.current.say("change", { table: "letters", op: "update", key: "a" }, "8");
    await waitFor(() => expect(form.queryByText(detail)).toBeNull());
    expect(form.getByLabelText<HTMLInputElement>("Subject").value).toBe("News!");
  });

  it("are begun once, empty or from a release", async () => {
    const kept = keep();
    keepRows("/api/admin/releases", anEditableRelease());
    const { user } = openTab("newsletter");
    server.use(
      http.post(`*${PATH}`, async ({ request }) => {
        const body = (await request.json()) as Record<string, unknown>;
        kept.sent.push({ call: "POST", body, ifMatch: null });
        const letter = aLetter({ subject: "404-019" });
        kept.rows = [letter];
        return HttpResponse.json(letter, { status: 201 });
      }),
    );
    await user.click(await (await letters()).findByRole("button", { name: "ANNOUNCE A RELEASE" }));
    const choice = within(await screen.findByRole("dialog", { name: "Announce a Release" }));
    await user.dblClick(
      await choice.findByRole("button", { name: new RegExp(anEditableRelease().title) }),
    );
    const form = await editor();
    expect(form.getByLabelText<HTMLInputElement>("Subject").value).toBe("404-019");
    expect(kept.sent.map(({ body }) => body)).toEqual([{ release: anEditableRelease().id }]);
  });

  it("have names from right to left in their own direction", async () => {
    const names = { artist: { id: "a", name: "נועה לוי (DJ)" }, title: "שידור ראשון!" };
    keep(aLetter({ subject: names.title }));
    keepRows("/api/admin/releases", anEditableRelease(names));
    const { user } = openTab("newsletter");
    const list = await letters();
    expect((await list.findByText(names.title)).tagName).toBe("BDI");
    await user.click(list.getByRole("button", { name: "ANNOUNCE A RELEASE" }));
    for (const name of [names.artist.name, names.title]) {
      const shown = await screen.findAllByText(name, { selector: "bdi" });
      expect(shown.some((one) => one.closest("[role=dialog] button"))).toBe(true);
    }
  });

  it("are not begun and opened at once, as one would take the other's place", async () => {
    keep(aLetter());
    const { user } = openTab("newsletter");
    const list = await letters();
    const edit = await list.findByRole("button", { name: "Edit News" });
    const letGo = holdCall("post", PATH);
    await user.click(list.getByRole("button", { name: "NEW LETTER" }));
    expect(edit.getAttribute("aria-disabled")).toBe("true");
    letGo();
    await editor();
  });

  it("keep the focus in their dialog when STOP goes with its use", async () => {
    keep(aLetter({ state: "sending", began_at: "2026-11-19T12:00:00Z" }));
    const { user } = openTab("newsletter");
    await user.click(await (await letters()).findByRole("button", { name: "Open News" }));
    const dialog = within(await screen.findByRole("dialog", { name: "News" }));
    answerCall("post", `${PATH}/:id/sending`, aSending({ state: "stopped", version: 2 }));
    await user.click(await dialog.findByRole("button", { name: "STOP" }));
    const question = within(await screen.findByRole("alertdialog"));
    await user.click(question.getByRole("button", { name: "STOP" }));
    await waitFor(() => expect(dialog.queryByRole("button", { name: "STOP" })).toBeNull());
    await waitFor(() => expect(document.activeElement).toHaveProperty("tagName", "P"));
  });

  it("are deleted after a question, one while another is on its way too", async () => {
    const id = "019aa000-0000-7000-8000-0000000000a2";
    const kept = keep(aLetter(), aLetter({ id, subject: "Old news" }));
    const { user } = openTab("newsletter");
    const list = await letters();
    const letGo = holdCall("delete", `${PATH}/:id`);
    for (const name of ["Delete News", "Delete Old news", "Delete News"]) {
      await user.click(await list.findByRole("button", { name }));
      const question = within(await screen.findByRole("alertdialog"));
      await user.click(question.getByRole("button", { name: "Delete" }));
    }
    letGo();
    expect(await screen.findByText(/No letter yet/)).toBeTruthy();
    expect(kept.rows).toEqual([]);
    expect(kept.sent.map(({ call }) => call)).toEqual(["DELETE", "DELETE"]);
  });
});
