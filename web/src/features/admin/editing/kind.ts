// What lists and editors have to know of artists, releases and products: where they live, how they are said, and how
// a row becomes a form.
import type { FieldValues } from "react-hook-form";
import type { components } from "../../../api/types/api.ts";
import type { Rules } from "../../../rules/rules.ts";
import type { TitledCode, ToastCode } from "../../../rules/words.ts";

export type Schemas = components["schemas"];

/** What every editable row has. */
export interface Versioned {
  id: string;
  version: number;
}

/** Names of the stated texts. */
export interface KindWords {
  loadFailed: ToastCode;
  created: TitledCode;
  createFailed: TitledCode;
  updated: TitledCode;
  updateFailed: TitledCode;
  deleted: TitledCode;
  deleteFailed: TitledCode;
}

export interface Kind<Row extends Versioned, Form extends FieldValues> {
  path: `/api/admin/${string}`;
  words: KindWords;
  /** The rules' check; its value is what is sent. */
  check: (
    rules: Rules,
    form: Form,
  ) => { value?: object | undefined; problems?: { field: string; message: string }[] | undefined };
  /** What is sent where the rules are not there. */
  unchecked: (form: Form) => object;
  blank: Form;
  formOf: (row: Row) => Form;
  /** What the fields are called. */
  labels: Readonly<Record<keyof Form & string, string>>;
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
