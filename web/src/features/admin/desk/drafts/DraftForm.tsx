// Drafts of releases made from demos, one for each demo, and the form of the one that is open.
import { useLayoutEffect, useRef, useState } from "react";
import { LazyDialog } from "../../../../code/LazyDialog.tsx";
import { lazyCode } from "../../../../code/lazyCode.ts";
import { type Release, releaseConfig } from "../../releases/releaseConfig.ts";
import { postRelease } from "../deskCalls.ts";
import type { DeskDemo } from "../deskTypes.ts";
import type { Actions } from "../useActions.ts";

const form = lazyCode(() =>
  import("../../releases/ReleaseEditor.tsx").then((module) => module.ReleaseEditor),
);

export function DraftForm({ drafts: { opened, close } }: { drafts: Drafts }) {
  if (!opened) return null;
  return <LazyDialog code={form} props={{ release: opened, onClose: close }} onClose={close} />;
}

export interface Drafts {
  has: (demo: string) => boolean;
  /** Makes a draft, or opens the one that was made. */
  open: (demo: DeskDemo) => void;
  isBusy: boolean;
  opened: Release | undefined;
  close: () => void;
}

/** `here` is the demo on the desk: the form of another demo's draft does not open over it. */
export function useDrafts(actions: Actions, here: string | undefined): Drafts {
  const [made, setMade] = useState<ReadonlyMap<string, string>>(new Map());
  const [isBusy, setBusy] = useState(false);
  const [opened, setOpened] = useState<Release>();
  const onDesk = useRef(here);
  useLayoutEffect(() => {
    onDesk.current = here;
  });

  function open(of: DeskDemo): void {
    const demo = of.id;
    if (isBusy) return;
    setBusy(true);
    const run = actions.run(`draft ${demo}`, of, async () => {
      const release = made.get(demo) ?? (await postRelease(demo)).release_id;
      // Before its form is read: if that fails, the next press must not make a second draft.
      setMade((before) => new Map(before).set(demo, release));
      const draft = await releaseConfig.show(release, new AbortController().signal);
      if (onDesk.current === demo) setOpened(draft);
    });
    void run.finally(() => setBusy(false));
  }

  return {
    has: (demo) => made.has(demo),
    open,
    isBusy,
    opened,
    close: () => setOpened(undefined),
  };
}
