// A part of a page whose code is fetched when it is first drawn. A failed fetch takes nothing else of the page away
// and can be made again, which `React.lazy` by itself never does.
import { Component, type ComponentType, type ReactNode, useEffect, useState } from "react";
import { fetchCode, ServerUnreachable } from "./fetchCode.ts";
import type { LazyCode } from "./lazyCode.ts";
import { useServerBack } from "./useServerBack.ts";

interface LazyPartProps<Props extends object> {
  code: Pick<LazyCode<ComponentType<Props>>, "load" | "loaded">;
  props: Props;
  waiting?: ReactNode;
  /** Shown if the code could not be fetched, or if the part `isBroken`: it threw while it was drawn. */
  failed: (tryAgain: () => void, isBroken: boolean) => ReactNode;
}

/** The outcome of fetching the part; neither while it is on its way. */
interface Attempt<Props> {
  nth: number;
  Part?: ComponentType<Props> | undefined;
  error?: Error;
}

/** Not by `React.lazy`, which shows the content behind a fallback after 300 ms at the earliest: every dialog would open late. */
export function LazyPart<Props extends object>(given: LazyPartProps<Props>) {
  const { code, props, waiting, failed } = given;
  const [{ nth, Part, error }, setAttempt] = useState<Attempt<Props>>(() => ({
    nth: 0,
    Part: code.loaded(),
  }));
  const isHere = Part !== undefined;
  useEffect(() => {
    if (isHere) return;
    let isLeft = false;
    fetchCode(() => code.load()).then(
      (fetched) => {
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
  }, [code, isHere, nth]);

  const isAway = error instanceof ServerUnreachable;
  const fetchAnew = () => setAttempt({ nth: nth + 1 });
  useServerBack(isAway, fetchAnew);

  // Where the server answers, it has another version of the app by now: only a new document helps.
  if (error) return failed(isAway ? fetchAnew : () => location.reload(), false);
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
