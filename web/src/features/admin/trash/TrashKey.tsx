// The key of a tab's trash, which says how much is in it, and what it opens.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "../../../ui/Button.tsx";
import type { RemovableRows } from "../lists/rowsCalls.ts";
import type { TrashKind } from "../lists/trashKinds.ts";
import { TrashDialog } from "./TrashDialog.tsx";
import { countsQuery } from "./trashQuery.ts";

interface TrashKeyProps {
  kind: TrashKind;
  /** Such as Artists. */
  name: string;
  /** The list that restored rows come back to. */
  path: RemovableRows["path"];
}

export function TrashKey({ kind, name, path }: TrashKeyProps) {
  const { data } = useQuery(countsQuery);
  const [isOpen, setOpen] = useState(false);
  if (!data) return null;
  return (
    <>
      <Button className="flex-none tabular-nums" onClick={() => setOpen(true)}>
        Trash ({data[kind]})<span className="sr-only"> of {name}</span>
      </Button>
      {isOpen && <TrashDialog kind={kind} name={name} path={path} onClose={() => setOpen(false)} />}
    </>
  );
}
