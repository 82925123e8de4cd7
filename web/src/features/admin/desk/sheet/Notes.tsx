// The admins' notes on a demo; its sender never sees them.
import { useQueryClient } from "@tanstack/react-query";
import { type KeyboardEvent, useState } from "react";
import { DESK_NOTE_MAX } from "../../../../rules/generated/constants.ts";
import { Button } from "../../../../ui/Button.tsx";
import { isComposing } from "../../../../ui/composing.ts";
import { dayAndTime } from "../../../../ui/dates.ts";
import { TextArea } from "../../../../ui/Field.tsx";
import { TextButton } from "../../../../ui/TextButton.tsx";
import { deleteNote, demoQuery, postNote } from "../deskCalls.ts";
import { useDeskState } from "../deskState.ts";
import type { DeskDemo } from "../deskTypes.ts";

export function Notes({ demo }: { demo: DeskDemo }) {
  const { id } = demo;
  const client = useQueryClient();
  const { desk, actions, note: draft, noteField } = useDeskState();
  const [isAdding, setAdding] = useState(false);
  const notes = desk.detail?.notes ?? [];

  function change(key: string, call: () => Promise<unknown>): Promise<boolean> {
    return actions.run(`note ${key}`, demo, async () => {
      await call();
      await client.invalidateQueries({ queryKey: demoQuery(id).queryKey });
    });
  }
  async function add(): Promise<void> {
    const { text: typed } = draft;
    if (typed.trim() === "" || isAdding) return;
    setAdding(true);
    const isSaved = await change(id, () => postNote(id, typed.trim()));
    setAdding(false);
    // Text typed behind it in the meantime is the next note.
    if (isSaved) draft.write((now) => (now.startsWith(typed) ? now.slice(typed.length) : now));
  }
  function press(event: KeyboardEvent): void {
    if (isComposing(event)) return;
    if (event.key === "Escape" && event.target instanceof HTMLElement) event.target.blur();
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    void add();
  }
  return (
    <section aria-label="Notes" className="flex flex-col gap-4">
      <h3 className="type-label text-dim uppercase">Notes</h3>
      {notes.length > 0 && (
        <ol className="flex flex-col gap-4">
          {notes.map((note) => (
            <li key={note.id} className="border-hairline border-l pl-4">
              <p dir="auto" className="whitespace-pre-line">
                {note.text}
              </p>
              <p className="type-label mt-1 flex flex-wrap items-center gap-x-4 text-dim">
                <span>{note.person}</span>
                <time dateTime={note.created_at}>{dayAndTime(note.created_at)}</time>
                {note.is_mine && (
                  <TextButton
                    className="text-ink"
                    onClick={() => void change(note.id, () => deleteNote(note.id))}
                  >
                    Delete<span className="sr-only"> note: {note.text.slice(0, 40)}</span>
                  </TextButton>
                )}
              </p>
            </li>
          ))}
        </ol>
      )}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it handles the keys of the field within it */}
      <div ref={noteField} className="flex flex-col items-start gap-3" onKeyDown={press}>
        <TextArea
          data-focus-home
          label="Note"
          isLabelHidden
          placeholder="A note for the others"
          rows={2}
          className="w-full [&_textarea]:min-h-20"
          value={draft.text}
          // Without a maxLength, which cuts off what is pasted.
          error={
            [...draft.text.trim()].length > DESK_NOTE_MAX
              ? `A note must have at most ${DESK_NOTE_MAX} characters.`
              : undefined
          }
          onChange={({ target }) => draft.write(target.value)}
        />
        <Button isBusy={isAdding} disabled={draft.text.trim() === ""} onClick={() => void add()}>
          Add Note
          <span className="sr-only"> (Ctrl + Enter)</span>
        </Button>
      </div>
    </section>
  );
}
