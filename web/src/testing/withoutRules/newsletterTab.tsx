// The Newsletter tab without the rules.
import { screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { A_PREVIEW, aLetter, answerConsent, aSending, openTab } from "../backOffice.ts";
import { answerCall, refuseCall } from "../calls.ts";
import { fill, invalid, REFUSED, says, saysAt } from "./screen.ts";

describe("an admin and the newsletter", () => {
  it("sees who gets the newsletter", async () => {
    const subscriber = {
      id: "s",
      email: "mira@example.org",
      active: true,
      inactive_reason: null,
      consent: "confirmed",
      subscribed_at: "2026-11-01T10:00:00Z",
    };
    const subscribers = { items: [subscriber], next_cursor: null, total: 1, active_count: 1 };
    answerConsent();
    answerCall("get", "/api/admin/newsletter", subscribers);
    const { user } = openTab("newsletter");
    // One for phones, one for wider windows.
    expect(await screen.findAllByText("2026.11.01")).toHaveLength(2);
    refuseCall("delete", "/api/admin/newsletter/s" as never, 500, { code: "internal" });
    await user.click(screen.getByRole("button", { name: "Remove mira@example.org" }));
    await says("subscriber_remove_failed");
    answerCall("delete", "/api/admin/newsletter/s" as never, null, 204);
    await user.click(await screen.findByRole("button", { name: "Remove mira@example.org" }));
    await says("subscriber_removed");
  });

  it("vouches for subscribers", async () => {
    answerConsent({ unconfirmed: 3, not_asked: 3 });
    const subscribers = { items: [], next_cursor: null, total: 0, active_count: 0 };
    answerCall("get", "/api/admin/newsletter", subscribers);
    refuseCall("post", "/api/admin/newsletter/vouch", 422, invalid({ sentence: REFUSED }));
    const { user } = openTab("newsletter");
    await user.click(await screen.findByRole("checkbox", { name: "They agreed elsewhere" }));
    const sentence = screen.getByLabelText<HTMLInputElement>("Where and how they agreed");
    await fill(user, sentence, "Yes.");
    await user.click(screen.getByRole("button", { name: "SAVE FOR ALL 3 UNCONFIRMED" }));
    await saysAt(sentence, REFUSED);
    answerCall("post", "/api/admin/newsletter/vouch", { changed: 3 });
    await fill(user, sentence, "On paper, at the fair.");
    await user.click(screen.getByRole("button", { name: "SAVE FOR ALL 3 UNCONFIRMED" }));
    await says("subscribers_vouched", "3");
  });

  it("sets the pace of letters", async () => {
    answerConsent();
    const subscribers = { items: [], next_cursor: null, total: 0, active_count: 0 };
    answerCall("get", "/api/admin/newsletter", subscribers);
    refuseCall("patch", "/api/admin/newsletter/settings", 422, invalid({ letters_a_day: REFUSED }));
    const { user } = openTab("newsletter");
    await screen.findByText(/1 confirmed/);
    await user.click(screen.getByRole("button", { name: "PACE AND ADDRESS" }));
    const aDay = screen.getByLabelText<HTMLInputElement>("A day");
    await fill(user, aDay, "0.5");
    await user.click(screen.getByRole("button", { name: "SAVE" }));
    await saysAt(aDay, REFUSED);
  });

  it("reads from pasted headers how a letter arrived", async () => {
    answerConsent();
    const subscribers = { items: [], next_cursor: null, total: 0, active_count: 0 };
    answerCall("get", "/api/admin/newsletter", subscribers);
    refuseCall("post", "/api/admin/newsletter/headers", 422, invalid({ headers: REFUSED }));
    const { user } = openTab("newsletter");
    await screen.findByText(/1 confirmed/);
    await user.click(screen.getByRole("button", { name: "WILL IT ARRIVE?" }));
    await user.click(await screen.findByRole("button", { name: "PASTE THE HEADERS" }));
    const headers = screen.getByLabelText<HTMLInputElement>("Headers of a letter that arrived");
    await fill(user, headers, "Dear all,");
    await user.click(screen.getByRole("button", { name: "READ THEM" }));
    await saysAt(headers, REFUSED);
  });

  it("reads a letter that is to go out", async () => {
    answerConsent();
    const subscribers = { items: [], next_cursor: null, total: 0, active_count: 0 };
    answerCall("get", "/api/admin/newsletter", subscribers);
    const letter = aLetter({ state: "scheduled" });
    answerCall("get", "/api/admin/letters", { items: [letter], next_cursor: null, total: 1 });
    answerCall("get", `/api/admin/letters/${letter.id}`, letter);
    answerCall("get", `/api/admin/letters/${letter.id}/sending`, aSending({ state: "scheduled" }));
    answerCall("post", "/api/admin/letters/preview", A_PREVIEW);
    const { user } = openTab("newsletter");
    await user.click(await screen.findByRole("button", { name: "Open News" }));
    expect(await screen.findByText("5 of 60 KB")).toBeTruthy();
  });
});
