// A part of a page whose code is fetched when it is first drawn. A fetch that failed takes nothing else of the page away
// and can be made again, which `React.lazy` by itself never does.
import { Component, type ComponentType, type ReactNode, useEffect, useState } from "react";
import { fetchCode, ServerUnreachable } from "./fetchCode.ts";
import { useServerBack } from "./useServerBack.ts";

interface LazyPartProps<Props extends object> {
  /** Fetches the part. */
  load: () => Promise<ComponentType<Props>>;
  /** The part itself, where it was fetched before: it is drawn at once then. */
  loaded?: ComponentType<Props> | undefined;
  /** What the part is given. */
  props: Props;
  /** Stands in its place until the code is here. */
  waiting?: ReactNode;
  /** Stands in its place when the code could not be fetched, or the part `isBroken`: it threw while it was drawn. */
  failed: (tryAgain: () => void, isBroken: boolean) => ReactNode;
}

/** Parts that were fetched before, by what fetches them. */
const known = new WeakMap<object, unknown>();

/** What came of fetching the part; neither while it is on its way. */
interface Attempt<Props> {
  nth: number;
  Part?: ComponentType<Props> | undefined;
  error?: Error;
}

/**
 * Not by `React.lazy`: what stood behind a fallback is shown 300 ms after it at the earliest, however soon it was there,
 * and a dialog would open so late each time.
 */
export function LazyPart<Props extends object>(given: LazyPartProps<Props>) {
  const { load, loaded, props, waiting, failed } = given;
  const [attempt, setAttempt] = useState<Attempt<Props>>(() => ({
    nth: 0,
    Part: loaded ?? (known.get(load) as ComponentType<Props> | undefined),
  }));
  const { nth, Part, error } = attempt;
  const isHere = Part !== undefined;
  useEffect(() => {
    if (isHere) return;
    let isLeft = false;
    fetchCode(load).then(
      (fetched) => {
        known.set(load, fetched);
        if (!isLeft) setAttempt({ nth, Part: fetched });
      },
      (cause: Error) => {
        console.error("A part of the page failed", cause);
        if (!isLeft) setAttempt({ nth, error: cause });
      },
    );
    return () => {
      isLeft = true;
    };
  }, [load, isHere, nth]);

  const fetchAnew = () => setAttempt({ nth: nth + 1 });
  useServerBack(error instanceof ServerUnreachable, fetchAnew);

  function tryAgain(error: Error): void {
    if (error instanceof ServerUnreachable) fetchAnew();
    // The server has another version of the app by now: only a new document helps.
    else location.reload();
  }

  if (error) return failed(() => tryAgain(error), false);
  if (!Part) return waiting;
  return (
    <Boundary failed={(drawAgain) => failed(drawAgain, true)}>
      <Part {...props} />
    </Boundary>
  );
}

interface BoundaryProps {
  failed: (drawAgain: () => void) => ReactNode;
  children: ReactNode;
}

class Boundary extends Component<BoundaryProps, { isBroken: boolean }> {
  override state = { isBroken: false };

  static getDerivedStateFromError() {
    return { isBroken: true };
  }

  override componentDidCatch(error: Error): void {
    console.error("A part of the page failed", error);
  }

  override render(): ReactNode {
    if (!this.state.isBroken) return this.props.children;
    return this.props.failed(() => this.setState({ isBroken: false }));
  }
}
