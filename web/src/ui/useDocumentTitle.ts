import { useEffect } from "react";
import { labelName } from "./labelName.ts";

/** Sets the document's title to `name` and the label, or the label alone. */
export function useDocumentTitle(name: string | undefined): void {
  useEffect(() => {
    document.title = name ? `${name} — ${labelName()}` : labelName();
  }, [name]);
}
