// The desk's one state: which demo lies on it, what is heard of it, what comes next, and what its keys do.
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useMemo, useRef, useState } from "react";
import { apiError } from "../../../api/client.ts";
import { useRows } from "../lists/useRows.ts";
import { sourceOf } from "./demoSound.ts";
import { deskRows, putDemo, putState } from "./deskCalls.ts";
import type { DemoState, DeskDemo } from "./deskTypes.ts";
import { createDeck } from "./player/deck.ts";
import { isNextUnread, nextUnheard } from "./queue/queueOrder.ts";
import { stateName } from "./states.ts";
import type { Actions } from "./useActions.ts";
import { useDeskAddress } from "./useDeskAddress.ts";

export type Desk = ReturnType<typeof useDesk>;

export function useDesk(actions: Actions) {
  const client = useQueryClient();
  const address = useDeskAddress();
  const { write, asked } = address;
  const rows = useRows(deskRows, asked);
  const list = useMemo(() => rows.pages?.flatMap(({ items }) => items) ?? [], [rows.pages]);
  const [deck] = useState(createDeck);
  const [openId, setOpenId] = useState(address.demo);
  /** The demos that lay here before, for the way back. */
  const before = useRef<string[]>([]);
  /** Whether what is opened is to be heard, where it is not known yet. */
  const isWanted = useRef(false);
  /** What lies here, as it was last seen: it may leave the list by what is asked for, and stays on the desk. */
  const [seen, setSeen] = useState<DeskDemo>();
  const [goneId, setGoneId] = useState<string>();

  // Nothing chosen: what came in first and was not heard, else the first of the list.
  const id = openId ?? nextUnheard(list, undefined)?.id ?? list[0]?.id;
  if (openId === undefined && id !== undefined) setOpenId(id);

  const row = list.find((one) => one.id === id);
  if (row && row !== seen) setSeen(row);
  const here = row ?? (seen?.id === id ? seen : undefined);
  // A whole list without it says that it is gone; so does the server, when it is asked to change it.
  const isWhole = rows.pages !== undefined && !rows.hasMore && !rows.isSearching;
  const isGone =
    id !== undefined &&
    (goneId === id || (isWhole && Object.keys(asked).length === 0 && row === undefined));
  const demo = isGone ? undefined : here;

  const next = nextUnheard(list, here);
  const isNextOnItsWay = isNextUnread(list, here, rows.hasMore);
  const { loadMore } = rows;
  useEffect(() => {
    if (isNextOnItsWay) void loadMore();
  }, [isNextOnItsWay, loadMore]);

  const source = demo && sourceOf(demo);
  useEffect(() => {
    if (id === undefined || source === deck.get().source) return;
    deck.open(id, source, isWanted.current);
  }, [deck, id, source]);
  useEffect(() => () => deck.close(), [deck]);

  // What comes next is got ready while this one is heard.
  const nextSource = next && sourceOf(next);
  useEffect(() => deck.prepare(nextSource), [deck, nextSource]);

  function show(wanted: string, isPlayed: boolean): void {
    setOpenId(wanted);
    isWanted.current = isPlayed;
    const known = list.find((other) => other.id === wanted);
    // At once, and not with the next drawing: what is ready is heard as the key is pressed.
    deck.open(wanted, known && sourceOf(known), isPlayed);
    write({ demo: wanted });
  }

  function go(wanted: string): void {
    if (wanted === id) return;
    if (id !== undefined) before.current.push(id);
    show(wanted, true);
  }

  function goNext(): void {
    if (next) go(next.id);
  }

  function goBack(): void {
    const last = before.current.pop();
    const above = list[list.findIndex((other) => other.id === id) - 1];
    const wanted = last ?? above?.id;
    if (wanted !== undefined) show(wanted, true);
  }

  async function change(of: string, put: () => Promise<DeskDemo>): Promise<void> {
    try {
      const changed = await put();
      putDemo(client, changed);
      setSeen((held) => (held?.id === of ? changed : held));
    } catch (error) {
      if (apiError(error).status === 404) setGoneId(of);
      throw error;
    }
  }

  function markHeard(): void {
    if (demo?.state !== "new") return;
    const { id: heard } = demo;
    void actions.run(`heard ${heard}`, () => change(heard, () => putState(heard, "heard")));
  }

  const onHeard = useEffectEvent(markHeard);
  useEffect(() => {
    deck.listen({ onHeard: () => onHeard(), onEnded: () => onHeard() });
    return () => deck.listen(undefined);
  }, [deck]);

  /** Any step either way. */
  function judge(state: DemoState): void {
    if (!demo || demo.state === state) return;
    const { id: of, state: was, artist_name: name } = demo;
    void actions.run(`state ${of} ${state}`, async () => {
      await change(of, () => putState(of, state));
      actions.note({
        what: `${stateName(state)}, ${name}`,
        takeBack: () => change(of, () => putState(of, was)),
      });
    });
  }

  return {
    address,
    rows,
    deck,
    /** What lies on the desk; undefined while it is read, where it is gone, and where there is nothing. */
    demo,
    id,
    isGone,
    next,
    go,
    goNext,
    goBack,
    judge,
  };
}
