// Where the focus goes when something that was edited in its place is closed: back to the key that opened it, unless somebody is
// elsewhere by then.
import { type RefObject, useEffect, useRef } from "react";
import { isFocusFree } from "../../../ui/takeFocus.ts";

export function useFocusBack(isOpen: boolean): RefObject<HTMLButtonElement | null> {
  const opener = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(isOpen);
  useEffect(() => {
    if (wasOpen.current && !isOpen && isFocusFree()) opener.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  return opener;
}
