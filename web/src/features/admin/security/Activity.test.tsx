import { screen } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { describe, expect, it } from "vitest";
import { openTab } from "../../../testing/backOffice.ts";
import { answerCall } from "../../../testing/calls.ts";
import { server } from "../../../testing/fakeApi.ts";
import { aProfile } from "../../../testing/profile.ts";

const ENTRY = {
  id: "one",
  at: "2026-11-20T12:00:00Z",
  kind: "data_update",
  role: "admin",
  person: "boss_404",
  address: "10.0.0.1",
  target: "release:7",
  outcome: "ok",
  repeats: 0,
};

describe("the activity", () => {
  it("is listed, searched and narrowed", async () => {
    answerCall("get", "/api/profile", aProfile());
    answerCall("get", "/api/admin/security/checklist", { items: [] });
    const asked: string[] = [];
    server.use(
      http.get("*/api/admin/activity/filters", () =>
        HttpResponse.json({ people: ["boss_404"], kinds: ["data_update"] }),
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
    expect(list.textContent).toContain("data_update");
    expect(list.textContent).toContain("release:7");
    await user.selectOptions(screen.getByLabelText("Person"), "boss_404");
    await user.selectOptions(screen.getByLabelText("Kind"), "data_update");
    await user.type(screen.getByRole("searchbox", { name: "Search activity" }), "zzz");
    expect(await screen.findByText("Nothing found")).toBeTruthy();
    expect(asked.at(-1)).toBe("?q=zzz&person=boss_404&kind=data_update");
  });
});
