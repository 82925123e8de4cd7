import type { ComponentProps } from "react";
import { SEARCH_MAX } from "../rules/generated/constants.ts";

interface SearchInputProps extends Omit<ComponentProps<"input">, "type" | "value" | "onChange"> {
  /** Its accessible name, and the placeholder unless another is given. */
  label: string;
  search: { typed: string; setTyped: (typed: string) => void };
}

export function SearchInput({ label, search, className = "", ...input }: SearchInputProps) {
  return (
    <input
      placeholder={label}
      autoComplete="off"
      autoCorrect="off"
      spellCheck={false}
      {...input}
      type="search"
      dir="auto"
      aria-label={label}
      maxLength={SEARCH_MAX}
      className={`field min-w-0 ${className}`}
      value={search.typed}
      onChange={({ target }) => search.setTyped(target.value)}
    />
  );
}
