/** True if the focus was not placed by the person: a change of page puts it on the heading or the content. */
export function isFocusFree(): boolean {
  const { activeElement } = document;
  return (
    activeElement === null ||
    activeElement === document.body ||
    activeElement.matches("main, #content, main h1")
  );
}

/** The page's heading, made focusable; null if it has none yet. */
export function focusableHeading(page: ParentNode): HTMLElement | null {
  const heading = page.querySelector("h1");
  heading?.setAttribute("tabindex", "-1");
  return heading;
}

export function takeFocus(element: HTMLElement | null): void {
  element?.focus();
}
