// The progress of an upload. Once all of it is sent, the server checks it.

interface UploadMeterProps {
  label: string;
  part: number;
}

export function UploadMeter({ label, part }: UploadMeterProps) {
  const isKnown = part > 0 && part < 1;
  const state = part === 1 ? "Checking..." : "Uploading...";
  return (
    <div className="flex w-full min-w-0 items-center gap-3">
      <progress
        aria-label={label}
        className="meter min-w-0 flex-1"
        value={isKnown ? part : undefined}
      />
      <span aria-hidden="true" className="flex-none tabular-nums">
        {isKnown ? `${Math.floor(part * 100)} %` : state}
      </span>
      {/* Announces each phase, not each percent. */}
      <span role="status" className="sr-only">
        {label}: {state}
      </span>
    </div>
  );
}
