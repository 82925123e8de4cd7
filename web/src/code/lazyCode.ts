// Code, or something else the app is made of, that is fetched when it is first needed.

export interface LazyCode<Part> {
  loaded: () => Part | undefined;
  /** Fetches the part once. After a failure the next call fetches it again. */
  load: () => Promise<Part>;
  /** Fetches the part ahead of its use; a failure shows when it is used. */
  prepare: () => void;
  /**
   * Calls `use` with the part as soon as it is here, and fetches it again every `retryMs` until then. The returned function
   * ends that, and calls what `use` returned.
   */
  whenLoaded: (use: (part: Part) => (() => void) | void) => () => void;
}

export function lazyCode<Part>(
  fetchPart: () => Promise<Part>,
  { retryMs = 5_000 }: { retryMs?: number } = {},
): LazyCode<Part> {
  let part: Part | undefined;
  let fetching: Promise<Part> | undefined;

  function load(): Promise<Part> {
    fetching ??= fetchPart().then(
      (fetched) => {
        part = fetched;
        return fetched;
      },
      (error: unknown) => {
        fetching = undefined;
        throw error;
      },
    );
    return fetching;
  }

  return {
    loaded: () => part,
    load,
    prepare: () => void load().catch(() => undefined),
    whenLoaded(use) {
      let isEnded = false;
      let timer: ReturnType<typeof setTimeout> | undefined;
      let end: (() => void) | void;
      async function attempt(): Promise<void> {
        try {
          const fetched = await load();
          if (!isEnded) end = use(fetched);
        } catch (error) {
          console.error("A part of the app could not be loaded", error);
          if (!isEnded) timer = setTimeout(attempt, retryMs);
        }
      }
      void attempt();
      return () => {
        isEnded = true;
        clearTimeout(timer);
        end?.();
      };
    },
  };
}
