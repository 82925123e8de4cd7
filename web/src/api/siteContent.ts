// The editable texts of the site, as pages read them.
import { useQuery } from "@tanstack/react-query";
import { readQuery } from "./queries.ts";

/** Looks up a text by its key. Undefined until the texts are here. */
export type TextOf = (key: string) => string | undefined;

/** The site's texts; what is stored, or the built-in text where nothing is. */
export function useSiteContent(): TextOf {
  const { data } = useQuery(readQuery("/api/content", {}));
  return (key) => data?.items.find((item) => item.key === key)?.value;
}
