// All that the parts of the desk share, and what its commands do.
import { type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query";
import { useSelector } from "@tanstack/react-store";
import {
  createContext,
  type SetStateAction,
  use,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { isAdminHere } from "../../../session/sessionQuery.ts";
import { useUnsaved } from "../../../ui/unsaved/useUnsaved.tsx";
import { useComposer } from "./answers/useComposer.ts";
import { listeningQuery, putListening, summaryQuery } from "./deskCalls.ts";
import { type DemoState, type LetterKind, letterFor } from "./deskTypes.ts";
import { useDrafts } from "./drafts/DraftForm.tsx";
import { type Command, type CommandId, SKIP_SECONDS } from "./keys/commands.ts";
import { useActions } from "./useActions.ts";
import { useDesk } from "./useDesk.ts";

export type DeskDialog = "keys" | "settings" | "letters";

export type DeskState = ReturnType<typeof useCreateDeskState>;

export const DeskContext = createContext<DeskState | undefined>(undefined);

export function useDeskState(): DeskState {
  const state = use(DeskContext);
  if (!state) throw new Error("outside the desk");
  return state;
}

export function useCreateDeskState() {
  const actions = useActions();
  const desk = useDesk(actions);
  const { deck, demo, id } = desk;
  const drafts = useDrafts(actions, id);
  const { data: summary } = useQuery(summaryQuery);
  const listeners = useOthersListening();
  const isPlaying = useSelector(deck.state, (state) => state.isPlaying);
  useReportListening(isPlaying ? id : undefined);
  const [dialog, setDialog] = useState<DeskDialog>();
  const searchField = useRef<HTMLInputElement>(null);
  const noteField = useRef<HTMLDivElement>(null);
  const sheet = useRef<HTMLDivElement>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for each demo
  useEffect(() => {
    sheet.current?.scrollTo?.(0, 0);
    // In one column the page itself scrolls, and the button that led here is far below.
    if ((sheet.current?.getBoundingClientRect().top ?? 0) < 0) sheet.current?.scrollIntoView();
  }, [id]);

  const note = useNoteDraft(id);
  const isNoteEdited = note.text.trim() !== "";
  const composer = useComposer(desk, actions, () =>
    isNoteEdited && desk.next ? askBefore(desk.goNext) : desk.goNext(),
  );
  // Named one by one: discarding the letter keeps the note.
  const { askBefore, question } = useUnsaved(
    `${isNoteEdited ? "note " : ""}${composer.isEdited ? "letter" : ""}`,
  );
  // By itself: within the desk a letter that waits asks nothing.
  const { question: waits } = useUnsaved(
    composer.isAwaited,
    "A letter is sent as soon as it is filled in. Leaving before gives it up.",
  );
  const askBeforeLetter = (go: () => void) => (composer.isEdited ? askBefore(go) : go());

  function goNext(): void {
    // A letter that waits is sent by itself.
    if (composer.isAwaited) return;
    if (desk.next) askBefore(desk.goNext);
    else desk.goNext();
  }

  function openLetter(kind: LetterKind, decided = desk.deciding()): void {
    if (demo && composer.kind !== kind) askBeforeLetter(() => composer.open(kind, decided));
  }

  function judge(state: DemoState): void {
    const decided = desk.judge(state);
    if (state === "declined" || state === "accepted") openLetter(state, decided);
  }

  function undo(): void {
    actions.undo();
    // The decision is open again, and so is its letter.
    if (!composer.isEdited) composer.close();
  }

  function open(wanted: string): void {
    if (wanted !== id) askBefore(() => desk.go(wanted));
    // In one column the demo may be many screens away.
    if ((sheet.current?.getBoundingClientRect().bottom ?? 0) < 0) sheet.current?.scrollIntoView();
  }
  const latestOpen = useRef(open);
  useEffect(() => {
    latestOpen.current = open;
  });

  const measuredMs = (desk.track ?? desk.detail)?.analysis?.duration_ms;
  const skip = (seconds: number) => deck.seek(deck.get().at + seconds);
  const handlers: Readonly<Record<CommandId, (value: number) => void>> = {
    play: deck.toggle,
    back: () => skip(-SKIP_SECONDS),
    forward: () => skip(SKIP_SECONDS),
    // Browsers guess the length of some files.
    jump: (tenth) =>
      measuredMs ? deck.seek((measuredMs * tenth) / 10_000) : deck.seekTenth(tenth),
    next: goNext,
    previous: () => desk.hasPrevious && askBefore(desk.goBack),
    nextTrack: () => desk.moveTrack(1),
    previousTrack: () => desk.moveTrack(-1),
    score: desk.score,
    shortlist: () => judge("shortlisted"),
    decline: () => judge("declined"),
    accept: () => judge("accepted"),
    reply: () => demo && openLetter(letterFor(demo.state)),
    send: () => composer.send(),
    note: () => noteField.current?.querySelector("textarea")?.focus(),
    close: () => askBeforeLetter(composer.close),
    undo,
    search: () => searchField.current?.focus(),
    keys: () => setDialog("keys"),
  };

  return {
    desk,
    actions,
    drafts,
    composer,
    note,
    summary,
    listeners,
    isPlaying,
    dialog,
    setDialog,
    question: question || waits,
    sheet,
    noteField,
    searchField,
    run: ({ id: command, value = 0 }: Command) => handlers[command](value),
    judge,
    openLetter,
    /** The same function on every render, so that the rows of the queue are not drawn again. */
    open: useCallback((wanted: string) => latestOpen.current(wanted), []),
  };
}

/** The note being written on a demo; another demo starts with an empty one. */
function useNoteDraft(demo: string | undefined) {
  const [held, setHeld] = useState({ demo, text: "" });
  if (held.demo !== demo) setHeld({ demo, text: "" });
  return {
    text: held.demo === demo ? held.text : "",
    /** Ignored once another demo is on the desk. */
    write: (next: SetStateAction<string>) =>
      setHeld((now) => {
        if (now.demo !== demo) return now;
        return { demo, text: typeof next === "function" ? next(now.text) : next };
      }),
  };
}

/** The server forgets an entry after half a minute. */
const RENEW_MS = 10_000;

function useReportListening(demo: string | undefined): void {
  const client = useQueryClient();
  const [report] = useState(() => createReporter(client));
  useEffect(() => {
    if (demo === undefined) return;
    report(demo);
    const timer = setInterval(report, RENEW_MS, demo);
    const leave = () => void putListening(null, true).catch(() => undefined);
    window.addEventListener("pagehide", leave);
    return () => {
      clearInterval(timer);
      window.removeEventListener("pagehide", leave);
      // Replaced by the next demo if one starts right away.
      report(null);
    };
  }, [demo, report]);
}

/**
 * Sends one report at a time, always the newest, so that reports cannot overtake one another. Failures are ignored: a report is soon
 * repeated or expires.
 */
function createReporter(client: QueryClient): (demo: string | null) => void {
  let next: string | null | undefined;
  let isReporting = false;
  return async (demo) => {
    // After the end of the session it would be refused, and logged.
    if (!isAdminHere(client)) return;
    next = demo;
    if (isReporting) return;
    isReporting = true;
    await Promise.resolve();
    while (next !== undefined) {
      const reporting = next;
      next = undefined;
      await putListening(reporting).catch(() => undefined);
    }
    isReporting = false;
  };
}

function useOthersListening(): ReadonlyMap<string, readonly string[]> {
  const { data } = useQuery(listeningQuery);
  return useMemo(() => {
    const people = new Map<string, string[]>();
    for (const { person, is_me, demo_id } of data?.items ?? []) {
      if (!is_me) people.set(demo_id, [...(people.get(demo_id) ?? []), person]);
    }
    return people;
  }, [data]);
}
