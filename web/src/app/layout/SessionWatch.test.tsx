import { act, screen, waitFor, within } from "@testing-library/react";
import { delay, HttpResponse, http } from "msw";
import { beforeEach, describe, expect, it } from "vitest";
import { call } from "../../api/client.ts";
import { answerCall, refuseCall, seeAs } from "../../testing/calls.ts";
import { server } from "../../testing/fakeApi.ts";
import {
  aMember,
  anAdmin,
  another,
  aPendingAdmin,
  aPendingMember,
  VISITOR,
} from "../../testing/people.ts";
import { renderPath } from "../../testing/renderPath.tsx";
import { takeToasts, waitingToasts } from "../../ui/toasts/toastQueue.ts";

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});

/** Answers a call that the session has ended. */
async function endSession() {
  seeAs(VISITOR);
  refuseCall("post", "/api/auth/refresh", 401, { code: "session_expired" });
  await act(() => call("POST", "/api/auth/refresh").catch(() => undefined));
}

describe("a session that ended while a page of one's own was open", () => {
  async function openOwnPage() {
    seeAs(anAdmin());
    const app = renderPath("/admin");
    await screen.findByText("Welcome, mira@example.org");
    return app;
  }

  it("opens the login over the page, which stays as it was", async () => {
    await openOwnPage();
    await endSession();
    const dialog = within(await screen.findByRole("dialog", { name: "TERMINAL ACCESS" }));
    expect(await dialog.findByText("Session expired. Please sign in again.")).toBeTruthy();
    expect(screen.getByText("Welcome, mira@example.org")).toBeTruthy();
  });

  it("has not ended for a page that asks before the session's next token has come", async () => {
    await openOwnPage();
    const answers = [{ ...VISITOR, token_retired: true }, anAdmin()];
    server.use(http.get("*/api/auth/session", () => HttpResponse.json(answers.shift())));
    refuseCall("post", "/api/auth/refresh", 401, { code: "not_authenticated" });
    await act(() => call("POST", "/api/auth/refresh").catch(() => undefined));
    await waitFor(() => expect(answers).toEqual([]));
    expect(screen.queryByRole("dialog", { name: "TERMINAL ACCESS" })).toBeNull();
    expect(screen.getByText("Welcome, mira@example.org")).toBeTruthy();
  });

  it("goes on where it was after signing in again", async () => {
    const { user, router } = await openOwnPage();
    await endSession();
    answerCall("post", "/api/auth/sign-in", { ...anAdmin() });
    await user.type(await screen.findByLabelText("Email or username"), "mira");
    await user.type(screen.getByLabelText("Password"), "a password{Enter}");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(router.state.location.href).toBe("/admin");
    expect(screen.getByText("Welcome, mira@example.org")).toBeTruthy();
  });

  it("still stands in the second step of coming back, and when that is given up", async () => {
    const { user, router } = await openOwnPage();
    await endSession();
    answerCall("post", "/api/auth/sign-in", { ...aPendingAdmin() });
    answerCall("post", "/api/auth/sign-out", {});
    await user.type(await screen.findByLabelText("Email or username"), "mira");
    await user.type(screen.getByLabelText("Password"), "a password{Enter}");
    await screen.findByLabelText("Verification code");
    expect(screen.getByText("Welcome, mira@example.org")).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Cancel" }));
    await screen.findByText("MFA verification cancelled");
    expect(router.state.location.pathname).toBe("/admin");
    expect(screen.getByText("Welcome, mira@example.org")).toBeTruthy();
  });

  it("still stands where the dialog is closed right after the code, before the session is read", async () => {
    const { user, router } = await openOwnPage();
    await endSession();
    answerCall("post", "/api/auth/sign-in", { ...aPendingAdmin() });
    await user.type(await screen.findByLabelText("Email or username"), "mira");
    await user.type(screen.getByLabelText("Password"), "a password{Enter}");
    answerCall("post", "/api/auth/mfa-operations", { status: "ok", code: "ok", message: "" });
    await user.type(await screen.findByLabelText("Verification code"), "123456{Enter}");
    await screen.findByText("Verification successful!");
    const page = screen.getByText("Welcome, mira@example.org");
    server.use(
      http.get("*/api/auth/session", async () => {
        await delay(200);
        return HttpResponse.json(anAdmin({ mfa_verified: true }));
      }),
    );
    await user.keyboard("{Escape}");
    await waitFor(() => expect(sessionStorage.getItem("mfa_verified")).toBe("true"));
    await waitFor(() => expect(router.state.location.href).toBe("/admin"));
    expect(page.isConnected).toBe(true);
  });

  it("leads another admin who signs in over it to their own second step", async () => {
    const { user, router } = await openOwnPage();
    await endSession();
    answerCall("post", "/api/auth/sign-in", { ...another(aPendingAdmin()) });
    const left = answerCall("post", "/api/auth/sign-out", {});
    await user.type(await screen.findByLabelText("Email or username"), "noor");
    await user.type(screen.getByLabelText("Password"), "a password{Enter}");
    await waitFor(() => expect(router.state.location.href).toBe("/admin/login"));
    expect(await screen.findByLabelText("Verification code")).toBeTruthy();
    expect(left).toEqual([]);
  });

  it("is over once the person closes the login", async () => {
    const { user, router } = await openOwnPage();
    await endSession();
    await screen.findByRole("dialog", { name: "TERMINAL ACCESS" });
    await user.keyboard("{Escape}");
    await waitFor(() => expect(router.state.location.pathname).toBe("/admin/login"));
  });
});

it("a second factor that lapses is no news on a public page", async () => {
  seeAs(aMember());
  const { router, client } = renderPath("/store");
  await screen.findByRole("button", { name: "Account menu" });
  seeAs(aPendingMember());
  await act(() => client.invalidateQueries({ queryKey: ["/api/auth/session"] }));
  await waitFor(() =>
    expect(client.getQueryData(["/api/auth/session"])).toMatchObject({
      mfaRequired: true,
      ended: null,
    }),
  );
  expect(router.state.location.href).toBe("/store");
  expect(screen.queryByText("Session expired. Please sign in again.")).toBeNull();
});

describe("a session that ended while a public page was open", () => {
  it("is worth a word, and nothing is in the way", async () => {
    seeAs(aMember());
    renderPath("/store");
    await screen.findByRole("button", { name: "Account menu" });
    await endSession();
    expect(await screen.findAllByText("Session expired. Please sign in again.")).not.toHaveLength(
      0,
    );
    expect(screen.queryByRole("dialog", { name: "TERMINAL ACCESS" })).toBeNull();
    expect(screen.getByRole("button", { name: "LOGIN" })).toBeTruthy();
  });
});

it("a session's end is said although nothing can be fetched", async () => {
  seeAs(aMember());
  server.use(http.get("*/rules_wasm_bg.wasm", () => delay("infinite")));
  const said: unknown[] = [];
  const { unsubscribe } = waitingToasts.subscribe(() => said.push(...takeToasts()));
  renderPath("/store");
  await screen.findByRole("button", { name: "Account menu" });
  await endSession();
  await screen.findByRole("button", { name: "LOGIN" });
  unsubscribe();
  expect(said).toEqual([{ title: "Session expired. Please sign in again.", isError: true }]);
});

describe("the account's menu", () => {
  it("leads to the profile and out, and closes by Escape", async () => {
    seeAs(aMember());
    const heard = answerCall("post", "/api/auth/sign-out", {});
    const { user, router } = renderPath("/store");
    const opener = await screen.findByRole("button", { name: "Account menu" });
    expect(screen.queryByRole("link", { name: "PROFILE" })).toBeNull();
    await user.click(opener);
    expect(screen.getByRole("link", { name: "PROFILE" }).getAttribute("href")).toBe("/profile");
    await user.keyboard("{Escape}");
    expect(screen.queryByRole("link", { name: "PROFILE" })).toBeNull();
    expect(document.activeElement).toBe(opener);
    await user.keyboard("{Enter}");
    await user.click(screen.getByRole("button", { name: "LOGOUT" }));
    expect(await screen.findByRole("button", { name: "LOGIN" })).toBeTruthy();
    expect(heard).toHaveLength(1);
    expect(router.state.location.href).toBe("/store");
    expect(document.activeElement?.matches("main h1, #content")).toBe(true);
  });

  it("is in the mobile menu too", async () => {
    seeAs(aPendingMember());
    const heard = answerCall("post", "/api/auth/sign-out", {});
    const { user } = renderPath("/store");
    await screen.findByRole("button", { name: "Account menu" });
    await user.click(screen.getByRole("button", { name: "MENU" }));
    const menu = within(screen.getByRole("dialog", { name: "Menu" }));
    expect(menu.getByRole("link", { name: "PROFILE" })).toBeTruthy();
    expect(menu.queryByRole("link", { name: "SIGNUP" })).toBeNull();
    await user.click(menu.getByRole("button", { name: "LOGOUT" }));
    await waitFor(() => expect(heard).toHaveLength(1));
    expect(screen.queryByRole("dialog")).toBeNull();
  });
});

describe("the way to the dashboard", () => {
  it("floats over public pages for admins alone", async () => {
    seeAs(anAdmin());
    const { router } = renderPath("/store");
    const link = await screen.findByRole("button", { name: "Admin Panel" });
    expect(link.getAttribute("href")).toBe("/admin");
    await act(() => router.navigate({ to: "/admin" }));
    await screen.findByRole("heading", { name: "Admin Dashboard" });
    expect(screen.queryByRole("button", { name: "Admin Panel" })).toBeNull();
  });

  it("is not shown to members", async () => {
    seeAs(aMember());
    renderPath("/store");
    await screen.findByRole("button", { name: "Account menu" });
    expect(screen.queryByRole("button", { name: "Admin Panel" })).toBeNull();
  });
});
