// One labelled input, with what is said about it below: a hint, or in the signal what is wrong.
import {
  type ComponentProps,
  createContext,
  type ReactNode,
  useContext,
  useId,
  useState,
} from "react";
import { Button } from "./Button.tsx";

/** True around fields whose problems are said in one list when the form is refused: each would be heard twice. */
export const ProblemsTogether = createContext(false);

interface FieldMessages {
  label: string;
  /**
   * True for what must be filled in, in a form that can also do without some: said beside the label, and by the input
   * itself. Where all must be, `aria-required` says it and nothing has to be told apart.
   */
  required?: boolean | undefined;
  hint?: ReactNode;
  /** True where the label is only heard, because what stands around the input says it. */
  isLabelHidden?: boolean | undefined;
  /** What is wrong with the value. */
  error?: string | undefined;
}

interface FieldProps extends FieldMessages, ComponentProps<"input"> {
  /** A key that belongs to the input, at its right. */
  children?: ReactNode;
}

export function Field({
  label,
  required,
  hint,
  isLabelHidden,
  error,
  children,
  className = "",
  ...input
}: FieldProps) {
  return (
    <Labelled
      label={label}
      required={required}
      hint={hint}
      isLabelHidden={isLabelHidden}
      error={error}
      className={className}
    >
      {(inputProps) => (
        <div className="flex">
          <input
            {...input}
            {...inputProps}
            required={required}
            className={`field min-w-0 flex-1 ${inputProps.className}`}
          />
          {children}
        </div>
      )}
    </Labelled>
  );
}

/** A field for several lines. It grows with them where the browser can, and never wider: an address without a space is one word. */
export function TextArea({
  label,
  hint,
  isLabelHidden,
  error,
  className = "",
  ...area
}: FieldMessages & ComponentProps<"textarea">) {
  return (
    <Labelled
      label={label}
      hint={hint}
      isLabelHidden={isLabelHidden}
      error={error}
      className={className}
    >
      {(inputProps) => (
        <textarea
          {...area}
          {...inputProps}
          className={`field field-sizing-content contain-inline-size min-h-44 max-h-[60vh] resize-y py-2.5 ${inputProps.className}`}
        />
      )}
    </Labelled>
  );
}

/** What ties an input to what is said about it. */
interface InputProps {
  id: string;
  "aria-invalid": boolean;
  "aria-describedby": string | undefined;
  className: string;
}

interface LabelledProps extends FieldMessages {
  className: string;
  children: (inputProps: InputProps) => ReactNode;
}

function Labelled({
  label,
  required,
  hint,
  isLabelHidden,
  error,
  className,
  children,
}: LabelledProps) {
  const id = useId();
  const isSaidTogether = useContext(ProblemsTogether);
  const described = [hint && hint !== error && `${id}-hint`, error && `${id}-error`]
    .filter(Boolean)
    .join(" ");
  return (
    <div className={`flex flex-col gap-2 ${className}`}>
      <div
        className={isLabelHidden ? "sr-only" : "type-label flex justify-between gap-4 uppercase"}
      >
        <label htmlFor={id}>{label}</label>
        {/* The input says so itself. */}
        {required && (
          <span aria-hidden="true" className="text-dim">
            Required
          </span>
        )}
      </div>
      {children({
        id,
        "aria-invalid": error !== undefined,
        "aria-describedby": described || undefined,
        className: error === undefined ? "" : "border-signal",
      })}
      {hint && hint !== error && (
        <p id={`${id}-hint`} className="text-dim">
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} role={isSaidTogether ? undefined : "alert"} className="text-signal">
          {error}
        </p>
      )}
    </div>
  );
}

/** A field for an email address, called "Email" unless stated. */
export function EmailField(props: Omit<FieldProps, "label"> & { label?: string }) {
  return <Field label="Email" {...props} type="email" inputMode="email" autoComplete="email" />;
}

/** A field for a username, called "Username" unless stated. */
export function UsernameField(props: Omit<FieldProps, "label"> & { label?: string }) {
  return (
    <Field
      label="Username"
      {...props}
      autoComplete="username"
      autoCapitalize="none"
      spellCheck={false}
    />
  );
}

/** A field for a password, which can be shown. */
export function PasswordField(props: Omit<FieldProps, "type" | "children">) {
  const [isShown, setShown] = useState(false);
  return (
    <Field {...props} type={isShown ? "text" : "password"} autoCapitalize="none" spellCheck={false}>
      <Button className="-ml-px flex-none border-dim" onClick={() => setShown(!isShown)}>
        {isShown ? "HIDE" : "SHOW"}
        <span className="sr-only"> PASSWORD</span>
      </Button>
    </Field>
  );
}
