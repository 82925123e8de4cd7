import { useId } from "react";

interface RadioGroupProps<Value extends string> {
  label: string;
  choices: ReadonlyArray<readonly [value: Value, label: string]>;
  value: Value | undefined;
  onChoose: (value: Value) => void;
  /** True for a question with one answer a line. */
  isQuestion?: boolean;
}

export function RadioGroup<Value extends string>({
  label,
  choices,
  value,
  onChoose,
  isQuestion = false,
}: RadioGroupProps<Value>) {
  const name = useId();
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className={`mb-2 ${isQuestion ? "" : "type-label uppercase"}`}>{label}</legend>
      <div className={`flex gap-x-6 ${isQuestion ? "flex-col gap-y-2" : "flex-wrap gap-y-1"}`}>
        {choices.map(([choice, text]) => (
          <label
            key={choice}
            className={`flex min-h-9 items-center ${isQuestion ? "gap-3" : "gap-2"}`}
          >
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
