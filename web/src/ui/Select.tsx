import type { ComponentProps } from "react";

interface SelectProps<Value extends string>
  extends Omit<ComponentProps<"select">, "value" | "onChange" | "children"> {
  /** Its accessible name; left out where a `label` element names it by `id`. */
  label?: string;
  options: ReadonlyArray<readonly [value: Value, name: string]>;
  value: Value;
  onChoose: (value: Value) => void;
}

export function Select<Value extends string>({
  label,
  options,
  onChoose,
  className = "",
  ...select
}: SelectProps<Value>) {
  return (
    <select
      {...select}
      aria-label={label}
      className={`field ${className}`}
      onChange={({ target }) => onChoose(target.value as Value)}
    >
      {options.map(([value, name]) => (
        <option key={value} value={value}>
          {name}
        </option>
      ))}
    </select>
  );
}
