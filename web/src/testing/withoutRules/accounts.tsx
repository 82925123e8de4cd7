// Creating, opening and recovering an account without the rules.
import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { MESSAGES, MFA_TEXTS } from "../../rules/generated/messages.ts";
import { answerCall, breakCall, refuseCall, seeAs } from "../calls.ts";
import { aMember, aPendingMember } from "../people.ts";
import { aProfile, MFA_OK, openProfileTo } from "../profile.ts";
import { renderPath } from "../renderPath.tsx";
import { fill, invalid, REFUSED, says, saysAt, toast } from "./screen.ts";

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

  it("is not made in the dialog without a name", async () => {
    const heard = answerCall("post", "/api/auth/sign-up", { confirmation_required: true });
    const { user } = renderPath("/store?dialog=login");
    await user.click(await screen.findByRole("tab", { name: "SIGN UP" }));
    const form = within(screen.getByRole("form", { name: "Sign up" }));
    await fill(user, form.getByLabelText("Email"), "mira@example.org");
    await fill(user, form.getByLabelText("Password"), "sixsix");
    await user.keyboard("{Enter}");
    await saysAt(form.getByLabelText("Full name"), "Full name is required");
    await saysAt(form.getByLabelText("Username"), "Username must be at least 3 characters");
    expect(document.activeElement).toBe(form.getByLabelText("Full name"));
    expect(heard).toEqual([]);
  });

  it("is made on the page, and its letter is sent again", async () => {
    refuseCall("post", "/api/auth/sign-up", 422, invalid({ email: REFUSED }));
    const { user } = renderPath("/signup");
    const email = await screen.findByLabelText("Email");
    await fill(user, email, "nowhere");
    await fill(user, screen.getByLabelText("Password"), "sixsix");
    await user.keyboard("{Enter}");
    await saysAt(email, REFUSED);
    breakCall("post", "/api/auth/sign-up");
    await fill(user, email, "mira@example.org");
    await user.keyboard("{Enter}");
    const busy = "Email service temporarily busy. Please try again shortly.";
    expect(await screen.findByText(busy)).toBeTruthy();
    refuseCall("post", "/api/auth/sign-up", 429, { code: "rate_limited", detail: REFUSED });
    await user.click(screen.getByRole("button", { name: "Sign Up" }));
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
    const wrong = { ...MFA_OK, status: "error", code: "invalid_otp", message: "" };
    answerCall("post", "/api/auth/mfa-operations", wrong, 422);
    const { user } = renderPath("/profile");
    const field = await screen.findByLabelText("Verification code");
    await fill(user, field, "123456");
    await user.keyboard("{Enter}");
    await saysAt(field, MFA_TEXTS.invalid_otp);
    answerCall("post", "/api/auth/mfa-operations", MFA_OK);
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
    // Waits for the page: on leaving, it drops its link, which would affect the next test.
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
