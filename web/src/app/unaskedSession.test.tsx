// A failed session check means unknown, not signed out: open pages stay, with everything typed.
import { act, screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { anEditableRelease, keepRows, openTab } from "../testing/backOffice.ts";
import { answerCall, seeAs } from "../testing/calls.ts";
import { answer, page, server } from "../testing/fakeApi.ts";
import { FakeEventSource } from "../testing/fakeEventSource.ts";
import { hearFromOtherTab } from "../testing/otherTab.ts";
import {
  aMember,
  anAdmin,
  another,
  aPendingAdmin,
  aPendingMember,
  VISITOR,
} from "../testing/people.ts";
import { openProfileTo } from "../testing/profile.ts";
import { renderPath } from "../testing/renderPath.tsx";

const LOST = "CONNECTION LOST. RETRYING.";

beforeEach(() => {
  sessionStorage.clear();
  localStorage.clear();
  vi.spyOn(console, "error").mockReturnValue(undefined);
});

/** The server goes away, as in a restart: the stream breaks and calls fail. */
async function loseServer() {
  server.use(http.all("*/api/*", () => HttpResponse.error()));
  server.use(http.all("*/api/auth/session", () => HttpResponse.error()));
  FakeEventSource.current.break();
  expect(await screen.findByText(LOST)).toBeTruthy();
}

describe("a dashboard", () => {
  it("stays with a half-typed release while the server is away", async () => {
    keepRows("/api/admin/releases", anEditableRelease());
    answer("/api/admin/artist-choices", page([]));
    const { user, router } = openTab("releases");
    await user.click(await screen.findByRole("button", { name: "Add Release" }));
    const dialog = await screen.findByRole("dialog");
    await user.type(within(dialog).getByLabelText("Title"), "Half a ti");
    FakeEventSource.current.open();
    await loseServer();
    await waitFor(() => expect(sessionStorage.getItem("mfa_verified")).toBeNull());
    expect(within(dialog).getByLabelText<HTMLInputElement>("Title").value).toBe("Half a ti");
    expect(router.state.location.href).toBe("/admin?tab=releases");
    server.resetHandlers();
    seeAs(anAdmin());
    keepRows("/api/admin/releases", anEditableRelease());
    FakeEventSource.current.open();
    await waitFor(() => expect(screen.queryByText(LOST)).toBeNull());
    expect(within(dialog).getByLabelText<HTMLInputElement>("Title").value).toBe("Half a ti");
    expect(router.state.location.href).toBe("/admin?tab=releases");
  });

  it("stays with a half-typed release when the second factor lapses, and goes on with the next code", async () => {
    keepRows("/api/admin/releases", anEditableRelease());
    answer("/api/admin/artist-choices", page([]));
    const { user, router, client } = openTab("releases");
    await user.click(await screen.findByRole("button", { name: "Add Release" }));
    const title = within(await screen.findByRole("dialog")).getByLabelText<HTMLInputElement>(
      "Title",
    );
    await user.type(title, "Half a ti");
    seeAs(aPendingAdmin());
    await client.invalidateQueries({ queryKey: ["/api/auth/session"] });
    const code = await screen.findByLabelText("Verification code");
    expect(router.state.location.href).toBe("/admin?tab=releases&dialog=login");
    answerCall("post", "/api/auth/mfa-operations", { status: "ok", code: "ok", message: "" });
    seeAs(anAdmin());
    await user.type(code, "123456{Enter}");
    await waitFor(() => expect(router.state.location.href).toBe("/admin?tab=releases"));
    expect(title.isConnected).toBe(true);
    expect(title.value).toBe("Half a ti");
  });

  it("is begun anew by another admin who signs in over it", async () => {
    keepRows("/api/admin/releases", anEditableRelease());
    answer("/api/admin/artist-choices", page([]));
    const { user, router, client } = openTab("releases");
    await user.click(await screen.findByRole("button", { name: "Add Release" }));
    await user.type(within(await screen.findByRole("dialog")).getByLabelText("Title"), "Half a ti");
    seeAs(VISITOR);
    await client.invalidateQueries({ queryKey: ["/api/auth/session"] });
    answerCall("post", "/api/auth/sign-in", another(anAdmin()));
    await user.type(await screen.findByLabelText("Email or username"), "noor");
    await user.type(screen.getByLabelText("Password"), "a password{Enter}");
    expect(await screen.findByText("Welcome, noor@example.org")).toBeTruthy();
    await waitFor(() => expect(router.state.location.href).toBe("/admin?tab=releases"));
    expect(screen.queryByDisplayValue("Half a ti")).toBeNull();
  });

  it("asks for no code any more once another tab has given it", async () => {
    keepRows("/api/admin/releases", anEditableRelease());
    const { router, client } = openTab("releases");
    await screen.findByRole("button", { name: "Add Release" });
    seeAs(aPendingAdmin());
    await client.invalidateQueries({ queryKey: ["/api/auth/session"] });
    await screen.findByLabelText("Verification code");
    seeAs(anAdmin());
    act(() => hearFromOtherTab({ kind: "changed", view: anAdmin() }));
    await waitFor(() => expect(router.state.location.href).toBe("/admin?tab=releases"));
  });

  it("is not opened and not left while nobody could be asked at all", async () => {
    server.use(http.get("*/api/auth/session", () => HttpResponse.error()));
    const { router } = renderPath("/admin?tab=releases");
    expect(await screen.findByText(LOST)).toBeTruthy();
    expect(router.state.location.href).toBe("/admin?tab=releases");
    expect(screen.queryByRole("heading", { name: "Admin Dashboard" })).toBeNull();
  });

  it("closes once the server says that nobody is an admin here", async () => {
    keepRows("/api/admin/releases", anEditableRelease());
    const { router } = openTab("releases");
    await screen.findByRole("button", { name: "Add Release" });
    FakeEventSource.current.open();
    await loseServer();
    server.resetHandlers();
    seeAs(aMember());
    FakeEventSource.current.open();
    await waitFor(() => expect(router.state.location.pathname).toBe("/admin/login"));
  });
});

describe.each(["/admin?tab=releases", "/profile"])(
  "%s, opened while the server is away",
  (path) => {
    it("stays, says so, and is asked for again by its button without losing the focus", async () => {
      server.use(http.get("*/api/auth/session", () => HttpResponse.error()));
      const { user, router } = renderPath(path);
      expect(await screen.findByRole("heading", { name: "SERVER UNREACHABLE" })).toBeTruthy();
      const retry = screen.getByRole("button", { name: "RETRY" });
      await user.click(retry);
      await user.click(retry);
      expect(document.activeElement).toBe(retry);
      expect(router.state.location.href).toBe(path);
      expect(screen.queryByText(/Welcome/)).toBeNull();
      answer("/api/admin/artist-choices", page([]));
      keepRows("/api/admin/releases", anEditableRelease());
      openProfileTo();
      seeAs(anAdmin());
      await user.click(retry);
      await waitFor(() =>
        expect(screen.queryByRole("heading", { name: "SERVER UNREACHABLE" })).toBeNull(),
      );
      expect(router.state.location.href).toBe(path);
    });

    it("leads on once the answer is that nobody is signed in", async () => {
      server.use(http.get("*/api/auth/session", () => new HttpResponse(null, { status: 502 })));
      const { user, router } = renderPath(path);
      const retry = await screen.findByRole("button", { name: "RETRY" });
      seeAs(VISITOR);
      await user.click(retry);
      const expected = path === "/profile" ? "/" : "/admin/login";
      await waitFor(() => expect(router.state.location.pathname).toBe(expected));
    });
  },
);

describe("an admin's second step", () => {
  it("stays with its half-typed code", async () => {
    seeAs(aPendingAdmin());
    const { user } = renderPath("/admin/login");
    const code = await screen.findByLabelText<HTMLInputElement>("Verification code");
    await user.type(code, "123");
    FakeEventSource.current.open();
    await loseServer();
    expect(code.isConnected).toBe(true);
    expect(code.value).toBe("123");
  });
});

describe("a page in maintenance", () => {
  it("stays open to the admin who is on it", async () => {
    seeAs(anAdmin());
    answer("/api/maintenance", page([{ page_key: "store", is_maintenance_mode: true }] as never));
    renderPath("/store");
    expect(await screen.findByText("COMING SOON")).toBeTruthy();
    FakeEventSource.current.open();
    await loseServer();
    expect(screen.getByText("COMING SOON")).toBeTruthy();
    expect(screen.queryByText("STATUS: OFFLINE")).toBeNull();
  });
});

describe("a profile", () => {
  it("stays with a half-typed password while the server is away", async () => {
    openProfileTo();
    const { user, router } = renderPath("/profile");
    const password = await screen.findByLabelText<HTMLInputElement>("New Password");
    await user.type(password, "half a pass");
    FakeEventSource.current.open();
    await loseServer();
    expect(password.isConnected).toBe(true);
    server.resetHandlers();
    openProfileTo();
    FakeEventSource.current.open();
    await waitFor(() => expect(screen.queryByText(LOST)).toBeNull());
    expect(password.isConnected).toBe(true);
    expect(password.value).toBe("half a pass");
    expect(router.state.location.pathname).toBe("/profile");
  });

  it("stays with a half-typed password when the second factor lapses", async () => {
    openProfileTo();
    const { user, router, client } = renderPath("/profile");
    const password = await screen.findByLabelText<HTMLInputElement>("New Password");
    await user.type(password, "half a pass");
    seeAs(aPendingMember());
    await client.invalidateQueries({ queryKey: ["/api/auth/session"] });
    await screen.findByLabelText("Verification code");
    expect(password.isConnected).toBe(true);
    expect(password.value).toBe("half a pass");
    expect(router.state.location.href).toBe("/profile?dialog=login");
  });

  it("waits for its person where the first check cannot be asked, and opens once it can", async () => {
    server.use(http.get("*/api/auth/session", () => new HttpResponse(null, { status: 503 })));
    const { router, client } = renderPath("/profile");
    expect(await screen.findByText(LOST)).toBeTruthy();
    expect(router.state.location.pathname).toBe("/profile");
    openProfileTo();
    await client.invalidateQueries();
    expect(await screen.findByRole("heading", { name: "IDENTITY" })).toBeTruthy();
  });

  it("sends home whom the server does not know, once it can say so", async () => {
    server.use(http.get("*/api/auth/session", () => HttpResponse.error()));
    const { router, client } = renderPath("/profile");
    expect(await screen.findByText(LOST)).toBeTruthy();
    seeAs(VISITOR);
    await client.invalidateQueries();
    await waitFor(() => expect(router.state.location.pathname).toBe("/"));
  });
});
