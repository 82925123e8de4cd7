import { screen, waitFor } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { aLabel } from "../../testing/catalogue.ts";
import { answer, hang, refuse } from "../../testing/fakeApi.ts";
import { FakeEventSource } from "../../testing/fakeEventSource.ts";
import { renderPath } from "../../testing/renderPath.tsx";

const IMPRINT = { key: "imprint", value: "Mira Söhne\n<b>Backyard</b> 4, Berlin" };

function changed(id: string): void {
  FakeEventSource.current.say(
    "change",
    { table: "site_content", op: "update", key: "imprint" },
    id,
  );
}

function linkInFoot(): HTMLElement | null {
  return screen.queryByRole("link", { name: "Imprint" });
}

describe("the imprint", () => {
  it("says while it is on its way, and nothing else", async () => {
    hang("/api/content/{key}");
    renderPath("/imprint");
    expect((await screen.findByText("Loading imprint")).getAttribute("aria-busy")).toBe("true");
    expect(screen.queryByRole("heading", { level: 1 })).toBeNull();
  });

  it("is no page and has no link without a text", async () => {
    refuse("/api/content/{key}", 404);
    renderPath("/imprint");
    expect(await screen.findByText("404")).toBeTruthy();
    expect(document.title).toMatch(/^Page not found/);
    expect(linkInFoot()).toBeNull();
  });

  it("comes and goes on an open page", async () => {
    vi.spyOn(console, "error").mockReturnValue();
    refuse("/api/content/{key}", 404);
    renderPath("/imprint");
    await screen.findByText("404");
    answer("/api/content/{key}", IMPRINT);
    answer("/api/label", aLabel({ has_imprint: true }));
    changed("2");
    expect(await screen.findByRole("heading", { name: "IMPRINT" })).toBeTruthy();
    expect(document.querySelector("pre")?.textContent).toBe(IMPRINT.value);
    expect(document.title).toMatch(/^Imprint/);
    await waitFor(() => expect(linkInFoot()?.getAttribute("href")).toBe("/imprint"));
    refuse("/api/content/{key}", 404);
    answer("/api/label", aLabel());
    changed("3");
    expect(await screen.findByText("404")).toBeTruthy();
    await waitFor(() => expect(linkInFoot()).toBeNull());
  });
});
