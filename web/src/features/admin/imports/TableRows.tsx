// The rows of a table that is to be imported, drawn as they come into view.
import { type ReactNode, useMemo } from "react";
import { RowChunk } from "../lists/RowList.tsx";

const CHUNK = 50;

interface TableRowsProps<Row> {
  label: string;
  rows: readonly Row[];
  draw: (row: Row) => ReactNode;
}

export function TableRows<Row extends { id: string }>({ label, rows, draw }: TableRowsProps<Row>) {
  const chunks = useMemo(() => {
    const parts: Row[][] = [];
    for (let from = 0; from < rows.length; from += CHUNK)
      parts.push(rows.slice(from, from + CHUNK));
    return parts;
  }, [rows]);
  return (
    // biome-ignore lint/a11y/useSemanticElements: the rows stand in chunks, which a list element may not hold
    <div role="list" aria-label={label} className="border-hairline border-t">
      {chunks.map((part, index) => (
        <RowChunk
          key={part[0]?.id}
          rows={part}
          before={index * CHUNK}
          total={rows.length}
          draw={draw}
        />
      ))}
    </div>
  );
}
