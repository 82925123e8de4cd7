// Buttons beside a field that is empty.
import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it } from "vitest";
import { aDeskDemo, keepDesk } from "../../../../testing/desk.ts";
import { fakePlayers, onDesk, openDesk } from "../../../../testing/deskScreen.tsx";

beforeEach(async () => {
  fakePlayers();
  keepDesk(aDeskDemo());
  await openDesk();
  await onDesk("Rhythm & Sound");
});

it("Add Note leads back to its field", async () => {
  const field = screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Note" });
  await userEvent.type(field, "Loud.");
  await userEvent.click(screen.getByRole("button", { name: /^Add Note/ }));
  await expect.poll(() => field.value).toBe("");
  expect(document.activeElement).toBe(field);
});

it("Add Tag leads back to its field", async () => {
  const field = screen.getByRole("combobox", { name: "Tags" });
  await userEvent.type(field, "dub");
  await userEvent.click(screen.getByRole("button", { name: "Add Tag" }));
  expect(document.activeElement).toBe(field);
});
