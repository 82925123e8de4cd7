// The site's texts, a card each.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { readQuery } from "../../../api/queries.ts";
import { readState } from "../../../api/readState.ts";
import { Notice } from "../../../ui/Notice.tsx";
import { toastError } from "../../../ui/toasts/toast.ts";
import { useUnsaved } from "../../../ui/unsaved/useUnsaved.tsx";
import { draftAfterSaving } from "../editing/draftAfterSaving.ts";
import { useKeptState } from "../editing/useKeptState.tsx";
import { Failed } from "../lists/Failed.tsx";
import { Loading } from "../lists/RowList.tsx";
import { TabHead } from "../lists/TabHead.tsx";
import { MaintenanceSwitch } from "../maintenance/MaintenanceSwitch.tsx";
import { TextCard } from "./TextCard.tsx";
import {
  isChanged,
  PAGES,
  pathOf,
  type SiteText,
  type TextDraft,
  titleOfText,
} from "./textDraft.ts";

const texts = readQuery("/api/admin/content", {});

/** What the tab reads first. */
export const reads = [texts];

export function ContentTab() {
  const client = useQueryClient();
  const query = useQuery(texts);
  const { data } = query;
  const [search, setSearch] = useState("");
  // Held here and not in the cards: a search that hides a card must not lose what was typed in it.
  const [drafts, setDrafts] = useKeptState<Readonly<Record<string, TextDraft | undefined>>>(
    "drafts",
    {},
  );
  const items: SiteText[] = data?.items ?? [];
  const { question } = useUnsaved(items.some((text) => isChanged(text, drafts[text.key])));
  const isFailing = readState(query) === "failing";
  useEffect(() => {
    if (isFailing) toastError("content_load_failed");
  }, [isFailing]);
  const found = items.filter((text) => holds(text, search));
  const put = (text: SiteText) =>
    client.setQueryData(texts.queryKey, (held) => held && withText(held, text));
  return (
    <>
      <TabHead
        name={`Content (${data ? items.length : "..."})`}
        search={{ typed: search, setTyped: setSearch }}
        found={search.trim() && data ? found.length : undefined}
        searchLabel="Search texts"
      />
      <MaintenanceSwitch pageKey="home" />
      {isFailing && (
        <Failed
          code="content_load_failed"
          onRetry={() => void client.resetQueries({ queryKey: texts.queryKey })}
        />
      )}
      {!data && !isFailing && <Loading label="content" />}
      <Notice>
        {data &&
          found.length === 0 &&
          (search ? `Nothing found for “${search}”` : "No content yet")}
      </Notice>
      {PAGES.map(([path, page]) => (
        <section key={path} aria-label={page} className="not-has-[form]:hidden">
          <h3 className="type-label border-hairline border-b px-gutter pt-6 pb-3 text-dim uppercase">
            {page}
          </h3>
          <div className="grid-cells xl:grid-cols-2">
            {found
              .filter(({ key }) => pathOf(key) === path)
              .map((text) => (
                <TextCard
                  key={text.key}
                  text={text}
                  draft={drafts[text.key]}
                  onDraft={(draft) => setDrafts((all) => ({ ...all, [text.key]: draft }))}
                  onRead={put}
                  onSaved={(saved, sent) => {
                    setDrafts((all) => ({
                      ...all,
                      [text.key]: draftAfterSaving(all[text.key], sent, saved.version),
                    }));
                    put(saved);
                  }}
                />
              ))}
          </div>
        </section>
      ))}
      {question}
    </>
  );
}

function holds({ key, value, description }: SiteText, search: string): boolean {
  const title = titleOfText(key);
  const words = search.trim().toLowerCase();
  return [title, value, description ?? ""].some((part) => part.toLowerCase().includes(words));
}

function withText<Held extends { items: SiteText[] }>(held: Held, saved: SiteText): Held {
  return { ...held, items: held.items.map((item) => (item.key === saved.key ? saved : item)) };
}
