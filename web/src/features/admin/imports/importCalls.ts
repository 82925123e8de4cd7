// How a table of releases is sent: to be looked at, to be imported, and how that is taken back.
import { call, type Schemas } from "../../../api/client.ts";
import { readQuery } from "../../../api/queries.ts";
import { uploadFile } from "../uploads/uploadFile.ts";

export type ImportPreview = Schemas["ImportPreview"];
export type ImportRow = Schemas["ImportRow"];
export type ImportView = Schemas["ImportView"];
export type Undone = Schemas["Undone"];

export type YearAlone = "first_day" | "last_day" | "leave_out";

export type DateOrder = "day_first" | "month_first";

export interface ImportChoices {
  /** The field of each column; as the server reads the headers, while nothing is chosen. */
  columns: readonly (string | null)[] | undefined;
  yearAlone: YearAlone | undefined;
  dateOrder: DateOrder | undefined;
  asDrafts: boolean;
  leaveOutRefused: boolean;
}

export const NO_CHOICES: ImportChoices = {
  columns: undefined,
  yearAlone: undefined,
  dateOrder: undefined,
  asDrafts: false,
  leaveOutRefused: false,
};

export const importsQuery = readQuery("/api/admin/imports", {});

function textsOf(choices: ImportChoices): Record<string, string> {
  return {
    columns: choices.columns ? JSON.stringify(choices.columns) : "",
    year_alone: choices.yearAlone ?? "",
    date_order: choices.dateOrder ?? "",
    as_drafts: String(choices.asDrafts),
    leave_out_refused: String(choices.leaveOutRefused),
  };
}

const unwatched = () => undefined;

export function previewImport(file: File, choices: ImportChoices, signal: AbortSignal) {
  return uploadFile<ImportPreview>(
    { method: "POST", path: "/api/admin/imports/preview", file, texts: textsOf(choices) },
    { onProgress: unwatched, signal },
  );
}

export function importReleases(file: File, choices: ImportChoices) {
  return uploadFile<ImportView>(
    { method: "POST", path: "/api/admin/imports", file, texts: textsOf(choices) },
    // Once it is sent it is done, whether or not anybody waits for the answer.
    { onProgress: unwatched, signal: new AbortController().signal },
  );
}

export function undoImport(id: string): Promise<Undone> {
  return call("POST", "/api/admin/imports/{id}/undo", { params: { path: { id } } });
}
