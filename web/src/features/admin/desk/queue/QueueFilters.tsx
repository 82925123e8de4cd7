import type { ReactNode } from "react";
import { isComposing } from "../../../../ui/composing.ts";
import { SearchInput } from "../../../../ui/SearchInput.tsx";
import { Select } from "../../../../ui/Select.tsx";
import { TextButton } from "../../../../ui/TextButton.tsx";
import { useDeskState } from "../deskState.ts";
import { STATES } from "../deskTypes.ts";
import { COMMANDS } from "../keys/commands.ts";

const SCORES = [
  ...[5, 4, 3, 2, 1].map((score) => [String(score), `Score ${score}`] as const),
  ["0", "Not scored"] as const,
];

const ANSWERED = [
  ["no", "Not answered"],
  ["yes", "Answered"],
] as const;

export function QueueFilters() {
  const { desk, summary, searchField } = useDeskState();
  const { asked, search, write } = desk.address;
  const { tag, sender, overdue } = asked;
  // The address may name a tag that is no longer used.
  const known = new Map(summary?.tags.map(({ tag: name, count }) => [name, `${name} (${count})`]));
  if (tag && !known.has(tag)) known.set(tag, tag);
  const filters = [
    ["state", "State", "All states", STATES],
    ["score", "Score", "Any score", SCORES],
    ["answered", "Answer", "Any answer", ANSWERED],
    ["tag", "Tag", "Any tag", [...known]],
  ] as const;
  return (
    <div className="flex flex-col gap-2.5 border-hairline border-b px-gutter py-3">
      <SearchInput
        ref={searchField}
        label="Search demos"
        search={search}
        aria-keyshortcuts={COMMANDS.search.key}
        className="w-full"
        onKeyDown={(event) => {
          const { key, currentTarget } = event;
          if (isComposing(event)) return;
          if (key === "Enter") search.searchNow();
          if (key === "Enter" || key === "Escape") currentTarget.blur();
        }}
      />
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,10.75rem),1fr))] gap-2.5 pointer-fine:grid-cols-2 sm:pointer-fine:grid-cols-4 lg:pointer-fine:grid-cols-2">
        {filters.map(([part, label, all, options]) => (
          <Select
            key={part}
            label={label}
            className="w-full min-w-0 px-2 pointer-fine:text-[0.75rem]"
            options={[["", all], ...options]}
            value={asked[part] ?? ""}
            onChoose={(chosen) =>
              write({
                [part]: chosen || undefined,
                ...(part === "state" && { overdue: undefined }),
              })
            }
          />
        ))}
      </div>
      {sender && (
        <Narrowing all="All senders" onClear={() => write({ sender: undefined })}>
          From {sender}
        </Narrowing>
      )}
      {overdue && (
        <Narrowing all="All waits" onClear={() => write({ overdue: undefined })}>
          Overdue only
        </Narrowing>
      )}
    </div>
  );
}

interface NarrowingProps {
  all: string;
  onClear: () => void;
  children: ReactNode;
}

function Narrowing({ all, onClear, children }: NarrowingProps) {
  return (
    <p className="flex items-center justify-between gap-3">
      <span className="min-w-0 truncate">{children}</span>
      <TextButton className="flex-none" onClick={onClear}>
        {all}
      </TextButton>
    </p>
  );
}
