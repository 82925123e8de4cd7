import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, it } from "vitest";
import { answerCall } from "../../../../testing/calls.ts";
import type { Draft } from "../../editing/drafts.tsx";
import type { Letter, LetterTemplate } from "../deskTypes.ts";
import { TemplateCard } from "./TemplatesDialog.tsx";

const STORED: LetterTemplate = {
  kind: "declined",
  subject: "Theirs",
  text: "Dear you",
  version: 2,
  updated_at: "2026-11-01T10:00:00Z",
};
const SAVED: LetterTemplate = { ...STORED, subject: "Mine", version: 3 };

/** A card whose owner types between the response to a save and its render. */
function Typing() {
  const [template, setTemplate] = useState(STORED);
  const [draft, setDraft] = useState<Draft<Letter> | undefined>({ ...STORED, subject: "Mine" });
  return (
    <TemplateCard
      drafted={{
        stored: template,
        draft,
        changeDraft: setDraft,
        putStored(saved) {
          setTemplate(saved);
          setDraft({ subject: "Mine", text: "Dear you!", version: STORED.version });
        },
        readNewest: async () => undefined,
      }}
    />
  );
}

it("takes what is typed just when a save is answered for an edit of what was saved", async () => {
  const sent = answerCall("put", "/api/admin/desk/templates/:kind", SAVED);
  const user = userEvent.setup();
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Typing />
    </QueryClientProvider>,
  );
  await user.click(screen.getByRole("button", { name: "Save Changes" }));
  await waitFor(() =>
    expect(screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Text" }).value).toBe(
      "Dear you!",
    ),
  );
  await waitFor(() => expect(screen.queryByRole("button", { name: "Saving..." })).toBeNull());
  expect(screen.queryByText(/^Someone else has saved this/)).toBeNull();
  await user.click(screen.getByRole("button", { name: "Save Changes" }));
  await waitFor(() => expect(sent).toHaveLength(2));
});

function Drafting({ template }: { template: LetterTemplate }) {
  const [draft, setDraft] = useState<Draft<Letter>>();
  return (
    <TemplateCard
      drafted={{
        stored: template,
        draft,
        changeDraft: setDraft,
        putStored: () => {},
        readNewest: async () => undefined,
      }}
    />
  );
}

it("saves the field that was typed in alone over what somebody else has saved", async () => {
  const sent = answerCall("put", "/api/admin/desk/templates/:kind", SAVED);
  const user = userEvent.setup();
  const client = new QueryClient();
  const card = (template: LetterTemplate) => (
    <QueryClientProvider client={client}>
      <Drafting template={template} />
    </QueryClientProvider>
  );
  const { rerender } = render(card(STORED));
  await user.type(screen.getByRole("textbox", { name: "Subject" }), "!");
  rerender(card({ ...STORED, text: "Written by the other.", version: 3 }));
  expect(screen.getByText(/^Someone else has saved this/)).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Save Mine Over It" }));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]?.body).toEqual({ subject: "Theirs!", text: "Written by the other." });
});
