import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { answerConsent, openTab } from "../../../../testing/backOffice.ts";
import { answerCall, holdCall, refuseCall } from "../../../../testing/calls.ts";

const SETTINGS = "/api/admin/newsletter/settings";

const STORED = {
  asks_to_confirm: true,
  confirmations_a_day: 500,
  letters_a_second: 2,
  letters_an_hour: null,
  letters_a_day: null,
  postal_address: "",
};

async function open(changes: Parameters<typeof answerConsent>[0] = {}) {
  answerConsent(changes);
  const { user } = openTab("newsletter");
  const section = within(await screen.findByRole("region", { name: "Letters" }));
  const button = section.getByRole("button", { name: "PACE AND ADDRESS" });
  await waitFor(() => expect(button.getAttribute("aria-disabled") ?? "false").toBe("false"));
  await user.click(button);
  return { user, section };
}

it("sets what was touched, without a bound where a field is empty", async () => {
  const { user, section } = await open({ settings: { ...STORED, letters_a_day: 900 } });
  const heard = answerCall("patch", SETTINGS, STORED);
  const second = await section.findByLabelText("A second");
  await user.clear(second);
  await user.type(second, "10");
  await user.clear(section.getByLabelText("A day"));
  await user.click(section.getByRole("button", { name: "SAVE" }));
  expect(await screen.findByText("Settings saved")).toBeTruthy();
  expect(heard).toEqual([{ body: { letters_a_second: 10, letters_a_day: 0 } }]);
  expect(section.queryByRole("textbox", { name: "A second" })).toBeNull();
  const button = section.getByRole("button", { name: "PACE AND ADDRESS" });
  expect(document.activeElement).toBe(button);
});

it("leaves the focus where it has moved on to while it was saved", async () => {
  const { user, section } = await open();
  answerCall("patch", SETTINGS, { ...STORED, postal_address: "Deadwax" });
  const answerNow = holdCall("patch", SETTINGS);
  await user.type(await section.findByLabelText("Postal address"), "Deadwax");
  await user.click(section.getByRole("button", { name: "SAVE" }));
  const elsewhere = screen.getByRole("button", { name: "Import" });
  elsewhere.focus();
  answerNow();
  await waitFor(() => expect(section.queryByRole("button", { name: "SAVE" })).toBeNull());
  expect(document.activeElement).toBe(elsewhere);
});

it("reads numbers between characters that are not seen", async () => {
  const { user, section } = await open({ settings: { ...STORED, letters_a_day: 900 } });
  const heard = answerCall("patch", SETTINGS, STORED);
  const second = await section.findByLabelText("A second");
  await user.clear(second);
  await user.type(second, "\u200e10\u200b");
  await user.clear(section.getByLabelText("A day"));
  await user.type(section.getByLabelText("A day"), "\u200b");
  await user.click(section.getByRole("button", { name: "SAVE" }));
  await waitFor(() =>
    expect(heard).toEqual([{ body: { letters_a_second: 10, letters_a_day: 0 } }]),
  );
});

it("keeps what was typed beside the server's words", async () => {
  const { user, section } = await open();
  const heard = refuseCall("patch", SETTINGS, 422, {
    code: "validation",
    fields: { letters_a_second: "Between 1 and 50 letters go out in a second." },
  });
  const second = await section.findByLabelText("A second");
  await user.clear(second);
  await user.type(second, "many");
  await user.click(section.getByRole("button", { name: "SAVE" }));
  expect(await section.findByText("Between 1 and 50 letters go out in a second.")).toBeTruthy();
  expect(heard[0]?.body).toMatchObject({ letters_a_second: -1 });
  expect(section.getByLabelText<HTMLInputElement>("A second").value).toBe("many");
});

it("keeps what was typed when it is closed by its button", async () => {
  const { user, section } = await open();
  await user.type(await section.findByLabelText("Postal address"), "Deadwax");
  await user.click(section.getByRole("button", { name: "PACE AND ADDRESS" }));
  expect(section.queryByRole("textbox", { name: "Postal address" })).toBeNull();
  await user.click(section.getByRole("button", { name: "PACE AND ADDRESS" }));
  const address = section.getByRole<HTMLTextAreaElement>("textbox", { name: "Postal address" });
  expect(address.value).toBe("Deadwax");
});

it("keeps what is typed while it is saved, to be saved next", async () => {
  const { user, section } = await open();
  const heard = answerCall("patch", SETTINGS, { ...STORED, postal_address: "Deadwax" });
  const answerNow = holdCall("patch", SETTINGS);
  const address = await section.findByLabelText<HTMLTextAreaElement>("Postal address");
  await user.type(address, "Deadwax");
  await user.click(section.getByRole("button", { name: "SAVE" }));
  await user.type(address, ", Lane 1");
  await user.type(section.getByLabelText("An hour"), "300");
  answerNow();
  expect(await screen.findByText("Settings saved")).toBeTruthy();
  expect(address.value).toBe("Deadwax, Lane 1");
  await user.click(await section.findByRole("button", { name: "SAVE" }));
  await waitFor(() => expect(section.queryByRole("textbox", { name: "A second" })).toBeNull());
  expect(heard.map(({ body }) => body)).toEqual([
    { postal_address: "Deadwax" },
    { postal_address: "Deadwax, Lane 1", letters_an_hour: 300 },
  ]);
});

it("shows a refusal in a toast where its field has other words by then", async () => {
  const { user, section } = await open();
  const words = "Between 1 and 50 letters go out in a second.";
  refuseCall("patch", SETTINGS, 422, {
    code: "validation",
    detail: words,
    fields: { letters_a_second: words },
  });
  const answerNow = holdCall("patch", SETTINGS);
  const second = await section.findByLabelText("A second");
  await user.type(second, "0");
  await user.click(section.getByRole("button", { name: "SAVE" }));
  await user.type(second, "0");
  answerNow();
  expect(await screen.findAllByText(words)).not.toEqual([]);
  expect(section.queryByText(words)).toBeNull();
});

it("says that letters that come back are not seen", async () => {
  const { section } = await open({ sees_bounces: false });
  expect(section.getByText(/come back later are not seen/)).toBeTruthy();
});
