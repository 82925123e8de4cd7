import { PageHead } from "../../ui/PageHead.tsx";
import { Prompt } from "./Prompt.tsx";
import { Transcript } from "./Transcript.tsx";
import { useBoot } from "./useBoot.ts";
import { useTerminal } from "./useTerminal.ts";

export function TerminalPage() {
  const { lines, isPending, ask } = useTerminal();
  const isBooted = useBoot(lines.length);
  return (
    // Fills the window, so that the prompt is in sight without scrolling.
    <div data-console className="flex min-h-0 flex-1 flex-col">
      <div className="[@media(height<30rem)]:sr-only">
        <PageHead name="TERMINAL" />
      </div>
      <Transcript lines={lines} isPending={isPending} />
      <Prompt lines={lines} isBooted={isBooted} isPending={isPending} onAsk={ask} />
    </div>
  );
}
