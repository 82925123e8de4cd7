import { MAINTENANCE } from "../../rules/generated/constants.ts";
import { GroovesBehind } from "../../ui/Grooves.tsx";

export function MaintenanceScreen({ message }: { message: string | null | undefined }) {
  return (
    <section className="grid-sheet relative flex-1 content-end gap-y-6 overflow-hidden py-12">
      <GroovesBehind
        seed="SYSTEM PATCH"
        className="-top-1/6 -right-1/3 w-full md:-right-1/6 md:w-3/5"
      />
      <div className="relative col-span-12 flex flex-col items-start gap-6 pt-32">
        <h1 className="type-display">MAINTENANCE</h1>
        <p className="type-heading">SYSTEM PATCH IN PROGRESS...</p>
        <p className="type-lead max-w-[42ch] text-dim">{MAINTENANCE}</p>
        {message && <p className="type-lead max-w-[42ch] whitespace-pre-line">{message}</p>}
        <p className="type-label flex items-center gap-3 text-signal">
          <span aria-hidden="true" className="block-cursor blink" />
          STATUS: OFFLINE
        </p>
      </div>
    </section>
  );
}
