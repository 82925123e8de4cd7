// Every form and the whole dashboard where the rules cannot be had (no WebAssembly, a file that never arrives): the
// server decides, its words stand at the fields, and everything else that is said comes from the generated catalogue.
import { act, cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { delay, HttpResponse, http } from "msw";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { dropMailedLink } from "../features/accounts/mailedLink.ts";
import { RULES_WAIT_MS } from "../rules/generated/constants.ts";
import { MESSAGES, MFA_TEXTS } from "../rules/generated/messages.ts";
import { DEMO_TITLES, UPLOAD_TITLES } from "../rules/generated/refusals.ts";
import {
  aDemo,
  aMediaFile,
  anEditableArtist,
  anEditableRelease,
  aProduct,
  aSiteImage,
  keepRows,
  openTab,
} from "../testing/backOffice.ts";
import { answerCall, refuseCall, seeAs } from "../testing/calls.ts";
import { aRelease } from "../testing/catalogue.ts";
import { aDeskDemo, keepDesk } from "../testing/desk.ts";
import { fakePlayers, onDesk, openDesk, press } from "../testing/deskScreen.tsx";
import { answer, answerBy, page, refuse, server } from "../testing/fakeApi.ts";
import {
  aMember,
  anAdmin,
  anUnprotectedAdmin,
  aPendingAdmin,
  aPendingMember,
} from "../testing/people.ts";
import { aProfile, openProfileTo } from "../testing/profile.ts";
import { renderPath } from "../testing/renderPath.tsx";
import { refusal, serveTus } from "../testing/tusServer.ts";
import { noteWhatIsShown, THERE_IS, walked } from "../testing/walk.ts";
import type { ToastCode } from "../ui/messages.ts";

const WASM = "*/rules_wasm_bg.wasm";
/** The look at chosen demos, which is gone with the rules. */
const AUDIO_WASM = "*/audio_wasm_bg.wasm";

vi.mock("../rules/rules.ts", async (original) => {
  const { noting } = await import("../testing/walk.ts");
  return noting(await original<object>());
});
vi.mock("../rules/useRules.ts", async (original) => {
  const { noting } = await import("../testing/walk.ts");
  return noting(await original<object>());
});
vi.mock("../rules/forms/useRulesForm.ts", async (original) => {
  const { noting } = await import("../testing/walk.ts");
  return noting(await original<object>());
});
vi.mock("react/jsx-dev-runtime", async (original) => {
  const { notingForms } = await import("../testing/walk.ts");
  return notingForms(await original<object>());
});

type User = ReturnType<typeof renderPath>["user"];

/** What stands in a field afterwards, as if it had been pasted. */
async function fill(user: User, field: HTMLElement, text: string): Promise<void> {
  await user.clear(field);
  await user.paste(text);
}

/** What is said about a field or a button beside its name. */
function describes(element: HTMLElement): (string | null | undefined)[] {
  const ids = element.getAttribute("aria-describedby")?.split(" ") ?? [];
  return ids.map((id) => document.getElementById(id)?.textContent);
}

/** The server's words stand at the field, and the field says that it is wrong. */
async function saysAt(field: HTMLElement, text: string): Promise<void> {
  await waitFor(() => expect(field.getAttribute("aria-invalid")).toBe("true"));
  expect(describes(field)).toContain(text);
}

/** A toast has this title, and this text below it. */
async function toast(title: string, text = ""): Promise<void> {
  await waitFor(() => {
    const toasts = screen.getAllByText(title).map((found) => found.parentElement?.textContent);
    expect(toasts.some((whole) => whole === title + text)).toBe(true);
  });
}

/** A toast says what the catalogue has under the code. */
function says(code: ToastCode, value?: string): Promise<void> {
  const { title, text } = MESSAGES[code];
  return toast(title, value === undefined ? text : text.replace(/\{\w+\}/, value));
}

/** The person wants nothing to move, so the terminal boots at once. */
function stand(): void {
  const still = { matches: true, addEventListener() {}, removeEventListener() {} };
  vi.spyOn(window, "matchMedia").mockReturnValue(still as never);
}

const OK = { status: "ok", code: "ok", message: "", request_id: "r" };
const REFUSED = "The server does not want this.";

/** A refusal of single fields, as the server makes it. */
const invalid = (fields: Record<string, string>) => ({ code: "invalid", detail: REFUSED, fields });

const aFile = (name: string, type = "image/png") => new File(["content"], name, { type });

let shown: () => readonly string[] = () => [];

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  server.use(
    http.get(WASM, () => HttpResponse.error()),
    http.get(AUDIO_WASM, () => HttpResponse.error()),
  );
  vi.spyOn(console, "error").mockReturnValue();
  shown = noteWhatIsShown();
});

afterEach(() => {
  const all = shown();
  cleanup();
  dropMailedLink();
  vi.useRealTimers();
  // What the fake server made up, the file names of demos, the one site image's name and those of counted events are data.
  const words = all.join("\n").replace(/the \w+ text|\w+\.mp3|hero_background|signup_\w+/g, "");
  expect(words.match(/\b[a-z]+(?:_[a-z0-9]+)+\b/g)).toBeNull();
  expect(words.match(/\d{4,} Bytes|\d\dT\d\d:|\bundefined\b|\bNaN\b|\[object/g)).toBeNull();
});

describe("a visitor", () => {
  it("gets the newsletter", async () => {
    answerCall(
      "post",
      "/api/newsletter",
      { success: false, error: "invalid_email", message: REFUSED },
      422,
    );
    const { user } = renderPath("/");
    const field = await screen.findByLabelText("EMAIL");
    await fill(user, field, "Mira@Example");
    await user.keyboard("{Enter}");
    await saysAt(field, REFUSED);
    await toast(MESSAGES.newsletter_invalid_email.title, REFUSED);
    const heard = answerCall("post", "/api/newsletter", { success: true, message: "Added." });
    await fill(user, field, "Mira@Example.org");
    await user.keyboard("{Enter}");
    await toast(MESSAGES.newsletter_subscribed.title, "Added.");
    expect(heard[0]?.body).toEqual({ subscriber_email: "Mira@Example.org", client_ip: null });
  });

  it("writes to the label", async () => {
    refuseCall("post", "/api/contact", 422, invalid({ name: REFUSED }));
    const { user } = renderPath("/contact");
    const name = await screen.findByLabelText<HTMLInputElement>("Name");
    await fill(user, name, "M");
    await fill(user, screen.getByLabelText("Email"), "mira@example.org");
    await fill(user, screen.getByLabelText("Message"), "About the next record.");
    await user.click(screen.getByRole("button", { name: "SEND MESSAGE" }));
    await saysAt(name, REFUSED);
    const heard = answerCall("post", "/api/contact", { error: null });
    await fill(user, name, "Mira");
    await user.click(screen.getByRole("button", { name: "SEND MESSAGE" }));
    await says("contact_sent");
    expect(heard[0]?.body).toMatchObject({ name: "Mira", message: "About the next record." });
    expect(name.value).toBe("");
  });

  it("searches the releases", async () => {
    answerBy("/api/releases", (url) =>
      page([aRelease({ title: url.searchParams.get("q") === "404" ? "Found" : "Any" })]),
    );
    const { user } = renderPath("/releases?q=nothing");
    await screen.findByRole("article", { name: "Any" });
    await fill(user, screen.getByRole("searchbox", { name: "Search releases" }), "404");
    await user.keyboard("{Enter}");
    expect(await screen.findByRole("article", { name: "Found" })).toBeTruthy();
  });

  it("asks the terminal", async () => {
    stand();
    refuseCall("post", "/api/terminal", 500, { code: "internal" });
    const { user } = renderPath("/terminal");
    const command = await screen.findByLabelText<HTMLInputElement>("COMMAND");
    await waitFor(() => expect(command.disabled).toBe(false));
    await fill(user, command, "artists");
    await user.keyboard("{Enter}");
    await toast(MESSAGES.terminal_failed.text);
    await waitFor(() => expect(command.disabled).toBe(false));
    const heard = answerCall("post", "/api/terminal", { response: "Four artists." });
    await fill(user, command, " artists ");
    await user.keyboard("{Enter}");
    expect(await screen.findByText("Four artists.")).toBeTruthy();
    expect(heard[0]?.body).toEqual({ message: "artists" });
  });

  it("is shown what could not be read at first", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    refuse("/api/releases", 500);
    renderPath("/releases");
    expect(await screen.findByText("CONNECTION LOST. RETRYING.")).toBeTruthy();
    answer("/api/releases", page([aRelease()]));
    await vi.advanceTimersByTimeAsync(3_000);
    expect(await screen.findByText("Dead Air Protocol")).toBeTruthy();
    expect(screen.getByText("2026.10.02")).toBeTruthy();
  });

  describe("who sends a demo", () => {
    async function open() {
      const app = renderPath("/artists?dialog=demo");
      const form = within(await screen.findByRole("form", { name: "Demo" }));
      const input = document.querySelector<HTMLInputElement>("input[type=file]");
      if (!input) throw new Error("a file input");
      const submit = () => app.user.click(form.getByRole("button", { name: "SUBMIT DEMO" }));
      return { ...app, form, input, submit };
    }

    it("is told that a file is missing", async () => {
      const { form, submit } = await open();
      await submit();
      const text = "Please fill in all required fields and select a demo file.";
      await toast("Missing information", text);
      const chooser = form.getByRole("button", { name: /^Demo file/ });
      expect(describes(chooser)).toEqual(["Required", text]);
    });

    it("reads what the server has against it, and sends it", async () => {
      const tus = serveTus();
      const { user, form, input, submit } = await open();
      await fill(user, form.getByLabelText("Artist name"), "Mira Vale");
      await fill(user, form.getByLabelText("Email"), "nowhere");
      await user.upload(input, aFile("mix.mp3", "audio/mpeg"));
      tus.instead = () =>
        refusal(422, { ...invalid({ email: REFUSED }), code: "artist_name_too_long" });
      await submit();
      await saysAt(form.getByLabelText("Email"), REFUSED);
      await toast(DEMO_TITLES.artist_name_too_long ?? "", REFUSED);
      await fill(user, form.getByLabelText("Email"), "mira@example.org");
      tus.instead = () =>
        refusal(422, { code: "archive_locked", detail: REFUSED, fields: { file: REFUSED } });
      await submit();
      await toast("Archive refused", REFUSED);
      const chooser = form.getByRole("button", { name: /^Demo file/ });
      await waitFor(() => expect(describes(chooser)).toEqual(["Required", REFUSED]));
      await user.upload(input, aFile("take two.mp3", "audio/mpeg"));
      tus.instead = () => undefined;
      await submit();
      await toast(MESSAGES.demo_submitted.title);
      expect([...tus.uploads.values()].map(({ offset, length }) => offset === length)).toEqual([
        true,
      ]);
    });

    it("sends another file in its place, and reads what the server has against it", async () => {
      const tus = serveTus();
      answer("/api/sender/{token}", {
        artist_name: "Mira Vale",
        original_name: "mix.mp3",
        size_bytes: 20_000,
        submitted_at: "2026-11-20T12:00:00Z",
        step: 0,
        label: "RECEIVED",
        decision: null,
        can_replace: true,
      });
      const { user } = renderPath("/demos/of-mira");
      await screen.findByRole("button", { name: "SEND ANOTHER FILE" });
      const input = document.querySelector<HTMLInputElement>("main input[type=file]");
      if (!input) throw new Error("a file input");
      tus.instead = () => refusal(422, { code: "archive_locked", detail: REFUSED });
      await user.upload(input, aFile("mix.mp3", "audio/mpeg"));
      expect(await screen.findByText(REFUSED)).toBeTruthy();
      tus.instead = () => undefined;
      await user.upload(input, aFile("take two.mp3", "audio/mpeg"));
      expect(await screen.findByText("The new file is here.")).toBeTruthy();
      expect([...tus.uploads.values()].map(({ offset, length }) => offset === length)).toEqual([
        true,
      ]);
    });
  });
});

describe("an account", () => {
  it("is made in the dialog", async () => {
    refuseCall("post", "/api/auth/sign-up", 422, invalid({ password: REFUSED }));
    const { user, router } = renderPath("/store?dialog=login");
    await user.click(await screen.findByRole("tab", { name: "SIGN UP" }));
    const form = within(screen.getByRole("form", { name: "Sign up" }));
    await fill(user, form.getByLabelText("Full name"), "Mira Vale");
    await fill(user, form.getByLabelText("Email"), "mira@example.org");
    await fill(user, form.getByLabelText("Username"), "mira");
    await fill(user, form.getByLabelText("Password"), "five5");
    await user.keyboard("{Enter}");
    await saysAt(form.getByLabelText("Password"), REFUSED);
    answerCall("post", "/api/auth/sign-up", { confirmation_required: true });
    await fill(user, form.getByLabelText("Password"), "sixsix");
    await user.keyboard("{Enter}");
    await waitFor(() => expect(router.state.location.pathname).toBe("/auth/signup-success"));
  });

  it("is made on the page, and its letter is sent again", async () => {
    refuseCall("post", "/api/auth/sign-up", 422, invalid({ email: REFUSED }));
    const { user } = renderPath("/signup");
    const email = await screen.findByLabelText("Email");
    await fill(user, email, "nowhere");
    await fill(user, screen.getByLabelText("Password"), "sixsix");
    await user.keyboard("{Enter}");
    await saysAt(email, REFUSED);
    refuseCall("post", "/api/auth/sign-up", 429, { code: "rate_limited", detail: REFUSED });
    await fill(user, email, "mira@example.org");
    await user.keyboard("{Enter}");
    expect(await screen.findByText(REFUSED)).toBeTruthy();
    answerCall("post", "/api/auth/sign-up", { confirmation_required: true });
    await user.click(screen.getByRole("button", { name: "Sign Up" }));
    expect(await screen.findByRole("heading", { name: "CHECK YOUR INBOX" })).toBeTruthy();
    refuseCall("post", "/api/auth/resend", 429, { code: "rate_limited", detail: REFUSED });
    await user.click(screen.getByRole("button", { name: "Resend Confirmation" }));
    expect(await screen.findByText(MESSAGES.resend_failed.text)).toBeTruthy();
    answerCall("post", "/api/auth/resend", {});
    await user.click(screen.getByRole("button", { name: "Resend Confirmation" }));
    expect(await screen.findByText(MESSAGES.callback_resent.text)).toBeTruthy();
  });

  it("is signed in to, or not", async () => {
    refuseCall("post", "/api/auth/sign-in", 401, { code: "invalid_credentials", detail: REFUSED });
    const { user } = renderPath("/store?dialog=login");
    const form = within(await screen.findByRole("form", { name: "Login" }));
    await fill(user, form.getByLabelText("Email or username"), "mira");
    await fill(user, form.getByLabelText("Password"), "a guess");
    await user.keyboard("{Enter}");
    expect(await form.findByText(`ACCESS DENIED: ${REFUSED}`)).toBeTruthy();
    const heard = answerCall("post", "/api/auth/sign-in", aMember());
    await fill(user, form.getByLabelText("Password"), "a password");
    await user.keyboard("{Enter}");
    expect(await screen.findByRole("button", { name: "Account menu" })).toBeTruthy();
    expect(heard[0]?.body).toEqual({ identifier: "mira", password: "a password" });
  });

  it("gets a new password by mail", async () => {
    const text = "Please enter your email address first";
    refuseCall("post", "/api/auth/forgot", 422, { code: "invalid", detail: text });
    const { user } = renderPath("/store?dialog=login");
    const form = within(await screen.findByRole("form", { name: "Login" }));
    await user.click(form.getByRole("button", { name: "Forgot password?" }));
    expect(await form.findByText(text)).toBeTruthy();
    answerCall("post", "/api/auth/forgot", {});
    await fill(user, form.getByLabelText("Email or username"), "mira@example.org");
    await user.click(form.getByRole("button", { name: "Forgot password?" }));
    await says("reset_sent");
  });

  it("is opened by the second factor", async () => {
    seeAs(aPendingMember());
    const wrong = { ...OK, status: "error", code: "invalid_otp", message: "" };
    answerCall("post", "/api/auth/mfa-operations", wrong, 422);
    const { user } = renderPath("/profile");
    const field = await screen.findByLabelText("Verification code");
    await fill(user, field, "123456");
    await user.keyboard("{Enter}");
    await saysAt(field, MFA_TEXTS.invalid_otp);
    answerCall("post", "/api/auth/mfa-operations", OK);
    openProfileTo(aProfile({ mfa_enabled: true, recovery_codes_left: 9 }));
    await fill(user, field, "654321");
    await user.keyboard("{Enter}");
    expect(await screen.findByText(MFA_TEXTS.ok)).toBeTruthy();
    expect(await screen.findByRole("heading", { name: "IDENTITY" })).toBeTruthy();
  });

  it("is opened by a code from the mail", async () => {
    seeAs(aPendingMember());
    const heard = answerCall("post", "/api/auth/mfa-recovery", { valid: false });
    const { user } = renderPath("/profile");
    await user.click(await screen.findByRole("button", { name: /Can't access/ }));
    await toast(MESSAGES.recovery_code_sent.title);
    const field = await screen.findByLabelText("Email code or recovery code");
    expect(screen.getByRole("button", { name: /^Resend code in \d+ s$/ })).toBeTruthy();
    await fill(user, field, "12345678");
    await user.keyboard("{Enter}");
    await saysAt(field, MESSAGES.recovery_code_invalid.text);
    answerCall("post", "/api/auth/mfa-recovery", { valid: true });
    openProfileTo(aProfile({ mfa_enabled: true, recovery_codes_left: 9 }));
    await fill(user, field, "87654321");
    await user.keyboard("{Enter}");
    expect(await screen.findByRole("heading", { name: "IDENTITY" })).toBeTruthy();
    expect(heard.at(-1)?.body).toMatchObject({ recoveryCode: "12345678" });
  });
});

describe("a link from a mail", () => {
  const LINK = {
    type: "signup",
    used: false,
    email: "m***@example.org",
    asked_here: true,
    signed_in_as_other: false,
  };

  beforeEach(() => void vi.useFakeTimers({ shouldAdvanceTime: true }));

  it("confirms the address in the browser that signed up, and takes its person in", async () => {
    answerCall("post", "/api/auth/link", LINK);
    const confirmed = { status: "confirmed", username: "mira", session: aMember() };
    const heard = answerCall("post", "/api/auth/confirm", confirmed);
    const { router } = renderPath("/auth/callback#type=signup&token=abc");
    expect(await screen.findByText("Email confirmed!")).toBeTruthy();
    expect(heard.map(({ body }) => body)).toEqual([{ token: "abc" }]);
    await vi.advanceTimersByTimeAsync(2_100);
    // Until it has got there: on leaving, the page drops its link, which would be the next test's.
    await waitFor(() => expect(router.state.resolvedLocation?.pathname).toBe("/auth/welcome"));
  });

  it("asks first in any other browser", async () => {
    answerCall("post", "/api/auth/link", { ...LINK, asked_here: false });
    const confirmed = { status: "confirmed", username: "mira", session: null };
    answerCall("post", "/api/auth/confirm", confirmed);
    const { user } = renderPath("/auth/callback#type=signup&token=abc");
    await user.click(await screen.findByRole("button", { name: "Confirm" }));
    expect(await screen.findByText("You can log in now.")).toBeTruthy();
  });

  it("that is none has the words of the server, and another is sent", async () => {
    refuseCall("post", "/api/auth/link", 422, { code: "otp_expired", detail: REFUSED });
    const { user } = renderPath("/auth/callback");
    expect(await screen.findByText(REFUSED)).toBeTruthy();
    vi.stubGlobal("prompt", () => "mira@example.org");
    refuseCall("post", "/api/auth/resend", 429, { code: "rate_limited", detail: REFUSED });
    await user.click(screen.getByRole("button", { name: "Resend Confirmation" }));
    await waitFor(() =>
      expect(window.alert).toHaveBeenLastCalledWith(MESSAGES.callback_resend_failed.text),
    );
    answerCall("post", "/api/auth/resend", {});
    await user.click(screen.getByRole("button", { name: "Resend Confirmation" }));
    await waitFor(() =>
      expect(window.alert).toHaveBeenLastCalledWith(MESSAGES.callback_resent.text),
    );
  });

  it("that says what went wrong is shown as text, cut like everywhere", async () => {
    renderPath(`/auth/callback#error_description=${"x".repeat(300)}`);
    expect(await screen.findByText("x".repeat(200))).toBeTruthy();
  });

  it("leads to a new password", async () => {
    openProfileTo();
    answerCall("post", "/api/auth/link", { ...LINK, type: "recovery" });
    answerCall("post", "/api/auth/reset", aMember());
    const { user } = renderPath("/profile#type=recovery&token=abc");
    const field = await screen.findByLabelText("New Password");
    answerCall("put", "/api/auth/password", aMember());
    await fill(user, field, "eight888");
    await fill(user, screen.getByLabelText("Confirm Password"), "eight888");
    await user.keyboard("{Enter}");
    await toast(MESSAGES.password_updated.title);
  });
});

describe("a member", () => {
  async function open(profile = aProfile()) {
    openProfileTo(profile);
    const app = renderPath("/profile");
    await screen.findByRole("heading", { name: "IDENTITY" });
    return app;
  }

  it("takes another name", async () => {
    const { user } = await open();
    answerCall("post", "/api/profile/username-check", { available: true });
    await user.click(screen.getByRole("button", { name: "Edit username" }));
    const field = screen.getByRole("textbox", { name: "Username" });
    refuseCall("patch", "/api/profile", 422, invalid({ username: REFUSED }));
    await fill(user, field, "m");
    await user.keyboard("{Enter}");
    await saysAt(field, REFUSED);
    await toast(MESSAGES.validation_error.title, REFUSED);
    answerCall("patch", "/api/profile", aProfile({ username: "mira-404" }));
    await fill(user, field, "mira-404");
    await user.keyboard("{Enter}");
    await toast(MESSAGES.username_updated.title);
    expect(screen.getByText("mira-404")).toBeTruthy();
  });

  it("takes another address, with the password once more", async () => {
    const { user } = await open();
    await user.click(screen.getByRole("button", { name: "Edit email" }));
    const field = screen.getByRole("textbox", { name: "Email" });
    refuseCall("post", "/api/auth/email-change", 422, invalid({ email: REFUSED }));
    await fill(user, field, "nowhere");
    await user.keyboard("{Enter}");
    await saysAt(field, REFUSED);
    await toast(MESSAGES.validation_error.title, REFUSED);
    refuseCall("post", "/api/auth/email-change", 403, { code: "reauthentication_needed" });
    await fill(user, field, "new@example.org");
    await user.keyboard("{Enter}");
    const question = within(await screen.findByRole("dialog", { name: "CONFIRM PASSWORD" }));
    refuseCall("post", "/api/auth/reauthenticate", 401, {
      code: "invalid_credentials",
      detail: REFUSED,
    });
    await fill(user, question.getByLabelText("Password"), "a guess");
    await user.keyboard("{Enter}");
    expect(await question.findByText(REFUSED)).toBeTruthy();
    answerCall("post", "/api/auth/reauthenticate", aMember());
    answerCall("post", "/api/auth/email-change", {});
    await fill(user, question.getByLabelText("Password"), "a password");
    await user.keyboard("{Enter}");
    await says("email_update_initiated");
  });

  it("takes another password", async () => {
    const { user } = await open();
    refuseCall("put", "/api/auth/password", 422, invalid({ confirm_password: REFUSED }));
    const [first, second] = [
      screen.getByLabelText("New Password"),
      screen.getByLabelText("Confirm Password"),
    ];
    await fill(user, first, "eight888");
    await fill(user, second, "nine99999");
    await user.keyboard("{Enter}");
    await saysAt(second, REFUSED);
    await toast(MESSAGES.security_error.title, REFUSED);
    answerCall("put", "/api/auth/password", aMember());
    await fill(user, second, "eight888");
    await user.keyboard("{Enter}");
    await toast(MESSAGES.password_updated.title);
  });

  it("takes another picture, and none", async () => {
    const { user } = await open();
    const input = screen.getByLabelText<HTMLInputElement>("Avatar file");
    refuseCall("post", "/api/profile/avatar", 422, invalid({ file: REFUSED }));
    await user.upload(input, aFile("me.png"));
    await toast(MESSAGES.avatar_failed.title, REFUSED);
    answerCall("post", "/api/profile/avatar", aProfile({ avatar_url: "/media/avatars/a.jpg" }));
    await user.upload(input, aFile("me.png"));
    await toast(MESSAGES.avatar_updated.title);
    answerCall("delete", "/api/profile/avatar", aProfile());
    await user.click(await screen.findByRole("button", { name: "Remove Avatar" }));
    await toast(MESSAGES.avatar_removed.title);
  });

  it("sets up the second factor", async () => {
    const { user } = await open();
    answerCall("post", "/api/auth/mfa-operations", {
      ...OK,
      secret: "JBSWY3DPEHPK3PXP",
      qrCodeUrl: "otpauth://totp/label:mira?secret=JBSWY3DPEHPK3PXP&issuer=label",
      manualEntryKey: "JBSW Y3DP EHPK 3PXP",
    });
    await user.click(screen.getByRole("button", { name: "Enable MFA" }));
    const field = await screen.findByLabelText("6-digit code");
    const wrong = { ...OK, status: "error", code: "invalid_otp", message: REFUSED };
    answerCall("post", "/api/auth/mfa-operations", wrong, 422);
    await fill(user, field, "123456");
    await user.keyboard("{Enter}");
    expect(await screen.findByText(REFUSED)).toBeTruthy();
    answerCall("post", "/api/auth/mfa-operations", { ...OK, recovery_codes: ["AAAAA-00001"] });
    await fill(user, field, "654321");
    await user.keyboard("{Enter}");
    await toast(MESSAGES.mfa_enabled.title);
    expect(screen.getByText("AAAAA-00001")).toBeTruthy();
  });

  it("ends the account, or not", async () => {
    const { user, router } = await open();
    await user.click(screen.getByRole("button", { name: "Delete Account" }));
    refuseCall("delete", "/api/auth/account", 500, { code: "internal" });
    await user.click(screen.getByRole("button", { name: "Yes, delete my account" }));
    await says("termination_failed");
    answerCall("delete", "/api/auth/account", {});
    await user.click(screen.getByRole("button", { name: "Yes, delete my account" }));
    await waitFor(() => expect(router.state.location.pathname).toBe("/"));
  });
});

describe("an admin", () => {
  it("gets in, or not", async () => {
    refuseCall("post", "/api/auth/sign-in", 401, { code: "invalid_credentials", detail: REFUSED });
    const { user } = renderPath("/admin/login");
    await fill(user, await screen.findByLabelText("Email"), "label@example.org");
    await fill(user, screen.getByLabelText("Password"), "a guess");
    await user.keyboard("{Enter}");
    expect(await screen.findByText(REFUSED)).toBeTruthy();
    answerCall("post", "/api/auth/sign-in", anAdmin());
    await fill(user, screen.getByLabelText("Password"), "a password");
    await user.keyboard("{Enter}");
    expect(await screen.findByRole("heading", { name: "Admin Dashboard" })).toBeTruthy();
  });

  it("gives the second factor", async () => {
    seeAs(aPendingAdmin());
    const { user } = renderPath("/admin/login");
    const field = await screen.findByLabelText("Verification code");
    answerCall("post", "/api/auth/mfa-operations", OK);
    seeAs(anAdmin({ mfa_verified: true }));
    await fill(user, field, "123456");
    await user.keyboard("{Enter}");
    expect(await screen.findByRole("heading", { name: "Admin Dashboard" })).toBeTruthy();
  });

  it("changes the site's texts, each under a name that can be read", async () => {
    const text = {
      id: "019aa000-0000-7000-8000-0000000000e1",
      key: "hero_main_title",
      value: "404",
      description: null,
      created_at: "2026-11-01T10:00:00Z",
      updated_at: "2026-11-01T10:00:00Z",
      version: 2,
    };
    const policy = { ...text, id: "p", key: "privacy_policy" };
    answerCall("get", "/api/admin/content", { items: [text, policy], next_cursor: null });
    const { user } = openTab("content");
    const box = await screen.findByRole("textbox", { name: "HERO MAIN TITLE" });
    expect(screen.getByRole("textbox", { name: "PRIVACY POLICY" }).getAttribute("rows")).toBe("20");
    refuseCall("put", "/api/admin/content/hero_main_title", 422, invalid({ value: REFUSED }));
    await fill(user, box, "x");
    await user.click(screen.getByRole("button", { name: "Save Changes" }));
    await saysAt(box, REFUSED);
    await says("content_update_failed");
    answerCall("put", "/api/admin/content/hero_main_title", { ...text, value: "xy", version: 3 });
    await fill(user, box, "xy");
    await user.click(screen.getByRole("button", { name: "Save Changes" }));
    await says("content_updated");
    await fill(user, screen.getByRole("searchbox"), "hero main");
    await waitFor(() =>
      expect(screen.queryByRole("textbox", { name: "PRIVACY POLICY" })).toBeNull(),
    );
  });

  it.each([
    {
      tab: "artists",
      row: anEditableArtist({ bio: "x".repeat(151) }),
      name: "Kesto Vann",
      title: "Edit Artist",
      add: "Artist",
      label: "Name",
      field: "name",
      does: "artist",
      list: "artists_load_failed",
    },
    {
      tab: "releases",
      row: anEditableRelease(),
      name: "Dead Air Protocol",
      title: "Edit Release",
      add: "Release",
      label: "Title",
      field: "title",
      does: "release",
      list: "load_failed",
    },
    {
      tab: "store",
      row: aProduct({ description: "A mat" }),
      name: "Slipmat",
      title: "Edit Product",
      add: "Product",
      label: "Title",
      field: "title",
      does: "product",
      list: "products_load_failed",
    },
  ] as const)("edits the $tab", async ({ tab, row, name, title, add, label, field, does }) => {
    const path = tab === "store" ? "/api/admin/products" : `/api/admin/${tab}`;
    const kept = keepRows(path, row);
    const { user } = openTab(tab);
    await user.click(await screen.findByRole("button", { name: `Edit ${name}` }));
    const form = within(await screen.findByRole("dialog", { name: title }));
    const first = form.getByLabelText(label);
    await fill(user, first, "Another");
    kept.refuseNext(422, invalid({ [field]: REFUSED }));
    await user.click(form.getByRole("button", { name: "Save" }));
    await saysAt(first, REFUSED);
    expect(form.getByRole("list", { name: "What is wrong" }).textContent).toContain(REFUSED);
    kept.refuseNext(500, { code: "internal" });
    await user.click(form.getByRole("button", { name: "Save" }));
    await says(`${does}_update_failed`);
    await user.click(form.getByRole("button", { name: "Save" }));
    await says(`${does}_updated`);
    expect(kept.sent.at(-1)?.body).toMatchObject({ [field]: "Another" });
    expect(kept.sent.at(-1)?.ifMatch).toBe('"3"');
    await user.click(screen.getByRole("button", { name: `Add ${add}` }));
    const blank = within(await screen.findByRole("dialog", { name: `Add New ${add}` }));
    await fill(user, blank.getByLabelText(label), "A new one");
    await user.click(blank.getByRole("button", { name: "Save" }));
    await says(`${does}_created`);
    await user.click(await screen.findByRole("button", { name: "Delete Another" }));
    await says(`${does}_deleted`);
  });

  it("gives a row of the catalogue a picture, and addresses", async () => {
    const kept = keepRows("/api/admin/releases", anEditableRelease());
    const { user } = openTab("releases");
    await user.click(await screen.findByRole("button", { name: "Edit Dead Air Protocol" }));
    const form = within(await screen.findByRole("dialog", { name: "Edit Release" }));
    const input = form.getByLabelText("Cover Image file");
    const wrongType = "Please upload a JPEG, PNG, WebP, or GIF image";
    refuseCall("post", "/api/admin/images", 422, {
      ...invalid({ file: wrongType }),
      code: "invalid_file_type",
    });
    fireEvent.change(input, { target: { files: [aFile("cover.txt", "text/plain")] } });
    await toast(UPLOAD_TITLES["invalid_file_type"] ?? "", wrongType);
    answerCall("post", "/api/admin/images", { url: "/media/releases/a.png" }, 201);
    fireEvent.change(input, { target: { files: [aFile("cover.png")] } });
    await says("release_image_uploaded");
    const address = form.getByLabelText("Spotify URL");
    await fill(user, address, "open.spotify.com/album/one");
    kept.refuseNext(422, invalid({ spotify_url: REFUSED }));
    await user.click(form.getByRole("button", { name: "Save" }));
    await saysAt(address, REFUSED);
    await fill(user, address, "https://open.spotify.com/album/one");
    await user.click(form.getByRole("button", { name: "Save" }));
    await says("release_updated");
    expect(kept.sent.at(-1)?.body).toMatchObject({
      cover_image_url: "/media/releases/a.png",
      spotify_url: "https://open.spotify.com/album/one",
    });
  });

  it("looks at a table of releases", async () => {
    keepRows("/api/admin/releases", anEditableRelease());
    answer("/api/admin/imports", { items: [] });
    answerCall("post", "/api/admin/imports/preview", {
      file_name: "catalogue.csv",
      columns: [{ header: "Title", field: "title", samples: ["Signal"] }],
      fields: ["title"],
      counts: {
        add: 1,
        change: 0,
        unchanged: 0,
        asks_for_day: 0,
        left_out: 0,
        refused: 0,
        new_artists: 0,
      },
      rows: [
        {
          line: 2,
          verdict: "add",
          title: "Signal",
          artist: null,
          artist_is_new: false,
          catalog: null,
          release_date: "2026-01-01",
          repeats_number: false,
          problems: {},
        },
      ],
      refusal: null,
    });
    const { user } = openTab("releases");
    await user.click(await screen.findByRole("button", { name: "Import" }));
    await user.upload(
      await screen.findByLabelText<HTMLInputElement>("CSV or TSV file"),
      aFile("catalogue.csv"),
    );
    expect(await screen.findByRole("button", { name: "Import 1 release" })).toBeTruthy();
  });

  it("prices a product by what has one reading, and leaves the rest to the server", async () => {
    const kept = keepRows("/api/admin/products", aProduct());
    const { user } = openTab("store");
    await user.click(await screen.findByRole("button", { name: "Edit Slipmat" }));
    const form = within(await screen.findByRole("dialog", { name: "Edit Product" }));
    await fill(user, form.getByLabelText("Price"), "1.234");
    kept.refuseNext(422, invalid({ price: REFUSED }));
    await user.click(form.getByRole("button", { name: "Save" }));
    await saysAt(form.getByLabelText("Price"), REFUSED);
    expect(kept.sent.at(-1)?.body).toMatchObject({ price: null });
    await fill(user, form.getByLabelText("Price"), "24,90");
    await user.click(form.getByRole("button", { name: "Save" }));
    await says("product_updated");
    expect(kept.sent.at(-1)?.body).toMatchObject({ price: 24.9 });
    const active = await screen.findByRole("switch", { name: "Active: Slipmat" });
    kept.refuseNext(500, { code: "internal" });
    await user.click(active);
    await says("product_status_failed");
    await user.click(active);
    await says("product_deactivated");
  });

  it("puts another background on the site", async () => {
    answerCall("get", "/api/admin/site-images", { items: [aSiteImage()], next_cursor: null });
    const { user } = openTab("media");
    const section = within(await screen.findByRole("region", { name: "Site Images" }));
    await section.findByText("“Grooves”");
    vi.stubGlobal(
      "URL",
      Object.assign(URL, { createObjectURL: () => "blob:a", revokeObjectURL: () => undefined }),
    );
    const picture = new File([new Uint8Array(3_753_000)], "night.png", { type: "image/png" });
    fireEvent.change(screen.getByLabelText("Hero background file"), {
      target: { files: [picture] },
    });
    await fill(user, await screen.findByLabelText("Alternative text"), "Night");
    const tooLarge = "Please select an image smaller than 10MB";
    refuseCall("put", "/api/admin/site-images/hero_background", 413, {
      code: "file_too_large",
      detail: tooLarge,
    });
    await user.click(section.getByRole("button", { name: "Put On The Site" }));
    await toast(UPLOAD_TITLES["file_too_large"] ?? "", tooLarge);
    refuseCall(
      "put",
      "/api/admin/site-images/hero_background",
      422,
      invalid({ alt_text: REFUSED }),
    );
    await user.click(section.getByRole("button", { name: "Put On The Site" }));
    await saysAt(screen.getByLabelText("Alternative text"), REFUSED);
    answerCall("put", "/api/admin/site-images/hero_background", aSiteImage({ alt_text: "Night" }));
    await user.click(section.getByRole("button", { name: "Put On The Site" }));
    await says("hero_uploaded");
  });

  it("fills the library", async () => {
    const kept = keepRows("/api/admin/media", aMediaFile({ file_size: 3_753_000 }));
    const { user } = openTab("media");
    const section = within(await screen.findByRole("region", { name: "General Media" }));
    const file = within(await section.findByRole("article", { name: "flyer.png" }));
    expect(file.getByText("3.6 MB")).toBeTruthy();
    expect(file.getByText("2026.11.01")).toBeTruthy();
    const suspicious = "File contains suspicious content";
    refuseCall("post", "/api/admin/media", 422, {
      ...invalid({ file: suspicious }),
      code: "suspicious_name",
    });
    fireEvent.change(screen.getByLabelText("Media files"), {
      target: { files: [aFile("a.php.png")] },
    });
    await toast(UPLOAD_TITLES["suspicious_name"] ?? "", suspicious);
    expect(section.getByRole("list", { name: "Uploads" }).textContent).toContain(suspicious);
    answerCall("post", "/api/admin/media", aMediaFile({ id: "b" }), 201);
    fireEvent.change(screen.getByLabelText("Media files"), { target: { files: [aFile("b.png")] } });
    await says("media_uploaded");
    await user.click(section.getByRole("button", { name: "Delete flyer.png" }));
    await toast(MESSAGES.media_deleted.title);
    expect(kept.rows).toEqual([]);
  });

  it("hears what was sent in", async () => {
    keepRows("/api/admin/demos", aDemo());
    const { user } = openTab("media");
    const row = within(await screen.findByRole("row", { name: /Rhythm Sound/ }));
    expect(row.getByText("3.6 MB")).toBeTruthy();
    expect(row.getByText(/^2026\.11\.01 \d\d:\d\d$/)).toBeTruthy();
    await user.click(row.getByRole("button", { name: "Play Rhythm Sound" }));
    await user.click(row.getByRole("button", { name: "Delete Rhythm Sound" }));
    await waitFor(() => expect(screen.queryByRole("row", { name: /Rhythm Sound/ })).toBeNull());
  });

  it("answers a demo at the desk", async () => {
    fakePlayers();
    const demo = aDeskDemo({ state: "shortlisted" });
    const kept = keepDesk(demo);
    const { user } = await openDesk();
    await onDesk(demo.artist_name);
    press("r");
    const letter = within(await screen.findByRole("form", { name: "Answer" }));
    const subject = await letter.findByLabelText("Subject");
    await fill(user, subject, " ");
    const path = `/api/admin/desk/demos/${demo.id}/answers` as const;
    refuseCall("post", path, 422, invalid({ subject: REFUSED }), { once: true });
    await user.click(letter.getByRole("button", { name: /^Send/ }));
    await saysAt(subject, REFUSED);
    await fill(user, subject, "Your music");
    await user.click(letter.getByRole("button", { name: /^Send/ }));
    expect(await screen.findByText("Shortlisted, Rhythm & Sound is answered")).toBeTruthy();
    expect(kept.sent.at(-1)?.body).toMatchObject({ kind: "shortlisted", subject: "Your music" });
  });

  it("changes the letters that answers begin with", async () => {
    const kept = keepDesk();
    const { user } = await openDesk();
    await user.click(screen.getByRole("button", { name: "Letters" }));
    const letter = within(await screen.findByRole("form", { name: "Declined" }));
    const text = letter.getByLabelText("Text");
    await fill(user, text, "Dear {nobody}");
    const path = "/api/admin/desk/templates/declined";
    refuseCall("put", path, 422, invalid({ text: REFUSED }), { once: true });
    await user.click(letter.getByRole("button", { name: "Save Changes" }));
    await saysAt(text, REFUSED);
    await fill(user, text, "Dear {artist}, not this time.");
    await user.click(letter.getByRole("button", { name: "Save Changes" }));
    await waitFor(() =>
      expect(kept.templates[2]).toMatchObject({ text: "Dear {artist}, not this time." }),
    );
  });

  it("sees who gets the newsletter", async () => {
    const subscriber = {
      id: "s",
      email: "mira@example.org",
      active: true,
      subscribed_at: "2026-11-01T10:00:00Z",
    };
    const subscribers = { items: [subscriber], next_cursor: null, total: 1, active_count: 1 };
    answerCall("get", "/api/admin/newsletter", subscribers);
    const { user } = openTab("newsletter");
    expect(await screen.findByText("2026.11.01")).toBeTruthy();
    refuseCall("delete", "/api/admin/newsletter/s" as never, 500, { code: "internal" });
    await user.click(screen.getByRole("button", { name: "Remove mira@example.org" }));
    await says("subscriber_remove_failed");
    answerCall("delete", "/api/admin/newsletter/s" as never, null, 204);
    await user.click(await screen.findByRole("button", { name: "Remove mira@example.org" }));
    await says("subscriber_removed");
  });

  it("counts sign-ups", async () => {
    const event = { event: "signup_success", timestamp: Date.now(), data: { attempts: 2 } };
    localStorage.setItem("deadwax.signup-events", JSON.stringify([event]));
    openTab("analytics");
    expect(await screen.findByRole("heading", { name: "Sign-up Analytics" })).toBeTruthy();
    expect(screen.getByText("attempt 2")).toBeTruthy();
  });

  it("closes a page to the public, and opens it", async () => {
    const { user } = openTab("terminal");
    const toggle = await screen.findByRole<HTMLInputElement>("switch", {
      name: /Maintenance Mode/,
    });
    await waitFor(() => expect(toggle.disabled).toBe(false));
    refuseCall("patch", "/api/admin/maintenance/terminal", 500, { code: "internal" });
    await user.click(toggle);
    await says("maintenance_failed", "terminal");
    const setting = { page_key: "terminal", maintenance_message: null };
    answerCall("patch", "/api/admin/maintenance/terminal", {
      ...setting,
      is_maintenance_mode: true,
    });
    await user.click(toggle);
    await toast(MESSAGES.maintenance_enabled.title);
  });

  it("sees how the label's defences stand", async () => {
    answerCall("get", "/api/profile", aProfile());
    const entry = {
      id: "login_limits",
      name: "Login limits",
      description: "About.",
      status: "pass",
      details: "Found.",
    };
    answerCall("get", "/api/admin/security/checklist", { items: [entry] });
    openTab("security");
    expect(await screen.findByRole("button", { name: "Enable MFA" })).toBeTruthy();
    expect(await screen.findByRole("listitem", { name: "Login limits" })).toBeTruthy();
  });

  it("sets up the second factor where the label asks for it", async () => {
    seeAs(anUnprotectedAdmin());
    answerCall("get", "/api/profile", aProfile());
    renderPath("/admin");
    expect(await screen.findByRole("button", { name: "Enable MFA" })).toBeTruthy();
  });
});

describe("where the rules hang", () => {
  const NOTED = ["../rules/rules.ts", "../rules/useRules.ts", "../rules/forms/useRulesForm.ts"];

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

  /** Until the page has waited for them, and not a moment longer. */
  async function waitedForRules(): Promise<void> {
    await waitFor(() => expect(isAsked).toBe(true));
    await act(() => vi.advanceTimersByTimeAsync(RULES_WAIT_MS));
  }

  /** Opens a page on which nothing was loaded before. */
  async function openFresh(path: string) {
    const fresh = await import("../testing/renderPath.tsx");
    return fresh.renderPath(path);
  }

  /** Fills the fields by their labels and sends what they are in. */
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

  it("the dashboard opens once they have been waited for", async () => {
    seeAs(anAdmin());
    await openFresh("/admin?tab=terminal");
    await waitedForRules();
    expect(await screen.findByRole("heading", { name: "Admin Dashboard" })).toBeTruthy();
  });
});

it("leaves out no form, no file and no question to the rules", () => {
  for (const kind of ["forms", "files", "asking"] as const) {
    expect(THERE_IS[kind].filter((file) => !walked[kind].has(file))).toEqual([]);
    expect(THERE_IS[kind].length).toBeGreaterThan(4);
  }
});
