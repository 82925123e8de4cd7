// A switch, which takes effect at once or with its form.
import { type ComponentProps, type SyntheticEvent, useId } from "react";

interface SwitchProps extends Omit<ComponentProps<"input">, "type" | "role"> {
  label: string;
}

export function Switch({ label, className = "", onChange, ...input }: SwitchProps) {
  const id = useId();
  return (
    <span className={`flex items-center gap-3 ${className}`}>
      <input
        {...input}
        id={id}
        type="checkbox"
        // biome-ignore lint/a11y/useAriaPropsForRole: a checkbox says by itself whether it is checked
        role="switch"
        className="switch"
        onChange={(event) => !isSecondClick(event) && onChange?.(event)}
        onClick={(event) => isSecondClick(event) && event.preventDefault()}
      />
      <label htmlFor={id} className="type-label uppercase">
        {label}
      </label>
    </span>
  );
}

/** True for the second half of a double click, which would undo the first. */
function isSecondClick({ nativeEvent }: SyntheticEvent): boolean {
  return nativeEvent instanceof UIEvent && nativeEvent.detail > 1;
}
