// Texts for responses without a message: a proxy's page, or an empty body. `HTTP 502` and the like are never shown.
import { screen, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { dropMailedLink } from "../features/accounts/mailedLink.ts";
import { answerCall, breakCall, seeAs } from "../testing/calls.ts";
import { server } from "../testing/fakeApi.ts";
import { aPendingAdmin } from "../testing/people.ts";
import { aProfile, openProfileTo } from "../testing/profile.ts";
import { renderPath } from "../testing/renderPath.tsx";

type Path = `/api/${string}`;

/** Makes a proxy in front of the service answer the call with its own page. */
function answerAsProxy(path: Path, status: number, method: "post" | "patch" | "delete" = "post") {
  server.use(
    http[method](
      `*${path}`,
      () => new HttpResponse(`<h1>${status}</h1>`, { status, headers: { "retry-after": "120" } }),
    ),
  );
}

async function expectSaid(text: string) {
  expect((await screen.findAllByText(text)).length).toBeGreaterThan(0);
  expect(document.body.textContent).not.toMatch(/HTTP \d/);
}

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  dropMailedLink();
  vi.spyOn(console, "error").mockReturnValue(undefined);
});

describe.each([403, 429, 500, 502])("an answer of %i without words", (status) => {
  async function openLogin() {
    const { user } = renderPath("/store?dialog=login");
    const dialog = await screen.findByRole("dialog", { name: "TERMINAL ACCESS" });
    return { user, dialog };
  }

  it("to a login", async () => {
    answerAsProxy("/api/auth/sign-in", status);
    const { user, dialog } = await openLogin();
    const form = within(within(dialog).getByRole("form", { name: "Login" }));
    await user.type(form.getByLabelText("Email or username"), "mira");
    await user.type(form.getByLabelText("Password"), "a password{Enter}");
    await expectSaid("SYSTEM ERROR: Connection failed");
  });

  it("to a forgotten password", async () => {
    answerAsProxy("/api/auth/forgot", status);
    const { user, dialog } = await openLogin();
    await user.type(within(dialog).getByLabelText("Email or username"), "mira@example.org");
    await user.click(within(dialog).getByRole("button", { name: "Forgot password?" }));
    await expectSaid("SYSTEM ERROR: Connection failed");
  });

  it("to a sign-up in the dialog", async () => {
    answerAsProxy("/api/auth/sign-up", status);
    const { user, dialog } = await openLogin();
    await user.click(within(dialog).getByRole("tab", { name: "SIGN UP" }));
    const form = within(within(dialog).getByRole("form", { name: "Sign up" }));
    await user.type(form.getByLabelText("Full name"), "Mira Vale");
    await user.type(form.getByLabelText("Email"), "mira@example.org");
    await user.type(form.getByLabelText("Username"), "mira_404");
    await user.type(form.getByLabelText("Password"), "sixsix{Enter}");
    await expectSaid("SYSTEM ERROR: Registration failed");
  });

  it("to a sign-up on its page", async () => {
    answerAsProxy("/api/auth/sign-up", status);
    const { user } = renderPath("/signup");
    await user.type(await screen.findByLabelText("Email"), "mira@example.org");
    await user.type(screen.getByLabelText("Password"), "sixsix{Enter}");
    await expectSaid(
      status === 429
        ? "Too many requests. Try again in 2 minutes."
        : "An unexpected error occurred. Please try again.",
    );
  });

  it("to a confirmation link", async () => {
    // Links are previewed before they are redeemed; the proxy answers both.
    answerAsProxy("/api/auth/link", status);
    answerAsProxy("/api/auth/confirm", status);
    renderPath("/auth/callback#type=signup&token=abc");
    await expectSaid("An unexpected error occurred");
  });

  it("to an admin's login", async () => {
    answerAsProxy("/api/auth/sign-in", status);
    const { user } = renderPath("/admin/login");
    await user.type(await screen.findByLabelText("Email"), "label@example.org");
    await user.type(screen.getByLabelText("Password"), "a password{Enter}");
    await expectSaid("An unexpected error occurred. Please try again.");
  });

  it("to a verification code", async () => {
    seeAs(aPendingAdmin());
    answerAsProxy("/api/auth/mfa-operations", status);
    const { user } = renderPath("/admin/login");
    await user.type(await screen.findByLabelText("Verification code"), "123456{Enter}");
    await expectSaid(
      {
        429: "Too many attempts. Please wait a few minutes and try again.",
        500: "System error occurred. Please try again in a moment.",
        502: "System error occurred. Please try again in a moment.",
      }[status as number] ?? "Verification failed. Please try again.",
    );
  });

  it("to a recovery code", async () => {
    seeAs(aPendingAdmin());
    answerAsProxy("/api/auth/mfa-recovery", status);
    const { user } = renderPath("/admin/login");
    await user.click(
      await screen.findByRole("button", { name: "Can't access your authenticator app?" }),
    );
    await expectSaid("Failed to send recovery code");
  });

  it("to the set-up of the second factor", async () => {
    openProfileTo();
    answerAsProxy("/api/auth/mfa-operations", status);
    const { user } = renderPath("/profile");
    await user.click(await screen.findByRole("button", { name: "Enable MFA" }));
    await expectSaid("Failed to generate secret");
  });

  it("to a new username", async () => {
    openProfileTo();
    answerCall("post", "/api/profile/username-check", { available: true });
    answerAsProxy("/api/profile", status, "patch");
    const { user } = renderPath("/profile");
    await user.click(await screen.findByRole("button", { name: /Edit.*username/i }));
    await user.type(await screen.findByLabelText("Username"), "x{Enter}");
    await expectSaid("Failed to update username");
    expect(screen.getAllByText("SYSTEM ERROR").length).toBeGreaterThan(0);
  });
});

it("a removal of the picture that never arrives is a system error", async () => {
  openProfileTo(aProfile({ avatar_url: "/media/avatars/a.jpg" }));
  breakCall("delete", "/api/profile/avatar");
  const { user } = renderPath("/profile");
  await user.click(await screen.findByRole("button", { name: "Remove Avatar" }));
  await expectSaid("Failed to update avatar");
  expect(screen.getAllByText("SYSTEM ERROR").length).toBeGreaterThan(0);
});
