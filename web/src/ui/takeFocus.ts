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

/** True where the focus is nowhere, or within `place`, which goes or has gone. */
export function isFocusLost(place?: Element | null): boolean {
  const { activeElement } = document;
  return isFocusFree() || (activeElement !== null && place?.contains(activeElement) === true);
}

/** The heading of a page, made ready to be focused; null where there is none yet. */
export function focusableHeading(page: ParentNode): HTMLElement | null {
  const heading = page.querySelector("h1");
  heading?.setAttribute("tabindex", "-1");
  return heading;
}

/** Leads whoever has lost their place on the page to its heading. */
export function focusHeadingIfFree(): void {
  if (isFocusFree()) focusableHeading(document)?.focus();
}

/** As the `ref` of an element with a tab index: focuses it when it appears, and never again. */
export function takeFocus(element: HTMLElement | null): void {
  element?.focus();
}
