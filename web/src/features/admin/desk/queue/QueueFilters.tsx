// Which demos the queue lists.
import { type ReactNode, useId } from "react";
import { SEARCH_MAX } from "../../../../rules/generated/constants.ts";
import { isComposing } from "../../../../ui/composing.ts";
import { useDeskState } from "../deskState.ts";
import { STATES } from "../states.ts";

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
  const { state = "", score = "", tag = "", answered = "", sender, overdue } = asked;
  // The address may name a tag that is no longer used.
  const known = new Map(summary?.tags.map(({ tag: name, count }) => [name, `${name} (${count})`]));
  if (tag && !known.has(tag)) known.set(tag, tag);
  return (
    <div className="flex flex-col gap-2.5 border-hairline border-b px-gutter py-3">
      <input
        ref={searchField}
        type="search"
        aria-label="Search demos"
        aria-keyshortcuts="/"
        placeholder="Search demos"
        autoComplete="off"
        spellCheck={false}
        className="field w-full"
        value={search.typed}
        onChange={({ target }) => search.setTyped(target.value)}
        maxLength={SEARCH_MAX}
        onKeyDown={(event) => {
          const { key, currentTarget } = event;
          if (isComposing(event)) return;
          if (key === "Enter") search.searchNow();
          if (key === "Enter" || key === "Escape") currentTarget.blur();
        }}
      />
      <div className="grid grid-cols-2 gap-2.5 sm:grid-cols-4 lg:grid-cols-2">
        <Choice
          label="State"
          all="All states"
          value={state}
          options={STATES}
          onChoose={(chosen) => write({ state: chosen, overdue: undefined })}
        />
        <Choice
          label="Score"
          all="Any score"
          value={score}
          options={SCORES}
          onChoose={(chosen) => write({ score: chosen })}
        />
        <Choice
          label="Answer"
          all="Any answer"
          value={answered}
          options={ANSWERED}
          onChoose={(chosen) => write({ answered: chosen })}
        />
        <Choice
          label="Tag"
          all="Any tag"
          value={tag}
          options={[...known]}
          onChoose={(chosen) => write({ tag: chosen })}
        />
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
  /** The label of the button that ends it. */
  all: string;
  onClear: () => void;
  children: ReactNode;
}

/** A filter that is set outside this form. */
function Narrowing({ all, onClear, children }: NarrowingProps) {
  return (
    <p className="flex items-center justify-between gap-3">
      <span className="min-w-0 truncate">{children}</span>
      <button
        type="button"
        className="type-label min-h-6 flex-none text-link uppercase"
        onClick={onClear}
      >
        {all}
      </button>
    </p>
  );
}

interface ChoiceProps {
  label: string;
  all: string;
  value: string;
  options: ReadonlyArray<readonly [value: string, name: string]>;
  onChoose: (value: string | undefined) => void;
}

function Choice({ label, all, value, options, onChoose }: ChoiceProps) {
  const id = useId();
  return (
    <div className="min-w-0">
      <label htmlFor={id} className="sr-only">
        {label}
      </label>
      <select
        id={id}
        className="field w-full px-2 text-[0.75rem]"
        value={value}
        onChange={({ target }) => onChoose(target.value || undefined)}
      >
        <option value="">{all}</option>
        {options.map(([option, name]) => (
          <option key={option} value={option}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
}
