// Input on a painted page before the app was ready.

declare global {
  interface Window {
    /** Returns the last pressed button and stops listening (public/start.js). */
    takePressedEarly?: () => HTMLElement | null | undefined;
  }
}

const FIELDS = "input, textarea";

/** The button that was pressed last before the app was ready. */
export function takePressedEarly(): HTMLElement | undefined {
  return window.takePressedEarly?.() ?? undefined;
}

/** Remembers input on the page painted in `container`. The returned function repeats it on a page made in its place. */
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

/** Types into a field as a person would: React ignores other changes. */
function type(field: HTMLInputElement | HTMLTextAreaElement, value: string): void {
  // React overrides `value` on the element itself.
  const prototype = Object.getPrototypeOf(field) as object;
  Object.getOwnPropertyDescriptor(prototype, "value")?.set?.call(field, value);
  field.dispatchEvent(new Event("input", { bubbles: true }));
}
