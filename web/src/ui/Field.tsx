import {
  type ComponentProps,
  createContext,
  type ReactNode,
  useContext,
  useId,
  useState,
} from "react";
import { Button } from "./Button.tsx";

/** True if a list or a toast announces the problems of these fields: each would be announced twice. */
export const ProblemsTogether = createContext(false);

interface FieldMessages {
  label: string;
  /**
   * Marks a required field in a form with optional ones. If all are required, `aria-required` says so, and needs no
   * mark.
   */
  required?: boolean | undefined;
  hint?: ReactNode;
  /** True if the label is for screen readers only. */
  isLabelHidden?: boolean | undefined;
  error?: string | undefined;
}

interface FieldProps extends FieldMessages, ComponentProps<"input"> {
  children?: ReactNode;
}

/** A field whose spelling is not checked is not corrected by phones either. */
export function Field({ children, ...props }: FieldProps) {
  return (
    <Labelled {...props}>
      {(input) => (
        <div className="flex">
          <input
            autoCorrect={props.spellCheck === false ? "off" : undefined}
            {...input}
            className={`field min-w-0 flex-1 ${input.className}`}
          />
          {children}
        </div>
      )}
    </Labelled>
  );
}

/** A field for several lines. It grows with its content, but never wider: an address without spaces is one word. */
export function TextArea(props: FieldMessages & ComponentProps<"textarea">) {
  return (
    <Labelled {...props}>
      {(area) => (
        <textarea
          {...area}
          className={`field field-sizing-content contain-inline-size min-h-44 max-h-[60vh] resize-y py-2.5 ${area.className}`}
        />
      )}
    </Labelled>
  );
}

interface ControlProps {
  required: boolean | undefined;
  id: string;
  dir: string;
  "aria-invalid": boolean;
  "aria-describedby": string | undefined;
  className: string;
}

interface LabelledProps extends FieldMessages {
  className?: string | undefined;
  children: (control: ControlProps) => ReactNode;
}

/** Passes the rest of its props on to the control. */
function Labelled({
  label,
  required,
  hint,
  isLabelHidden,
  error,
  className = "",
  children,
  ...control
}: LabelledProps) {
  const id = useId();
  const isSaidTogether = useContext(ProblemsTogether);
  const described = [hint && hint !== error && `${id}-hint`, error && `${id}-error`]
    .filter(Boolean)
    .join(" ");
  return (
    <div className={`flex flex-col gap-2 ${className}`}>
      <div
        className={
          isLabelHidden ? "sr-only" : "type-label flex flex-wrap justify-between gap-x-4 uppercase"
        }
      >
        <label htmlFor={id}>{label}</label>
        {required && (
          <span aria-hidden="true" className="text-dim">
            Required
          </span>
        )}
      </div>
      {children({
        dir: "auto",
        ...control,
        required,
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

export function EmailField(props: Omit<FieldProps, "label"> & { label?: string }) {
  return (
    <Field label="Email" {...props} type="email" dir="ltr" inputMode="email" autoComplete="email" />
  );
}

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
