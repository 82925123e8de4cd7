import { screen, waitFor, within } from "@testing-library/react";
import { delay, HttpResponse, http } from "msw";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { answerConsent, openTab } from "../../../testing/backOffice.ts";
import { refuseCall } from "../../../testing/calls.ts";
import { server } from "../../../testing/fakeApi.ts";
import { FakeEventSource } from "../../../testing/fakeEventSource.ts";
import type { Subscriber } from "./NewsletterTab.tsx";

const PATH = "/api/admin/newsletter";
const EXPORT = `${PATH}/export` as const;
const FAILED = "Failed to load newsletter subscriptions.";

function aSubscriber(n: number, changes: Partial<Subscriber> = {}): Subscriber {
  return {
    id: `subscriber-${n}`,
    email: `listener-${n}@example.org`,
    active: true,
    inactive_reason: null,
    consent: "confirmed",
    subscribed_at: "2026-11-20T12:00:00Z",
    ...changes,
  };
}

/** Keeps these subscribers; returns the searches. */
function keep(...subscribers: Subscriber[]): string[] {
  const searches: string[] = [];
  let rows = subscribers;
  server.use(
    http.delete(`*${PATH}/:id`, ({ params }) => {
      rows = rows.filter(({ id }) => id !== params.id);
      return new HttpResponse(null, { status: 204 });
    }),
    http.get(`*${PATH}`, ({ request }) => {
      const q = new URL(request.url).searchParams.get("q") ?? "";
      searches.push(q);
      const items = rows.filter(({ email }) => email.includes(q));
      return HttpResponse.json({
        items,
        next_cursor: null,
        total: items.length,
        active_count: rows.filter(({ active }) => active).length,
      });
    }),
  );
  return searches;
}

const exportButton = () =>
  screen.findByRole<HTMLButtonElement>("button", { name: "Export Emails" });
const activeCount = () => screen.getByRole("definition").textContent;

beforeEach(() => answerConsent());

describe("the list of subscribers", () => {
  it("counts the active, and says of each who, whether and since when", async () => {
    keep(
      aSubscriber(1),
      aSubscriber(2, {
        active: false,
        inactive_reason: "left",
        consent: "unconfirmed",
        subscribed_at: "2025-01-02T12:00:00Z",
      }),
      aSubscriber(3),
    );
    openTab("newsletter");
    const table = within(await screen.findByRole("table", { name: "Newsletter subscriptions" }));
    expect(table.getAllByRole("columnheader").map(({ textContent }) => textContent)).toEqual([
      "Email",
      "Status",
      "Consent",
      "Subscribed Date",
      "Actions",
    ]);
    const row = (name: string) =>
      within(table.getByRole("row", { name: new RegExp(name) }))
        .getAllByRole("cell")
        .map(({ textContent }) => textContent);
    expect(row("listener-1@")).toEqual(["Active", "Confirmed", "2026.11.20", "Remove"]);
    expect(row("listener-2@")).toEqual(["Inactiveleft", "Unconfirmed", "2025.01.02", "Remove"]);
    expect(screen.getByText("Active subscribers")).toBeTruthy();
    expect(activeCount()).toBe("2");
  });

  it("says when there are none, and has nothing to export then", async () => {
    keep();
    openTab("newsletter");
    expect(await screen.findByText("No subscribers yet")).toBeTruthy();
    expect(activeCount()).toBe("0");
    expect((await exportButton()).disabled).toBe(true);
  });

  it("finds by a part of the address, and counts the active all the same", async () => {
    const searches = keep(aSubscriber(1), aSubscriber(2));
    const { user } = openTab("newsletter");
    await screen.findByText("listener-2@example.org");
    const box = screen.getByRole("searchbox", { name: "Search emails" });
    await user.type(box, " listener-1");
    await waitFor(() => expect(screen.queryByText("listener-2@example.org")).toBeNull());
    expect(searches.filter(Boolean)).toEqual(["listener-1"]);
    expect(activeCount()).toBe("2");
    await user.type(box, "x");
    expect(await screen.findByText("Nothing found for “listener-1x”")).toBeTruthy();
    expect((await exportButton()).disabled).toBe(false);
    expect(screen.getByRole("heading", { name: "Newsletter (2)" })).toBeTruthy();
    const consent = screen.getByRole<HTMLButtonElement>("button", { name: "Export Consent" });
    expect(consent.disabled).toBe(false);
  });

  it("takes somebody off without a question, and counts on", async () => {
    keep(aSubscriber(1), aSubscriber(2));
    const { user } = openTab("newsletter");
    await user.click(await screen.findByRole("button", { name: "Remove listener-1@example.org" }));
    expect(await screen.findByText("Subscriber removed successfully")).toBeTruthy();
    expect(screen.queryByText("listener-1@example.org")).toBeNull();
    await waitFor(() => expect(activeCount()).toBe("1"));
    expect(document.activeElement).toBe(screen.getByRole("row", { name: /listener-2@/ }));
    screen.getByRole("button", { name: "Remove listener-2@example.org" }).focus();
    await user.keyboard("{Enter}");
    expect(await screen.findByText("No subscribers yet")).toBeTruthy();
    expect((await exportButton()).disabled).toBe(true);
  });

  it("keeps who could not be taken off", async () => {
    keep(aSubscriber(1));
    refuseCall("delete", `${PATH}/subscriber-1`, 500, { code: "internal" });
    const { user } = openTab("newsletter");
    await user.click(await screen.findByRole("button", { name: /^Remove/ }));
    expect(await screen.findAllByText("Failed to remove subscriber")).not.toEqual([]);
    expect(screen.getByText("listener-1@example.org")).toBeTruthy();
  });

  it("tells how many a search has found", async () => {
    keep(aSubscriber(1), aSubscriber(2));
    const { user } = openTab("newsletter");
    await screen.findByText("listener-2@example.org");
    await user.type(screen.getByRole("searchbox", { name: "Search emails" }), "listener-2");
    expect((await screen.findByText("1 found")).getAttribute("role")).toBe("status");
  });

  it("says that it is on its way", async () => {
    server.use(http.get(`*${PATH}`, () => delay("infinite")));
    openTab("newsletter");
    expect(await screen.findByText("Loading Newsletter subscriptions...")).toBeTruthy();
    expect((await exportButton()).disabled).toBe(true);
  });

  it("says that it cannot be read, and is read again on demand", async () => {
    refuseCall("get", PATH, 422, { code: "refused" });
    const { user } = openTab("newsletter");
    await screen.findByRole("button", { name: "Try Again" });
    // In place, and in the toast.
    await waitFor(() => expect(screen.getAllByText(FAILED).length).toBeGreaterThan(1));
    keep(aSubscriber(1));
    await user.click(screen.getByRole("button", { name: "Try Again" }));
    expect(await screen.findByText("listener-1@example.org")).toBeTruthy();
  });

  it("shows who subscribes meanwhile", async () => {
    keep(aSubscriber(1));
    openTab("newsletter");
    await screen.findByText("listener-1@example.org");
    keep(aSubscriber(2), aSubscriber(1));
    FakeEventSource.current.open();
    const change = { table: "newsletter_subscriptions", op: "insert", key: "k" };
    FakeEventSource.current.say("change", change, "7");
    expect(await screen.findByText("listener-2@example.org")).toBeTruthy();
    expect(activeCount()).toBe("2");
  });

  it("says how long it is, and where each row stands in it", async () => {
    server.use(
      http.get(`*${PATH}`, ({ request }) => {
        const from = Number(new URL(request.url).searchParams.get("cursor") ?? 0);
        return HttpResponse.json({
          items: Array.from({ length: 50 }, (_, n) => aSubscriber(from + n)),
          next_cursor: String(from + 50),
          total: 10_000,
          active_count: 9_000,
        });
      }),
    );
    openTab("newsletter");
    const table = await screen.findByRole("table", { name: "Newsletter subscriptions" });
    expect(table.getAttribute("aria-rowcount")).toBe("10001");
    const row = within(table).getByRole("row", { name: /listener-0@/ });
    expect(row.getAttribute("aria-rowindex")).toBe("2");
    expect(activeCount()).toBe("9000");
  });
});

describe("the export", () => {
  const saved = vi.fn();

  beforeEach(() => {
    saved.mockReset();
    vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (
      this: HTMLAnchorElement,
    ) {
      saved(this.download);
    });
    keep(aSubscriber(1));
  });

  it("saves the file under the server's name, once by a double click", async () => {
    let asked = 0;
    server.use(
      http.get(`*${EXPORT}`, async () => {
        asked += 1;
        await delay(50);
        return new HttpResponse("listener-1@example.org\n", {
          headers: {
            "content-type": "text/plain; charset=utf-8",
            "content-disposition": 'attachment; filename="newsletter-emails-2026-11-20.txt"',
          },
        });
      }),
    );
    const files: Blob[] = [];
    vi.spyOn(URL, "createObjectURL").mockImplementation((file) => {
      files.push(file as Blob);
      return "blob:file";
    });
    const { user } = openTab("newsletter");
    await screen.findByText("listener-1@example.org");
    await user.dblClick(await exportButton());
    expect(await screen.findByText("Export complete")).toBeTruthy();
    expect(saved.mock.calls).toEqual([["newsletter-emails-2026-11-20.txt"]]);
    expect(await files[0]?.text()).toBe("listener-1@example.org\n");
    expect(asked).toBe(1);
  });

  it.each([
    ["refused", () => HttpResponse.json({ code: "internal" }, { status: 500 })],
    ["lost on the way", () => HttpResponse.error()],
  ])("that is %s says so and saves nothing", async (_, fail) => {
    server.use(http.get(`*${EXPORT}`, fail));
    const { user } = openTab("newsletter");
    await screen.findByText("listener-1@example.org");
    await user.click(await exportButton());
    // Visibly, and announced.
    const words = "The emails could not be exported. Please try again.";
    expect(await screen.findAllByText(words)).not.toEqual([]);
    expect(screen.queryByText(FAILED)).toBeNull();
    expect(saved).not.toHaveBeenCalled();
    expect((await exportButton()).getAttribute("aria-disabled")).toBe("false");
  });
});
