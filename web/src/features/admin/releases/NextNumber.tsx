// The next free catalogue number, offered to a new release beside its field.
import { useQuery } from "@tanstack/react-query";
import { Button } from "../../../ui/Button.tsx";
import { catalogNumbersQuery } from "./catalogNumbers.ts";

export function NextNumber({ onUse }: { onUse: (next: string) => void }) {
  const { data } = useQuery(catalogNumbersQuery);
  const next = data?.next;
  if (!next) return null;
  return (
    <Button className="-ml-px flex-none border-dim normal-case" onClick={() => onUse(next)}>
      <span className="sr-only">Use the next free number, </span>
      {next}
    </Button>
  );
}
