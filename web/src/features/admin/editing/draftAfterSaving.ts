/** What is left of a draft once `sent` is saved as `version`: nothing, or what was typed in the meantime, to be saved onto that version. */
export function draftAfterSaving<Draft extends { readonly version: number }>(
  draft: Draft | undefined,
  sent: Draft,
  version: number,
): Draft | undefined {
  return draft === undefined || draft === sent ? undefined : { ...draft, version };
}
