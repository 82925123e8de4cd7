// One labelled input, with what is said about it below: a hint, or in the signal what is wrong.
import { type ComponentProps, type ReactNode, useId, useState } from "react";

interface FieldProps extends ComponentProps<"input"> {
  label: string;
  hint?: ReactNode;
  /** What is wrong with the value. */
  error?: string | undefined;
  /** A key that belongs to the input, at its right. */
  children?: ReactNode;
}

export function Field({ label, hint, error, children, className = "", ...input }: FieldProps) {
  const id = useId();
  const described = [hint && hint !== error && `${id}-hint`, error && `${id}-error`]
    .filter(Boolean)
    .join(" ");
  return (
    <div className={`flex flex-col gap-2 ${className}`}>
      <label htmlFor={id} className="type-label uppercase">
        {label}
      </label>
      <div className="flex">
        <input
          {...input}
          id={id}
          aria-invalid={error !== undefined}
          aria-describedby={described || undefined}
          className={`field min-w-0 flex-1 ${error === undefined ? "" : "border-signal"}`}
        />
        {children}
      </div>
      {hint && hint !== error && (
        <p id={`${id}-hint`} className="text-dim">
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} role="alert" className="text-signal">
          {error}
        </p>
      )}
    </div>
  );
}

/** A field for a password, which can be shown. */
export function PasswordField(props: Omit<FieldProps, "type" | "children">) {
  const [isShown, setShown] = useState(false);
  return (
    <Field {...props} type={isShown ? "text" : "password"} autoCapitalize="none" spellCheck={false}>
      <button
        type="button"
        className="key type-label -ml-px flex-none border-dim"
        aria-pressed={isShown}
        onClick={() => setShown(!isShown)}
      >
        {isShown ? "HIDE" : "SHOW"}
        <span className="sr-only"> PASSWORD</span>
      </button>
    </Field>
  );
}
