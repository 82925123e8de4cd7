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

function labelMeta(): HTMLMetaElement | null {
  return document.querySelector<HTMLMetaElement>('meta[name="deadwax-label"]');
}

/** The name in the document's head. */
export function labelName(): string {
  return labelMeta()?.content || UNSERVED_NAME;
}

export function setLabelName(name: string): void {
  labelMeta()?.setAttribute("content", name);
}
