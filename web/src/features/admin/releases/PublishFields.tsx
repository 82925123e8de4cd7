// When a release is public: now, from a moment in local time, or not yet.
import { useRef } from "react";
import { Button } from "../../../ui/Button.tsx";
import { Field } from "../../../ui/Field.tsx";
import { RadioGroup } from "../../../ui/RadioGroup.tsx";
import { fromLocalInput, timeZone, toLocalInput } from "./localTime.ts";
import { PUBLISH_CHOICES, type Release, type ReleaseForm } from "./releaseConfig.ts";

type Publish = ReleaseForm["publish"];

interface PublishFieldsProps {
  publish: Publish;
  goesOutAt: string;
  state: Release["state"] | undefined;
  error: string | undefined;
  onPublish: (publish: Publish) => void;
  onGoesOutAt: (instant: string) => void;
}

export function PublishFields({
  publish,
  goesOutAt,
  state,
  error,
  onPublish,
  onGoesOutAt,
}: PublishFieldsProps) {
  const frame = useRef<HTMLDivElement>(null);

  function takeBack(): void {
    onPublish("not_yet");
    frame.current?.querySelector<HTMLElement>("input[value=not_yet]")?.focus();
  }

  return (
    <div ref={frame} className="flex flex-col gap-3">
      <RadioGroup label="Publish" choices={PUBLISH_CHOICES} value={publish} onChoose={onPublish} />
      {publish === "on_date" && (
        <Field
          label="Goes Out"
          type="datetime-local"
          required
          hint={`Your time: ${timeZone()}. A date in the past is now.`}
          error={error}
          value={toLocalInput(goesOutAt)}
          onChange={({ currentTarget }) => onGoesOutAt(fromLocalInput(currentTarget.value))}
        />
      )}
      {state === "out" &&
        (publish === "now" ? (
          <Button className="self-start" onClick={takeBack}>
            Take Back
          </Button>
        ) : (
          <p role="status" className="text-dim">
            It is out. Saving takes it back: its address answers nothing until it is out again.
          </p>
        ))}
    </div>
  );
}
