import { screen } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { answer, hang, refuse } from "../../testing/fakeApi.ts";
import { renderPath } from "../../testing/renderPath.tsx";

const FAILED = "Error loading privacy policy. Please try again later.";

describe("the privacy policy", () => {
  it("shows a spinner and nothing else while it is on its way", async () => {
    hang("/api/content/{key}");
    renderPath("/privacy-policy");
    const status = await screen.findByText("Loading privacy policy");
    expect(status.getAttribute("role")).toBe("status");
    expect(status.getAttribute("aria-busy")).toBe("true");
    expect(screen.queryByRole("heading", { level: 1 })).toBeNull();
  });

  it("is preformatted plain text", async () => {
    const value = "1. WHAT\n   <b>Nothing</b> we do not need.";
    answer("/api/content/{key}", { key: "privacy_policy", value });
    renderPath("/privacy-policy");
    expect(await screen.findByRole("heading", { name: "PRIVACY POLICY" })).toBeTruthy();
    expect(document.querySelector("pre")?.textContent).toBe(value);
  });

  it("keeps its heading and says so when it cannot be read", async () => {
    vi.spyOn(console, "error").mockReturnValue();
    refuse("/api/content/{key}", 500);
    renderPath("/privacy-policy");
    expect(await screen.findByText(FAILED)).toBeTruthy();
    expect(screen.getByRole("heading", { name: "PRIVACY POLICY" })).toBeTruthy();
  });
});
