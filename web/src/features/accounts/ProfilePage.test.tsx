import { screen, waitFor } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { answerCall, breakCall, refuseCall, seeAs } from "../../testing/calls.ts";
import { aMember, aPendingMember, VISITOR } from "../../testing/people.ts";
import { aProfile, openProfileTo } from "../../testing/profile.ts";
import { renderPath } from "../../testing/renderPath.tsx";
import { dropMailedLink } from "./mailedLink.ts";

afterEach(dropMailedLink);

const toast = async (text: string) =>
  expect((await screen.findAllByText(text)).length).toBeGreaterThan(0);

describe("who may open the profile", () => {
  it("is not a visitor: they are led home", async () => {
    const { router } = renderPath("/profile");
    await waitFor(() => expect(router.state.location.pathname).toBe("/"));
  });

  it("is a member, who sees every section", async () => {
    openProfileTo();
    renderPath("/profile");
    expect(await screen.findByRole("heading", { name: "IDENTITY" })).toBeTruthy();
    for (const name of [
      "PASSWORD",
      "MULTI-FACTOR AUTHENTICATION",
      "AVATAR",
      "EMAIL CONFIGURATION",
      "SESSIONS",
      "DANGER ZONE",
    ]) {
      expect(screen.getByRole("heading", { name })).toBeTruthy();
    }
    expect(screen.getByText("November 2026")).toBeTruthy();
    expect(screen.getAllByText("mira@example.org").length).toBeGreaterThan(0);
  });

  it("is asked for the second factor first, where it is still to be given", async () => {
    seeAs(aPendingMember());
    renderPath("/profile");
    expect(await screen.findByRole("heading", { name: "Two-Factor Authentication" })).toBeTruthy();
    expect(screen.queryByRole("heading", { name: "IDENTITY" })).toBeNull();
  });

  it("gets a missing profile made anew", async () => {
    openProfileTo();
    refuseCall("get", "/api/profile", 404, { code: "profile_missing" });
    const heard = answerCall("post", "/api/profile", aProfile({ username: "mira2" }));
    renderPath("/profile");
    expect(await screen.findByText("mira2")).toBeTruthy();
    expect(heard).toHaveLength(1);
  });

  it("is told when even that fails", async () => {
    openProfileTo();
    refuseCall("get", "/api/profile", 404, { code: "profile_missing" });
    refuseCall("post", "/api/profile", 409, { code: "conflict" });
    renderPath("/profile");
    await toast("PROFILE ERROR");
    await toast("Profile not properly loaded. Please refresh the page.");
  });
});

describe("a reset link", () => {
  it("signs in, and has the new password at hand", async () => {
    openProfileTo();
    seeAs(VISITOR);
    const heard = answerCall("post", "/api/auth/reset", aMember());
    const { router } = renderPath("/profile#type=recovery&token=abc");
    const field = await screen.findByLabelText("New Password");
    expect(document.activeElement).toBe(field);
    expect(router.state.location.href).toBe("/profile");
    expect(heard.map(({ body }) => body)).toEqual([{ token: "abc" }]);
  });

  it("does not pass the second factor", async () => {
    seeAs(VISITOR);
    answerCall("post", "/api/auth/reset", aPendingMember());
    renderPath("/profile#type=recovery&token=abc");
    expect(await screen.findByRole("heading", { name: "Two-Factor Authentication" })).toBeTruthy();
  });

  it("that is no good leads home and says so", async () => {
    refuseCall("post", "/api/auth/reset", 422, { code: "otp_expired", detail: "Gone." });
    const { router } = renderPath("/profile#type=recovery&token=abc");
    await toast("Invalid confirmation link or expired token");
    expect(router.state.location.href).toBe("/");
  });

  it("without an answer leads home with other words", async () => {
    breakCall("post", "/api/auth/reset");
    const { router } = renderPath("/profile#type=recovery&token=abc");
    await toast("An unexpected error occurred");
    expect(router.state.location.href).toBe("/");
  });
});

describe("the link to a new address", () => {
  it("shows it on the profile", async () => {
    openProfileTo(aProfile({ email: "new@example.org" }));
    const heard = answerCall("post", "/api/auth/email-change/confirm", {
      email: "new@example.org",
    });
    renderPath("/profile#type=email_change&token=abc");
    expect((await screen.findAllByText("new@example.org")).length).toBeGreaterThan(0);
    expect(await screen.findByRole("heading", { name: "IDENTITY" })).toBeTruthy();
    expect(heard.map(({ body }) => body)).toEqual([{ token: "abc" }]);
  });

  it("that is no good leads home, a member too", async () => {
    openProfileTo();
    refuseCall("post", "/api/auth/email-change/confirm", 422, { code: "otp_expired" });
    const { router } = renderPath("/profile#type=email_change&token=abc");
    await toast("Invalid confirmation link or expired token");
    expect(router.state.location.href).toBe("/");
  });
});
