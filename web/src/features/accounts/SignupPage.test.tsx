import { act, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { answerCall, breakCall, refuseCall, seeAs } from "../../testing/calls.ts";
import { aMember } from "../../testing/people.ts";
import { renderPath } from "../../testing/renderPath.tsx";

const STATE = "deadwax.signup";
const EVENTS = "deadwax.signup-events";
const SIGN_UP = "/api/auth/sign-up";

function kept(name: string) {
  return JSON.parse(localStorage.getItem(name) ?? "null");
}

const eventNames = () => kept(EVENTS)?.map((event: { event: string }) => event.event) ?? [];

async function openForm() {
  const { user, router } = renderPath("/signup");
  const email = await screen.findByLabelText<HTMLInputElement>("Email");
  const username = screen.getByLabelText<HTMLInputElement>("Username");
  const password = screen.getByLabelText<HTMLInputElement>("Password");
  return { user, router, email, username, password };
}

async function signUp({ address = "mira@example.org", secret = "sixsix" } = {}) {
  const form = await openForm();
  await form.user.type(form.email, address);
  await form.user.type(form.password, secret);
  await form.user.click(screen.getByRole("button", { name: "Sign Up" }));
  return form;
}

beforeEach(() => {
  localStorage.clear();
});

describe("the sign-up form", () => {
  it("has three fields, the hint, and ways to log in and back", async () => {
    const { user, password } = await openForm();
    expect(screen.getByText("Minimum 6 characters required")).toBeTruthy();
    expect(screen.getByRole("link", { name: /log in/i }).getAttribute("href")).toBe(
      "/?dialog=login",
    );
    expect(screen.getByRole("link", { name: /back to home/i }).getAttribute("href")).toBe("/");
    expect(password.type).toBe("password");
    await user.click(screen.getByRole("button", { name: "SHOW PASSWORD" }));
    expect(password.type).toBe("text");
    await user.click(screen.getByRole("button", { name: "HIDE PASSWORD" }));
    expect(password.type).toBe("password");
  });

  it("stops a typo without a call, a count or a wait", async () => {
    const heard = answerCall("post", "/api/auth/sign-up", { confirmation_required: true });
    const { user, password } = await signUp({ address: "nobody", secret: "five5" });
    expect(await screen.findByText("Please enter a valid email address.")).toBeTruthy();
    expect(screen.getByText("Minimum 6 characters required")).toBeTruthy();
    expect(screen.getByText("Password must be at least 6 characters long.")).toBeTruthy();
    expect(password.getAttribute("aria-invalid")).toBe("true");
    expect(heard).toEqual([]);
    expect(kept(STATE)).toMatchObject({ attempts: 0, cooldownUntil: 0 });
    expect(eventNames()).toEqual([]);
    expect(screen.getByRole("button", { name: "Sign Up" }).hasAttribute("disabled")).toBe(false);
    await user.clear(password);
  });

  it("sends what was typed, shows where to look, and never keeps the password", async () => {
    const heard = answerCall("post", "/api/auth/sign-up", { confirmation_required: true });
    const { user, email, username, password } = await openForm();
    await user.type(email, "mira@example.org");
    await user.type(username, "mira_404");
    vi.mocked(window.scrollTo).mockClear();
    await user.type(password, "never-written-down{Enter}");
    expect(await screen.findByRole("heading", { name: "CHECK YOUR INBOX" })).toBeTruthy();
    expect(window.scrollTo).toHaveBeenLastCalledWith(0, 0);
    expect(heard.map(({ body }) => body)).toEqual([
      {
        email: "mira@example.org",
        password: "never-written-down",
        redirect_to: `${window.location.origin}/auth/callback`,
        data: { username: "mira_404" },
      },
    ]);
    expect(kept(STATE)).toMatchObject({ email: "mira@example.org", success: true, attempts: 1 });
    expect(JSON.stringify({ ...localStorage, ...sessionStorage })).not.toContain("never-written");
    expect(eventNames()).toEqual(["signup_success", "signup_attempt"]);
    expect(kept(EVENTS)[0].data).toMatchObject({ attempts: 1, email_domain: "example.org" });
    expect(JSON.stringify(kept(EVENTS))).not.toContain("mira@");
  });

  it("leaves the username to the server where none was typed", async () => {
    const heard = answerCall("post", "/api/auth/sign-up", { confirmation_required: true });
    await signUp();
    await waitFor(() => expect(heard).toHaveLength(1));
    expect(heard[0]?.body).toEqual({
      email: "mira@example.org",
      password: "sixsix",
      redirect_to: `${window.location.origin}/auth/callback`,
    });
  });
});

describe("a refused sign-up", () => {
  it.each([
    [
      409,
      "User already registered",
      "An account with this email already exists. Try logging in instead.",
    ],
    [
      422,
      "Password should be at least 6 characters",
      "Password must be at least 6 characters long.",
    ],
    [422, "Invalid email", "Please enter a valid email address."],
    [503, "The label is busy.", "The label is busy."],
  ])("answered %i '%s' is put into words and starts a minute", async (status, detail, shown) => {
    refuseCall("post", "/api/auth/sign-up", status, { code: "refused", detail });
    await signUp();
    expect(await screen.findByText(shown)).toBeTruthy();
    const wait = await screen.findByRole("button", { name: /^Try again in (60|59)s$/ });
    expect(wait.getAttribute("aria-disabled")).toBe("true");
    expect(eventNames()).toEqual(["signup_error", "signup_attempt"]);
  });

  it("waits without taking the focus from its key, which does nothing until then", async () => {
    const heard = refuseCall("post", "/api/auth/sign-up", 503, { code: "busy", detail: "Busy." });
    const { user, email, password } = await openForm();
    await user.type(email, "mira@example.org");
    await user.type(password, "sixsix");
    await user.click(screen.getByRole("button", { name: "Sign Up" }));
    const wait = await screen.findByRole("button", { name: /^Try again in/ });
    expect(document.activeElement).toBe(wait);
    expect(wait.hasAttribute("disabled")).toBe(false);
    await user.click(wait);
    await user.type(email, "{Enter}");
    expect(heard).toHaveLength(1);
  });

  it("past a limit waits as long as the server says, and is counted as that", async () => {
    refuseCall("post", "/api/auth/sign-up", 429, { code: "rate_limited", retry_after: 125 });
    await signUp();
    expect(await screen.findByText("Too many requests. Try again in 3 minutes.")).toBeTruthy();
    expect(await screen.findByRole("button", { name: /^Try again in 2m [45]s$/ })).toBeTruthy();
    expect(eventNames()).toEqual(["signup_rate_limited", "signup_attempt"]);
    expect(kept(EVENTS)[0].data).toMatchObject({ retryAfter: 125 });
  });

  it("without an answer speaks of the service, not of the network", async () => {
    breakCall("post", "/api/auth/sign-up");
    await signUp();
    expect(
      await screen.findByText("Email service temporarily busy. Please try again shortly."),
    ).toBeTruthy();
    expect(eventNames()).toEqual(["signup_exception", "signup_attempt"]);
  });

  it("for a taken username says so beside the field", async () => {
    const detail = "This username is already in use. Please choose another.";
    refuseCall("post", "/api/auth/sign-up", 409, { code: "username_taken", detail });
    const { username } = await signUp();
    expect(await screen.findByText(detail)).toBeTruthy();
    expect(username.getAttribute("aria-invalid")).toBe("true");
  });

  it("still waits after a reload, with what was typed but the password", async () => {
    const until = Date.now() + 45_000;
    localStorage.setItem(
      STATE,
      JSON.stringify({
        email: "mira@example.org",
        username: "mira",
        success: false,
        cooldownUntil: until,
        resendUsedAt: 0,
        attempts: 1,
        lastAttempt: until - 60_000,
      }),
    );
    const { email, username, password } = await openForm();
    expect(await screen.findByRole("button", { name: /^Try again in 4[45]s$/ })).toBeTruthy();
    expect([email.value, username.value, password.value]).toEqual(["mira@example.org", "mira", ""]);
  });

  it("is not sent a sixth time within the hour", async () => {
    const heard = answerCall("post", "/api/auth/sign-up", { confirmation_required: true });
    const spent = { attempts: 5, lastAttempt: Date.now() - 59 * 60_000 };
    localStorage.setItem(STATE, JSON.stringify(spent));
    await signUp();
    expect(
      await screen.findByText("Too many signup attempts. Please try again in an hour."),
    ).toBeTruthy();
    expect(heard).toEqual([]);
    expect(kept(STATE).attempts).toBe(5);
  });

  it("in another tab makes this one wait too", async () => {
    await openForm();
    await screen.findByRole("button", { name: "Sign Up" });
    const now = Date.now();
    act(() => {
      const state = { cooldownUntil: now + 30_000, attempts: 1, lastAttempt: now };
      localStorage.setItem(STATE, JSON.stringify(state));
      window.dispatchEvent(new StorageEvent("storage", { key: STATE }));
    });
    expect(await screen.findByRole("button", { name: /^Try again in (30|29)s$/ })).toBeTruthy();
  });
});

describe("the word to look into the inbox", () => {
  beforeEach(() => {
    const state = { email: "mira@example.org", username: "mira", success: true, attempts: 3 };
    localStorage.setItem(STATE, JSON.stringify(state));
  });

  it("survives a reload, and sends the link once more, then not for five minutes", async () => {
    const heard = answerCall("post", "/api/auth/resend", {});
    const { user } = renderPath("/signup");
    const key = await screen.findByRole("button", { name: "Resend Confirmation" });
    const line = screen.getAllByRole("status").find((region) => region.textContent === "");
    await user.click(key);
    const sent = await screen.findByText("Confirmation email sent! Check your inbox.");
    // Only a region that was there before is announced.
    expect(sent.closest("[role=status]")).toBe(line);
    expect(heard[0]?.body).toEqual({
      email: "mira@example.org",
      type: "signup",
      redirect_to: `${window.location.origin}/auth/callback`,
    });
    const wait = await screen.findByRole("button", { name: /^Resend in (5m 0s|4m 59s)$/ });
    expect(document.activeElement).toBe(wait);
    expect(wait.hasAttribute("disabled")).toBe(false);
    expect(wait.getAttribute("aria-disabled")).toBe("true");
    await user.click(wait);
    expect(heard).toHaveLength(1);
    expect(eventNames()).toEqual(["resend_success"]);
  });

  it("says that a resend failed, and lets it be tried again at once", async () => {
    refuseCall("post", "/api/auth/resend", 500, { code: "internal" });
    const { user } = renderPath("/signup");
    await user.click(await screen.findByRole("button", { name: "Resend Confirmation" }));
    expect(
      await screen.findByText("Failed to resend confirmation. Please try again later."),
    ).toBeTruthy();
    const key = screen.getByRole("button", { name: "Resend Confirmation" });
    expect(key.hasAttribute("disabled")).toBe(false);
    expect(eventNames()).toEqual(["resend_error"]);
  });

  it("counts an address that is registered already as sent", async () => {
    const detail = "User already registered";
    refuseCall("post", "/api/auth/resend", 409, { code: "user_already_registered", detail });
    const { user } = renderPath("/signup");
    await user.click(await screen.findByRole("button", { name: "Resend Confirmation" }));
    expect(await screen.findByText("Confirmation email sent! Check your inbox.")).toBeTruthy();
  });

  it("shows the address masked to whoever comes next", async () => {
    renderPath("/signup");
    expect(await screen.findByText("m***@example.org")).toBeTruthy();
    expect(screen.queryByText("mira@example.org")).toBeNull();
  });

  it("ends with the confirmation, wherever that happened, and forgets who it was", async () => {
    answerCall("get", SIGN_UP, { status: "confirmed" });
    renderPath("/signup");
    expect(await screen.findByText("Email confirmed!")).toBeTruthy();
    expect(screen.getByText("You can log in now.")).toBeTruthy();
    expect(screen.getByRole("heading", { name: "EMAIL CONFIRMED" })).toBeTruthy();
    expect(screen.getByRole("button", { name: "Home" }).getAttribute("href")).toBe("/");
    const main = within(screen.getByRole("main"));
    expect(main.getByRole("button", { name: "LOGIN" }).getAttribute("href")).toBe("/?dialog=login");
    expect(screen.queryByText(/CHECK YOUR INBOX/)).toBeNull();
    expect(kept(STATE)).toMatchObject({ email: "", username: "", success: false, attempts: 3 });
  });

  it("looks again while it waits", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const heard = answerCall("get", SIGN_UP, { status: "waiting" });
    renderPath("/signup");
    expect(await screen.findByRole("heading", { name: "CHECK YOUR INBOX" })).toBeTruthy();
    await waitFor(() => expect(heard).toHaveLength(1));
    answerCall("get", SIGN_UP, { status: "confirmed" });
    await act(() => vi.advanceTimersByTimeAsync(5_000));
    const confirmed = await screen.findByText("Email confirmed!");
    expect(document.activeElement).toBe(confirmed.closest("[role=status]"));
    vi.useRealTimers();
  });

  it("ends with the link, and the form is there again", async () => {
    answerCall("get", SIGN_UP, { status: "none" });
    renderPath("/signup");
    expect((await screen.findByLabelText<HTMLInputElement>("Email")).value).toBe("");
    expect(kept(STATE)).toMatchObject({ email: "", success: false });
  });

  it("ends when whoever is here signs out", async () => {
    seeAs(aMember());
    answerCall("post", "/api/auth/sign-out", {});
    const { user } = renderPath("/signup");
    expect(await screen.findByRole("heading", { name: "CHECK YOUR INBOX" })).toBeTruthy();
    await user.click(await screen.findByRole("button", { name: "Account menu" }));
    await user.click(screen.getByRole("button", { name: "LOGOUT" }));
    await waitFor(() => expect(kept(STATE)).toMatchObject({ email: "", success: false }));
    expect(await screen.findByLabelText("Email")).toBeTruthy();
  });

  it("is not taken for confirmed when another account signs in", async () => {
    answerCall("get", SIGN_UP, { status: "waiting" });
    answerCall("post", "/api/auth/sign-in", aMember());
    const { user, router } = renderPath("/signup?dialog=login");
    const dialog = within(await screen.findByRole("dialog"));
    await user.type(dialog.getByLabelText("Email or username"), "anna");
    await user.type(dialog.getByLabelText("Password"), "good-password{Enter}");
    await waitFor(() => expect(router.state.location.href).toBe("/signup"));
    expect(await screen.findByRole("form", { name: "Sign up" })).toBeTruthy();
    expect(screen.queryByText("Email confirmed!")).toBeNull();
  });

  it.each(["Sign Up Again", "the link's expiry"])(
    "ended by %s is not taken for confirmed though an account is signed in",
    async (end) => {
      seeAs(aMember());
      answerCall("get", SIGN_UP, { status: end === "Sign Up Again" ? "waiting" : "none" });
      const { user } = renderPath("/signup");
      if (end === "Sign Up Again")
        await user.click(await screen.findByRole("button", { name: end }));
      expect(await screen.findByRole("form", { name: "Sign up" })).toBeTruthy();
      expect(await screen.findByRole("button", { name: "Account menu" })).toBeTruthy();
      expect(screen.queryByText("Email confirmed!")).toBeNull();
    },
  );

  it("shows the confirmation that another tab has read", async () => {
    answerCall("get", SIGN_UP, { status: "waiting" });
    renderPath("/signup");
    expect(await screen.findByRole("heading", { name: "CHECK YOUR INBOX" })).toBeTruthy();
    act(() => {
      localStorage.setItem(STATE, JSON.stringify({ attempts: 3, confirmed: true }));
      window.dispatchEvent(new StorageEvent("storage", { key: STATE }));
    });
    expect(await screen.findByText("Email confirmed!")).toBeTruthy();
  });

  it("passes the confirmation on to other tabs, but not to a page opened later", async () => {
    answerCall("get", SIGN_UP, { status: "confirmed" });
    const { router } = renderPath("/signup");
    expect(await screen.findByText("Email confirmed!")).toBeTruthy();
    expect(kept(STATE)).toMatchObject({ success: false, confirmed: true });
    await act(() => router.navigate({ to: "/store" }));
    await act(() => router.navigate({ to: "/signup" }));
    expect(await screen.findByRole("form", { name: "Sign up" })).toBeTruthy();
    expect(screen.queryByText("Email confirmed!")).toBeNull();
  });

  it("is left by Sign Up Again, which forgets everything", async () => {
    const { user } = renderPath("/signup");
    expect((await screen.findByRole("button", { name: "Home" })).getAttribute("href")).toBe("/");
    await user.click(screen.getByRole("button", { name: "Sign Up Again" }));
    const email = await screen.findByLabelText<HTMLInputElement>("Email");
    expect(email.value).toBe("");
    expect(document.activeElement === email).toBe(true);
    expect(localStorage.getItem(STATE)).toBeNull();
  });
});

it("a record that is full or broken stays within its bounds", async () => {
  const old = { event: "signup_error", timestamp_ms: 1, data: {} };
  const events = [...Array.from({ length: 60 }, () => old), { event: "forged" }, 7, null];
  localStorage.setItem(EVENTS, JSON.stringify(events));
  answerCall("post", "/api/auth/sign-up", { confirmation_required: true });
  vi.spyOn(console, "error");
  await signUp();
  await screen.findByRole("heading", { name: "CHECK YOUR INBOX" });
  expect(kept(EVENTS)).toHaveLength(50);
  expect(console.error).not.toHaveBeenCalled();
});
