import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { answerConsent, openTab } from "../../../../testing/backOffice.ts";
import { answerCall, refuseCall } from "../../../../testing/calls.ts";

const SETTINGS = "/api/admin/newsletter/settings";

async function open(changes: Parameters<typeof answerConsent>[0] = {}) {
  answerConsent(changes);
  const { user } = openTab("newsletter");
  const section = within(await screen.findByRole("region", { name: "Letters" }));
  const button = section.getByRole("button", { name: "PACE AND ADDRESS" });
  await waitFor(() => expect(button.getAttribute("aria-disabled") ?? "false").toBe("false"));
  await user.click(button);
  return { user, section };
}

it("sets the pace and the address, without bounds where a field is empty", async () => {
  const { user, section } = await open();
  const saved = {
    asks_to_confirm: true,
    confirmations_a_day: 500,
    letters_a_second: 10,
    letters_an_hour: 300,
    letters_a_day: null,
    postal_address: "Deadwax, Lane 1",
  };
  const heard = answerCall("patch", SETTINGS, saved);
  const second = await section.findByLabelText("A second");
  await user.clear(second);
  await user.type(second, "10");
  await user.type(section.getByLabelText("An hour"), "300");
  await user.type(section.getByLabelText("Postal address"), "Deadwax, Lane 1");
  await user.click(section.getByRole("button", { name: "SAVE" }));
  expect(await screen.findByText("Settings saved")).toBeTruthy();
  expect(heard).toEqual([
    {
      body: {
        letters_a_second: 10,
        letters_an_hour: 300,
        letters_a_day: 0,
        postal_address: "Deadwax, Lane 1",
      },
    },
  ]);
  expect(section.queryByLabelText("A second")).toBeNull();
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

it("says that letters that come back are not seen", async () => {
  const { section } = await open({ sees_bounces: false });
  expect(section.getByText(/come back later are not seen/)).toBeTruthy();
});
