import { useQuery } from "@tanstack/react-query";
import { BUILT_IN_TEXTS, NAME_IN_TEXTS } from "./builtInTexts.ts";
import { readQuery } from "./queries.ts";
import { readState } from "./readState.ts";
import { useIsLate } from "./useIsLate.ts";

/** Looks up a text by its key. Undefined until the texts are here, or cannot be read now. */
export type Content = (key: string) => string | undefined;

export const siteContentQuery = readQuery("/api/content", {});

export const maintenanceQuery = readQuery("/api/maintenance", {});

/** The label's name and colour; pages are served with them. */
export const labelQuery = {
  ...readQuery("/api/label", {}),
  staleTime: Number.POSITIVE_INFINITY,
};

/** The stored texts, and the built-in ones, with the label's name, while those cannot be read. */
export function useSiteContent(name: string): Content {
  const content = useQuery(siteContentQuery);
  const isReading = readState(content) === "loading";
  const isLate = useIsLate(isReading);
  return (key) => {
    if (isReading && !isLate) return undefined;
    const stored = content.data?.items.find((item) => item.key === key)?.value;
    return stored ?? BUILT_IN_TEXTS[key]?.replace(NAME_IN_TEXTS, name);
  };
}
