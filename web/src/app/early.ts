// What was done on a painted page before the app was there.

declare global {
  interface Window {
    /** Answers the button that was pressed last, and listens no more (public/start.js). */
    takePressedEarly?: () => HTMLElement | null | undefined;
  }
}

const FIELDS = "input, textarea";

/** The button that was pressed last before the app heard presses itself. */
export function takePressedEarly(): HTMLElement | undefined {
  return window.takePressedEarly?.() ?? undefined;
}

/**
 * Remembers what was typed and pressed on the page painted in `container`. The function that it returns does it again on a page
 * that was made in its place.
 */
export function rememberEarly(
  container: HTMLElement,
  pressed: HTMLElement | undefined,
): () => void {
  const fields = [...container.querySelectorAll<HTMLInputElement>(FIELDS)];
  const buttons = [...container.querySelectorAll("button")];
  const focused = fields.findIndex((field) => field === document.activeElement);
  return () => {
    const anew = container.querySelectorAll<HTMLInputElement>(FIELDS);
    for (const [index, { name, value, defaultValue }] of fields.entries()) {
      const field = anew[index];
      if (field?.name === name && value !== defaultValue) type(field, value);
    }
    anew[focused]?.focus();
    const nth = buttons.findIndex((button) => button === pressed);
    container.querySelectorAll("button")[nth]?.click();
  };
}

/** Puts words into a field as a person would: React hears of no other. */
function type(field: HTMLInputElement | HTMLTextAreaElement, value: string): void {
  // React defines `value` on the element itself, and takes what is set there for its own.
  const prototype = Object.getPrototypeOf(field) as object;
  Object.getOwnPropertyDescriptor(prototype, "value")?.set?.call(field, value);
  field.dispatchEvent(new Event("input", { bubbles: true }));
}
