// The label's name, which the server writes into the document's head.

/** What the label is called while developing, when no server has written a head. */
const UNSERVED_NAME = "404 COLLECTIVE";

export function labelName(): string {
  return (
    document.querySelector<HTMLMetaElement>('meta[name="deadwax-label"]')?.content || UNSERVED_NAME
  );
}
