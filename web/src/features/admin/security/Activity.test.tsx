import { screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { describe, expect, it } from "vitest";
import { openTab } from "../../../testing/backOffice.ts";
import { answerCall } from "../../../testing/calls.ts";
import { server } from "../../../testing/fakeApi.ts";
import { FakeEventSource } from "../../../testing/fakeEventSource.ts";
import { aProfile } from "../../../testing/profile.ts";

const ENTRY = {
  id: "one",
  at: "2026-11-20T12:00:00Z",
  kind: "sensitive_update",
  role: "admin",
  person: "boss_404",
  address: "10.0.0.1",
  target: "release:7",
  name: "Locked Groove",
  outcome: "ok",
  repeats: 0,
};

/** Keeps log entries of these kinds, newest first. */
function keepLog(...kinds: string[]) {
  const kept = { kinds, asked: 0 };
  answerCall("get", "/api/profile", aProfile());
  answerCall("get", "/api/admin/security/checklist", { items: [] });
  server.use(
    http.get("*/api/admin/activity/filters", () =>
      HttpResponse.json({ people: ["boss_404"], kinds: kept.kinds }),
    ),
    http.get("*/api/admin/activity", () => {
      kept.asked += 1;
      const items = kept.kinds.map((kind) => ({ ...ENTRY, id: kind, kind }));
      return HttpResponse.json({ items, next_cursor: null });
    }),
  );
  return kept;
}

describe("the activity", () => {
  it("is read anew whenever its tab is opened, and so is the checklist", async () => {
    const kept = keepLog("sensitive_update");
    const { user } = openTab("security");
    const log = () => screen.findByRole("list", { name: "Activity" });
    expect((await log()).textContent).toContain("sensitive_update");
    await user.click(screen.getByRole("tab", { name: "Terminal" }));
    await screen.findByRole("heading", { level: 2, name: "Terminal" });
    kept.kinds = ["maintenance_on", "sensitive_update"];
    const checked = answerCall("get", "/api/admin/security/checklist", { items: [] });
    await user.click(screen.getByRole("tab", { name: "Security" }));
    await waitFor(async () => expect((await log()).textContent).toContain("maintenance_on"));
    expect(within(screen.getByLabelText("Kind")).getByText("maintenance_on")).toBeTruthy();
    expect(checked.length).toBeGreaterThan(0);
  });

  it("says that a choice cannot be read, instead of the entries of before", async () => {
    keepLog("sensitive_update");
    const { user } = openTab("security");
    await screen.findByRole("list", { name: "Activity" });
    server.use(http.get("*/api/admin/activity", () => new HttpResponse(null, { status: 503 })));
    await user.selectOptions(screen.getByLabelText("Kind"), "sensitive_update");
    expect(await screen.findByText("Failed to load the activity")).toBeTruthy();
    expect(screen.queryByRole("list", { name: "Activity" })).toBeNull();
  });

  it("leads on to the first entry of its last page", async () => {
    keepLog();
    server.use(
      http.get("*/api/admin/activity", ({ request }) => {
        const isLast = request.url.includes("cursor");
        const ids = isLast ? ["three", "four"] : ["one", "two"];
        const items = ids.map((id) => ({ ...ENTRY, id }));
        return HttpResponse.json({ items, next_cursor: isLast ? null : "more" });
      }),
    );
    const { user } = openTab("security");
    await user.click(await screen.findByRole("button", { name: "Load more of the activity" }));
    const list = within(await screen.findByRole("list", { name: "Activity" }));
    await waitFor(() => expect(list.getAllByRole("listitem")).toHaveLength(4));
    expect(document.activeElement).toBe(list.getAllByRole("listitem")[2]);
  });

  it("marks what was refused, and nothing else", async () => {
    keepLog();
    const entries = [
      ["authz_change", "admin_granted"],
      ["authn_login_successafterfail", "reset_link"],
      ["authn_login_fail", "invalid_credentials"],
      ["mfa_locked", "rate_limited"],
      ["malicious_csrf", "csrf"],
    ].map(([kind, outcome]) => ({ ...ENTRY, id: kind, kind, outcome }));
    answerCall("get", "/api/admin/activity", { items: entries, next_cursor: null });
    openTab("security");
    const list = await screen.findByRole("list", { name: "Activity" });
    const marked = [...list.querySelectorAll(".text-signal")].map(({ textContent }) => textContent);
    expect(marked).toEqual([" invalid_credentials", " rate_limited", " csrf"]);
  });

  it("follows what is changed elsewhere while it is looked at", async () => {
    const kept = keepLog("sensitive_update");
    openTab("security");
    const list = await screen.findByRole("list", { name: "Activity" });
    kept.kinds = ["sensitive_delete", "sensitive_update"];
    FakeEventSource.current.open();
    FakeEventSource.current.say("change", { table: "artists", op: "delete", key: "a" }, "7");
    await waitFor(() => expect(list.textContent).toContain("sensitive_delete"));
  });

  it("is listed, searched and narrowed", async () => {
    answerCall("get", "/api/profile", aProfile());
    answerCall("get", "/api/admin/security/checklist", { items: [] });
    const asked: string[] = [];
    server.use(
      http.get("*/api/admin/activity/filters", () =>
        HttpResponse.json({ people: ["boss_404"], kinds: ["sensitive_update"] }),
      ),
      http.get("*/api/admin/activity", ({ request }) => {
        const { search } = new URL(request.url);
        asked.push(search);
        const items = search.includes("zzz") ? [] : [ENTRY];
        return HttpResponse.json({ items, next_cursor: null });
      }),
    );
    const { user } = openTab("security");
    const list = await screen.findByRole("list", { name: "Activity" });
    expect(list.textContent).toContain("sensitive_update");
    expect(list.textContent).toContain("release:7");
    expect(list.textContent).toContain("Locked Groove");
    await user.selectOptions(screen.getByLabelText("Person"), "boss_404");
    await user.selectOptions(screen.getByLabelText("Kind"), "sensitive_update");
    await user.type(screen.getByRole("searchbox", { name: "Search activity" }), "zzz");
    expect(await screen.findByText("Nothing found")).toBeTruthy();
    expect(asked.at(-1)).toBe("?q=zzz&person=boss_404&kind=sensitive_update");
  });
});
