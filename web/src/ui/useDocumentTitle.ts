import { useEffect } from "react";
import { labelName } from "./labelName.ts";

export function useDocumentTitle(name: string | undefined): void {
  useEffect(() => {
    document.title = name ? `${name} — ${labelName()}` : labelName();
  }, [name]);
}
