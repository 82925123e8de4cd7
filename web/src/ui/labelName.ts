import { createContext, use } from "react";

/** The name during development, when no server has written the head. */
const UNSERVED_NAME = "404 COLLECTIVE";

interface Mark {
  url: string;
  width: number;
  height: number;
  has_name: boolean;
}

/** Null without a mark. */
export const LabelMark = createContext<Mark | null>(null);

export function useLabelMark(): Mark | null {
  return use(LabelMark);
}

export const LabelName = createContext<string | undefined>(undefined);

export function useLabelName(): string {
  return use(LabelName) ?? labelName();
}

/** The name that the document was served with. */
export function labelName(): string {
  const meta = document.querySelector<HTMLMetaElement>('meta[name="deadwax-label"]');
  return meta?.content || UNSERVED_NAME;
}
