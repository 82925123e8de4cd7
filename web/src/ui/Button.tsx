// A button to press. Links that look like one carry the same classes, which the theme defines.
import type { ComponentProps, MouseEvent } from "react";

/** Whole names, because only what stands here as it is used gets into the style sheet. */
const VARIANTS = {
  main: "button-main",
  destroy: "button-destroy",
  outline: "button-outline",
  live: "button-live",
} as const;

interface ButtonProps extends ComponentProps<"button"> {
  /** The one thing a form is there for, what destroys, what stands out a little, what is playing. */
  variant?: keyof typeof VARIANTS | undefined;
  /** Large where it stands below the fields of a form, or is pressed with a thumb. */
  size?: "large" | undefined;
  /**
   * True while what it does is under way, or has to be waited for. It is not `disabled` then, which would take the focus
   * from whoever pressed it: it stays where it is, is told to be unavailable, and presses do nothing.
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
  ...button
}: ButtonProps) {
  function press(event: MouseEvent<HTMLButtonElement>): void {
    if (!isBusy) onClick?.(event);
    // Also what Enter in a field of its form comes to. And what a key does may put the form's own key in its place, which is the same
    // element to React, before the browser comes to what a press of that does.
    if (isBusy || type === "button") event.preventDefault();
  }
  const classes = ["button", variant && VARIANTS[variant], size && "button-large", className];
  return (
    <button
      {...button}
      type={type}
      aria-disabled={isBusy}
      className={classes.filter(Boolean).join(" ")}
      onClick={press}
    />
  );
}
