/** The API document calls nullable fields optional too; this server always sends them. */
export type Sent<T> = T extends object
  ? { [Field in keyof T]-?: Sent<Exclude<T[Field], undefined>> }
  : T;
