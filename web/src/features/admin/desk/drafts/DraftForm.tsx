// The form of a draft that was made at the desk; the desk waits behind it.
import { FailedDialog } from "../../../../code/FailedDialog.tsx";
import { LazyPart } from "../../../../code/LazyPart.tsx";
import type { Drafts } from "./useDrafts.ts";

/** Fetched when a draft is opened: demos are heard without it. */
const loadForm = () =>
  import("../../releases/ReleaseEditor.tsx").then((module) => module.ReleaseEditor);

export function DraftForm({ drafts: { opened, close } }: { drafts: Drafts }) {
  if (!opened) return null;
  return (
    <LazyPart
      load={loadForm}
      props={{ release: opened, onClose: close }}
      failed={(tryAgain) => <FailedDialog onTryAgain={tryAgain} onClose={close} />}
    />
  );
}
