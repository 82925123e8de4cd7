import { act, screen, waitFor, within } from "@testing-library/react";
import { delay, HttpResponse, http } from "msw";
import { beforeEach, describe, expect, it } from "vitest";
import { answerCall, breakCall, refuseCall, seeAs } from "../../testing/calls.ts";
import { server } from "../../testing/fakeApi.ts";
import { aMember, aPendingMember, VISITOR } from "../../testing/people.ts";
import { renderPath } from "../../testing/renderPath.tsx";

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});

async function openDialog(path = "/store?dialog=login") {
  const app = renderPath(path);
  const dialog = await screen.findByRole("dialog", { name: "TERMINAL ACCESS" });
  const login = within(within(dialog).getByRole("form", { name: "Login" }));
  return { ...app, dialog, login };
}

async function fillLogin({ user, login }: Awaited<ReturnType<typeof openDialog>>) {
  await user.type(login.getByLabelText("Email or username"), "mira");
  await user.type(login.getByLabelText("Password"), "a right password");
}

async function openSignUp() {
  const app = await openDialog();
  await app.user.click(within(app.dialog).getByRole("tab", { name: "SIGN UP" }));
  const form = within(within(app.dialog).getByRole("form", { name: "Sign up" }));
  return { ...app, form };
}

async function fillSignUp({ user, form }: Awaited<ReturnType<typeof openSignUp>>) {
  await user.type(form.getByLabelText("Full name"), "Mira Vale");
  await user.type(form.getByLabelText("Email"), "mira@example.org");
  await user.type(form.getByLabelText("Username"), "mira_404");
  await user.type(form.getByLabelText("Password"), "sixsix");
}

const eventNames = () =>
  JSON.parse(localStorage.getItem("deadwax.signup-events") ?? "[]").map(
    (event: { event: string }) => event.event,
  );

describe("the login tab, reached from a letter about the account", () => {
  it("says how to get a new password, and forgets it when it is closed", async () => {
    const app = await openDialog("/?dialog=login&reset=true");
    expect(app.login.getByText(/press Forgot password\?/)).toBeTruthy();
    await app.user.keyboard("{Escape}");
    await waitFor(() => expect(app.router.state.location.href).toBe("/"));
  });

  it("takes whoever is signed in on to the page where passwords are set", async () => {
    seeAs(aMember());
    const { router } = renderPath("/?dialog=login&reset=true");
    await waitFor(() => expect(router.state.location.pathname).toBe("/profile"));
  });
});

describe("the login tab", () => {
  it("says which fields are missing, and asks nobody", async () => {
    const heard = answerCall("post", "/api/auth/sign-in", aMember());
    const { user, login } = await openDialog();
    await user.click(login.getByRole("button", { name: "LOG IN" }));
    expect(await login.findByText("Email or username is required")).toBeTruthy();
    expect(login.getByText("Password is required")).toBeTruthy();
    await waitFor(() =>
      expect(document.activeElement).toBe(login.getByLabelText("Email or username")),
    );
    expect(heard).toEqual([]);
  });

  it("signs in with Enter, closes, and shows the account's menu", async () => {
    const heard = answerCall("post", "/api/auth/sign-in", aMember());
    const app = await openDialog();
    await fillLogin(app);
    await app.user.keyboard("{Enter}");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(heard).toEqual([{ body: { identifier: "mira", password: "a right password" } }]);
    expect(app.router.state.location.href).toBe("/store");
    expect(screen.getByRole("button", { name: "Account menu" }).textContent).toBe("M");
    expect(screen.queryByRole("button", { name: "LOGIN" })).toBeNull();
  });

  it("sends once, however often one presses", async () => {
    const heard: unknown[] = [];
    server.use(
      http.post("*/api/auth/sign-in", async ({ request }) => {
        heard.push(await request.json());
        await delay(50);
        return HttpResponse.json({ ...aMember() });
      }),
    );
    const app = await openDialog();
    await fillLogin(app);
    await app.user.dblClick(app.login.getByRole("button", { name: "LOG IN" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(heard).toHaveLength(1);
  });

  it("denies access in the server's words, and keeps what was typed", async () => {
    refuseCall("post", "/api/auth/sign-in", 401, {
      code: "invalid_credentials",
      detail: "Invalid username or password",
    });
    const app = await openDialog();
    await fillLogin(app);
    await app.user.keyboard("{Enter}");
    const alert = await app.login.findByText("ACCESS DENIED: Invalid username or password");
    expect(alert.closest("[role=alert]")).toBeTruthy();
    expect(app.login.getByLabelText<HTMLInputElement>("Email or username").value).toBe("mira");
    expect(app.router.state.location.search).toEqual({ dialog: "login" });
  });

  it("says so when nothing answers", async () => {
    breakCall("post", "/api/auth/sign-in");
    const app = await openDialog();
    await fillLogin(app);
    await app.user.keyboard("{Enter}");
    expect(await app.login.findByText("SYSTEM ERROR: Connection failed")).toBeTruthy();
  });

  it("is filled by password managers, and can show the password", async () => {
    const { user, login } = await openDialog();
    const password = login.getByLabelText<HTMLInputElement>("Password");
    expect(login.getByLabelText("Email or username").getAttribute("autocomplete")).toBe("username");
    expect(password.getAttribute("autocomplete")).toBe("current-password");
    await user.click(login.getByRole("button", { name: "SHOW PASSWORD" }));
    expect(password.type).toBe("text");
  });

  it("forgets fields and errors when it is closed", async () => {
    const app = await openDialog();
    await app.user.type(app.login.getByLabelText("Email or username"), "mira{Enter}");
    await app.login.findByText("Password is required");
    await app.user.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await app.user.click(screen.getByRole("button", { name: "LOGIN" }));
    const again = within(await screen.findByRole("dialog"));
    expect(again.getByLabelText<HTMLInputElement>("Email or username").value).toBe("");
    expect(again.queryByText("Password is required")).toBeNull();
  });
});

describe("a forgotten password", () => {
  it.each(["", "mira"])("needs an address, and “%s” is none", async (typed) => {
    const heard = answerCall("post", "/api/auth/forgot", {});
    const { user, login } = await openDialog();
    if (typed) await user.type(login.getByLabelText("Email or username"), typed);
    await user.click(login.getByRole("button", { name: "Forgot password?" }));
    expect(await login.findByText("Please enter your email address first")).toBeTruthy();
    expect(heard).toEqual([]);
  });

  it("takes back what it said of the empty field once an address stands there", async () => {
    answerCall("post", "/api/auth/forgot", {});
    const { user, login } = await openDialog();
    const field = login.getByLabelText("Email or username");
    await user.click(login.getByRole("button", { name: "Forgot password?" }));
    expect(await login.findByText("Please enter your email address first")).toBeTruthy();
    await user.type(field, "mira@example.org");
    await user.click(login.getByRole("button", { name: "Forgot password?" }));
    await screen.findAllByText("PASSWORD RESET INITIATED");
    expect(login.queryByText("Please enter your email address first")).toBeNull();
    expect(field.getAttribute("aria-invalid")).toBe("false");
  });

  it("takes back what a try to log in said of the password", async () => {
    answerCall("post", "/api/auth/forgot", {});
    const { user, login } = await openDialog();
    await user.type(login.getByLabelText("Email or username"), "mira@example.org");
    await user.click(login.getByRole("button", { name: "LOG IN" }));
    expect(await login.findByText("Password is required")).toBeTruthy();
    await user.click(login.getByRole("button", { name: "Forgot password?" }));
    await screen.findAllByText("PASSWORD RESET INITIATED");
    expect(login.queryByText("Password is required")).toBeNull();
  });

  it("starts a reset, and says so in a toast", async () => {
    const heard = answerCall("post", "/api/auth/forgot", {});
    const { user, login } = await openDialog();
    await user.type(login.getByLabelText("Email or username"), "Mira@Example.org");
    await user.click(login.getByRole("button", { name: "Forgot password?" }));
    expect(await screen.findAllByText("PASSWORD RESET INITIATED")).not.toHaveLength(0);
    await screen.findAllByText("Check your email for reset instructions");
    expect(heard).toEqual([
      {
        body: {
          email: "mira@example.org",
          redirect_to: `${window.location.origin}/profile`,
        },
      },
    ]);
  });
});

describe("the second step", () => {
  async function enterSecondStep() {
    answerCall("post", "/api/auth/sign-in", aPendingMember());
    const app = await openDialog();
    await fillLogin(app);
    await app.user.keyboard("{Enter}");
    await screen.findByRole("heading", { name: "Two-Factor Authentication" });
    return app;
  }

  it("closes the dialog once the code was right", async () => {
    const app = await enterSecondStep();
    answerCall("post", "/api/auth/mfa-operations", { status: "ok", code: "ok", message: "" });
    seeAs(aMember({ mfaRequired: true, mfa_verified: true }));
    await app.user.type(screen.getByLabelText("Verification code"), "123456{Enter}");
    expect(await screen.findByText("Verification successful!")).toBeTruthy();
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(sessionStorage.getItem("mfa_verified")).toBe("true");
  });

  it.each([
    [
      "Cancel",
      (app: Awaited<ReturnType<typeof enterSecondStep>>) =>
        app.user.click(screen.getByRole("button", { name: "Cancel" })),
    ],
    [
      "closing",
      (app: Awaited<ReturnType<typeof enterSecondStep>>) => app.user.keyboard("{Escape}"),
    ],
  ])("signs out on %s and returns to the login tab with a word", async (_, leave) => {
    const app = await enterSecondStep();
    const heard = answerCall("post", "/api/auth/sign-out", {});
    await leave(app);
    expect(await screen.findByText("MFA verification cancelled")).toBeTruthy();
    expect(document.activeElement).toBe(screen.getByLabelText("Email or username"));
    expect(screen.getByRole("tab", { name: "LOGIN" }).getAttribute("aria-selected")).toBe("true");
    await waitFor(() => expect(heard).toHaveLength(1));
    expect(screen.queryByRole("heading", { name: "Two-Factor Authentication" })).toBeNull();
  });

  it("signs nobody out whose session could not be read anew after the right code", async () => {
    const app = await enterSecondStep();
    const heard = answerCall("post", "/api/auth/sign-out", {});
    answerCall("post", "/api/auth/mfa-operations", { status: "ok", code: "ok", message: "" });
    seeAs(aMember({ mfaRequired: true, mfa_verified: true }));
    refuseCall("get", "/api/auth/session", 503, { code: "unavailable" }, { once: true });
    await app.user.type(screen.getByLabelText("Verification code"), "123456{Enter}");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await waitFor(() => expect(sessionStorage.getItem("mfa_verified")).toBe("true"));
    expect(heard).toEqual([]);
    expect(screen.getByRole("button", { name: "Account menu" })).toBeTruthy();
  });

  it.each([
    [
      "closing",
      (app: Awaited<ReturnType<typeof enterSecondStep>>) => app.user.keyboard("{Escape}"),
    ],
    [
      "the browser's Back",
      (app: Awaited<ReturnType<typeof enterSecondStep>>) =>
        app.router.navigate({ to: ".", search: {} }),
    ],
  ])("has passed once the code was right, also where %s comes first", async (_, leave) => {
    const app = await enterSecondStep();
    const heard = answerCall("post", "/api/auth/sign-out", {});
    answerCall("post", "/api/auth/mfa-operations", { status: "ok", code: "ok", message: "" });
    seeAs(aMember({ mfaRequired: true, mfa_verified: true }));
    await app.user.type(screen.getByLabelText("Verification code"), "123456{Enter}");
    await screen.findByText("Verification successful!");
    await leave(app);
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await waitFor(() => expect(sessionStorage.getItem("mfa_verified")).toBe("true"));
    expect(heard).toEqual([]);
    expect(screen.getByRole("button", { name: "Account menu" })).toBeTruthy();
  });

  it("leads back to the login where the session is gone, for no code is right there", async () => {
    const app = await enterSecondStep();
    refuseCall("post", "/api/auth/mfa-operations", 401, { code: "not_authenticated" });
    seeAs(VISITOR);
    await app.user.type(screen.getByLabelText("Verification code"), "123456{Enter}");
    await waitFor(() =>
      expect(screen.queryByRole("heading", { name: "Two-Factor Authentication" })).toBeNull(),
    );
    const dialog = within(screen.getByRole("dialog"));
    expect(dialog.getByText("Session expired. Please sign in again.")).toBeTruthy();
    expect(document.activeElement).toBe(screen.getByLabelText("Email or username"));
  });

  it("signs out when the browser's Back takes the dialog away", async () => {
    const app = await enterSecondStep();
    const heard = answerCall("post", "/api/auth/sign-out", {});
    await app.router.navigate({ to: ".", search: {} });
    await waitFor(() => expect(heard).toHaveLength(1));
    expect(await screen.findByRole("button", { name: "LOGIN" })).toBeTruthy();
  });
});

describe("the sign-up tab", () => {
  it("requires all four fields", async () => {
    const { user, form } = await openSignUp();
    await user.click(form.getByRole("button", { name: "SIGN UP" }));
    expect(await form.findByText("Full name is required")).toBeTruthy();
    expect(form.getByText("Please enter a valid email address")).toBeTruthy();
    expect(form.getByText("Username must be at least 3 characters")).toBeTruthy();
    expect(form.getByText("Password must be at least 6 characters long.")).toBeTruthy();
  });

  it("leads on from there once the link is opened, wherever that is", async () => {
    answerCall("post", "/api/auth/sign-up", { confirmation_required: true });
    answerCall("get", "/api/auth/sign-up", { status: "confirmed" });
    const app = await openSignUp();
    await fillSignUp(app);
    await app.user.keyboard("{Enter}");
    expect(await screen.findByRole("heading", { name: "EMAIL CONFIRMED" })).toBeTruthy();
    expect(screen.getByText("You can log in now.")).toBeTruthy();
    expect(screen.queryByText("CHECK YOUR INBOX")).toBeNull();
  });

  it("leads a new member to the page that says where to look", async () => {
    const heard = answerCall("post", "/api/auth/sign-up", { confirmation_required: true });
    const app = await openSignUp();
    await fillSignUp(app);
    await app.user.keyboard("{Enter}");
    await waitFor(() => expect(app.router.state.location.href).toBe("/auth/signup-success"));
    expect(screen.queryByRole("dialog")).toBeNull();
    // Replaces the dialog's entry: going back leads to the page below it.
    expect(app.router.history.canGoBack()).toBe(false);
    expect(heard).toEqual([
      {
        body: {
          email: "mira@example.org",
          redirect_to: `${window.location.origin}/auth/callback`,
          password: "sixsix",
          data: { username: "mira_404", full_name: "Mira Vale" },
        },
      },
    ]);
    expect(eventNames()).toEqual(["signup_success", "signup_attempt"]);
    expect(localStorage.getItem("deadwax.signup-events")).not.toContain("mira");
  });

  it("is followed by the word to look into the inbox on the sign-up page, which leads back to its form", async () => {
    answerCall("post", "/api/auth/sign-up", { confirmation_required: true });
    const app = await openSignUp();
    await fillSignUp(app);
    await app.user.keyboard("{Enter}");
    await waitFor(() => expect(app.router.state.location.href).toBe("/auth/signup-success"));
    await act(() => app.router.navigate({ to: "/signup" }));
    expect(await screen.findByRole("heading", { name: "CHECK YOUR INBOX" })).toBeTruthy();
    await app.user.click(screen.getByRole("button", { name: "Sign Up Again" }));
    expect(await screen.findByRole("form", { name: "Sign up" })).toBeTruthy();
  });

  it("says what the server refused, and records it", async () => {
    refuseCall("post", "/api/auth/sign-up", 409, {
      code: "user_already_registered",
      detail: "An account with this email already exists. Try logging in instead.",
    });
    const app = await openSignUp();
    await fillSignUp(app);
    await app.user.keyboard("{Enter}");
    expect(
      await app.form.findByText(
        "REGISTRATION FAILED: An account with this email already exists. Try logging in instead.",
      ),
    ).toBeTruthy();
    expect(eventNames()).toEqual(["signup_error", "signup_attempt"]);
  });

  it("puts what the server refused beside the field it means", async () => {
    refuseCall("post", "/api/auth/sign-up", 422, {
      code: "invalid_input",
      fields: { username: "Username contains inappropriate content" },
    });
    const app = await openSignUp();
    await fillSignUp(app);
    await app.user.keyboard("{Enter}");
    expect(await app.form.findByText("Username contains inappropriate content")).toBeTruthy();
    expect(app.form.getByLabelText("Username").getAttribute("aria-invalid")).toBe("true");
    expect(app.form.queryByText(/REGISTRATION FAILED/)).toBeNull();
  });

  it("records a rate limit as one, and silence as an exception", async () => {
    refuseCall("post", "/api/auth/sign-up", 429, {
      code: "rate_limited",
      detail: "Too many requests. Try again in 15 minutes.",
      retry_after: 900,
    });
    const app = await openSignUp();
    await fillSignUp(app);
    await app.user.keyboard("{Enter}");
    await app.form.findByText("REGISTRATION FAILED: Too many requests. Try again in 15 minutes.");
    breakCall("post", "/api/auth/sign-up");
    await app.user.keyboard("{Enter}");
    expect(await app.form.findByText("SYSTEM ERROR: Registration failed")).toBeTruthy();
    expect(eventNames()).toEqual([
      "signup_exception",
      "signup_attempt",
      "signup_rate_limited",
      "signup_attempt",
    ]);
  });
});

describe("the tabs", () => {
  it("keep what was typed while the other one is on show, one form at a time", async () => {
    const { user, dialog, form } = await openSignUp();
    await user.type(form.getByLabelText("Full name"), "Mira Vale");
    expect(within(dialog).getAllByLabelText("Password")).toHaveLength(1);
    await user.click(within(dialog).getByRole("tab", { name: "LOGIN" }));
    await user.type(within(dialog).getByLabelText("Email or username"), "mira");
    await user.click(within(dialog).getByRole("tab", { name: "SIGN UP" }));
    expect(within(dialog).getByLabelText<HTMLInputElement>("Full name").value).toBe("Mira Vale");
    await user.click(within(dialog).getByRole("tab", { name: "LOGIN" }));
    expect(within(dialog).getByLabelText<HTMLInputElement>("Email or username").value).toBe("mira");
  });
});

describe("somebody signed in already", () => {
  it("is not asked again", async () => {
    seeAs(aMember());
    const { router } = renderPath("/store?dialog=login");
    await screen.findByRole("button", { name: "Account menu" });
    await waitFor(() => expect(router.state.location.href).toBe("/store"));
  });

  it("meets the second step where only that is missing", async () => {
    seeAs(aPendingMember());
    renderPath("/store?dialog=login");
    expect(await screen.findByRole("heading", { name: "Two-Factor Authentication" })).toBeTruthy();
    seeAs(VISITOR);
  });
});
