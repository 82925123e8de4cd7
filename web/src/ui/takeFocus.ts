// Moves the reading position to something that took the place of what had it.

/** True while nobody has chosen a place on the page: a change of page puts the reading position on its heading or content. */
export function isFocusFree(): boolean {
  const { activeElement } = document;
  return (
    activeElement === null ||
    activeElement === document.body ||
    activeElement.matches("main, #content, main h1")
  );
}

/** As the `ref` of an element with a tab index: focuses it when it appears, and never again. */
export function takeFocus(element: HTMLElement | null): void {
  element?.focus();
}
