// Plays demos: one player that is heard, and one with the next demo loaded. Kept outside React because it reports four times a second.
import { createAtom, type ReadonlyAtom } from "@tanstack/react-store";
import { HEARD_AFTER_MS } from "../../../rules/generated/constants.ts";
import { type Trouble, troubleWith } from "./trouble.tsx";

export interface DeckState {
  source: string | undefined;
  isPlaying: boolean;
  isLoading: boolean;
  /** In seconds; the length is 0 until the browser knows it. */
  at: number;
  length: number;
  trouble: Trouble | undefined;
}

interface DeckListener {
  /** Called once per recording. If saving fails, called again after the same amount of listening. */
  onHeard: () => Promise<boolean>;
  onEnded: () => void;
}

const HAVE_FUTURE_DATA = 3;

const EMPTY: DeckState = {
  source: undefined,
  isPlaying: false,
  isLoading: false,
  at: 0,
  length: 0,
  trouble: undefined,
};

export function createDeck(preload: "auto" | "metadata" = "auto") {
  /** At most two: the current one and the next. */
  const players = new Map<string, HTMLAudioElement>();
  const state = createAtom(EMPTY);
  let recording: string | undefined;
  let next: string | undefined;
  let clock: HeardClock = UNHEARD;
  let isReported = false;
  let listener: DeckListener | undefined;
  let wanted: ((length: number) => number) | undefined;

  function change(changes: Partial<DeckState>): void {
    state.set((now) => ({ ...now, ...changes }));
  }

  function reportHeard(): void {
    if (isReported) return;
    isReported = true;
    const heard = recording;
    void listener?.onHeard().then((isKept) => {
      if (isKept || recording !== heard) return;
      isReported = false;
      clock = moved(UNHEARD);
    });
  }

  /** Replaces a player that failed, as it never retries by itself. */
  function playerOf(source: string): HTMLAudioElement {
    const held = players.get(source);
    if (held && !held.error) return held;
    if (held) release(source, held);
    if (held && source === state.get().source) {
      const { at } = state.get();
      if (at > 0) wanted ??= () => at;
      change({ length: 0, trouble: undefined });
    }
    const player = new Audio();
    players.set(source, player);
    player.preload = preload;
    /** Handles an event of the current player only. */
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
      // Jumps are reported too; what was skipped was not heard.
      clock = player.paused || player.seeking ? moved(clock) : played(clock, player.currentTime);
      change({ at: player.currentTime });
      if (isHeard(clock)) reportHeard();
    });
    on("ended", () => {
      change({ isPlaying: false, at: player.currentTime });
      listener?.onEnded();
    });
    on("error", () => void showTrouble(source, player));
    player.src = source;
    return player;
  }

  async function showTrouble(source: string, player: HTMLAudioElement): Promise<void> {
    change({ isPlaying: false, isLoading: false });
    const trouble = await troubleWith(source, player);
    if (current() === player) change({ trouble });
  }

  function release(source: string, player: HTMLAudioElement): void {
    players.delete(source);
    player.pause();
    // Also aborts the download.
    player.removeAttribute("src");
    player.load();
  }

  function tidy(): void {
    for (const [source, player] of players) {
      if (source !== state.get().source && source !== next) release(source, player);
    }
  }

  function play(player: HTMLAudioElement): void {
    // Browsers refuse to play before the first press on a page. A failed player is neither paused nor playing.
    player.play()?.catch(() => {
      if (current() === player) change({ isPlaying: !player.paused && !player.error });
    });
  }

  /** Applied once the length is known. */
  function goTo(target: (length: number) => number): void {
    const player = current();
    const { length } = state.get();
    wanted = player && length === 0 ? target : undefined;
    if (!player || length === 0) return;
    const at = Math.min(Math.max(0, target(length)), length);
    clock = moved(clock);
    player.currentTime = at;
    change({ at });
  }

  function current(): HTMLAudioElement | undefined {
    const { source } = state.get();
    return source === undefined ? undefined : players.get(source);
  }

  return {
    state: state as ReadonlyAtom<DeckState>,
    get: () => state.get(),
    /** Plays a source, unless `isPlayed` is false. Another recording restarts the count of what was heard. */
    open(opened: string | undefined, source: string | undefined, isPlayed = true): void {
      if (opened !== recording) {
        clock = UNHEARD;
        isReported = false;
      }
      recording = opened;
      clock = moved(clock);
      if (source !== state.get().source) {
        current()?.pause();
        state.set({ ...EMPTY, source });
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
    /** Loads the next source, so that it plays without delay. */
    prepare(source: string | undefined): void {
      next = source;
      if (source !== undefined) playerOf(source);
      tidy();
    },
    toggle(): void {
      const { source } = state.get();
      if (source === undefined) return;
      const player = playerOf(source);
      if (player.paused) play(player);
      else player.pause();
    },
    pause: () => current()?.pause(),
    seek: (seconds: number) => goTo(() => seconds),
    seekTenth: (tenth: number) => goTo((length) => (length * tenth) / 10),
    listen(wanted: DeckListener | undefined): void {
      listener = wanted;
    },
    close(): void {
      next = undefined;
      recording = undefined;
      state.set(EMPTY);
      tidy();
    },
  };
}

/** An endless stream has no length to show. */
function lengthOf({ duration }: HTMLAudioElement): number {
  return Number.isFinite(duration) ? duration : 0;
}

/** A longer step between two reports of a player is a jump. */
const LONGEST_STEP_SECONDS = 2;

export interface HeardClock {
  seconds: number;
  /** The last reported position; undefined after a jump. */
  at: number | undefined;
}

export const UNHEARD: HeardClock = { seconds: 0, at: undefined };

/** After the player reported a position while playing. */
export function played(clock: HeardClock, at: number): HeardClock {
  const step = clock.at === undefined ? 0 : at - clock.at;
  const isPlay = step > 0 && step <= LONGEST_STEP_SECONDS;
  return { seconds: clock.seconds + (isPlay ? step : 0), at };
}

/** After a jump or a pause. */
export function moved({ seconds }: HeardClock): HeardClock {
  return { seconds, at: undefined };
}

export function isHeard({ seconds }: HeardClock): boolean {
  return seconds * 1_000 >= HEARD_AFTER_MS;
}
