// Which demo is on the desk, what plays, what comes next, and the calls that judge it.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useSelector } from "@tanstack/react-store";
import { useEffect, useEffectEvent, useMemo, useRef, useState } from "react";
import { apiError } from "../../../api/client.ts";
import { useRows } from "../lists/useRows.ts";
import { createDeck } from "../sound/deck.ts";
import { recordingOf, sourceOf, trackBeside, trackOf } from "./demoSound.ts";
import {
  demoQuery,
  deskRows,
  heldDemo,
  putChanged,
  putScore,
  putState,
  putTags,
} from "./deskCalls.ts";
import type { DemoState, DeskDemo, DeskDemoDetail, SoundTrack } from "./deskTypes.ts";
import { stateName } from "./deskTypes.ts";
import { isNextUnread, nextUnheard, type Queued } from "./queue/queueOrder.ts";
import type { NewStep } from "./steps.ts";
import { withPending } from "./steps.ts";
import { type Actions, UNCHANGED } from "./useActions.ts";
import { useDeskAddress } from "./useDeskAddress.ts";

export type Desk = ReturnType<typeof useDesk>;

export function useDesk(actions: Actions) {
  const client = useQueryClient();
  const address = useDeskAddress();
  const { write } = address;
  const rows = useRows(deskRows, address.asked);
  const loaded = useMemo(() => rows.pages?.flatMap(({ items }) => items) ?? [], [rows.pages]);
  const pending = useSelector(actions.pending);
  const list = useMemo(
    () => (pending.size > 0 ? loaded.map((row) => withPending(row, pending.get(row.id))) : loaded),
    [loaded, pending],
  );
  const [deck] = useState(createDeck);
  const [openId, setOpenId] = useState(address.demo);
  const before = useRef<string[]>([]);
  const decisions = useRef(new Map<string, Promise<boolean>>());
  /** Whether to play the opened demo once its source is known. */
  const isWanted = useRef(false);
  const [chosen, setChosen] = useState<{ demo: string; index: number }>();
  /** The last known state: the order depends on it once the demo is gone. */
  const lastSeen = useRef<Queued>(undefined);

  // By default the oldest unheard demo, or else the first of the list.
  const id = openId ?? nextUnheard(list, undefined)?.id ?? list[0]?.id;
  if (openId === undefined && id !== undefined) setOpenId(id);

  useEffect(() => {
    if (address.demo === undefined && id !== undefined) write({ demo: id });
  }, [address.demo, id, write]);

  const read = useQuery({ ...demoQuery(id ?? ""), enabled: id !== undefined });
  const isGone = read.isError && apiError(read.error).status === 404;
  const detail = isGone ? undefined : read.data;
  const shown = isGone ? undefined : (detail ?? loaded.find((row) => row.id === id));
  const demo: DeskDemo | undefined = shown && withPending(shown, pending.get(shown.id));
  useEffect(() => {
    if (demo) lastSeen.current = demo;
  }, [demo]);

  const here = demo ?? (lastSeen.current?.id === id ? lastSeen.current : undefined);
  const next = nextUnheard(list, here);
  const isNextOnItsWay = isNextUnread(list, here, rows.hasMore);
  const { loadMore } = rows;
  useEffect(() => {
    if (isNextOnItsWay) void loadMore();
  }, [isNextOnItsWay, loadMore]);

  const track = trackOf(detail?.tracks, chosen?.demo === id ? chosen?.index : undefined);
  // The first track on the deck stays, whatever measuring finds.
  if (id && track && chosen?.demo !== id) setChosen({ demo: id, index: track.index });
  const source = demo && sourceOf(demo, track);
  const recording = demo && recordingOf(demo);
  useEffect(() => {
    const { source: before, isPlaying } = deck.get();
    if (source === before) return;
    // A replaced file or track of a paused player does not start by itself.
    deck.open(recording, source, before === undefined ? isWanted.current : isPlaying);
  }, [deck, recording, source]);
  useEffect(() => () => deck.close(), [deck]);

  const nextRead = useQuery({ ...demoQuery(next?.id ?? ""), enabled: next !== undefined });
  const nextSource = next && sourceOf(next, trackOf(nextRead.data?.tracks, undefined));
  useEffect(() => deck.prepare(nextSource), [deck, nextSource]);

  function go(wanted: string): void {
    if (wanted === id) return;
    if (id !== undefined) before.current.push(id);
    show(wanted);
  }

  function show(wanted: string): void {
    setOpenId(wanted);
    setChosen(undefined);
    isWanted.current = true;
    const held = client.getQueryData<DeskDemoDetail>(demoQuery(wanted).queryKey);
    const row = held ?? list.find((other) => other.id === wanted);
    // Not after the next render: a preloaded sound plays on the key press.
    deck.open(row && recordingOf(row), row && sourceOf(row, trackOf(held?.tracks, undefined)));
    write({ demo: wanted });
  }

  function goNext(): void {
    if (next) go(next.id);
    else if (!isNextOnItsWay && !rows.isLoadingMore)
      actions.tell("No other demo of this list is unheard.");
  }

  const above = list[list.findIndex((row) => row.id === id) - 1];
  function goBack(): void {
    const wanted = before.current.pop() ?? above?.id;
    if (wanted !== undefined) show(wanted);
  }

  function playTrack(wanted: SoundTrack): void {
    if (!demo) return;
    setChosen({ demo: demo.id, index: wanted.index });
    deck.open(recordingOf(demo), sourceOf(demo, wanted));
  }

  function moveTrack(step: 1 | -1): boolean {
    const beside = track && trackBeside(detail?.tracks ?? [], track.index, step);
    if (beside) playTrack(beside);
    return beside !== undefined;
  }

  async function change(put: () => Promise<DeskDemo>): Promise<void> {
    await putChanged(client, await put());
  }

  /** Leaves a demo that someone else has decided about as it is. */
  async function hear(of: string): Promise<void> {
    try {
      await change(() => putState(of, "heard", "new"));
    } catch (error) {
      if (apiError(error).status !== 412) throw error;
      await client.invalidateQueries({ queryKey: demoQuery(of).queryKey });
    }
  }

  async function markHeard(): Promise<boolean> {
    if (!demo) return true;
    const { id: heard, state } = demo;
    if (state !== "new") return decisions.current.get(heard) ?? true;
    return actions.run(`heard ${heard}`, demo, () => hear(heard), {
      patch: (now) => (now.state === "new" ? { state: "heard" } : {}),
      isByItself: true,
    });
  }

  const follow = useEffectEvent((linked: string) => {
    // The desk's own navigations arrive one by one; only the last one counts.
    if (linked === id || !address.isLatest()) return;
    if (id !== undefined) before.current.push(id);
    isWanted.current = false;
    setChosen(undefined);
    setOpenId(linked);
  });
  useEffect(() => {
    if (address.demo !== undefined) follow(address.demo);
  }, [address.demo]);

  const onHeard = useEffectEvent(markHeard);
  // At the end of the last track the demo counts as heard.
  const onEnded = useEffectEvent(() => moveTrack(1) || markHeard());
  useEffect(() => {
    deck.listen({ onHeard: () => onHeard(), onEnded: () => void onEnded() });
    return () => deck.listen(undefined);
  }, [deck]);

  // Each change reads the demo's state when its turn comes: what is shown may be ahead of the server.

  function judge(state: DemoState): Promise<boolean> | undefined {
    if (!demo) return undefined;
    const { id: of, state: before, artist_name: name } = demo;
    const subject = demo;
    const isNew = before !== state;
    let was = before;
    const step: NewStep = {
      what: `${stateName(state)}, ${name}`,
      gave: state,
      before: () => ({ state: before }),
      takeBack: () => change(() => putState(of, was, state)),
    };
    async function put(): Promise<unknown> {
      was = heldDemo(client, of)?.state ?? before;
      if (was === state) return UNCHANGED;
      await change(() => putState(of, state, was));
      // Already shown because of an earlier change, which failed.
      if (!isNew) actions.note(subject, step);
      return true;
    }
    const decided = actions.run(
      `state ${of} ${state}`,
      subject,
      put,
      isNew ? { patch: () => ({ state }), step } : {},
    );
    decisions.current.set(of, decided);
    void decided.finally(() => {
      if (decisions.current.get(of) === decided) decisions.current.delete(of);
    });
    return decided;
  }

  function score(given: number): void {
    if (!demo) return;
    const { id: of, my_score: before, scores, state: stood, artist_name: name } = demo;
    let [was, state] = [before, stood];
    async function put(): Promise<unknown> {
      const held = heldDemo(client, of);
      if (held) [was, state] = [held.my_score, held.state];
      if (was === given) return UNCHANGED;
      await change(() => putScore(of, given));
      return true;
    }
    async function takeBack(): Promise<void> {
      const held = heldDemo(client, of);
      if (held && held.my_score !== given) {
        return actions.tell("Not taken back: you have scored it anew since.");
      }
      await change(() => putScore(of, was));
      if (state !== "new") return;
      // Only the score marked it as heard. A later change or score of another admin stays.
      await change(() => putState(of, "new", "heard", { unless_scored: true })).catch(
        (error: unknown) => {
          if (apiError(error).status !== 412) throw error;
        },
      );
    }
    const isNew = before !== given;
    void actions.run(
      `score ${of} ${given}`,
      demo,
      put,
      isNew
        ? {
            patch: (now) => ({ my_score: given, ...(now.state === "new" && { state: "heard" }) }),
            step: {
              what: `Score ${given}, ${name}`,
              before: (now) => ({
                my_score: before,
                scores,
                ...(stood === "new" && now.state === "heard" && { state: "new" }),
              }),
              takeBack,
            },
          }
        : {},
    );
  }

  async function tag(name: string, isOn: boolean): Promise<boolean> {
    if (!demo) return false;
    const { id: of, tags: shown } = demo;
    function changed(tags: readonly string[]): string[] {
      const others = tags.filter((other) => other !== name);
      return isOn ? [...others, name] : others;
    }
    async function put(): Promise<void> {
      const tags = heldDemo(client, of)?.tags ?? shown;
      if (tags.includes(name) !== isOn) await change(() => putTags(of, changed(tags), tags));
    }
    return actions.run(`tag ${of} ${isOn} ${name}`, demo, put, {
      patch: (now) => ({ tags: changed(now.tags) }),
    });
  }

  return {
    address,
    rows,
    /** The loaded demos with their pending changes. */
    list,
    isPending: id !== undefined && pending.has(id),
    /** A change of its state is being saved. */
    isMoving: demo?.state !== shown?.state,
    deck,
    /** Undefined while it is loaded, or if it is gone. */
    demo,
    detail,
    track,
    playTrack,
    moveTrack,
    id,
    isGone,
    isFailing: read.failureCount > 0 && !isGone && detail === undefined,
    tryAgain: () => void client.resetQueries({ queryKey: demoQuery(id ?? "").queryKey }),
    next,
    get hasPrevious(): boolean {
      return before.current.length > 0 || above !== undefined;
    },
    go,
    goNext,
    goBack,
    judge,
    deciding: () => (id === undefined ? undefined : decisions.current.get(id)),
    score,
    tag,
  };
}
