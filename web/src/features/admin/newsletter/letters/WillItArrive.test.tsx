import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen, within } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import type { Schemas } from "../../../../api/client.ts";
import { anArrival } from "../../../../testing/arrivals.ts";
import { answerConsent, openTab } from "../../../../testing/backOffice.ts";
import { answerCall, breakCall, refuseCall } from "../../../../testing/calls.ts";
import { answer } from "../../../../testing/fakeApi.ts";
import { ArrivalWarnings } from "./ArrivalWarnings.tsx";

const ARRIVAL = "/api/admin/newsletter/arrival";
const READ_BACK = "/api/admin/newsletter/read-back";
const HEADERS = "/api/admin/newsletter/headers";

const FOUND: Schemas["HeaderFindings"] = {
  said: "mx.example received the letter and found:",
  findings: [{ check: "dkim", grade: "pass", text: "DKIM passed.", record: null }],
};

function showWarnings() {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  return render(
    <QueryClientProvider client={client}>
      <ArrivalWarnings />
    </QueryClientProvider>,
  );
}

async function open() {
  answerConsent();
  const { user } = openTab("newsletter");
  const letters = within(await screen.findByRole("region", { name: "Letters" }));
  await user.click(letters.getByRole("button", { name: "WILL IT ARRIVE?" }));
  return { user, section: within(await screen.findByRole("region", { name: "Will it arrive?" })) };
}

it("shows what is kept, and copies the record to enter", async () => {
  answer(ARRIVAL, anArrival());
  const looked = answerCall("post", ARRIVAL, anArrival());
  const { user, section } = await open();
  const list = within(await section.findByRole("list", { name: "Found by looking it up" }));
  const rows = list.getAllByRole("listitem").map((row) => row.textContent);
  expect(rows[0]).toContain("PassSender");
  expect(rows[1]).toContain("label.example TXT v=spf1 include:mailgun.org ~all");
  expect(looked).toEqual([]);
  await user.click(list.getByRole("button", { name: "Copy Record, SPF" }));
  expect(await screen.findByText("Record copied to clipboard")).toBeTruthy();
  expect(await navigator.clipboard.readText()).toBe("v=spf1 include:mailgun.org ~all");
});

it("looks it up if that is too long ago, and again when asked", async () => {
  answer(ARRIVAL, anArrival({ checked_at: null, is_fresh: false, findings: [] }));
  const looked = answerCall("post", ARRIVAL, anArrival());
  const { user, section } = await open();
  expect(await section.findByText(/has no SPF record/)).toBeTruthy();
  expect(looked).toHaveLength(1);
  const findings = anArrival().findings.map((finding) => ({ ...finding, grade: "pass" as const }));
  const again = answerCall("post", ARRIVAL, anArrival({ findings }));
  await user.click(section.getByRole("button", { name: "CHECK AGAIN" }));
  await vi.waitFor(() => expect(section.queryByText("Fail")).toBeNull());
  expect(again).toHaveLength(1);
});

it("keeps what was found if looking again fails", async () => {
  answer(ARRIVAL, anArrival());
  const { user, section } = await open();
  await section.findByText(/has no SPF record/);
  breakCall("post", ARRIVAL);
  await user.click(section.getByRole("button", { name: "CHECK AGAIN" }));
  expect(await screen.findAllByText("That could not be found out. Please try again.")).toBeTruthy();
  expect(section.getByText(/has no SPF record/)).toBeTruthy();
});

it("can be asked again after a first look that failed", async () => {
  refuseCall("get", ARRIVAL, 500, { code: "internal" });
  const { user, section } = await open();
  expect(await section.findByText("It could not be looked up.")).toBeTruthy();
  answerCall("post", ARRIVAL, anArrival());
  await user.click(section.getByRole("button", { name: "CHECK AGAIN" }));
  expect(await section.findByText(/has no SPF record/)).toBeTruthy();
});

it("sends a letter and shows what the server found that received it", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true, advanceTimeDelta: 50 });
  answer(ARRIVAL, anArrival({ can_read_back: true }));
  const { user, section } = await open();
  const sent_at = "2026-11-20T12:00:00Z";
  const waiting = anArrival({
    can_read_back: true,
    read_back: { sent_at, failure: null, found: null },
  });
  const sent = answerCall("post", READ_BACK, waiting);
  await user.click(await section.findByRole("button", { name: "READ IT BACK" }));
  expect(await section.findByText(/It is not in the bounce mailbox yet/)).toBeTruthy();
  expect(sent).toHaveLength(1);
  answer(ARRIVAL, { ...waiting, read_back: { sent_at, failure: null, found: FOUND } });
  await vi.advanceTimersByTimeAsync(3_500);
  expect(await section.findByText(/mx.example received the letter and found/)).toBeTruthy();
  expect(section.getByText("DKIM passed.")).toBeTruthy();
  vi.useRealTimers();
});

it("says why a letter did not arrive", async () => {
  const read_back = {
    sent_at: "2026-11-20T12:00:00Z",
    failure: "The mail server refused the letter (550 5.1.1).",
    found: null,
  };
  answer(ARRIVAL, anArrival({ can_read_back: true, read_back }));
  const { section } = await open();
  expect(await section.findByText(/refused the letter \(550 5.1.1\)/)).toBeTruthy();
});

it("reads pasted headers, and keeps what was pasted beside the server's words", async () => {
  answer(ARRIVAL, anArrival());
  const { user, section } = await open();
  expect(section.queryByRole("button", { name: "READ IT BACK" })).toBeNull();
  await user.click(section.getByRole("button", { name: "PASTE THE HEADERS" }));
  const field = section.getByLabelText(/Headers of a letter/);
  const words = "Paste the whole headers of a letter that arrived, at most 64 KB.";
  refuseCall("post", HEADERS, 422, { code: "invalid_headers", fields: { headers: words } });
  await user.click(field);
  await user.paste("Hello 👋");
  await user.click(section.getByRole("button", { name: "READ THEM" }));
  expect(await section.findByText(words)).toBeTruthy();
  expect((field as HTMLTextAreaElement).value).toBe("Hello 👋");
  const read = answerCall("post", HEADERS, FOUND);
  await user.type(field, "!");
  const line = section.getAllByRole("status").find((region) => region.textContent === "");
  await user.click(section.getByRole("button", { name: "READ THEM" }));
  // Only a region that was there before is announced.
  expect(await section.findByText(FOUND.said)).toBe(line);
  expect(read).toEqual([{ body: { headers: "Hello 👋!" } }]);
});

it("names the warnings and failures before a letter goes out", async () => {
  answer(ARRIVAL, anArrival());
  showWarnings();
  expect(await screen.findByText(/^Fail, SPF: label.example has no SPF record/)).toBeTruthy();
  expect(screen.getByText(/^Warning, Postal address: No postal address/)).toBeTruthy();
  expect(screen.queryByText(/Letters come from/)).toBeNull();
});

it("says so if nothing speaks against it, or nothing is known", async () => {
  answer(ARRIVAL, anArrival({ findings: anArrival().findings.slice(0, 1) }));
  const { unmount } = showWarnings();
  expect(await screen.findByText(/Nothing was found that speaks against it/)).toBeTruthy();
  unmount();
  refuseCall("get", ARRIVAL, 500, { code: "internal" });
  showWarnings();
  expect(await screen.findByText(/could not be looked up/)).toBeTruthy();
});
