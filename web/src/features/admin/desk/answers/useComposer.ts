// The letter being written: filled in from its template, sent once, and undone together with its decision.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { apiError } from "../../../../api/client.ts";
import { readState } from "../../../../api/readState.ts";
import { demoQuery, heldDemo, putDemo, readDemo } from "../deskCalls.ts";
import {
  type DemoAnswer,
  type DemoState,
  type Letter,
  type LetterKind,
  letterName,
} from "../deskTypes.ts";
import type { NewStep } from "../steps.ts";
import type { Actions } from "../useActions.ts";
import type { Desk } from "../useDesk.ts";
import { deleteAnswer, postAnswer, previewQuery } from "./answerCalls.ts";

interface Opened {
  /** Of this opening: a letter that is closed and opened again is another one. */
  number: number;
  demo: string;
  name: string;
  kind: LetterKind;
  /** The demo's state as the writer knows it; null once another admin's change of it was pointed out. */
  seen?: DemoState | null | undefined;
  /** The decision it tells of, while that is being saved. */
  decided?: Promise<boolean> | undefined;
  /** Undefined while it is the unchanged template. */
  edited?: Letter;
  /** The sender already has an answer of this kind; the form asks whether to send another. */
  isAsking?: boolean;
  /** Send was pressed before the letter was loaded. */
  isAwaited?: boolean;
  isSending?: boolean;
  problems?: Readonly<Record<string, string>>;
}

export function useComposer(desk: Desk, actions: Actions, onSent: () => void) {
  const client = useQueryClient();
  const { demo, id } = desk;
  const [opened, setOpened] = useState<Opened>();
  const openings = useRef(0);
  // Also while the demo is gone: an UNDO may bring it back.
  const open = opened && opened.demo === id ? opened : undefined;
  const preview = previewQuery(open?.demo ?? "", open?.kind ?? "received");
  const enabled = open !== undefined && demo !== undefined;
  const { data, isError, failureCount } = useQuery({ ...preview, enabled });
  const letter: Letter | undefined = open?.edited ?? data;
  const isFailing = readState({ data, isError, failureCount }) === "failing";

  // A change made here is known; one that another admin makes while a letter is written may be overlooked.
  const isKnown = open?.seen === undefined || (open.seen !== null && desk.isMoving);
  if (open && demo && isKnown && open.seen !== demo.state) change({ seen: demo.state });

  /** Does nothing if another letter or demo was opened, or the desk left, in the meantime. */
  const goOn = useRef<(sent: Opened) => void>(undefined);
  const openNow = useRef<Opened>(undefined);
  useEffect(() => {
    openNow.current = open;
    goOn.current = (sent) => {
      if (id === sent.demo && (!open || isSame(open, sent))) onSent();
    };
    return () => {
      openNow.current = goOn.current = undefined;
    };
  });

  function change(changes: Partial<Opened>, of = open): void {
    setOpened((now) => (now && isSame(now, of) ? { ...now, ...changes } : now));
  }

  function tryAgain(): void {
    void client.resetQueries({ queryKey: preview.queryKey });
  }

  function send(again = false): void {
    if (!open || !demo || open.isSending) return;
    if (!letter || !data) {
      change({ isAwaited: true });
      if (isFailing) tryAgain();
      return;
    }
    if (!again && (data.was_sent_at !== null || open.isAsking)) {
      change({ isAsking: true, isAwaited: false });
      return;
    }
    const sent = open;
    const { kind, decided, seen } = sent;
    const { id: of, artist_name: name } = demo;
    const { subject, text } = letter;
    change({ isSending: true, isAwaited: false });
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
      if ((await decided) === false) return false;
      let answer: DemoAnswer;
      const asked = Date.now();
      try {
        answer = await postAnswer(of, kind, { subject, text }, seen ?? before, again);
      } catch (error) {
        const { code, fields, status } = apiError(error);
        change({ problems: fields, isAsking: code === "already_answered" }, sent);
        if (status === 412) change({ seen: null }, sent);
        // The open form says it.
        if (code === "already_answered" && isSame(openNow.current, sent)) return false;
        throw error;
      }
      const held = heldDemo(client, of);
      if (gave && held) putDemo(client, { ...held, state: gave });
      step.letter = answer.id;
      // By this clock, which may differ from the server's, and not from the answer on, which may come late.
      step.until = asked + heldFor(answer);
      void client.invalidateQueries({ queryKey: demoQuery(of).queryKey });
      setOpened((now) => (isSame(now, sent) ? undefined : now));
      goOn.current?.(sent);
      return true;
    }
    const run = actions.run(`answer ${of} ${kind} ${sent.number}`, demo, post, { step });
    void run.finally(() => change({ isSending: false }, sent));
  }

  const isAwaited = opened?.isAwaited === true;
  const ended = open === undefined ? "left" : desk.isGone ? "removed" : undefined;
  const isFilledIn = data !== undefined;
  /** Sends, drops or keeps a letter that was to be sent as soon as it is filled in. */
  const settleAwaited = useEffectEvent(() => {
    if (!isAwaited) return;
    if (ended) {
      setOpened(undefined);
      actions.tell(`Not sent: ${opened.name} was ${ended} before the letter was filled in.`);
    } else if (isFilledIn) send();
    // It is to be read before it is sent.
    else if (failureCount > 0) change({ isAwaited: false });
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: it reads all four
  useEffect(settleAwaited, [isAwaited, ended, isFilledIn, failureCount]);

  function openLetter(kind: LetterKind, decided?: Promise<boolean>): void {
    if (!demo || open?.kind === kind) return;
    openings.current += 1;
    const number = openings.current;
    const wanted: Opened = { number, demo: demo.id, name: demo.artist_name, kind, decided };
    setOpened(wanted);
    void decided?.then((isDecided) => {
      if (isDecided) return;
      const isWriting = document.activeElement?.matches(
        "form[aria-label=Answer] :is(input, textarea)",
      );
      // The decision failed, so its letter closes. One that is written stays, and may itself tell of the decision.
      setOpened((now) => {
        if (now?.decided !== decided) return now;
        return now.edited || isWriting
          ? { ...now, decided: undefined, seen: undefined }
          : undefined;
      });
    });
  }

  return {
    kind: open?.kind,
    letter,
    to: data?.to,
    wasSentAt: data?.was_sent_at ?? undefined,
    isFailing,
    tryAgain,
    isEdited: open?.edited !== undefined,
    isAsking: open?.isAsking === true,
    isAwaited: open?.isAwaited === true,
    isSending: open?.isSending === true || open?.isAwaited === true,
    problems: open?.problems ?? {},
    /** Opens a letter to the demo on the desk; an open letter of that kind keeps its edits. */
    open: openLetter,
    write: (edited: Letter) => change({ edited, isAsking: false, problems: {} }),
    send,
    close: () => setOpened(undefined),
  };
}

function isSame(one: Opened | undefined, other: Opened | undefined): boolean {
  return one?.number === other?.number;
}

function heldFor({ created_at, undo_until }: DemoAnswer): number {
  return undo_until === null ? 0 : Date.parse(undo_until) - Date.parse(created_at);
}
