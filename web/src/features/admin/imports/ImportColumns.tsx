import { Select } from "../../../ui/Select.tsx";
import { releaseConfig } from "../releases/releaseConfig.ts";
import type { ImportPreview } from "./useImport.ts";

const LABELS: Readonly<Record<string, string>> = {
  ...releaseConfig.labels,
  id: "Id",
  state: "State",
  artist: "Artist",
  goes_out_at: "Goes Out At",
};

/** The label of a field; for a track or credit, its list and line. */
export function labelOf(field: string): string {
  const [, list = field, index] = /^(\w+)\[(\d+)\]/.exec(field) ?? [];
  const label = LABELS[list] ?? list;
  return index === undefined ? label : `${label}, line ${Number(index) + 1}`;
}

interface ImportColumnsProps {
  preview: ImportPreview;
  chosen: readonly (string | null)[] | undefined;
  onChoose: (columns: (string | null)[]) => void;
}

export function ImportColumns({ preview, chosen, onChoose }: ImportColumnsProps) {
  const { columns, fields } = preview;
  const options = [
    ["", "Not imported"] as const,
    ...fields.map((name) => [name, labelOf(name)] as const),
  ];
  const present = chosen ?? columns.map((column) => column.field ?? null);

  function choose(index: number, field: string): void {
    // Each field is taken from one column only.
    const others = present.map((other) => (other === field ? null : other));
    onChoose(others.with(index, field || null));
  }

  return (
    <details open={columns.length <= 12}>
      <summary className="type-label min-h-6 cursor-pointer uppercase">Columns</summary>
      <ul aria-label="Columns" className="mt-3 border-hairline border-t text-[0.75rem]">
        {columns.map(({ header, samples }, index) => (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place in the table
            key={index}
            className="grid items-center gap-x-6 gap-y-2 border-hairline border-b py-2 sm:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_14rem]"
          >
            <span>{header || `Column ${index + 1}`}</span>
            <span className="truncate text-dim">{samples.join(" / ")}</span>
            <Select
              label={`Field of ${header || `column ${index + 1}`}`}
              options={options}
              value={present[index] ?? ""}
              onChoose={(field) => choose(index, field)}
            />
          </li>
        ))}
      </ul>
    </details>
  );
}
