// The calls, texts and forms of artists, releases and products.
import type { FieldValues } from "react-hook-form";
import { type Answer, call } from "../../../api/client.ts";
import type { IdempotencyKey } from "../../../api/idempotencyKey.ts";
import type { Check } from "../../../rules/forms/useRulesForm.ts";
import type { TitledCode, ToastCode } from "../../../ui/messages.ts";
import { rowsOf, type SortedRows } from "../lists/useRows.ts";

export interface Versioned {
  id: string;
  version: number;
}

export type VersionKind = "artist" | "release" | "product" | "text" | "site_image";

interface ResourceMessages {
  loadFailed: ToastCode;
  created: TitledCode;
  createFailed: ToastCode;
  updated: TitledCode;
  updateFailed: ToastCode;
  deleted: TitledCode;
  deleteFailed: ToastCode;
}

export function messagesOf(
  one: "artist" | "release" | "product",
  loadFailed: ToastCode,
): ResourceMessages {
  return {
    loadFailed,
    created: `${one}_created`,
    createFailed: `${one}_create_failed`,
    updated: `${one}_updated`,
    updateFailed: `${one}_update_failed`,
    deleted: `${one}_deleted`,
    deleteFailed: `${one}_delete_failed`,
  };
}

export interface ResourceConfig<Row extends Versioned, Form extends FieldValues>
  extends SortedRows<Row> {
  show: (id: string, signal: AbortSignal) => Promise<Row>;
  messages: ResourceMessages;
  nameOf: (row: Row) => string;
  blank: Form;
  formOf: (row: Row) => Form;
  /** Left out for rows without a history. */
  versions?: VersionKind;
  labels: Readonly<Record<keyof Form & string, string>>;
  /** Fields whose values need translating for people, times into the label's zone. */
  readable?: Readonly<Partial<Record<keyof Form & string, (row: Row, zone: string) => string>>>;
  /** The names of rows in the form's lists. */
  rowNames?: Readonly<Partial<Record<keyof Form & string, string>>>;
}

/** A resource that can be saved; `Body` is what is sent of the form. */
export interface EditableResourceConfig<Row extends Versioned, Form extends FieldValues, Body>
  extends ResourceConfig<Row, Form> {
  /** Repeated under the same key, it adds one row only. */
  add: (body: Body, name: IdempotencyKey) => Promise<Row>;
  /** Throws `stale_version` if there is a newer version. */
  change: (row: Row, body: Body) => Promise<Row>;
  check: Check<Form, Body>;
  /** The body to send without the rules. */
  unchecked: (form: Form) => Body;
  staysOpen?: boolean;
}

type EditedPath = "/api/admin/artists" | "/api/admin/releases" | "/api/admin/products";

/** The calls of the rows at a path; the API description types them for each path. */
export function callsOf<P extends EditedPath>(path: P) {
  type Row = Answer<"GET", `${P}/{id}`>;
  const at = (id: string) => ({ path: { id } });
  return {
    path,
    list: rowsOf(path),
    remove: (id: string) => callAt("DELETE", `${path}/{id}`, at(id)),
    show: (id: string, signal: AbortSignal) =>
      callAt<Row>("GET", `${path}/{id}`, { ...at(id), signal }),
    add: (body: unknown, headers: IdempotencyKey) => callAt<Row>("POST", path, { body, headers }),
    change: (row: Versioned, body: unknown) =>
      callAt<Row>("PUT", `${path}/{id}`, { ...at(row.id), headers: ifMatch(row), body }),
  };
}

/** A call whose path is a type parameter. */
const callAt = call as unknown as <Row>(method: string, path: string, init: object) => Promise<Row>;

export function ifMatch({ version }: Pick<Versioned, "version">): { "if-match": string } {
  return { "if-match": `"${version}"` };
}

/** The fields of a form as text; unset ones are empty. */
export function asText<Fields extends string>(
  row: Partial<Record<Fields, unknown>>,
  fields: readonly Fields[],
): Record<Fields, string> {
  return Object.fromEntries(
    fields.map((field) => [field, row[field] == null ? "" : String(row[field])]),
  ) as Record<Fields, string>;
}
