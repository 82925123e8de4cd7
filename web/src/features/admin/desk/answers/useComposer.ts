// The letter that is being written to a sender: filled in from its template, sent once, and taken back with what was decided.
import { type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { apiError } from "../../../../api/client.ts";
import { readState } from "../../../../api/readState.ts";
import { demoQuery, heldDemo, putDemo, readDemo } from "../deskCalls.ts";
import {
  type DemoAnswer,
  type DemoState,
  type DeskDemo,
  type Letter,
  type LetterKind,
  letterName,
} from "../deskTypes.ts";
import type { NewStep } from "../steps.ts";
import type { Actions } from "../useActions.ts";
import type { Desk } from "../useDesk.ts";
import { deleteAnswer, postAnswer, previewQuery } from "./answerCalls.ts";

interface Opened {
  demo: string;
  /** Whose it is. */
  name: string;
  kind: LetterKind;
  /** The decision that it tells of, where that is under way. */
  decided?: Promise<boolean> | undefined;
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
  const { demo, id } = desk;
  const { tell } = actions;
  const [opened, setOpened] = useState<Opened>();
  const [isSending, setSending] = useState(false);
  // A letter belongs to the demo it was opened for.
  const open = opened && opened.demo === demo?.id ? opened : undefined;
  const preview = previewQuery(open?.demo ?? "", open?.kind ?? "received");
  const { data, isError, failureCount } = useQuery({ ...preview, enabled: open !== undefined });
  const letter: Letter | undefined = open?.edited ?? data;
  const isFailing = readState({ data, isError, failureCount }) === "failing";

  /** Whoever has opened another demo meanwhile, or left the desk, stays there. */
  const goOn = useRef<(from: string) => void>(undefined);
  useEffect(() => {
    goOn.current = (from) => {
      if (id === from) onSent();
    };
    return () => {
      goOn.current = undefined;
    };
  });

  function change(changes: Partial<Opened>, of = open?.demo): void {
    setOpened((now) => (now && now.demo === of ? { ...now, ...changes } : now));
  }

  function tryAgain(): void {
    void client.resetQueries({ queryKey: preview.queryKey });
  }

  function send(again = false): void {
    if (!open || !demo || isSending) return;
    if (!letter || !data) {
      change({ isAwaited: true });
      if (isFailing) tryAgain();
      return;
    }
    if (!again && (data.was_sent_at !== null || open.isAsking)) {
      change({ isAsking: true, isAwaited: false });
      return;
    }
    const { kind, decided } = open;
    const { id: of, artist_name: name } = demo;
    const { subject, text } = letter;
    setSending(true);
    const gave = kind === "received" ? undefined : (kind satisfies DemoState);
    const { state: before } = demo;
    const step: NewStep = {
      what: `${letterName(kind)}, ${name} is answered`,
      doing: "Sending",
      before: gave && (() => ({ state: before })),
      takeBack: async () => {
        if (step.letter !== undefined) await deleteAnswer(step.letter);
        await readDemo(client, of);
      },
      covers: gave,
    };
    async function post(): Promise<boolean> {
      // What was not decided is not told.
      if ((await decided) === false) return false;
      let answer: DemoAnswer;
      try {
        answer = await postAnswer(of, kind, { subject, text }, again);
      } catch (error) {
        const { code, fields } = apiError(error);
        change({ problems: fields, isAsking: code === "already_answered" }, of);
        // The question says it.
        if (code === "already_answered") return false;
        throw error;
      }
      const held = heldDemo(client, of);
      if (gave && held) putDemo(client, { ...held, state: gave });
      step.letter = answer.id;
      // By this clock: the server's may go otherwise.
      step.until = Date.now() + heldFor(answer);
      void client.invalidateQueries({ queryKey: demoQuery(of).queryKey });
      setOpened((now) => (now?.demo === of ? undefined : now));
      goOn.current?.(of);
      return true;
    }
    const run = actions.run(`answer ${of} ${kind}`, demo, post, { step });
    void run.finally(() => {
      setSending(false);
      change({ isAwaited: false }, of);
    });
  }

  const sendAwaited = useEffectEvent(() => send());
  const isReady = data !== undefined && open?.isAwaited === true;
  useEffect(() => {
    if (isReady) sendAwaited();
  }, [isReady]);

  // What comes later than that was not waited for: it is read first.
  useEffect(() => {
    if (failureCount > 0) setOpened((now) => now && { ...now, isAwaited: false });
  }, [failureCount]);

  const left = opened?.isAwaited && opened.demo !== id ? opened.name : undefined;
  useEffect(() => {
    if (left === undefined) return;
    setOpened(undefined);
    tell(`Not sent: ${left} was left before the letter was filled in.`);
  }, [left, tell]);

  function openLetter(kind: LetterKind, decided?: Promise<boolean>): void {
    if (!demo || open?.kind === kind) return;
    const wanted: Opened = { demo: demo.id, name: demo.artist_name, kind, decided };
    setOpened(wanted);
    void decided?.then((isDecided) => {
      if (isDecided) return;
      // What was not decided needs no letter; what was written meanwhile is kept.
      setOpened((now) => (now?.decided !== decided || now?.edited ? now : undefined));
    });
  }

  return {
    /** The letter's kind; undefined while none is open. */
    kind: open?.kind,
    /** Undefined while it is filled in. */
    letter,
    to: data?.to,
    wasSentAt: data?.was_sent_at ?? undefined,
    isFailing,
    tryAgain,
    isEdited: open?.edited !== undefined,
    isAsking: open?.isAsking === true,
    /** It is sent as soon as it is here. */
    isAwaited: open?.isAwaited === true,
    isSending: isSending || open?.isAwaited === true,
    problems: open?.problems ?? {},
    /** Opens the letter of a kind to the demo on the desk; one that is open stays as it was changed. */
    open: openLetter,
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
export function takeBack(
  client: QueryClient,
  actions: Actions,
  demo: DeskDemo,
  answer: DemoAnswer,
): void {
  void actions.run(`take back ${answer.id}`, demo, async () => {
    await deleteAnswer(answer.id);
    actions.dropLetter(answer.id);
    await readDemo(client, demo.id);
  });
}
