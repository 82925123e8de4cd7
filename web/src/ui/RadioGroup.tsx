import { useId } from "react";

interface RadioGroupProps<Value extends string> {
  label: string;
  choices: ReadonlyArray<readonly [value: Value, label: string]>;
  value: Value;
  onChoose: (value: Value) => void;
}

export function RadioGroup<Value extends string>({
  label,
  choices,
  value,
  onChoose,
}: RadioGroupProps<Value>) {
  const name = useId();
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="type-label mb-2 uppercase">{label}</legend>
      <div className="flex flex-wrap gap-x-6 gap-y-1">
        {choices.map(([choice, text]) => (
          <label key={choice} className="flex min-h-9 items-center gap-2">
            <input
              type="radio"
              name={name}
              value={choice}
              checked={choice === value}
              onChange={() => onChoose(choice)}
              className="size-4 accent-signal"
            />
            {text}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
