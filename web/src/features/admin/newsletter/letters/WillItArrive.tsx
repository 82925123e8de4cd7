// Will it arrive? What other mail servers find about the sender, and about a letter that arrived. It warns and never blocks.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { call } from "../../../../api/client.ts";
import { putAnswer } from "../../../../api/putAnswer.ts";
import { unlessRefused } from "../../../../api/queries.ts";
import { readState } from "../../../../api/readState.ts";
import { useSingleMutation } from "../../../../api/useSingleMutation.ts";
import { toastFailure, wordsForField } from "../../../../session/wordsFor.ts";
import { Button } from "../../../../ui/Button.tsx";
import { dayAndTime } from "../../../../ui/dates.ts";
import { TextArea } from "../../../../ui/Field.tsx";
import { type Arrival, arrivalQuery, isOnItsWay } from "./arrivalQuery.ts";
import { Findings } from "./Findings.tsx";

const LOOK_AGAIN_MS = 3_000;

export function WillItArrive() {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <div className="flex flex-col items-start gap-4">
      <Button aria-expanded={isOpen} aria-controls={id} onClick={() => setOpen(!isOpen)}>
        WILL IT ARRIVE?
      </Button>
      <div id={id} className="w-full">
        {isOpen && <Checks />}
      </div>
    </div>
  );
}

function Checks() {
  const arrival = useQuery({
    ...arrivalQuery,
    refetchInterval: ({ state }) =>
      state.data !== undefined && isOnItsWay(state.data) && unlessRefused(state, LOOK_AGAIN_MS),
  });
  const client = useQueryClient();
  const again = useSingleMutation({
    mutationFn: () => call("POST", "/api/admin/newsletter/arrival", {}),
    onSuccess: (found) => putAnswer(client, arrivalQuery, found),
    onError: (error) => toastFailure(error, "arrival_failed"),
  });
  const { data } = arrival;
  const state = readState(arrival);
  const isLooking = again.isPending || state === "loading";
  return (
    <section aria-label="Will it arrive?" className="flex max-w-5xl flex-col items-start gap-5">
      <p role="status" className={state === "failing" ? "text-signal" : "text-dim"}>
        {isLooking
          ? "Asking the DNS, and pressing the link to leave..."
          : data?.checked_at
            ? `Looked up ${dayAndTime(data.checked_at)}. It warns and never blocks.`
            : state === "failing" && "It could not be looked up."}
      </p>
      {data && data.findings.length > 0 && (
        <div className="w-full">
          <Findings label="Found by looking it up" findings={data.findings} />
        </div>
      )}
      <Button isBusy={isLooking} onClick={() => again.mutate()}>
        CHECK AGAIN
      </Button>
      {data && <ReadBack arrival={data} />}
      <Paste />
    </section>
  );
}

function ReadBack({ arrival }: { arrival: Arrival }) {
  const client = useQueryClient();
  const { mutate, isPending } = useSingleMutation({
    mutationFn: () => call("POST", "/api/admin/newsletter/read-back", {}),
    onSuccess: (found) => putAnswer(client, arrivalQuery, found),
    onError: (error) => toastFailure(error, "arrival_failed"),
  });
  const { read_back, can_read_back } = arrival;
  if (!can_read_back && !read_back) return null;
  return (
    <div className="flex w-full flex-col items-start gap-3">
      {can_read_back && (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Button isBusy={isPending} onClick={() => mutate()}>
            READ IT BACK
          </Button>
          <p className="text-dim">A letter to the bounce mailbox, and what is found on it there.</p>
        </div>
      )}
      <p role="status" className={read_back?.failure ? "text-signal" : ""}>
        {read_back && saidOf(read_back, isOnItsWay(arrival))}
      </p>
      {read_back?.found && (
        <Findings label="Found by reading it back" findings={read_back.found.findings} />
      )}
    </div>
  );
}

function saidOf(
  { sent_at, failure, found }: NonNullable<Arrival["read_back"]>,
  isWaiting: boolean,
): string {
  const sent = `Sent ${dayAndTime(sent_at)}.`;
  if (isWaiting) return `${sent} It is not in the bounce mailbox yet.`;
  return `${sent} ${failure ?? found?.said ?? ""}`;
}

function Paste() {
  const [isOpen, setOpen] = useState(false);
  const [typed, setTyped] = useState("");
  const id = useId();
  const read = useSingleMutation({
    mutationFn: (headers: string) =>
      call("POST", "/api/admin/newsletter/headers", { body: { headers } }),
    onError: (error) => {
      if (!wordsForField(error, "headers")) toastFailure(error, "arrival_failed");
    },
  });
  function submit(event: FormEvent): void {
    event.preventDefault();
    read.mutate(typed);
  }
  return (
    <div className="flex w-full flex-col items-start gap-4">
      <Button aria-expanded={isOpen} aria-controls={id} onClick={() => setOpen(!isOpen)}>
        PASTE THE HEADERS
      </Button>
      <div id={id} className="w-full">
        {isOpen && (
          <form noValidate className="flex flex-col items-start gap-4" onSubmit={submit}>
            <TextArea
              label="Headers of a letter that arrived"
              className="w-full"
              hint="In Gmail Show Original, in Outlook View Source, in Apple Mail Raw Source. Nothing of it is kept."
              rows={8}
              spellCheck={false}
              value={typed}
              error={wordsForField(read.error, "headers")}
              onChange={({ target }) => {
                read.reset();
                setTyped(target.value);
              }}
            />
            <Button type="submit" variant="main" isBusy={read.isPending}>
              READ THEM
            </Button>
            <div className="flex w-full flex-col gap-3">
              {/* The status is announced only if it was there, empty, before the answer. */}
              <p role="status" className="[overflow-wrap:anywhere]">
                {read.data?.said}
              </p>
              {read.data && <Findings label="Found in the headers" findings={read.data.findings} />}
            </div>
          </form>
        )}
      </div>
    </div>
  );
}
