import { act, screen, waitFor } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { renderPath } from "../../testing/renderPath.tsx";

function open(path: string, step?: string): void {
  const queries = step === undefined ? [] : [{ url: "/newsletter/step", body: step }];
  renderPath(path, { event_id: 1, queries });
}

const form = () => document.querySelector("main form");

afterEach(() => vi.useRealTimers());

describe("the page of a confirmation link", () => {
  it("posts to its own address by one button", async () => {
    open("/newsletter/confirm/of-nova", "confirm");
    const button = await screen.findByRole("button", { name: "YES, WRITE TO ME" });
    expect(button.getAttribute("type")).toBe("submit");
    expect(form()?.getAttribute("method")).toBe("post");
    expect(form()?.hasAttribute("action")).toBe(false);
  });

  it("says that the address is confirmed", async () => {
    open("/newsletter/confirm/of-nova", "confirmed");
    expect(await screen.findByRole("heading", { name: "YOU ARE ON THE LIST." })).toBeTruthy();
    expect(form()).toBeNull();
  });

  it("offers to subscribe where the link is no longer good", async () => {
    open("/newsletter/confirm/of-nova", "expired");
    expect(await screen.findByText(/no longer good: it was used up/)).toBeTruthy();
    const again = screen.getByRole("link", { name: "Subscribe Again" });
    expect(again.getAttribute("href")).toBe("/");
    expect(form()).toBeNull();
  });

  it("says that a press has failed", async () => {
    open("/newsletter/confirm/of-nova", "failed");
    expect(await screen.findByRole("heading", { name: "THAT DID NOT WORK." })).toBeTruthy();
    expect(screen.getByRole("alert").textContent).toMatch(/Try it again in a moment/);
    expect(screen.getByRole("button", { name: "YES, WRITE TO ME" })).toBeTruthy();
  });
});

describe("the title of a newsletter's page", () => {
  it.each([
    ["confirm", "confirm", "Confirm your address"],
    ["confirm", "confirmed", "You are on the list"],
    ["confirm", "expired", "This link is no longer good"],
    ["leave", "leave", "Leave the list"],
    ["leave", "left", "YOU ARE OFF THE LIST."],
    ["leave", "back", "You are back on the list"],
    ["leave", "late", "That was too long ago"],
    ["confirm", "failed", "Not available"],
    ["leave", "failed", "Not available"],
  ])("is its step's (%s, %s)", async (page, step, title) => {
    open(`/newsletter/${page}/of-nova`, step);
    await waitFor(() => expect(document.title).toBe(`${title} — 404 COLLECTIVE`));
  });
});

describe("the page of a link to leave", () => {
  it.each([["leave"], [undefined], ["confirmed"]])("asks once (%s)", async (step) => {
    open("/newsletter/leave/of-nova", step);
    expect(await screen.findByRole("button", { name: "LEAVE THE LIST" })).toBeTruthy();
  });

  it("offers the way back for a minute", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    open("/newsletter/leave/of-nova", "left");
    expect(await screen.findByRole("heading", { name: "YOU ARE OFF THE LIST." })).toBeTruthy();
    const back = screen.getByRole("button", { name: "COME BACK" });
    expect([back.getAttribute("name"), back.getAttribute("value")]).toEqual(["come_back", "yes"]);
    act(() => vi.advanceTimersByTime(60_000));
    await waitFor(() => expect(screen.queryByRole("button", { name: "COME BACK" })).toBeNull());
  });

  it("says that a press has failed, whichever it was", async () => {
    open("/newsletter/leave/of-nova", "failed");
    expect(await screen.findByRole("heading", { name: "THAT DID NOT WORK." })).toBeTruthy();
    expect(screen.getByRole("alert").textContent).toMatch(/may have been done all the same/);
    const names = screen.getAllByRole("button").map((button) => button.textContent);
    expect(names).toEqual(expect.arrayContaining(["LEAVE THE LIST", "COME BACK"]));
  });

  it.each([
    ["back", "YOU ARE BACK ON THE LIST."],
    ["late", "TOO LATE"],
  ])("says what came of it (%s)", async (step, heading) => {
    open("/newsletter/leave/of-nova", step);
    expect(await screen.findByRole("heading", { name: heading })).toBeTruthy();
    expect(form()).toBeNull();
  });
});
