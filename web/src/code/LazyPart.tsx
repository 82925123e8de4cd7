// A part of a page whose code is fetched when it is first drawn. A fetch that failed takes nothing else of the page away
// and can be made again, which `React.lazy` by itself never does.
import { Component, type ComponentType, lazy, type ReactNode, Suspense, useState } from "react";
import { fetchCode, ServerUnreachable } from "./fetchCode.ts";

interface LazyPartProps<Props extends object> {
  /** Fetches the part. */
  load: () => Promise<ComponentType<Props>>;
  /** The part itself, where it was fetched before: it is drawn at once then. */
  loaded?: ComponentType<Props> | undefined;
  /** What the part is given. */
  props: Props;
  /** Stands in its place until the code is here. */
  waiting?: ReactNode;
  /** Stands in its place when the code could not be fetched, or the part broke. */
  failed: (tryAgain: () => void) => ReactNode;
}

export function LazyPart<Props extends object>(given: LazyPartProps<Props>) {
  const { load, loaded, props, waiting, failed } = given;
  const fetched = () => lazy(async () => ({ default: await fetchCode(load) }));
  const [attempt, setAttempt] = useState(() => ({ nth: 0, Part: loaded ?? fetched() }));
  const Part = attempt.Part as ComponentType<Props>;

  function tryAgain(error: Error): void {
    if (error instanceof ServerUnreachable) setAttempt({ nth: attempt.nth + 1, Part: fetched() });
    // The server has another version of the app by now, or the part broke: only a new document helps.
    else location.reload();
  }

  return (
    <Boundary key={attempt.nth} failed={(error) => failed(() => tryAgain(error))}>
      <Suspense fallback={waiting}>
        <Part {...props} />
      </Suspense>
    </Boundary>
  );
}

interface BoundaryProps {
  failed: (error: Error) => ReactNode;
  children: ReactNode;
}

class Boundary extends Component<BoundaryProps, { error: Error | undefined }> {
  override state = { error: undefined };

  static getDerivedStateFromError(error: Error) {
    return { error };
  }

  override componentDidCatch(error: Error): void {
    console.error("A part of the page failed", error);
  }

  override render(): ReactNode {
    const { error } = this.state;
    return error ? this.props.failed(error) : this.props.children;
  }
}
