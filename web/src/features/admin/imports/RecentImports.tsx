// Recent imports and their undo.
import { useQuery } from "@tanstack/react-query";
import { Button } from "../../../ui/Button.tsx";
import { day } from "../../../ui/dates.ts";
import { useFocusKept } from "../../../ui/useFocusKept.ts";
import { type Import, importsQuery, type Undone } from "./useImport.ts";

export function RecentImports({ table }: { table: Import }) {
  const { data } = useQuery(importsQuery);
  const items = data?.items ?? [];
  // The button disappears once its import is undone.
  const { frame, refuge } = useFocusKept();
  if (items.length === 0) return null;
  return (
    <section ref={frame} aria-label="Recent imports">
      <h3 ref={refuge} tabIndex={-1} className="type-label mb-3 uppercase">
        Recent imports
      </h3>
      <p role="alert" className="text-signal empty:hidden">
        {table.undoProblem}
      </p>
      {table.undone && <UndoneNotice undone={table.undone} />}
      <ul className="border-hairline border-t text-[0.75rem]">
        {items.map(({ id, file_name, created_at, added, changed, undone_at, can_be_undone }) => (
          <li
            key={id}
            className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-hairline border-b py-2"
          >
            <span className="min-w-0">
              {file_name}{" "}
              <span className="text-dim tabular-nums">
                <time dateTime={created_at}>{day(created_at)}</time>, {added} new, {changed} changed
              </span>
            </span>
            {undone_at && <span className="text-dim">Undone</span>}
            {can_be_undone && (
              <Button
                variant="destroy"
                className="type-label"
                isBusy={table.isUndoing}
                aria-label={`Undo import of ${file_name}`}
                onClick={() => table.undo(id)}
              >
                Undo
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

export function UndoneNotice({ undone }: { undone: Undone }) {
  const { left } = undone;
  return (
    <div role="status" className="flex flex-col gap-2 py-3">
      <p>
        {undone.undone} {undone.undone === 1 ? "row is" : "rows are"} as before.
      </p>
      {left.length > 0 && (
        <>
          <p>Left as they are, because they were edited since:</p>
          <ul aria-label="Left as they are">
            {left.map(({ id, name }) => (
              <li key={id}>{name}</li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
