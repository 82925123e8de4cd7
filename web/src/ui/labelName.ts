// The label's name, which the server writes into the document's head.
import { createContext, use } from "react";

/** What the label is called while developing, when no server has written a head. */
const UNSERVED_NAME = "404 COLLECTIVE";

/** The name where there is no document to read it from: while a page is painted. */
export const LabelName = createContext<string | undefined>(undefined);

/** The name, for what is drawn. */
export function useLabelName(): string {
  return use(LabelName) ?? labelName();
}

/** The name, for what happens in a browser alone. */
export function labelName(): string {
  return (
    document.querySelector<HTMLMetaElement>('meta[name="deadwax-label"]')?.content || UNSERVED_NAME
  );
}
