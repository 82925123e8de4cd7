// The form of a draft that was made at the desk; the desk waits behind it.
import { lazy, Suspense } from "react";
import type { Drafts } from "./useDrafts.ts";

/** Fetched when a draft is opened: demos are heard without it. */
const ReleaseEditor = lazy(() =>
  import("../../releases/ReleaseEditor.tsx").then((module) => ({ default: module.ReleaseEditor })),
);

export function DraftForm({ drafts }: { drafts: Drafts }) {
  if (!drafts.opened) return null;
  return (
    <Suspense>
      <ReleaseEditor release={drafts.opened} onClose={drafts.close} />
    </Suspense>
  );
}
