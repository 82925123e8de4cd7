// Moves the reading position to something that took the place of what had it.

/** As the `ref` of an element with a tab index: focuses it when it appears, and never again. */
export function takeFocus(element: HTMLElement | null): void {
  element?.focus();
}
