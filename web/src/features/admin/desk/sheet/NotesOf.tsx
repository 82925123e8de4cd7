// The notes of the demo on the desk, with the calls that keep them.
import { useQueryClient } from "@tanstack/react-query";
import type { RefObject } from "react";
import { deleteNote, demoQuery, postNote } from "../deskCalls.ts";
import type { DeskDemo } from "../deskTypes.ts";
import type { Actions } from "../useActions.ts";
import type { Desk } from "../useDesk.ts";
import { Notes } from "./Notes.tsx";
import type { NoteDraft } from "./useNoteDraft.ts";

interface NotesOfProps {
  demo: DeskDemo;
  desk: Desk;
  actions: Actions;
  note: NoteDraft;
  fieldRef: RefObject<HTMLDivElement | null>;
}

export function NotesOf({ demo, desk, actions, note, fieldRef }: NotesOfProps) {
  const { id } = demo;
  const client = useQueryClient();
  const readAgain = () => client.invalidateQueries({ queryKey: demoQuery(id).queryKey });
  return (
    <Notes
      notes={desk.detail?.notes ?? []}
      fieldRef={fieldRef}
      draft={note.text}
      onDraft={note.write}
      onAdd={(text) =>
        actions.run(`note ${id}`, demo, async () => {
          await postNote(id, text);
          await readAgain();
        })
      }
      onDelete={({ id: gone }) =>
        void actions.run(`note ${gone}`, demo, async () => {
          await deleteNote(gone);
          await readAgain();
        })
      }
    />
  );
}
