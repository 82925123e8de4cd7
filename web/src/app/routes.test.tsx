import { screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { answer } from "../testing/fakeApi.ts";
import { openProfileTo } from "../testing/profile.ts";
import { renderPath } from "../testing/renderPath.tsx";

const HEADINGS = {
  "/store": "COMING SOON",
  "/terminal": "TERMINAL",
  "/contact": "CONTACT US",
  "/privacy-policy": "PRIVACY POLICY",
  "/imprint": "IMPRINT",
  "/letters": "LETTERS",
  "/profile": "PROFILE",
  "/signup": "SIGN UP",
  "/auth/callback": "EMAIL CONFIRMATION",
  "/auth/welcome": "WELCOME",
  "/auth/signup-success": "CHECK YOUR INBOX",
  "/admin/login": "Admin Login",
} as const;

describe("the route map", () => {
  for (const [path, heading] of Object.entries(HEADINGS)) {
    it(`has a page under its own heading at ${path}`, async () => {
      answer("/api/content/{key}", { key: "privacy_policy", value: "the policy" });
      // The profile is only shown to its owner.
      if (path === "/profile") openProfileTo();
      renderPath(path);
      expect(await screen.findByRole("heading", { level: 1, name: heading })).toBeTruthy();
      expect(screen.queryByText("Oops! Page not found")).toBeNull();
    });
  }

  it.each(["/Releases", "/ARTISTS", "/Admin/Login"])("has no page at %s", async (path) => {
    renderPath(path);
    expect(await screen.findByText("Oops! Page not found")).toBeTruthy();
  });
});
