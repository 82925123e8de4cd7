// What was done last, and the key that takes it back; and why something was not done.
import { DeskKey } from "../DeskKey.tsx";
import type { Actions } from "../useActions.ts";

export function UndoLine({ actions: { last, undo, problem } }: { actions: Actions }) {
  return (
    <div className="flex min-h-15 flex-wrap items-center justify-between gap-x-6 gap-y-2 border-hairline border-b px-gutter py-2.5">
      <div className="min-w-0 flex-1">
        <p role="status">{last?.what}</p>
        <div role="alert">{problem && <p className="text-signal">{problem}</p>}</div>
      </div>
      <DeskKey shortcut="U" disabled={last === undefined} onClick={undo}>
        UNDO
      </DeskKey>
    </div>
  );
}
