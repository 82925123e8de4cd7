import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { expect, it } from "vitest";
import type { Answer } from "../../../../api/client.ts";
import { anArrival } from "../../../../testing/arrivals.ts";
import { aSending, NOBODY } from "../../../../testing/backOffice.ts";
import { answerCall, breakCall, holdCall, refuseCall } from "../../../../testing/calls.ts";
import { aLabel } from "../../../../testing/catalogue.ts";
import { answer, server } from "../../../../testing/fakeApi.ts";
import { takeToasts, waitingToasts } from "../../../../ui/toasts/toastQueue.ts";
import { aboutHowLong } from "./aboutHowLong.ts";
import { LetterSending } from "./LetterSending.tsx";

type Sending = Answer<"GET", "/api/admin/letters/{id}/sending">;

const SENDING = "/api/admin/letters/a-letter/sending";
const ARRIVAL = "/api/admin/newsletter/arrival";
const SEND = "/api/admin/letters/a-letter/send";

async function open(sending: Sending, blocked?: string) {
  answerCall("get", SENDING, sending);
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <QueryClientProvider client={client}>
      <LetterSending id="a-letter" version={3} blocked={blocked} />
    </QueryClientProvider>,
  );
  const section = within(screen.getByRole("region", { name: "Sending" }));
  await waitFor(() => expect(section.queryAllByRole("button").length).toBeGreaterThan(0));
  return { user: userEvent.setup(), section };
}

/** The question, once its letter can be sent. */
async function lookedUp() {
  const question = within(await screen.findByRole("alertdialog"));
  await question.findByText(/^Will it arrive\? Found/);
  return question;
}

const UNDER_WAY = {
  began_at: "2026-11-20T12:00:00Z",
  counts: { ...NOBODY, waiting: 900, sent: 298, bounced: 2 },
} as const;

it("asks once, says to how many and how long, and can be undone for a minute", async () => {
  const { user, section } = await open(aSending());
  expect(section.getByText("1 200 subscribers would get it, within 10 minutes.")).toBeTruthy();
  const goes_out_at = new Date(Date.now() + 60_000).toISOString();
  const sent = answerCall("post", SEND, aSending({ state: "scheduled", goes_out_at }));
  await user.click(section.getByRole("button", { name: "SEND" }));
  const question = within(await screen.findByRole("alertdialog"));
  expect(question.getByText("Send to 1 200 subscribers?")).toBeTruthy();
  await user.click(question.getByRole("button", { name: "CANCEL" }));
  expect(sent).toEqual([]);
  await user.click(section.getByRole("button", { name: "SEND" }));
  await user.click((await lookedUp()).getByRole("button", { name: "SEND" }));
  const undone = answerCall("post", SENDING, aSending());
  await user.click(await section.findByRole("button", { name: "UNDO" }));
  expect(await section.findByRole("button", { name: "SEND" })).toBeTruthy();
  expect([sent, undone]).toEqual([[{ body: {} }], [{ body: { step: "undo" } }]]);
});

it("says before it goes out that a release is not out", async () => {
  const { user, section } = await open(aSending({ not_out: ["Signal"] }));
  await user.click(section.getByRole("button", { name: "SEND" }));
  const words = "“Signal” is not out: links lead to its page once it is.";
  expect((await lookedUp()).getByText(words)).toBeTruthy();
});

it("goes out only once it is looked up what speaks against it", async () => {
  answer(ARRIVAL, anArrival({ is_fresh: false, findings: [] }));
  answerCall("post", ARRIVAL, anArrival());
  const answerNow = holdCall("post", ARRIVAL);
  const { user, section } = await open(aSending());
  const sent = answerCall("post", SEND, aSending({ state: "scheduled" }));
  await user.click(section.getByRole("button", { name: "SEND" }));
  const question = within(await screen.findByRole("alertdialog"));
  await question.findByText("Will it arrive? Looking it up...");
  await user.click(question.getByRole("button", { name: "SEND" }));
  expect(sent).toEqual([]);
  answerNow();
  expect(await question.findByText(/^Fail, SPF/)).toBeTruthy();
  await user.click(question.getByRole("button", { name: "SEND" }));
  await waitFor(() => expect(sent).toEqual([{ body: {} }]));
});

it("goes out also if nothing could be looked up", async () => {
  refuseCall("get", ARRIVAL, 500, { code: "internal" });
  const { user, section } = await open(aSending());
  await user.click(section.getByRole("button", { name: "SEND" }));
  const question = within(await screen.findByRole("alertdialog"));
  expect(await question.findByText(/could not be looked up/)).toBeTruthy();
  const sent = answerCall("post", SEND, aSending({ state: "scheduled" }));
  await user.click(question.getByRole("button", { name: "SEND" }));
  await waitFor(() => expect(sent).toEqual([{ body: {} }]));
});

it("sends the version on show, whatever the newest one is", async () => {
  const { user, section } = await open(aSending({ version: 4 }));
  const versions: (string | null)[] = [];
  server.use(
    http.post(`*${SEND}`, ({ request }) => {
      versions.push(request.headers.get("if-match"));
      return HttpResponse.json(aSending({ state: "scheduled" }));
    }),
  );
  await user.click(section.getByRole("button", { name: "SEND" }));
  await user.click((await lookedUp()).getByRole("button", { name: "SEND" }));
  await waitFor(() => expect(versions).toEqual(['"3"']));
});

it("is not sent while something speaks against it, or to no subscriber", async () => {
  const nobody = aSending({ counts: { ...NOBODY, recipients: 0 } });
  const { section } = await open(nobody, "Save the letter first.");
  expect(section.getByRole<HTMLButtonElement>("button", { name: "SEND" }).disabled).toBe(true);
  expect(section.getByText("Save the letter first.")).toBeTruthy();
  expect(section.getByText("There is no confirmed subscriber to write to yet.")).toBeTruthy();
});

it("goes out at a time of the label's clock, which is named", async () => {
  answer("/api/label", aLabel({ time_zone: "Pacific/Kiritimati" }));
  const { user, section } = await open(aSending());
  expect(
    await section.findByText("Empty: in a minute. The label's time, Pacific/Kiritimati."),
  ).toBeTruthy();
  const goes_out_at = "2099-01-02T04:30:00.000Z";
  const sent = answerCall("post", SEND, aSending({ state: "scheduled", goes_out_at }));
  await user.type(section.getByLabelText(/Goes out/), "2099-01-02T18:30");
  await user.click(section.getByRole("button", { name: "SCHEDULE" }));
  const question = await lookedUp();
  expect(question.getByText(/^It begins on 2099.01.02 18:30, Pacific\/Kiritimati\./)).toBeTruthy();
  await user.click(question.getByRole("button", { name: "SCHEDULE" }));
  const status = await section.findByText(/^Goes out on/);
  expect(status.textContent).toBe(
    "Goes out on 2099.01.02 18:30, Pacific/Kiritimati, to 1 200 subscribers.",
  );
  expect(sent).toEqual([{ body: { goes_out_at } }]);
});

it("does not take a day without a time for neither", async () => {
  const { user, section } = await open(aSending());
  const field = section.getByLabelText<HTMLInputElement>(/Goes out/);
  Object.defineProperty(field, "validity", { value: { badInput: true }, configurable: true });
  await user.click(section.getByRole("button", { name: "SEND" }));
  expect(section.getByText("Fill in the day and the time, or neither.")).toBeTruthy();
  expect(screen.queryByRole("alertdialog")).toBeNull();
  expect(document.activeElement).toBe(field);
  Object.defineProperty(field, "validity", { value: { badInput: false } });
  await user.type(field, "2099-01-02T18:30");
  expect(section.queryByText("Fill in the day and the time, or neither.")).toBeNull();
  await user.click(section.getByRole("button", { name: "SCHEDULE" }));
  await lookedUp();
});

it("shows the server's words beside a time it refuses", async () => {
  const { user, section } = await open(aSending());
  const refused = refuseCall("post", SEND, 422, {
    code: "validation",
    fields: { goes_out_at: "Choose a time within the next year." },
  });
  const field = section.getByLabelText<HTMLInputElement>(/Goes out/);
  expect(field.max).toBe("9999-12-31T23:59");
  // A longer year, which browsers take and this window refuses.
  field.type = "text";
  fireEvent.change(field, { target: { value: "202612-11-20T12:00" } });
  await user.click(section.getByRole("button", { name: "SCHEDULE" }));
  const question = await lookedUp();
  await user.click(question.getByRole("button", { name: "SCHEDULE" }));
  expect(await section.findByText("Choose a time within the next year.")).toBeTruthy();
  expect(refused).toEqual([{ body: { goes_out_at: "9999-11-20T12:00:00.000Z" } }]);
});

it("names the part that keeps it back, such as a picture in the trash", async () => {
  const { user, section } = await open(aSending());
  const fields = { "parts[1].picture": "This picture is not in the library any more." };
  refuseCall("post", SEND, 422, { code: "validation", fields });
  await user.click(section.getByRole("button", { name: "SEND" }));
  const question = await lookedUp();
  await user.click(question.getByRole("button", { name: "SEND" }));
  await waitFor(() =>
    expect(waitingToasts.get().map(({ description }) => description)).toEqual([
      "Part 2: This picture is not in the library any more.",
    ]),
  );
});

it("may have been done where only the answer was lost", async () => {
  takeToasts();
  const { user, section } = await open(aSending());
  answerCall("get", SENDING, aSending({ state: "sending", ...UNDER_WAY }));
  answerCall("post", SEND, null, 504);
  await user.click(section.getByRole("button", { name: "SEND" }));
  await user.click((await lookedUp()).getByRole("button", { name: "SEND" }));
  const pause = await section.findByRole("button", { name: "PAUSE" });
  breakCall("post", SENDING);
  await user.click(pause);
  await waitFor(() => expect(waitingToasts.get()).toHaveLength(2));
  const words =
    "That did not work. The server did not answer. It may have been done: look before you try again.";
  expect(waitingToasts.get().map(({ description }) => description)).toEqual([words, words]);
});

it("says that its time was missed, and is sent anew", async () => {
  const { section } = await open(aSending({ state: "missed" }));
  expect(section.getByText(/the program was not running, or its log says why/)).toBeTruthy();
  expect(section.getByRole("button", { name: "SEND" })).toBeTruthy();
});

it("shows how far it is, and is paused, resumed and stopped", async () => {
  const { user, section } = await open(aSending({ state: "sending", ...UNDER_WAY }));
  expect(section.getByRole<HTMLProgressElement>("progressbar", { name: "Sending" }).value).toBe(
    300,
  );
  expect(section.getByText("300 of 1 200 subscribers, about 10 minutes left")).toBeTruthy();
  // Only a region that was there before is announced.
  const region = section.getByRole("status");
  const pause_text = "An admin paused it.";
  const taken = answerCall(
    "post",
    SENDING,
    aSending({ state: "paused", pause_text, ...UNDER_WAY }),
  );
  const answerNow = holdCall("post", SENDING);
  await user.click(section.getByRole("button", { name: "PAUSE" }));
  // It would be left undone while another step is on its way.
  await user.click(section.getByRole("button", { name: "STOP" }));
  expect(screen.queryByRole("alertdialog")).toBeNull();
  answerNow();
  expect(region.contains(await section.findByText(pause_text))).toBe(true);
  await user.click(section.getByRole("button", { name: "STOP" }));
  const question = within(await screen.findByRole("alertdialog"));
  expect(question.getByText(/900 subscribers will not get it/)).toBeTruthy();
  const stopped = answerCall("post", SENDING, aSending({ state: "stopped", ...UNDER_WAY }));
  await user.click(question.getByRole("button", { name: "STOP" }));
  expect(region.contains(await section.findByText(/^Stopped/))).toBe(true);
  expect([taken, stopped]).toEqual([[{ body: { step: "pause" } }], [{ body: { step: "stop" } }]]);
});

it("says why it is paused, and that a backup was restored before it began", async () => {
  const { section } = await open(
    aSending({ state: "paused", pause_text: "A backup was restored." }),
  );
  expect(section.getByText("A backup was restored.")).toBeTruthy();
  for (const name of ["SEND", "BACK TO DRAFT"]) {
    expect(section.getByRole("button", { name })).toBeTruthy();
  }
});

it("names spans in the unit that says most", () => {
  const spans = [0, 1, 59, 119, 120, 601, 7_199, 7_200, 172_799, 172_800];
  expect(spans.map(aboutHowLong)).toEqual([
    "1 second",
    "1 second",
    "59 seconds",
    "119 seconds",
    "2 minutes",
    "11 minutes",
    "120 minutes",
    "2 hours",
    "48 hours",
    "2 days",
  ]);
});

it("counts its minute by the server's clock, which this device's is far ahead of", async () => {
  const date = new Date(Date.now() - 120_000);
  const goes_out_at = new Date(date.getTime() + 60_000).toISOString();
  const scheduled = { ...aSending({ state: "scheduled", goes_out_at }) };
  const { section } = await open(aSending({ state: "scheduled", goes_out_at }));
  expect(section.getByText("0 s")).toBeTruthy();
  const headers = { date: date.toUTCString() };
  server.use(http.get(`*${SENDING}`, () => HttpResponse.json(scheduled, { headers })));
  expect(await section.findByText(/^(5\d|6[01]) s$/)).toBeTruthy();
});
