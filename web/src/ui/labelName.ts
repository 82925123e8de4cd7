import { createContext, use } from "react";

/** The name during development, when no server has written the head. */
const UNSERVED_NAME = "404 COLLECTIVE";

/** The name while a page is painted, without a document. */
export const LabelName = createContext<string | undefined>(undefined);

export function useLabelName(): string {
  return use(LabelName) ?? labelName();
}

export function labelName(): string {
  return (
    document.querySelector<HTMLMetaElement>('meta[name="deadwax-label"]')?.content || UNSERVED_NAME
  );
}
