// The desk's one state: which demo lies on it, what is heard of it, what comes next, and what its keys do.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from "react";
import { apiError } from "../../../api/client.ts";
import { useRows } from "../lists/useRows.ts";
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
import { createDeck } from "./player/deck.ts";
import { isNextUnread, nextUnheard, type Queued } from "./queue/queueOrder.ts";
import { stateName } from "./states.ts";
import type { Actions } from "./useActions.ts";
import { useDeskAddress } from "./useDeskAddress.ts";

export type Desk = ReturnType<typeof useDesk>;

export function useDesk(actions: Actions) {
  const client = useQueryClient();
  const address = useDeskAddress();
  const { write } = address;
  const rows = useRows(deskRows, address.asked);
  const list = useMemo(() => rows.pages?.flatMap(({ items }) => items) ?? [], [rows.pages]);
  const [deck] = useState(createDeck);
  const [openId, setOpenId] = useState(address.demo);
  /** The demos that lay here before, for the way back. */
  const before = useRef<string[]>([]);
  /** Whether what is opened is to be heard, where its sound is not known yet. */
  const isWanted = useRef(false);
  /** The track of an archive that was chosen, and of which one. */
  const [chosen, setChosen] = useState<{ demo: string; index: number }>();
  /** As it was when it was last seen; the order goes by it when it is gone. */
  const lastSeen = useRef<Queued>(undefined);

  // Nothing chosen: what came in first and was not heard, else the first of the list.
  const id = openId ?? nextUnheard(list, undefined)?.id ?? list[0]?.id;
  if (openId === undefined && id !== undefined) setOpenId(id);

  const read = useQuery({ ...demoQuery(id ?? ""), enabled: id !== undefined });
  const isGone = read.isError && apiError(read.error).status === 404;
  const detail = isGone ? undefined : read.data;
  const demo: DeskDemo | undefined = isGone
    ? undefined
    : (detail ?? list.find((row) => row.id === id));
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
  const source = demo && sourceOf(demo, track);
  const recording = demo && recordingOf(demo);
  useEffect(() => {
    const { source: before, isPlaying } = deck.get();
    if (source === before) return;
    // Another file, or track, in the place of what was paused does not begin by itself.
    deck.open(recording, source, before === undefined ? isWanted.current : isPlaying);
  }, [deck, recording, source]);
  const index = track?.index;
  useEffect(() => {
    // The track that was put on the deck first stays there, however measuring it ends.
    if (id !== undefined && index !== undefined) {
      setChosen((now) => (now?.demo === id ? now : { demo: id, index }));
    }
  }, [id, index]);
  useEffect(() => () => deck.close(), [deck]);

  const known = useCallback(
    (wanted: string) => client.getQueryData<DeskDemoDetail>(demoQuery(wanted).queryKey),
    [client],
  );

  // What comes next is got ready while this one is heard: what is known of it, and its sound.
  const nextRead = useQuery({ ...demoQuery(next?.id ?? ""), enabled: next !== undefined });
  const nextSource = next && sourceOf(next, trackOf(nextRead.data?.tracks, undefined));
  useEffect(() => deck.prepare(nextSource), [deck, nextSource]);

  function go(wanted: string, isPlayed = true): void {
    if (wanted === id) return;
    if (id !== undefined) before.current.push(id);
    show(wanted, isPlayed);
  }

  function show(wanted: string, isPlayed: boolean): void {
    setOpenId(wanted);
    setChosen(undefined);
    isWanted.current = isPlayed;
    const held = known(wanted);
    const row = held ?? list.find((other) => other.id === wanted);
    // At once, and not with the next drawing: what is ready is heard as the key is pressed.
    deck.open(
      row && recordingOf(row),
      row && sourceOf(row, trackOf(held?.tracks, undefined)),
      isPlayed,
    );
    write({ demo: wanted });
  }

  function goNext(): void {
    if (next) go(next.id);
    else if (!isNextOnItsWay) actions.tell("No other demo of this list is unheard.");
  }

  const above = list[list.findIndex((row) => row.id === id) - 1];
  function goBack(): void {
    const wanted = before.current.pop() ?? above?.id;
    if (wanted !== undefined) show(wanted, true);
  }

  function playTrack(wanted: SoundTrack): void {
    if (!demo) return;
    setChosen({ demo: demo.id, index: wanted.index });
    deck.open(recordingOf(demo), sourceOf(demo, wanted));
  }

  /** To the track before or after the one that is heard; answers whether there is one. */
  function moveTrack(way: 1 | -1): boolean {
    const beside = track && trackBeside(detail?.tracks ?? [], track.index, way);
    if (beside) playTrack(beside);
    return beside !== undefined;
  }

  async function change(put: () => Promise<DeskDemo>): Promise<void> {
    await putChanged(client, await put());
  }

  /** Marks as heard what nobody has heard; where somebody has decided meanwhile, it stays as they left it. */
  async function hear(of: string): Promise<void> {
    try {
      await change(() => putState(of, "heard", "new"));
    } catch (error) {
      if (apiError(error).status !== 412) throw error;
      await client.invalidateQueries({ queryKey: demoQuery(of).queryKey });
    }
  }

  /** Answers whether the demo counts as heard. */
  async function markHeard(): Promise<boolean> {
    if (demo?.state !== "new") return true;
    const { id: heard } = demo;
    return actions.run(`heard ${heard}`, heard, () => hear(heard));
  }

  const onHeard = useEffectEvent(markHeard);
  // One track after the other; at the end of the last one the demo was heard.
  const onEnded = useEffectEvent(() => moveTrack(1) || markHeard());
  useEffect(() => {
    deck.listen({ onHeard: () => onHeard(), onEnded: () => void onEnded() });
    return () => deck.listen(undefined);
  }, [deck]);

  // What is shown may be behind what was pressed: each change looks at how the demo stands as its turn comes.

  /** Any step either way. Answers whether the demo stands there. */
  function judge(state: DemoState): Promise<boolean> | undefined {
    if (!demo) return undefined;
    const { id: of, state: shown, artist_name: name } = demo;
    return actions.run(`state ${of} ${state}`, of, async () => {
      const was = heldDemo(client, of)?.state ?? shown;
      if (was === state) return;
      await change(() => putState(of, state, was));
      actions.note({
        demo: of,
        what: `${stateName(state)}, ${name}`,
        gave: state,
        takeBack: () => change(() => putState(of, was, state)),
      });
    });
  }

  function score(given: number): void {
    if (!demo) return;
    const { id: of, artist_name: name } = demo;
    const shown = demo;
    void actions.run(`score ${of} ${given}`, of, async () => {
      const { my_score: was, state } = heldDemo(client, of) ?? shown;
      if (was === given) return;
      await change(() => putScore(of, given));
      actions.note({
        demo: of,
        what: `Score ${given}, ${name}`,
        async takeBack() {
          await change(() => putScore(of, was));
          if (state !== "new") return;
          // Nobody has heard it: the score alone said so. Whoever has moved it on since is not undone.
          await change(() => putState(of, "new", "heard")).catch((error: unknown) => {
            if (apiError(error).status !== 412) throw error;
          });
        },
      });
    });
  }

  /** Puts a tag on, or takes it off. Answers whether that was kept. */
  async function tag(name: string, isOn: boolean): Promise<boolean> {
    if (!demo) return false;
    const { id: of, tags: shown } = demo;
    return actions.run(`tag ${of} ${isOn} ${name}`, of, async () => {
      const tags = heldDemo(client, of)?.tags ?? shown;
      if (tags.includes(name) === isOn) return;
      const others = tags.filter((other) => other !== name);
      await change(() => putTags(of, isOn ? [...others, name] : others, tags));
    });
  }

  return {
    address,
    rows,
    /** Those of the queue that have been read. */
    list,
    deck,
    /** What lies on the desk; undefined while it is read, where it is gone, and where there is nothing. */
    demo,
    detail,
    /** The track of an archive that is on the deck. */
    track,
    playTrack,
    moveTrack,
    id,
    isGone,
    isFailing: read.failureCount > 0 && !isGone && detail === undefined,
    tryAgain: () => void client.resetQueries({ queryKey: demoQuery(id ?? "").queryKey }),
    next,
    /** Whether there is anything to go back to. */
    get hasPrevious(): boolean {
      return before.current.length > 0 || above !== undefined;
    },
    go,
    goNext,
    goBack,
    judge,
    score,
    tag,
  };
}
