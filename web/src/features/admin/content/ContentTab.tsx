// The site's texts, a card each.
import { useState } from "react";
import { readQuery } from "../../../api/queries.ts";
import { useUnsaved } from "../../../ui/unsaved/useUnsaved.tsx";
import { useDrafts } from "../editing/drafts.tsx";
import { TabHead } from "../lists/ListHead.tsx";
import { ListStates } from "../lists/RowList.tsx";
import { MaintenanceSwitch } from "../maintenance/MaintenanceSwitch.tsx";
import { pathOf, type SiteText, TextCard, type TextFields, titleOfText } from "./TextCard.tsx";

const textsQuery = readQuery("/api/admin/content", {});

export const reads = [textsQuery];

/** In the order of the texts' keys, so that the cards of all pages together keep that order. */
const PAGES = [
  ["/artists", "Artists page"],
  ["/", "Home page"],
  ["/privacy-policy", "Privacy policy"],
] as const;

export function ContentTab() {
  const texts = useDrafts<SiteText, TextFields>(textsQuery, ({ key }) => key);
  const { question } = useUnsaved(texts.isUnsaved);
  const [search, setSearch] = useState("");
  const found = texts.items.filter((text) => matches(text, search));
  return (
    <>
      <TabHead
        name={`Content (${texts.pages ? texts.items.length : "..."})`}
        search={{ typed: search, setTyped: setSearch }}
        found={search.trim() && texts.pages ? found.length : undefined}
        searchLabel="Search texts"
      />
      <MaintenanceSwitch pageKey="home" />
      <ListStates
        label="content"
        rows={{ ...texts, total: found.length }}
        loadFailed="content_load_failed"
        empty={search ? `Nothing found for “${search}”` : "No content yet"}
      >
        {PAGES.map(([path, page]) => (
          <section key={path} aria-label={page} className="not-has-[form]:hidden">
            <h3 className="type-label border-hairline border-b px-gutter pt-6 pb-3 text-dim uppercase">
              {page}
            </h3>
            <div className="grid-cells xl:grid-cols-2">
              {found
                .filter(({ key }) => pathOf(key) === path)
                .map((text) => (
                  <TextCard key={text.key} drafted={texts.draftedOf(text)} />
                ))}
            </div>
          </section>
        ))}
      </ListStates>
      {question}
    </>
  );
}

function matches({ key, value, description }: SiteText, search: string): boolean {
  const words = search.trim().toLowerCase();
  return [titleOfText(key), value, description ?? ""].some((part) =>
    part.toLowerCase().includes(words),
  );
}
