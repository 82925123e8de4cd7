// A field for an address. As text, not as "url": the rules alone say what is one, and browsers would tidy it first.
import type { ComponentProps } from "react";
import { withRules } from "../../../rules/rules.ts";
import { Field } from "../../../ui/Field.tsx";

interface UrlFieldProps extends Omit<ComponentProps<typeof Field>, "type" | "inputMode"> {
  /** Puts an address into the field in place of what was typed. */
  onCompleted: (url: string) => void;
}

export function UrlField({ onCompleted, ...props }: UrlFieldProps) {
  /** What was typed without `https://` gets it before it is checked, to be seen. */
  function complete({ currentTarget: { value } }: { currentTarget: HTMLInputElement }): void {
    const url = withRules((rules) => rules.completeUrl(value));
    if (url !== undefined && url !== value) onCompleted(url);
  }
  return (
    <Field
      {...props}
      onBlur={(event) => {
        void props.onBlur?.(event);
        complete(event);
      }}
      onKeyDown={(event) => event.key === "Enter" && complete(event)}
      inputMode="url"
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      placeholder="https://"
    />
  );
}
