// Buttons beside a field that is empty.
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, it } from "vitest";
import { Notes } from "./Notes.tsx";
import { Tags } from "./Tags.tsx";

function NotesOfNobody() {
  const [draft, setDraft] = useState("Loud.");
  return (
    <Notes
      notes={[]}
      fieldRef={null}
      draft={draft}
      onDraft={setDraft}
      onAdd={async () => true}
      onDelete={() => {}}
    />
  );
}

it("Add Note leads back to its field", async () => {
  render(<NotesOfNobody />);
  const field = screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Note" });
  await userEvent.click(screen.getByRole("button", { name: /^Add Note/ }));
  await expect.poll(() => field.value).toBe("");
  expect(document.activeElement).toBe(field);
});

it("Add Tag leads back to its field", async () => {
  render(<Tags tags={[]} inUse={[]} onAdd={async () => true} onRemove={() => {}} />);
  const field = screen.getByRole("combobox", { name: "Tags" });
  await userEvent.type(field, "dub");
  await userEvent.click(screen.getByRole("button", { name: "Add Tag" }));
  expect(document.activeElement).toBe(field);
});
