// Returns the focus to the button that opened an edit in place, unless the focus has moved on.
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
