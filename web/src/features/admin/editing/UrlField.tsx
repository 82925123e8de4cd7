// A field for an address. As text, not as "url": the rules alone say what is one, and browsers would tidy it first.
import type { ComponentProps } from "react";
import { Field } from "../../../ui/Field.tsx";

export function UrlField(props: Omit<ComponentProps<typeof Field>, "type" | "inputMode">) {
  return (
    <Field
      {...props}
      inputMode="url"
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      placeholder="https://"
    />
  );
}
