// Words that demos are found by, chosen freely; those in use are offered.
import { type FormEvent, type KeyboardEvent, useId, useState } from "react";
import { Button } from "../../../../ui/Button.tsx";

interface TagsProps {
  tags: readonly string[];
  /** Those of all demos. */
  inUse: readonly string[];
  onChange: (tags: string[]) => void;
}

/** As many as a demo can have, and as long as one can be. */
const MOST_TAGS = 20;
const LONGEST_TAG = 30;

export function Tags({ tags, inUse, onChange }: TagsProps) {
  const [typed, setTyped] = useState("");
  const listId = useId();
  const fieldId = useId();

  function add(): void {
    const tag = typed.trim().toLowerCase();
    setTyped("");
    if (tag !== "" && !tags.includes(tag)) onChange([...tags, tag]);
  }
  function press(event: KeyboardEvent<HTMLInputElement>): void {
    if (event.key === "Escape") event.currentTarget.blur();
    if (event.key !== "Enter" && event.key !== ",") return;
    event.preventDefault();
    add();
  }
  return (
    <section aria-label="Tags" className="flex flex-col gap-3">
      <h3 className="type-label text-dim uppercase">
        <label htmlFor={fieldId}>Tags</label>
      </h3>
      {tags.length > 0 && (
        <ul className="flex flex-wrap gap-2">
          {tags.map((tag) => (
            <li key={tag} className="flex items-center border border-hairline pl-2.5">
              {tag}
              <button
                type="button"
                aria-label={`Take tag ${tag} off`}
                className="flex size-8 items-center justify-center text-dim hover:text-ink"
                onClick={() => onChange(tags.filter((other) => other !== tag))}
              >
                <span aria-hidden="true">×</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {tags.length < MOST_TAGS && (
        <div className="flex">
          <input
            id={fieldId}
            list={listId}
            className="field min-w-0 flex-1"
            placeholder="Add a tag"
            autoComplete="off"
            maxLength={LONGEST_TAG}
            value={typed}
            onInput={({ currentTarget }: FormEvent<HTMLInputElement>) =>
              setTyped(currentTarget.value)
            }
            onKeyDown={press}
          />
          <Button
            className="-ml-px flex-none border-dim"
            disabled={typed.trim() === ""}
            onClick={add}
          >
            Add<span className="sr-only"> Tag</span>
          </Button>
          <datalist id={listId}>
            {inUse
              .filter((tag) => !tags.includes(tag))
              .map((tag) => (
                <option key={tag} value={tag} />
              ))}
          </datalist>
        </div>
      )}
    </section>
  );
}
