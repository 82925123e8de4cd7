// The letter that is being written to a sender: filled in from its template, sent once, and taken back with what was decided.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState } from "react";
import { apiError } from "../../../../api/client.ts";
import { demoQuery } from "../deskCalls.ts";
import type { DemoAnswer, DemoState, LetterKind } from "../deskTypes.ts";
import type { Actions } from "../useActions.ts";
import type { Desk } from "../useDesk.ts";
import { deleteAnswer, postAnswer, previewQuery } from "./answerCalls.ts";
import { kindName, type Letter } from "./letters.ts";

interface Opened {
  demo: string;
  kind: LetterKind;
  /** As it was changed; undefined while it is what the template says. */
  edited?: Letter;
  /** The sender has had an answer of this kind, and whether they are to have another is asked. */
  isAsking?: boolean;
  /** Sending was asked for before the letter was here. */
  isAwaited?: boolean;
  /** What is wrong with the letter, by field. */
  problems?: Readonly<Record<string, string>>;
}

export type Composer = ReturnType<typeof useComposer>;

/** `onSent` goes on to what comes next. */
export function useComposer(desk: Desk, actions: Actions, onSent: () => void) {
  const client = useQueryClient();
  const { demo } = desk;
  const [opened, setOpened] = useState<Opened>();
  const [isSending, setSending] = useState(false);
  // A letter belongs to the demo it was opened for.
  const open = opened && opened.demo === demo?.id ? opened : undefined;
  const { data, isError, refetch } = useQuery({
    ...previewQuery(open?.demo ?? "", open?.kind ?? "received"),
    enabled: open !== undefined,
  });
  const letter: Letter | undefined = open?.edited ?? data;

  function change(changes: Partial<Opened>): void {
    setOpened((now) => now && { ...now, ...changes });
  }

  function send(again = false): void {
    if (!open || !demo || isSending) return;
    if (!letter || !data) {
      change({ isAwaited: true });
      return;
    }
    if (!again && (data.was_sent_at !== null || open.isAsking)) {
      change({ isAsking: true, isAwaited: false });
      return;
    }
    const { kind } = open;
    const { id: of, artist_name: name } = demo;
    const { subject, text } = letter;
    setSending(true);
    const run = actions.run(`answer ${of} ${kind}`, of, async () => {
      let answer: DemoAnswer;
      try {
        answer = await postAnswer(of, kind, { subject, text }, again);
      } catch (error) {
        const { code, fields } = apiError(error);
        change({ problems: fields, isAsking: code === "already_answered" });
        // The question says it.
        if (code === "already_answered") return;
        throw error;
      }
      actions.note({
        demo: of,
        what: `${kindName(kind)}, ${name} is answered`,
        takeBack: async () => {
          await deleteAnswer(answer.id);
          void readAgain(of);
        },
        covers: kind === "received" ? undefined : (kind satisfies DemoState),
        // By this clock: the server's may go otherwise.
        until: Date.now() + heldFor(answer),
      });
      void readAgain(of);
      setOpened((now) => (now?.demo === of ? undefined : now));
      onSent();
    });
    void run.finally(() => setSending(false));
  }

  function readAgain(of: string): Promise<void> {
    return client.invalidateQueries({ queryKey: demoQuery(of).queryKey });
  }

  const sendAwaited = useEffectEvent(() => send());
  const isReady = data !== undefined && open?.isAwaited === true;
  useEffect(() => {
    if (isReady) sendAwaited();
  }, [isReady]);

  return {
    /** The letter's kind; undefined while none is open. */
    kind: open?.kind,
    /** Undefined while it is filled in. */
    letter,
    to: data?.to,
    wasSentAt: data?.was_sent_at ?? undefined,
    isFailing: isError,
    tryAgain: () => void refetch(),
    isEdited: open?.edited !== undefined,
    isAsking: open?.isAsking === true,
    isSending: isSending || open?.isAwaited === true,
    problems: open?.problems ?? {},
    /** Opens the letter of a kind to the demo on the desk; one that is open stays as it was changed. */
    open(kind: LetterKind): void {
      if (demo && open?.kind !== kind) setOpened({ demo: demo.id, kind });
    },
    write: (edited: Letter) => change({ edited, isAsking: false, problems: {} }),
    send,
    close: () => setOpened(undefined),
  };
}

/** How long an answer waits before it leaves, in milliseconds. */
function heldFor({ created_at, undo_until }: DemoAnswer): number {
  return undo_until === null ? 0 : Date.parse(undo_until) - Date.parse(created_at);
}

/** Takes back an answer that waits; for the list of answers, where anybody's can be. */
export function takeBack(actions: Actions, demo: string, answer: DemoAnswer): void {
  void actions.run(`take back ${answer.id}`, demo, () => deleteAnswer(answer.id));
}
