// Helpers that move the focus to an element that replaced the focused one.

/** True if the focus was not placed by the person: a change of page puts it on the heading or the content. */
export function isFocusFree(): boolean {
  const { activeElement } = document;
  return (
    activeElement === null ||
    activeElement === document.body ||
    activeElement.matches("main, #content, main h1")
  );
}

/** True if the focus is unset, or within `place`, which is going away. */
export function isFocusLost(place?: Element | null): boolean {
  const { activeElement } = document;
  return isFocusFree() || (activeElement !== null && place?.contains(activeElement) === true);
}

/** The page's heading, made focusable; null if it has none yet. */
export function focusableHeading(page: ParentNode): HTMLElement | null {
  const heading = page.querySelector("h1");
  heading?.setAttribute("tabindex", "-1");
  return heading;
}

/** Focuses the page's heading if the focus is unset. */
export function focusHeadingIfFree(): void {
  if (isFocusFree()) focusableHeading(document)?.focus();
}

/** A `ref` that focuses its element once, when it appears. */
export function takeFocus(element: HTMLElement | null): void {
  element?.focus();
}
