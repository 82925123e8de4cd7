// What plays a demo: one player that is heard, and one more that has what comes next ready. Beside React's state: it tells its place
// four times a second.
import { type Trouble, troubleWith } from "../../sound/TroubleLine.tsx";
import { type HeardClock, isHeard, moved, played, UNHEARD } from "./heardClock.ts";

export interface DeckState {
  /** The address of what is on the deck; undefined where nothing is. */
  source: string | undefined;
  isPlaying: boolean;
  /** Whether it cannot go on yet: its sound is on its way. */
  isLoading: boolean;
  /** In seconds; the length is 0 until the browser knows it. */
  at: number;
  length: number;
  trouble: Trouble | undefined;
}

/** What the deck tells of what is on it. */
interface DeckListener {
  /** Enough of the recording was played, or its end has come. Told once for each, and again where that was not kept: after as much more. */
  onHeard: () => Promise<boolean>;
  /** What is on the deck has come to its end by playing. */
  onEnded: () => void;
}

export interface Deck {
  subscribe: (changed: () => void) => () => void;
  get: () => DeckState;
  /** Puts a source on the deck and plays it, unless told not to. Another recording begins the count of what was heard anew. */
  open: (recording: string | undefined, source: string | undefined, isPlayed?: boolean) => void;
  /** Gets what comes next ready, so that it is heard at once when it is opened. */
  prepare: (source: string | undefined) => void;
  toggle: () => void;
  pause: () => void;
  /** Goes to a place; as soon as the length is known, where it is not. */
  seek: (seconds: number) => void;
  /** The same by tenths of the length, 0 to 9. */
  seekTenth: (tenth: number) => void;
  listen: (listener: DeckListener | undefined) => void;
  /** Stops, and lets everything go. */
  close: () => void;
}

/** The `readyState` from which a player can go on. */
const HAVE_FUTURE_DATA = 3;

const EMPTY: DeckState = {
  source: undefined,
  isPlaying: false,
  isLoading: false,
  at: 0,
  length: 0,
  trouble: undefined,
};

export function createDeck(): Deck {
  const listeners = new Set<() => void>();
  /** At most two: what is on the deck, and what is ready. */
  const players = new Map<string, HTMLAudioElement>();
  let state = EMPTY;
  let recording: string | undefined;
  let next: string | undefined;
  let clock: HeardClock = UNHEARD;
  let isTold = false;
  let listener: DeckListener | undefined;
  /** Where to go once the length is known. */
  let wanted: ((length: number) => number) | undefined;

  function change(changes: Partial<DeckState>): void {
    state = { ...state, ...changes };
    for (const changed of listeners) changed();
  }

  function tellHeard(): void {
    if (isTold) return;
    isTold = true;
    const told = recording;
    void listener?.onHeard().then((isKept) => {
      if (isKept || recording !== told) return;
      isTold = false;
      clock = moved(UNHEARD);
    });
  }

  /** The player of a source; where that has failed, another one: it would never try again itself. */
  function playerOf(source: string): HTMLAudioElement {
    const held = players.get(source);
    if (held && !held.error) return held;
    if (held) letGo(source, held);
    if (held && source === state.source) {
      const { at } = state;
      if (at > 0) wanted ??= () => at;
      change({ length: 0, trouble: undefined });
    }
    const player = new Audio();
    players.set(source, player);
    player.preload = "auto";
    /** Runs for what is heard, not for what is only ready. */
    const on = (event: string, run: () => void) =>
      player.addEventListener(event, () => current() === player && run());
    on("play", () => change({ isPlaying: true }));
    on("waiting", () => change({ isLoading: true }));
    for (const event of ["canplay", "playing"]) on(event, () => change({ isLoading: false }));
    on("pause", () => {
      clock = moved(clock);
      change({ isPlaying: false });
    });
    on("durationchange", () => {
      change({ length: lengthOf(player) });
      if (wanted) goTo(wanted);
    });
    on("seeking", () => {
      clock = moved(clock);
    });
    on("timeupdate", () => {
      // Of a jump the place is told too; what was jumped over was not heard.
      clock = player.paused || player.seeking ? moved(clock) : played(clock, player.currentTime);
      change({ at: player.currentTime });
      if (isHeard(clock)) tellHeard();
    });
    on("ended", () => {
      change({ isPlaying: false, at: player.currentTime });
      listener?.onEnded();
    });
    on("error", () => void tellTrouble(source, player));
    player.src = source;
    return player;
  }

  async function tellTrouble(source: string, player: HTMLAudioElement): Promise<void> {
    change({ isPlaying: false, isLoading: false });
    const trouble = await troubleWith(source, player);
    if (current() === player) change({ trouble });
  }

  function letGo(source: string, player: HTMLAudioElement): void {
    players.delete(source);
    player.pause();
    // Ends the loading, too.
    player.removeAttribute("src");
    player.load();
  }

  /** Lets go of what is neither heard nor ready. */
  function tidy(): void {
    for (const [source, player] of players) {
      if (source !== state.source && source !== next) letGo(source, player);
    }
  }

  function play(player: HTMLAudioElement): void {
    // Refused on a page that nobody has pressed anything on: the key is there for that.
    // One that has failed is not paused, and does not play either.
    player.play()?.catch(() => {
      if (current() === player) change({ isPlaying: !player.paused && !player.error });
    });
  }

  function goTo(place: (length: number) => number): void {
    const player = current();
    const { length } = state;
    wanted = player && length === 0 ? place : undefined;
    if (!player || length === 0) return;
    const at = Math.min(Math.max(0, place(length)), length);
    clock = moved(clock);
    player.currentTime = at;
    change({ at });
  }

  const current = () => (state.source === undefined ? undefined : players.get(state.source));

  return {
    subscribe(changed) {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
    get: () => state,
    open(opened, source, isPlayed = true) {
      if (opened !== recording) {
        clock = UNHEARD;
        isTold = false;
      }
      recording = opened;
      clock = moved(clock);
      if (source !== state.source) {
        current()?.pause();
        state = { ...EMPTY, source };
        wanted = undefined;
      }
      const player = source === undefined ? undefined : playerOf(source);
      change({
        length: player ? lengthOf(player) : 0,
        at: player?.currentTime ?? 0,
        isLoading: player !== undefined && player.readyState < HAVE_FUTURE_DATA,
      });
      if (player && isPlayed && player.paused) play(player);
      tidy();
    },
    prepare(source) {
      next = source;
      if (source !== undefined) playerOf(source);
      tidy();
    },
    toggle() {
      if (state.source === undefined) return;
      const player = playerOf(state.source);
      if (player.paused) play(player);
      else player.pause();
    },
    pause: () => current()?.pause(),
    seek: (seconds) => goTo(() => seconds),
    seekTenth: (tenth) => goTo((length) => (length * tenth) / 10),
    listen(told) {
      listener = told;
    },
    close() {
      next = undefined;
      recording = undefined;
      state = EMPTY;
      tidy();
      for (const changed of listeners) changed();
    },
  };
}

/** A stream without an end has no length that could be shown. */
function lengthOf({ duration }: HTMLAudioElement): number {
  return Number.isFinite(duration) ? duration : 0;
}
