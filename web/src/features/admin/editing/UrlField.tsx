// A field for an address. As text, not as "url": the rules alone say what is one, and browsers would tidy it first.
import type { ComponentProps } from "react";
import { loadRules, rulesState, withRules } from "../../../rules/rules.ts";
import { Field } from "../../../ui/Field.tsx";

interface UrlFieldProps extends Omit<ComponentProps<typeof Field>, "type" | "inputMode"> {
  /** Puts an address into the field in place of what was typed. */
  onCompleted: (url: string) => void;
}

export function UrlField({ onCompleted, ...props }: UrlFieldProps) {
  /** What was typed without `https://` gets it before it is checked, to be seen. */
  async function complete({ currentTarget: field }: { currentTarget: HTMLInputElement }) {
    const { value } = field;
    if (rulesState.get() !== "ready") await loadRules();
    const url = withRules((rules) => rules.completeUrl(value));
    if (url !== undefined && url !== value && field.value === value) onCompleted(url);
  }
  return (
    <Field
      {...props}
      onBlur={(event) => {
        void props.onBlur?.(event);
        void complete(event);
      }}
      onKeyDown={(event) => event.key === "Enter" && void complete(event)}
      inputMode="url"
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      placeholder="https://"
    />
  );
}
