/** A whole number in groups of three, as in the server's sentences. */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, " ");
}

/** A number of things, such as `1 view` and `1 200 views`. */
export function counted(count: number, one: string): string {
  return `${grouped(count)} ${one}${count === 1 ? "" : "s"}`;
}
