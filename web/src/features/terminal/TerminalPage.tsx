// The console through which the label's catalogue is asked.
import { PageHead } from "../../ui/PageHead.tsx";
import { Prompt } from "./Prompt.tsx";
import { Transcript } from "./Transcript.tsx";
import { useBoot } from "./useBoot.ts";
import { useTerminal } from "./useTerminal.ts";

export function TerminalPage() {
  const { lines, isPending, ask } = useTerminal();
  const isBooted = useBoot(lines.length);
  return (
    // What the navigation leaves of the window: the prompt is in sight without scrolling, over a phone's keyboard too.
    <div data-console className="flex h-[calc(100dvh-5.5rem)] min-h-104 flex-col">
      <PageHead name="TERMINAL" />
      <Transcript lines={lines} isPending={isPending} />
      <Prompt lines={lines} isBooted={isBooted} isPending={isPending} onAsk={ask} />
    </div>
  );
}
