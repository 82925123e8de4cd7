import { screen, waitFor } from "@testing-library/react";
import { delay, HttpResponse, http } from "msw";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { answerCall, breakCall, refuseCall, seeAs } from "../../testing/calls.ts";
import { server } from "../../testing/fakeApi.ts";
import { aMember, anAdmin, aPendingAdmin } from "../../testing/people.ts";
import { renderPath } from "../../testing/renderPath.tsx";

const SIGN_IN = "/api/auth/sign-in";
const HINT =
  "Multiple failed attempts detected. Please verify your credentials and ensure you have admin access.";

beforeEach(() => {
  sessionStorage.clear();
});

async function openForm() {
  const app = renderPath("/admin/login");
  const email = await screen.findByLabelText<HTMLInputElement>("Email");
  const password = screen.getByLabelText<HTMLInputElement>("Password");
  return { ...app, email, password };
}

async function signIn(form: Awaited<ReturnType<typeof openForm>>) {
  await form.user.clear(form.email);
  await form.user.clear(form.password);
  await form.user.type(form.email, " Label@Example.org ");
  await form.user.type(form.password, "a password{Enter}");
}

describe("the admin login", () => {
  it("lets an admin in, and says what it is doing", async () => {
    const heard: unknown[] = [];
    server.use(
      http.post(`*${SIGN_IN}`, async ({ request }) => {
        heard.push(await request.json());
        await delay(50);
        return HttpResponse.json({ ...anAdmin() });
      }),
    );
    const form = await openForm();
    await signIn(form);
    expect(await screen.findByRole("button", { name: "Signing in..." })).toBeTruthy();
    expect(await screen.findByRole("heading", { name: "Admin Dashboard" })).toBeTruthy();
    expect(form.router.state.location.pathname).toBe("/admin");
    expect(heard).toEqual([{ identifier: "label@example.org", password: "a password" }]);
  });

  it("stops empty and malformed input without counting it", async () => {
    const heard = answerCall("post", SIGN_IN, anAdmin());
    const { user, email, password } = await openForm();
    await user.click(screen.getByRole("button", { name: "Sign In" }));
    expect(await screen.findByText("Please enter both email and password")).toBeTruthy();
    await user.type(email, "a-username");
    await user.type(password, "secret{Enter}");
    expect(await screen.findByText("Please enter a valid email address")).toBeTruthy();
    expect(heard).toEqual([]);
    expect(sessionStorage.length).toBe(0);
  });

  it("turns away who is no admin, and signs them out", async () => {
    answerCall("post", SIGN_IN, aMember());
    const heard = answerCall("post", "/api/auth/sign-out", {});
    const form = await openForm();
    await signIn(form);
    expect(await screen.findByText("Access denied. Admin privileges required.")).toBeTruthy();
    await waitFor(() => expect(heard).toHaveLength(1));
    expect(form.router.state.location.pathname).toBe("/admin/login");
  });

  it("leaves a member who only looks in signed in, and shows the form", async () => {
    seeAs(aMember());
    const { router } = await openForm();
    expect(router.state.location.pathname).toBe("/admin/login");
  });

  it("hints from the third refusal and locks at the fifth", async () => {
    const heard = refuseCall("post", SIGN_IN, 401, {
      code: "invalid_credentials",
      detail: "Invalid username or password",
    });
    const form = await openForm();
    for (const times of [1, 2]) {
      await signIn(form);
      await waitFor(() => expect(heard).toHaveLength(times));
      expect(await screen.findByRole("button", { name: "Sign In" })).toBeTruthy();
      expect(screen.getByText("Invalid username or password")).toBeTruthy();
      expect(screen.queryByText(HINT)).toBeNull();
    }
    // Only a region that was there before is announced.
    const regions = screen.getAllByRole("status");
    await signIn(form);
    const hint = await screen.findByText(HINT);
    expect(regions.some((region) => region.contains(hint))).toBe(true);
    await signIn(form);
    await form.user.type(form.password, "!");
    await form.user.click(screen.getByRole("button", { name: "Sign In" }));
    expect(
      await screen.findByText(
        "Too many login attempts. Please wait 15 minutes before trying again.",
      ),
    ).toBeTruthy();
    expect(
      screen.getByText(
        "Account temporarily locked due to multiple failed login attempts. This is a security measure to protect against unauthorized access.",
      ),
    ).toBeTruthy();
    expect(screen.getByText(HINT)).toBeTruthy();
    expect(screen.getByRole<HTMLButtonElement>("button", { name: "Sign In" }).disabled).toBe(true);
    // The disabled button loses the focus to its explanation.
    expect(document.activeElement?.textContent).toMatch(/^Account temporarily locked/);
  });

  it("says why the server cannot take it now, and counts no failure", async () => {
    const detail = "Too many people are signing in. Please try again in a moment.";
    refuseCall("post", SIGN_IN, 503, { code: "busy", detail, retry_after: 1 });
    const form = await openForm();
    await signIn(form);
    expect(await screen.findByText(detail)).toBeTruthy();
    expect(sessionStorage.length).toBe(0);
  });

  it("stays locked over a reload, and opens a quarter of an hour later", async () => {
    const now = Date.now();
    sessionStorage.setItem(
      "deadwax.admin-login-failures",
      JSON.stringify([1, 2, 3, 4, 5].map((n) => now - n * 1_000).reverse()),
    );
    const { user } = await openForm();
    const button = () => screen.getByRole<HTMLButtonElement>("button", { name: "Sign In" });
    expect(button().disabled).toBe(true);
    vi.spyOn(Date, "now").mockReturnValue(now + 15 * 60_000);
    await waitFor(() => expect(button().disabled).toBe(false));
    expect(screen.queryByText(HINT)).toBeNull();
    await user.click(button());
  });

  it("counts no failure that nobody answered", async () => {
    breakCall("post", SIGN_IN);
    const form = await openForm();
    await signIn(form);
    expect(await screen.findByText("An unexpected error occurred. Please try again.")).toBeTruthy();
    expect(sessionStorage.length).toBe(0);
  });

  it("asks for the second factor first, and leads on", async () => {
    seeAs(aPendingAdmin());
    const { user, router } = renderPath("/admin/login");
    await screen.findByRole("heading", { name: "Two-Factor Authentication" });
    answerCall("post", "/api/auth/mfa-operations", { status: "ok", code: "ok", message: "" });
    seeAs(anAdmin({ mfa_verified: true }));
    await user.type(screen.getByLabelText("Verification code"), "123456{Enter}");
    await screen.findByRole("heading", { name: "Admin Dashboard" });
    expect(router.state.location.pathname).toBe("/admin");
  });

  it("signs out who cancels the second factor", async () => {
    seeAs(aPendingAdmin());
    const heard = answerCall("post", "/api/auth/sign-out", {});
    const { user, router } = renderPath("/admin/login");
    await user.click(await screen.findByRole("button", { name: "Cancel" }));
    expect(await screen.findByLabelText("Email")).toBeTruthy();
    expect(heard).toHaveLength(1);
    expect(router.state.location.pathname).toBe("/admin/login");
  });
});

describe("the dashboard", () => {
  it.each([
    ["a visitor", undefined],
    ["a member", aMember()],
    ["an admin without the second factor", aPendingAdmin()],
  ])("leads %s to the login", async (_, view) => {
    if (view) seeAs(view);
    const { router } = renderPath("/admin");
    await waitFor(() => expect(router.state.location.pathname).toBe("/admin/login"));
    await screen.findByRole("heading", { name: "Admin Login" });
  });

  it("says who works here, and has ways to the site and out", async () => {
    seeAs(anAdmin());
    const heard = answerCall("post", "/api/auth/sign-out", {});
    const { user, router } = renderPath("/admin");
    expect(await screen.findByText("Welcome, mira@example.org")).toBeTruthy();
    expect(screen.getByText("v1.3.0")).toBeTruthy();
    expect(screen.getByRole("button", { name: "Live Site" }).getAttribute("href")).toBe("/");
    await user.click(screen.getByRole("button", { name: "Sign Out" }));
    await waitFor(() => expect(router.state.location.pathname).toBe("/admin/login"));
    expect(heard).toHaveLength(1);
  });
});
