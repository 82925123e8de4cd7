// Waits, and their lengths, while the rules never load.
import { act, screen, waitFor } from "@testing-library/react";
import { delay, http } from "msw";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { RULES_WAIT_MS } from "../../rules/generated/constants.ts";
import { MESSAGES } from "../../rules/generated/messages.ts";
import { answerCall, refuseCall, seeAs } from "../calls.ts";
import { server } from "../fakeApi.ts";
import { aMember, anAdmin } from "../people.ts";
import { serveTus } from "../tusServer.ts";
import { aFile, fill, REFUSED, stand, toast, type User, WASM } from "./screen.ts";

describe("where the rules hang", () => {
  const NOTED = [
    "../../rules/rules.ts",
    "../../rules/useRules.ts",
    "../../rules/forms/useRulesForm.ts",
  ];

  beforeEach(() => {
    vi.resetModules();
    for (const module of NOTED) vi.doUnmock(module);
    isAsked = false;
    server.use(
      http.get(WASM, () => {
        isAsked = true;
        return delay("infinite");
      }),
    );
    vi.useFakeTimers({ shouldAdvanceTime: true });
  });

  let isAsked = false;

  /** Waits exactly as long as a page waits for the rules. */
  async function waitedForRules(): Promise<void> {
    await waitFor(() => expect(isAsked).toBe(true));
    await act(() => vi.advanceTimersByTimeAsync(RULES_WAIT_MS));
  }

  /** Opens a page with nothing loaded before. */
  async function openFresh(path: string) {
    const fresh = await import("../renderPath.tsx");
    return fresh.renderPath(path);
  }

  /** Fills fields by their labels and submits their form. */
  async function send(user: User, fields: Record<string, string>): Promise<void> {
    for (const [label, text] of Object.entries(fields)) {
      await fill(user, await screen.findByLabelText(label), text);
    }
    const submit = document.activeElement?.closest("form")?.querySelector("[type=submit]");
    if (submit) await user.click(submit);
  }

  const WHO = { "Email or username": "mira", Password: "a password" };
  const SIGNUP = { Email: "mira@example.org", Username: "mira", Password: "sixsix" };
  const MESSAGE = { Name: "Mira", Email: "mira@example.org", Message: "About the next record." };

  it.each([
    ["a message", "/contact", "/api/contact", MESSAGE, { error: null }],
    ["a login", "/store?dialog=login", "/api/auth/sign-in", WHO, aMember()],
    ["a sign-up", "/signup", "/api/auth/sign-up", SIGNUP, { confirmation_required: true }],
  ] as const)("%s is sent once they have been waited for", async (_, path, call, fields, ok) => {
    const heard = answerCall("post", call, ok);
    const { user } = await openFresh(path);
    await send(user, fields);
    expect(heard).toEqual([]);
    await waitedForRules();
    await waitFor(() => expect(heard).toHaveLength(1));
  });

  it("a sign-up in the dialog is sent once they have been waited for", async () => {
    const heard = answerCall("post", "/api/auth/sign-up", { confirmation_required: true });
    const { user } = await openFresh("/store?dialog=login");
    await user.click(await screen.findByRole("tab", { name: "SIGN UP" }));
    await send(user, { "Full name": "Mira Vale", ...SIGNUP });
    expect(heard).toEqual([]);
    await waitedForRules();
    await waitFor(() => expect(heard).toHaveLength(1));
  });

  it("a demo travels once they have been waited for", async () => {
    const tus = serveTus();
    const { user } = await openFresh("/artists?dialog=demo");
    await screen.findByRole("form", { name: "Demo" });
    const input = document.querySelector<HTMLInputElement>("input[type=file]");
    if (input) await user.upload(input, aFile("mix.mp3", "audio/mpeg"));
    await send(user, { "Artist name": "Mira Vale", Email: "mira@example.org" });
    expect(tus.calls).toEqual([]);
    await waitedForRules();
    await waitFor(() =>
      expect([...tus.uploads.values()].map(({ offset, length }) => offset === length)).toEqual([
        true,
      ]),
    );
  });

  it("the newsletter has its address at once, and says so once they have been waited for", async () => {
    const heard = answerCall("post", "/api/newsletter", { success: true, message: "Added." });
    const { user } = await openFresh("/");
    await send(user, { EMAIL: "mira@example.org" });
    await waitFor(() => expect(heard).toHaveLength(1));
    await waitedForRules();
    await toast(MESSAGES.newsletter_subscribed.title, "Added.");
    expect(await screen.findByRole("button", { name: "SUBSCRIBE" })).toBeTruthy();
  });

  it("the terminal takes a question once they have been waited for", async () => {
    stand();
    const heard = answerCall("post", "/api/terminal", { response: "Four artists." });
    const { user } = await openFresh("/terminal");
    const command = await screen.findByLabelText<HTMLInputElement>("COMMAND");
    await waitedForRules();
    await waitFor(() => expect(command.disabled).toBe(false));
    await fill(user, command, "artists");
    await user.keyboard("{Enter}");
    expect(await screen.findByText("Four artists.")).toBeTruthy();
    expect(heard).toHaveLength(1);
  });

  it.each([
    ["/admin/login", () => screen.findByLabelText("Email")],
    ["/auth/callback", () => screen.findByText(REFUSED)],
  ])("%s shows its form once they have been waited for", async (path, form) => {
    refuseCall("post", "/api/auth/link", 422, { code: "otp_expired", detail: REFUSED });
    await openFresh(path);
    await waitedForRules();
    expect(await form()).toBeTruthy();
  });

  it("the dashboard opens without them", async () => {
    vi.useRealTimers();
    const set = globalThis.setTimeout;
    vi.spyOn(globalThis, "setTimeout").mockImplementation(((work: () => void, ms?: number) =>
      ms === RULES_WAIT_MS ? 0 : set(work, ms)) as typeof setTimeout);
    seeAs(anAdmin());
    await openFresh("/admin?tab=terminal");
    expect(await screen.findByRole("heading", { name: "Admin Dashboard" })).toBeTruthy();
  });
});
