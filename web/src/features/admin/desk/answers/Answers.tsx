import { useQueryClient } from "@tanstack/react-query";
import { dayAndTime } from "../../../../ui/dates.ts";
import { TextButton } from "../../../../ui/TextButton.tsx";
import { readDemo } from "../deskCalls.ts";
import { useDeskState } from "../deskState.ts";
import { type DemoAnswer, type DeskDemo, letterName } from "../deskTypes.ts";
import { deleteAnswer } from "./answerCalls.ts";

export function Answers({ demo }: { demo: DeskDemo }) {
  const client = useQueryClient();
  const { desk, actions } = useDeskState();
  const answers = desk.detail?.answers ?? [];
  if (answers.length === 0) return null;

  function takeBack({ id }: DemoAnswer): void {
    void actions.run(`take back ${id}`, demo, async () => {
      await deleteAnswer(id);
      actions.dropLetter(id);
      await readDemo(client, demo.id);
    });
  }
  return (
    <section aria-label="Answers" className="flex flex-col gap-3">
      <h3 className="type-label text-dim uppercase">Answers</h3>
      <ol className="text-[0.75rem]">
        {answers.map((answer) => (
          <li key={answer.id} className="border-hairline border-t py-2">
            <details>
              <summary className="grid min-h-6 cursor-pointer grid-cols-[minmax(0,1fr)_auto] items-baseline gap-x-4">
                <span>
                  <span className="text-dim">{letterName(answer.kind)}</span>{" "}
                  <bdi>{answer.subject}</bdi>
                </span>
                <Standing answer={answer} />
              </summary>
              <p
                dir="auto"
                className="mt-2 max-w-[65ch] whitespace-pre-line border-hairline border-l pl-4"
              >
                {answer.text}
              </p>
            </details>
            {answer.undo_until !== null && (
              <TextButton onClick={() => takeBack(answer)}>
                Take back<span className="sr-only"> answer: {answer.subject}</span>
              </TextButton>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}

function Standing({ answer: { sent_at, failed_at, undo_until } }: { answer: DemoAnswer }) {
  if (sent_at !== null) {
    return (
      <time dateTime={sent_at} className="text-dim tabular-nums">
        {dayAndTime(sent_at)}
      </time>
    );
  }
  if (failed_at !== null) return <span className="text-signal">Not delivered</span>;
  return <span>{undo_until !== null ? "Waits" : "On its way"}</span>;
}
