// A field for a number, with what was understood of it beside it: as text, so that browsers leave it as it was typed.
import type { ComponentProps, MouseEvent } from "react";
import { type Rules, withRules } from "../../../rules/rules.ts";
import { useRules } from "../../../rules/useRules.ts";
import { Field } from "../../../ui/Field.tsx";

interface NumberFieldProps extends Omit<ComponentProps<typeof Field>, "type" | "hint"> {
  /** What stands in the field. */
  typed: string;
  /** The rules' reading of it. */
  read: (
    rules: Rules,
    typed: string,
  ) => { value?: string | undefined; problems?: readonly { message: string }[] | undefined };
}

export function NumberField({ typed, read, ...field }: NumberFieldProps) {
  useRules();
  const { value, problems } = withRules((rules) => read(rules, typed)) ?? {};
  return (
    <Field
      {...field}
      autoComplete="off"
      spellCheck={false}
      className="[&_input]:text-right [&_input]:tabular-nums"
      hint={value === undefined ? problems?.[0]?.message : `Saved as ${value}`}
      onMouseDown={selectAll}
    />
  );
}

/** What is there is replaced, not added to: a caret before `12.00` would make thousands of a price. */
function selectAll(event: MouseEvent<HTMLInputElement>): void {
  const input = event.currentTarget;
  if (document.activeElement === input) return;
  // The press would set the caret after the focus has come.
  event.preventDefault();
  input.focus();
  input.select();
}
