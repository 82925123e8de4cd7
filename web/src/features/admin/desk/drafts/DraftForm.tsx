// The form of a draft that was made at the desk; the desk waits behind it.
import { LazyDialog } from "../../../../code/LazyDialog.tsx";
import { lazyCode } from "../../../../code/lazyCode.ts";
import type { Drafts } from "./useDrafts.ts";

/** Fetched when a draft is opened: demos are heard without it. */
const form = lazyCode(() =>
  import("../../releases/ReleaseEditor.tsx").then((module) => module.ReleaseEditor),
);

export function DraftForm({ drafts: { opened, close } }: { drafts: Drafts }) {
  if (!opened) return null;
  return <LazyDialog code={form} props={{ release: opened, onClose: close }} onClose={close} />;
}
