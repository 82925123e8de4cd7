// One page of a long list: drawn while the reader is near, an empty space of the same height while they are not. So a
// list of ten thousand rows costs what is in sight.
import { memo, type ReactNode } from "react";
import { useInView } from "./useInView.ts";

interface RowChunkProps<Row> {
  rows: readonly Row[];
  /** How many rows stand before these, and how many there are in all. */
  before: number;
  total: number;
  /** Draws one row; the same function on every render. */
  draw: (row: Row) => ReactNode;
  layout: Layout;
}

/** How the rows of a chunk stand, as classes; the same object on every render. */
export interface Layout {
  chunk: string;
  row: string;
}

/** Drawn again only when its own rows change: the list gets a new page many times. */
export const RowChunk = memo(Chunk) as typeof Chunk;

function Chunk<Row extends { id: string }>({
  rows,
  before,
  total,
  draw,
  layout,
}: RowChunkProps<Row>) {
  const { ref: chunk, placeholderHeight } = useInView<HTMLDivElement>();
  if (placeholderHeight !== undefined)
    return <div ref={chunk} style={{ height: placeholderHeight }} />;
  return (
    <div ref={chunk} className={layout.chunk}>
      {rows.map((row, index) => (
        // biome-ignore lint/a11y/useSemanticElements: the rows stand in chunks, which a list element may not hold
        <div
          key={row.id}
          role="listitem"
          aria-posinset={before + index + 1}
          aria-setsize={total}
          className={layout.row}
        >
          {draw(row)}
        </div>
      ))}
    </div>
  );
}
