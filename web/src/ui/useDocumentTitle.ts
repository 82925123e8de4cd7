import { useEffect } from "react";
import { useLabelName } from "./labelName.ts";

export function useDocumentTitle(name: string | undefined): void {
  const label = useLabelName();
  useEffect(() => {
    document.title = name ? `${name} — ${label}` : label;
  }, [name, label]);
}
