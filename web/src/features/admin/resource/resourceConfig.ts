// What lists and editors have to know of artists, releases and products: how they are read and saved, how they are said,
// and how a row becomes a form.
import type { FieldValues } from "react-hook-form";
import type { IdempotencyKey } from "../../../api/idempotencyKey.ts";
import type { Check } from "../../../rules/forms/useRulesForm.ts";
import type { TitledCode, ToastCode } from "../../../ui/messages.ts";
import type { VersionKind } from "../history/HistoryDialog.tsx";
import type { SortedRows } from "../lists/rowsCalls.ts";

/** What every editable row has. */
export interface Versioned {
  id: string;
  version: number;
}

/** Names of the stated texts. */
interface ResourceMessages {
  loadFailed: ToastCode;
  created: TitledCode;
  createFailed: TitledCode;
  updated: TitledCode;
  updateFailed: TitledCode;
  deleted: TitledCode;
  deleteFailed: TitledCode;
}

export interface ResourceConfig<Row extends Versioned, Form extends FieldValues>
  extends SortedRows<Row> {
  show: (id: string, signal: AbortSignal) => Promise<Row>;
  messages: ResourceMessages;
  /** What a row is called. */
  nameOf: (row: Row) => string;
  blank: Form;
  formOf: (row: Row) => Form;
  /** What its saved versions are kept as. */
  versions: VersionKind;
  /** What the fields are called. */
  labels: Readonly<Record<keyof Form & string, string>>;
  /** How fields are read in differences whose values are not made for people. */
  readable?: Readonly<Partial<Record<keyof Form & string, (row: Row) => string>>>;
  /** What a row of each list in the form is called. */
  rowNames?: Readonly<Partial<Record<keyof Form & string, string>>>;
}

/** A resource whose rows are saved: what is sent of a form is its body. */
export interface EditableResourceConfig<Row extends Versioned, Form extends FieldValues, Body>
  extends ResourceConfig<Row, Form> {
  /** Adds a row; sent again under the same name it is added once. */
  add: (body: Body, name: IdempotencyKey) => Promise<Row>;
  /** Saves onto the version that the form was opened with; throws `stale_version` where there is a newer one. */
  change: (row: Row, body: Body) => Promise<Row>;
  /** The rules' check, and the body they make of the form. */
  check: Check<Form, Body>;
  /** The body where the rules are not there. */
  unchecked: (form: Form) => Body;
}

/** Names the version that a change is based on. */
export function ifMatch({ version }: Pick<Versioned, "version">): { "if-match": string } {
  return { "if-match": `"${version}"` };
}

/** The fields of a form as text: what is not set is an empty field. */
export function asText<Fields extends string>(
  row: Partial<Record<Fields, unknown>>,
  fields: readonly Fields[],
): Record<Fields, string> {
  return Object.fromEntries(
    fields.map((field) => [field, row[field] == null ? "" : String(row[field])]),
  ) as Record<Fields, string>;
}
