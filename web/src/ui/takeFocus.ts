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

/** Elements that keep the focus, but take no press. */
const IDLE = ":disabled, [aria-disabled=true]";

/**
 * Focuses what takes the place of the focused element, or follows from its press. A focus that the person has moved on
 * stays; one on what is around the element, or under its dialog, is no place yet.
 */
export function takeFocus(element: HTMLElement | null): void {
  const focused = document.activeElement;
  const dialog = element?.closest("[data-modal]");
  const isUnder = dialog && !dialog.contains(focused) && !focused?.closest("[data-toasts]");
  if (isFocusFree() || isUnder || focused?.matches(IDLE) || focused?.contains(element)) {
    element?.focus();
  }
}

/** As `takeFocus`, for the form's first field. */
export function takeFocusIn(form: HTMLFormElement | null): void {
  takeFocus(form?.querySelector<HTMLElement>("input:not([hidden])") ?? null);
}
