// A field for an address. Not type="url": browsers would tidy the value before the rules see it.
import type { ComponentProps } from "react";
import { loadRules, rulesState, withRules } from "../../../rules/rules.ts";
import { Field } from "../../../ui/Field.tsx";

interface UrlFieldProps extends Omit<ComponentProps<typeof Field>, "type" | "inputMode"> {
  /** Replaces what was typed by the full address. */
  onCompleted: (url: string) => void;
}

export function UrlField({ onCompleted, ...props }: UrlFieldProps) {
  /** Adds a missing `https://` visibly, before the check. */
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
