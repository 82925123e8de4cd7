// Buttons. Links that look like one carry the same classes, which the theme defines.
import type { ComponentProps, KeyboardEvent, MouseEvent } from "react";

/** Whole names, as the style sheet includes only classes found in the source. */
const VARIANTS = {
  main: "button-main",
  destroy: "button-destroy",
  outline: "button-outline",
  live: "button-live",
} as const;

interface ButtonProps extends ComponentProps<"button"> {
  /** For the main action, a destructive one, a secondary one, and what is playing. */
  variant?: keyof typeof VARIANTS | undefined;
  /** Large below the fields of a form, or for thumbs. */
  size?: "large" | undefined;
  /**
   * True while its action is pending or has to wait. Not `disabled`, which would lose the focus: the button is
   * announced as unavailable, and ignores presses.
   */
  isBusy?: boolean | undefined;
}

export function Button({
  variant,
  size,
  isBusy,
  type = "button",
  className,
  onClick,
  onKeyDown,
  ...button
}: ButtonProps) {
  function press(event: MouseEvent<HTMLButtonElement>): void {
    if (!isBusy) onClick?.(event);
    // Enter in a field of its form comes here too. onClick may swap in the form's submit button. React reuses the
    // element, so without preventDefault the same click would submit.
    if (isBusy || type === "button") event.preventDefault();
  }
  function pressKey(event: KeyboardEvent<HTMLButtonElement>): void {
    onKeyDown?.(event);
    // Browsers make a click of each repetition, and the button may not be the one that was pressed.
    if (event.key === "Enter" && event.repeat) event.preventDefault();
  }
  const classes = ["button", variant && VARIANTS[variant], size && "button-large", className];
  return (
    <button
      {...button}
      type={type}
      aria-disabled={isBusy}
      className={classes.filter(Boolean).join(" ")}
      onClick={press}
      onKeyDown={pressKey}
    />
  );
}
