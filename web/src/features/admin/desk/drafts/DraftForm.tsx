// Makes drafts of releases from demos, one for each demo, and shows the form of the one that is open.
import { useQueryClient } from "@tanstack/react-query";
import { useLayoutEffect, useRef, useState } from "react";
import { LazyDialog } from "../../../../code/LazyDialog.tsx";
import { lazyCode } from "../../../../code/lazyCode.ts";
import { type Release, releaseConfig } from "../../releases/releaseConfig.ts";
import { demoQuery, postRelease } from "../deskCalls.ts";
import type { DeskDemo, DeskDemoDetail } from "../deskTypes.ts";
import type { Actions } from "../useActions.ts";

const form = lazyCode(() =>
  import("../../releases/ReleaseEditor.tsx").then((module) => module.ReleaseEditor),
);

export function DraftForm({ drafts: { opened, close } }: { drafts: Drafts }) {
  if (!opened) return null;
  return <LazyDialog code={form} props={{ row: opened, onClose: close }} onClose={close} />;
}

export type Drafts = ReturnType<typeof useDrafts>;

/** `here` is the demo on the desk: the form of another demo's draft does not open over it. */
export function useDrafts(actions: Actions, here: string | undefined) {
  const client = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const [opened, setOpened] = useState<Release>();
  const onDesk = useRef(here);
  useLayoutEffect(() => {
    onDesk.current = here;
  });

  /** Makes a draft, or opens the one that was made. */
  function open(of: DeskDemo): void {
    const demo = of.id;
    if (isBusy) return;
    setBusy(true);
    const run = actions.run(`draft ${demo}`, of, async () => {
      const release = await postRelease(demo);
      client.setQueryData<DeskDemoDetail>(
        demoQuery(demo).queryKey,
        (held) => held && { ...held, release },
      );
      const draft = await releaseConfig.show(release.release_id, new AbortController().signal);
      if (onDesk.current === demo) setOpened(draft);
    });
    void run.finally(() => setBusy(false));
  }

  return {
    open,
    isBusy,
    opened,
    close: () => setOpened(undefined),
  };
}
