// The parts of a table by their roles. On phones the table of demos is laid out as blocks and grids, and Safari then takes
// its parts for boxes that mean nothing, unless they say what they are.

export const ROLES = {
  table: { role: "table" },
  rowgroup: { role: "rowgroup" },
  row: { role: "row" },
  columnheader: { role: "columnheader" },
  cell: { role: "cell" },
} as const;
