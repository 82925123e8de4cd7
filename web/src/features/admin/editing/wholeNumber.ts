const UNSEEN_AT_ENDS =
  /^[\s\p{Default_Ignorable_Code_Point}]+|[\s\p{Default_Ignorable_Code_Point}]+$/gu;

/** Anything but digits becomes a number that the server refuses with its words. */
export function wholeNumber(typed: string, empty = -1): number {
  const digits = typed.replace(UNSEEN_AT_ENDS, "");
  if (digits === "") return empty;
  return /^\d{1,9}$/.test(digits) ? Number(digits) : -1;
}
