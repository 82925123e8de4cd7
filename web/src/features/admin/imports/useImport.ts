import { call, type Schemas, uploadTarget } from "../../../api/client.ts";
import { readQuery } from "../../../api/queries.ts";
import { readRowsAgain } from "../lists/useRows.ts";
import { catalogNumbersQuery } from "../releases/CatalogNumbers.tsx";
import { type Columns, type TableImportConfig, useTableImport } from "./useTableImport.ts";

export type ImportPreview = Schemas["ImportPreview"];
export type ImportRow = Schemas["ImportRow"];
export type ImportView = Schemas["ImportView"];
export type Undone = Schemas["Undone"];

export type YearAlone = "first_day" | "last_day" | "leave_out";

export type DateOrder = "day_first" | "month_first";

interface ImportChoices {
  columns: Columns;
  yearAlone: YearAlone | undefined;
  dateOrder: DateOrder | undefined;
  asDrafts: boolean;
  leaveOutRefused: boolean;
}

export const importsQuery = readQuery("/api/admin/imports", {});

const CONFIG: TableImportConfig<ImportChoices, ImportPreview, ImportView, Undone> = {
  name: "import",
  check: uploadTarget("POST", "/api/admin/imports/preview", {}),
  send: uploadTarget("POST", "/api/admin/imports", {}),
  undo: (init) => call("POST", "/api/admin/imports/{id}/undo", init),
  noChoices: {
    columns: undefined,
    yearAlone: undefined,
    dateOrder: undefined,
    asDrafts: false,
    leaveOutRefused: false,
  },
  kept: ({ asDrafts }) => ({ asDrafts }),
  textsOf: (choices) => ({
    columns: choices.columns ? JSON.stringify(choices.columns) : "",
    year_alone: choices.yearAlone ?? "",
    date_order: choices.dateOrder ?? "",
    as_drafts: String(choices.asDrafts),
    leave_out_refused: String(choices.leaveOutRefused),
  }),
  readAgain(client) {
    readRowsAgain(client, "/api/admin/releases");
    readRowsAgain(client, "/api/admin/artists");
    void client.invalidateQueries({ queryKey: importsQuery.queryKey });
    void client.invalidateQueries({ queryKey: catalogNumbersQuery.queryKey });
  },
};

export const useImport = () => useTableImport(CONFIG);

export type Import = ReturnType<typeof useImport>;
