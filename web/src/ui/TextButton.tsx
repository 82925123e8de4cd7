import type { ComponentProps } from "react";

interface TextButtonProps extends Omit<ComponentProps<"button">, "type"> {
  /** Large below the fields of a form, where its label keeps its case. */
  size?: "large";
}

export function TextButton({ size, className = "", ...button }: TextButtonProps) {
  const base = size === "large" ? "min-h-9 self-start text-left" : "min-h-6 uppercase";
  return (
    <button {...button} type="button" className={`type-label ${base} text-link ${className}`} />
  );
}
