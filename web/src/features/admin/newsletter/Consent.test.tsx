import { act, screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { describe, expect, it } from "vitest";
import type { Answer } from "../../../api/client.ts";
import { answerConsent, openTab } from "../../../testing/backOffice.ts";
import { answerCall, breakCall, holdCall, refuseCall } from "../../../testing/calls.ts";
import { server } from "../../../testing/fakeApi.ts";
import { FakeEventSource } from "../../../testing/fakeEventSource.ts";
import { expectToast } from "../../../testing/toast.ts";

type Summary = Answer<"GET", "/api/admin/newsletter/settings">;

const PATH = "/api/admin/newsletter";
const SETTINGS = `${PATH}/settings` as const;
const CONFIRMATIONS = `${PATH}/confirmations` as const;
const VOUCH = `${PATH}/vouch` as const;

function keep(changes: Partial<Summary> = {}, numbers = [1, 2, 3]): void {
  const items = numbers.map((n) => ({
    id: `subscriber-${n}`,
    email: `listener-${n}@example.org`,
    active: true,
    inactive_reason: null,
    consent: "unconfirmed",
    subscribed_at: "2026-11-20T12:00:00Z",
  }));
  answerConsent({
    confirmed: 12,
    vouched: 2,
    unconfirmed: 1200,
    not_asked: 1100,
    waiting: 40,
    ...changes,
  });
  server.use(
    http.get(`*${PATH}`, () =>
      HttpResponse.json({ items, next_cursor: null, total: 3, active_count: 3 }),
    ),
  );
}

/** Another admin, or the person, takes rows away: these are left. */
async function leave(...numbers: number[]): Promise<void> {
  keep({}, numbers);
  act(() => {
    FakeEventSource.current.open();
    FakeEventSource.current.say("change", { table: "newsletter_subscriptions", op: "delete" }, "7");
  });
  await waitFor(() => expect(screen.queryAllByText(/^listener-/)).toHaveLength(numbers.length));
}

async function open() {
  const { user } = openTab("newsletter");
  await screen.findByText("listener-1@example.org");
  const section = within(screen.getByRole("region", { name: "Consent" }));
  await section.findByText(/confirmed,/);
  return { user, section };
}

describe("asking new subscribers", () => {
  it("is on, is switched off, and back on if the server refuses", async () => {
    keep();
    const { user, section } = await open();
    expect(
      section.getByText("12 confirmed, 2 vouched, 1200 unconfirmed, 40 waiting for their mail"),
    );
    const toggle = section.getByRole<HTMLInputElement>("switch", {
      name: "Ask new subscribers to confirm",
    });
    expect(toggle.checked).toBe(true);
    refuseCall("patch", SETTINGS, 500, { code: "internal" }, { once: true });
    await user.click(toggle);
    expect(await screen.findAllByText(/That did not work/)).not.toEqual([]);
    await waitFor(() => expect(toggle.checked).toBe(true));
    const heard = answerCall("patch", SETTINGS, {
      asks_to_confirm: false,
      confirmations_a_day: 500,
    });
    await user.click(toggle);
    await waitFor(() => expect(heard).toEqual([{ body: { asks_to_confirm: false } }]));
    expect(toggle.checked).toBe(false);
  });
});

describe("confirmations to earlier subscribers", () => {
  it("go to all who were never asked, after a question that says how long it takes", async () => {
    keep();
    const heard = answerCall("post", CONFIRMATIONS, { changed: 1100 });
    const { user, section } = await open();
    await user.click(section.getByRole("button", { name: "SEND CONFIRMATIONS" }));
    const question = within(await screen.findByRole("alertdialog"));
    expect(question.getByText("Send 1100 confirmations?")).toBeTruthy();
    expect(question.getByText(/At 500 a day this takes 3 days at most/)).toBeTruthy();
    await user.click(question.getByRole("button", { name: "CANCEL" }));
    expect(heard).toEqual([]);
    await user.click(section.getByRole("button", { name: "SEND CONFIRMATIONS" }));
    await user.click(await screen.findByRole("button", { name: "SEND" }));
    expect(await screen.findByText("1100 will get one mail each.")).toBeTruthy();
    expect(heard).toEqual([{ body: {} }]);
  });

  it("last as long as all that wait already", async () => {
    keep({ waiting: 5000 });
    const { user, section } = await open();
    await user.click(screen.getByRole("checkbox", { name: "Choose listener-1@example.org" }));
    await user.click(section.getByRole("button", { name: "SEND CONFIRMATIONS TO 1 CHOSEN" }));
    expect(await screen.findByText(/takes 11 days at most/)).toBeTruthy();
  });

  it("go to the chosen alone", async () => {
    keep();
    const heard = answerCall("post", CONFIRMATIONS, { changed: 2 });
    const { user, section } = await open();
    for (const n of [1, 3]) {
      await user.click(screen.getByRole("checkbox", { name: `Choose listener-${n}@example.org` }));
    }
    expect(screen.getByText("2 chosen")).toBeTruthy();
    await user.keyboard("{Escape}");
    expect(screen.queryByText("2 chosen")).toBeNull();
    for (const n of [1, 3]) {
      await user.click(screen.getByRole("checkbox", { name: `Choose listener-${n}@example.org` }));
    }
    await user.click(section.getByRole("button", { name: "SEND CONFIRMATIONS TO 2 CHOSEN" }));
    await user.click(await screen.findByRole("button", { name: "SEND" }));
    await waitFor(() =>
      expect(heard).toEqual([{ body: { ids: ["subscriber-1", "subscriber-3"] } }]),
    );
    await waitFor(() => expect(screen.queryByText("2 chosen")).toBeNull());
  });

  it("go to those of the question, also once their rows are gone", async () => {
    keep();
    const heard = answerCall("post", CONFIRMATIONS, { changed: 0 });
    const { user, section } = await open();
    for (const n of [1, 3]) {
      await user.click(screen.getByRole("checkbox", { name: `Choose listener-${n}@example.org` }));
    }
    await user.click(section.getByRole("button", { name: "SEND CONFIRMATIONS TO 2 CHOSEN" }));
    const question = within(await screen.findByRole("alertdialog"));
    await leave(2, 3);
    expect(question.getByText("Send 2 confirmations?")).toBeTruthy();
    await leave(2);
    expect(question.getByText("Send 2 confirmations?")).toBeTruthy();
    await user.click(question.getByRole("button", { name: "SEND" }));
    await waitFor(() =>
      expect(heard).toEqual([{ body: { ids: ["subscriber-1", "subscriber-3"] } }]),
    );
  });

  it("are as many a day as set, and wait without a mail server", async () => {
    keep({ can_send: false });
    const heard = answerCall("patch", SETTINGS, {
      asks_to_confirm: true,
      confirmations_a_day: 1000,
    });
    const { user, section } = await open();
    expect(section.getByText(/confirmations wait until there is one/)).toBeTruthy();
    await user.selectOptions(section.getByRole("combobox", { name: "A day, at most" }), "1000");
    await waitFor(() => expect(heard).toEqual([{ body: { confirmations_a_day: 1000 } }]));
  });

  it("keep each number that is set while the switch is still on its way", async () => {
    keep();
    let stored = { asks_to_confirm: true, confirmations_a_day: 500 };
    const heard: unknown[] = [];
    server.use(
      http.patch(`*${SETTINGS}`, async ({ request }) => {
        const body = (await request.json()) as Partial<typeof stored>;
        heard.push(body);
        stored = { ...stored, ...body };
        return HttpResponse.json(stored);
      }),
    );
    const release = holdCall("patch", SETTINGS);
    const { user, section } = await open();
    const toggle = section.getByRole<HTMLInputElement>("switch");
    const number = section.getByRole<HTMLSelectElement>("combobox", { name: "A day, at most" });
    await user.click(toggle);
    await user.selectOptions(number, "1000");
    await user.selectOptions(number, "250");
    expect([toggle.checked, number.value]).toEqual([false, "250"]);
    release();
    await waitFor(() =>
      expect(heard).toEqual([
        { asks_to_confirm: false },
        { confirmations_a_day: 1000 },
        { confirmations_a_day: 250 },
      ]),
    );
    await waitFor(() => expect(toggle.getAttribute("aria-busy")).toBe("false"));
    expect([toggle.checked, number.value]).toEqual([false, "250"]);
  });

  it("are not offered where everybody has answered", async () => {
    keep({ unconfirmed: 0, not_asked: 0, waiting: 0 });
    const { section } = await open();
    expect(section.queryByRole("button", { name: /CONFIRMATIONS/ })).toBeNull();
  });
});

describe("consent given elsewhere", () => {
  it("needs a sentence, which stays when the server refuses it", async () => {
    keep();
    const detail = "Say in a sentence of at least 10 characters where they agreed.";
    const fields = { sentence: detail };
    refuseCall("post", VOUCH, 422, { code: "sentence_too_short", detail, fields }, { once: true });
    const { user, section } = await open();
    await user.click(section.getByRole("checkbox", { name: "They agreed elsewhere" }));
    const box = section.getByRole<HTMLTextAreaElement>("textbox", {
      name: "Where and how they agreed",
    });
    await user.type(box, "Yes");
    await user.click(section.getByRole("button", { name: "SAVE FOR ALL 1200 UNCONFIRMED" }));
    expect((await section.findByRole("alert")).textContent).toBe(detail);
    expect(box.value).toBe("Yes");
    const heard = answerCall("post", VOUCH, { changed: 1200 });
    await user.type(box, ", on paper.");
    expect(section.queryByRole("alert")).toBeNull();
    await user.click(section.getByRole("button", { name: "SAVE FOR ALL 1200 UNCONFIRMED" }));
    expect(await screen.findByText("For 1200.")).toBeTruthy();
    expect(heard).toEqual([{ body: { sentence: "Yes, on paper." } }]);
    expect(section.queryByRole("textbox")).toBeNull();
  });

  it("keeps what is typed while it is sent, and shows a refusal that comes then", async () => {
    keep();
    const detail = "Say in a sentence of at least 10 characters where they agreed.";
    const refused = { code: "sentence_too_short", detail, fields: { sentence: detail } };
    refuseCall("post", VOUCH, 422, refused);
    let answerNow = holdCall("post", VOUCH);
    const { user, section } = await open();
    await user.click(section.getByRole("checkbox", { name: "They agreed elsewhere" }));
    const box = section.getByRole<HTMLTextAreaElement>("textbox");
    await user.type(box, "Yes");
    await user.click(section.getByRole("button", { name: /^SAVE FOR ALL/ }));
    await user.type(box, ", on paper");
    answerNow();
    expect((await section.findByRole("alert")).textContent).toBe(detail);
    answerCall("post", VOUCH, { changed: 1200 });
    answerNow = holdCall("post", VOUCH);
    await user.click(section.getByRole("button", { name: /^SAVE FOR ALL/ }));
    await user.type(box, ".");
    answerNow();
    expect(await screen.findByText("For 1200.")).toBeTruthy();
    expect(box.value).toBe("Yes, on paper.");
    expect(box.isConnected).toBe(true);
  });

  it("may be saved where no answer came, and is counted again", async () => {
    keep();
    breakCall("post", VOUCH);
    const { user, section } = await open();
    await user.click(section.getByRole("checkbox", { name: "They agreed elsewhere" }));
    await user.type(section.getByRole("textbox"), "On paper, at the fair.");
    keep({ vouched: 1202, unconfirmed: 0 });
    await user.click(section.getByRole("button", { name: /^SAVE FOR ALL/ }));
    expect(await section.findByText(/1202 vouched, 0 unconfirmed/)).toBeTruthy();
    expect(section.queryByRole("textbox")).toBeNull();
    await expectToast(
      "That did not work. The server did not answer. It may have been done: look before you try again.",
    );
  });

  it("is not saved where the server fails", async () => {
    keep();
    refuseCall("post", VOUCH, 500, { code: "internal" });
    const { user, section } = await open();
    await user.click(section.getByRole("checkbox", { name: "They agreed elsewhere" }));
    await user.type(section.getByRole("textbox"), "On paper, at the fair.");
    await user.click(section.getByRole("button", { name: /^SAVE FOR ALL/ }));
    await expectToast("That did not work.");
  });

  it("keeps the sentence while its form is hidden", async () => {
    keep();
    const { user, section } = await open();
    const box = section.getByRole("checkbox", { name: "They agreed elsewhere" });
    await user.click(box);
    await user.type(section.getByRole("textbox"), "On paper.");
    await user.click(box);
    expect(section.queryByRole("textbox")).toBeNull();
    await user.click(box);
    expect(section.getByRole<HTMLTextAreaElement>("textbox").value).toBe("On paper.");
  });

  it("can be about the chosen alone", async () => {
    keep();
    const heard = answerCall("post", VOUCH, { changed: 1 });
    const { user, section } = await open();
    await user.click(screen.getByRole("checkbox", { name: "Choose listener-2@example.org" }));
    const box = section.getByRole("checkbox", { name: "They agreed elsewhere" });
    await user.click(box);
    await user.type(section.getByRole("textbox"), "On paper, at the fair.");
    await user.click(section.getByRole("button", { name: "SAVE FOR 1 CHOSEN" }));
    await waitFor(() =>
      expect(heard).toEqual([
        { body: { sentence: "On paper, at the fair.", ids: ["subscriber-2"] } },
      ]),
    );
    await waitFor(() => expect(section.queryByRole("textbox")).toBeNull());
    expect(document.activeElement, "the focus is not lost with the form").toBe(box);
  });

  it("is saved for all only by a button for that once the chosen rows are gone", async () => {
    keep();
    const heard = answerCall("post", VOUCH, { changed: 1200 });
    const { user, section } = await open();
    await user.click(screen.getByRole("checkbox", { name: "Choose listener-2@example.org" }));
    await user.click(section.getByRole("checkbox", { name: "They agreed elsewhere" }));
    const sentence = section.getByRole("textbox");
    await user.type(sentence, "On paper, at the fair.");
    await leave(1, 3);
    await user.click(section.getByRole("button", { name: "NONE ARE CHOSEN ANY MORE" }));
    expect(heard).toEqual([]);
    await user.click(screen.getByRole("checkbox", { name: "Choose listener-1@example.org" }));
    expect(section.getByRole("button", { name: "SAVE FOR 1 CHOSEN" })).toBeTruthy();
    await leave(3);
    await user.click(section.getByRole("button", { name: "FOR ALL 1200 INSTEAD" }));
    expect(document.activeElement, "the focus is not lost with the button").toBe(sentence);
    await user.click(section.getByRole("button", { name: "SAVE FOR ALL 1200 UNCONFIRMED" }));
    await waitFor(() => expect(heard).toEqual([{ body: { sentence: "On paper, at the fair." } }]));
  });
});
