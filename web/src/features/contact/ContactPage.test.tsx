import { screen, waitFor } from "@testing-library/react";
import { delay, HttpResponse, http } from "msw";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { answerCall, breakCall, holdCall } from "../../testing/calls.ts";
import { server } from "../../testing/fakeApi.ts";
import { renderPath } from "../../testing/renderPath.tsx";
import { waitText } from "./ContactForm.tsx";
import { BLANK, heldDraft, holdDraft } from "./draft.ts";

const PATH = "/api/contact";
const TYPED = {
  name: "Mira Holm",
  email: "mira@example.org",
  message: "My copy of 404-018 never arrived.",
};
const FAILED = "Failed to send message. Please try again.";

async function openForm() {
  const { user, router } = renderPath("/contact");
  const name = await screen.findByLabelText<HTMLInputElement>("Name");
  const email = screen.getByLabelText<HTMLInputElement>("Email");
  const message = screen.getByLabelText<HTMLTextAreaElement>("Message");
  return { user, router, name, email, message };
}

async function sendTyped(typed = TYPED) {
  const form = await openForm();
  await form.user.type(form.name, typed.name);
  await form.user.type(form.email, typed.email);
  await form.user.type(form.message, typed.message);
  await form.user.click(screen.getByRole("button", { name: "SEND MESSAGE" }));
  return form;
}

beforeEach(() => {
  sessionStorage.clear();
  // As on a freshly opened page.
  holdDraft(BLANK);
});

afterEach(() => {
  expect([sessionStorage.length, localStorage.length], "what the browser keeps").toEqual([0, 0]);
});

describe("the contact page", () => {
  it("has its heading, its subtitle and the card", async () => {
    await openForm();
    expect(screen.getByRole("heading", { level: 1, name: "CONTACT US" })).toBeTruthy();
    expect(screen.getByText(/Get in touch with the label team/)).toBeTruthy();
    expect(screen.getByRole("heading", { name: "Send us a message" })).toBeTruthy();
    expect(screen.getByRole("button", { name: "SEND MESSAGE" })).toBeTruthy();
  });

  it("sends a message, says so and is empty again, the draft too", async () => {
    const heard = answerCall("post", PATH, { error: null });
    const { name, email, message } = await sendTyped();
    expect((await screen.findAllByText("Message Sent!")).length).toBeGreaterThan(0);
    expect(
      screen.getAllByText("Thank you for contacting us. We'll get back to you soon.").length,
    ).toBeGreaterThan(0);
    expect(heard.map(({ body }) => body)).toEqual([TYPED]);
    expect([name.value, email.value, message.value]).toEqual(["", "", ""]);
    expect(heldDraft()).toEqual(BLANK);
  });

  it("says beside each field what is wrong with it, and sends nothing", async () => {
    const heard = answerCall("post", PATH, { error: null });
    const { name, email, message } = await sendTyped({
      name: "M",
      email: "mira",
      message: "too short",
    });
    for (const [field, text] of [
      [name, "Name must be at least 2 characters"],
      [email, "Please enter a valid email address"],
      [message, "Message must be at least 10 characters"],
    ] as const) {
      expect(await screen.findByText(text)).toBeTruthy();
      const described = field.getAttribute("aria-describedby")?.split(" ") ?? [];
      expect(described.map((id) => document.getElementById(id)?.textContent)).toContain(text);
    }
    expect(document.activeElement).toBe(name);
    expect(heard).toEqual([]);
  });

  it("sends once however often it is pressed, and its button is busy meanwhile", async () => {
    const heard = vi.fn();
    server.use(
      http.post(`*${PATH}`, async () => {
        heard();
        await delay(150);
        return HttpResponse.json({ error: null });
      }),
    );
    const { user, message } = await sendTyped();
    const busy = await screen.findByRole<HTMLButtonElement>("button", { name: "SENDING..." });
    expect(busy.getAttribute("aria-disabled")).toBe("true");
    // A disabled button would have lost the focus.
    expect(document.activeElement).toBe(busy);
    await user.type(message, "{Enter}");
    await user.click(busy);
    expect((await screen.findAllByText("Message Sent!")).length).toBeGreaterThan(0);
    expect(heard).toHaveBeenCalledTimes(1);
    const idle = screen.getByRole("button", { name: "SEND MESSAGE" });
    expect(idle.getAttribute("aria-disabled")).toBe("false");
  });
});

describe("what is typed while a message is sent", () => {
  it("stays for the next one, and what was sent is cleared", async () => {
    answerCall("post", PATH, { error: null });
    const letGo = holdCall("post", PATH);
    const { user, name, email, message } = await sendTyped();
    await user.clear(message);
    await user.type(message, "One more thing.");
    letGo();
    expect((await screen.findAllByText("Message Sent!")).length).toBeGreaterThan(0);
    await waitFor(() => expect(name.value).toBe(""));
    expect(email.value).toBe("");
    expect(message.value).toBe("One more thing.");
    expect(heldDraft()).toEqual({ ...BLANK, message: "One more thing." });
  });
});

describe("a message that is not accepted", () => {
  it.each([
    [503, { error: "No mail.", code: "mail_unavailable", fields: null }],
    [422, { error: "Refused.", code: "refused", fields: null }],
    [500, { title: "Internal", code: "internal" }],
    [200, { surprise: true }],
  ])("answered %i, fails in the stated words and keeps what was typed", async (status, body) => {
    answerCall("post", PATH, body, status);
    const { name, email, message } = await sendTyped();
    expect((await screen.findAllByText("Error")).length).toBeGreaterThan(0);
    expect(screen.getAllByText(FAILED).length).toBeGreaterThan(0);
    expect({ name: name.value, email: email.value, message: message.value }).toEqual(TYPED);
    expect(heldDraft()).toEqual(TYPED);
  });

  it("fails in the same words when nothing answers", async () => {
    breakCall("post", PATH);
    const { message } = await sendTyped();
    expect((await screen.findAllByText(FAILED)).length).toBeGreaterThan(0);
    expect(message.value).toBe(TYPED.message);
  });

  it("has the server's objections beside their fields, and no toast", async () => {
    const fields = { email: "Please enter a valid email address" };
    answerCall("post", PATH, { error: "Refused.", code: "invalid", fields }, 422);
    const { email } = await sendTyped();
    expect(await screen.findByText(fields.email)).toBeTruthy();
    expect(email.getAttribute("aria-invalid")).toBe("true");
    expect(screen.queryByText(FAILED)).toBeNull();
  });

  it("names a message the same until it is accepted, and another one otherwise", async () => {
    const names: (string | null)[] = [];
    server.use(
      http.post(`*${PATH}`, ({ request }) => {
        names.push(request.headers.get("idempotency-key"));
        return names.length === 1 ? HttpResponse.error() : HttpResponse.json({ error: null });
      }),
    );
    const { user, name, email, message } = await sendTyped();
    await screen.findAllByText(FAILED);
    await user.click(screen.getByRole("button", { name: "SEND MESSAGE" }));
    await waitFor(() => expect(message.value).toBe(""));
    expect(names[0]).toMatch(/^"[0-9a-f]{32}"$/);
    expect(names[1]).toBe(names[0]);
    await user.type(name, TYPED.name);
    await user.type(email, TYPED.email);
    await user.type(message, TYPED.message);
    await user.click(screen.getByRole("button", { name: "SEND MESSAGE" }));
    await waitFor(() => expect(names).toHaveLength(3));
    expect(names[2]).not.toBe(names[0]);
  });

  it("past the limit says when it may be tried again", async () => {
    server.use(
      http.post(`*${PATH}`, () =>
        HttpResponse.json(
          { error: "Too many.", code: "rate_limited", fields: null },
          { status: 429, headers: { "retry-after": "541" } },
        ),
      ),
    );
    await sendTyped();
    expect(
      await screen.findByText("Too many messages. Please try again in 10 minutes."),
    ).toBeTruthy();
    expect(screen.getAllByText(FAILED).length).toBeGreaterThan(0);
  });

  it.each([
    [1, "in 1 second"],
    [90, "in 90 seconds"],
    [91, "in 2 minutes"],
    [5_400, "in 90 minutes"],
    [5_401, "in 2 hours"],
  ])("%i seconds are said as '%s'", (seconds, said) => {
    expect(waitText(seconds)).toBe(said);
  });
});

describe("a draft", () => {
  it("survives leaving the page and coming back", async () => {
    const { user, router, message } = await openForm();
    await user.type(message, "half a mess");
    await router.navigate({ to: "/store" });
    await screen.findByText("COMING SOON");
    await router.navigate({ to: "/contact" });
    const again = await screen.findByLabelText<HTMLTextAreaElement>("Message");
    expect(again.value).toBe("half a mess");
  });

  it("that was sent is gone also where its sender left and came back before the answer", async () => {
    answerCall("post", PATH, { error: null });
    const letGo = holdCall("post", PATH);
    const { user, router } = await sendTyped();
    await router.navigate({ to: "/store" });
    await screen.findByText("COMING SOON");
    await router.navigate({ to: "/contact" });
    const again = await screen.findByLabelText<HTMLTextAreaElement>("Message");
    expect(again.value).toBe(TYPED.message);
    await user.type(screen.getByLabelText("Name"), " II");
    letGo();
    await waitFor(() => expect(again.value).toBe(""));
    // Text typed while sending is the next message.
    const next = { ...BLANK, name: `${TYPED.name} II` };
    expect(screen.getByLabelText<HTMLInputElement>("Name").value).toBe(next.name);
    expect(heldDraft()).toEqual(next);
  });
});

describe("the field that nobody meets", () => {
  it("is sent to the server when something filled it in, and empties itself for the next try", async () => {
    const refused = { error: "Refused.", code: "refused", fields: null };
    const heard = answerCall("post", PATH, refused, 422);
    const { user } = await openForm();
    const trap = document.querySelector<HTMLInputElement>("form [aria-hidden] input");
    if (!trap) throw new Error("there is no trap");
    trap.value = "http://pills.example";
    await user.type(screen.getByLabelText("Name"), TYPED.name);
    await user.type(screen.getByLabelText("Email"), TYPED.email);
    await user.type(screen.getByLabelText("Message"), TYPED.message);
    await user.click(screen.getByRole("button", { name: "SEND MESSAGE" }));
    await waitFor(() => expect(heard).toHaveLength(1));
    expect(heard[0]?.body).toEqual({ ...TYPED, trap: "http://pills.example" });
    expect((await screen.findAllByText(FAILED)).length).toBeGreaterThan(0);
    await user.click(screen.getByRole("button", { name: "SEND MESSAGE" }));
    await waitFor(() => expect(heard).toHaveLength(2));
    expect(heard[1]?.body).toEqual(TYPED);
  });
});
