// The notes of the demo on the desk, with the calls that keep them.
import { useQueryClient } from "@tanstack/react-query";
import { type RefObject, useEffect, useState } from "react";
import { deleteNote, demoQuery, postNote } from "../deskCalls.ts";
import type { DeskDemo } from "../deskTypes.ts";
import type { Actions } from "../useActions.ts";
import type { Desk } from "../useDesk.ts";
import { Notes } from "./Notes.tsx";

interface NotesOfProps {
  demo: DeskDemo;
  desk: Desk;
  actions: Actions;
  onEdited: (isEdited: boolean) => void;
  fieldRef: RefObject<HTMLDivElement | null>;
}

export function NotesOf({ demo: { id }, desk, actions, onEdited, fieldRef }: NotesOfProps) {
  const client = useQueryClient();
  const [draft, setDraft] = useState("");
  const isEdited = draft.trim() !== "";
  useEffect(() => {
    onEdited(isEdited);
    return () => onEdited(false);
  }, [isEdited, onEdited]);
  const readAgain = () => client.invalidateQueries({ queryKey: demoQuery(id).queryKey });
  return (
    <Notes
      notes={desk.detail?.notes ?? []}
      fieldRef={fieldRef}
      draft={draft}
      onDraft={setDraft}
      onAdd={(text) =>
        actions.run(`note ${id}`, id, async () => {
          await postNote(id, text);
          await readAgain();
        })
      }
      onDelete={(note) =>
        void actions.run(`note ${note.id}`, id, async () => {
          await deleteNote(note.id);
          await readAgain();
        })
      }
    />
  );
}
