// The site's texts, a card each.
import { useLocation, useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { BUILT_IN_TEXTS, NAME_IN_TEXTS } from "../../../api/builtInTexts.ts";
import { call, type Schemas } from "../../../api/client.ts";
import { readQuery } from "../../../api/queries.ts";
import { TEXT_CARDS } from "../../../rules/generated/texts.ts";
import { withRules } from "../../../rules/rules.ts";
import { toastChangeFailed } from "../../../session/wordsFor.ts";
import { Field, TextArea } from "../../../ui/Field.tsx";
import { useLabelName } from "../../../ui/labelName.ts";
import { OutLink } from "../../../ui/OutLink.tsx";
import { Select } from "../../../ui/Select.tsx";
import { toastSuccess } from "../../../ui/toasts/toast.ts";
import { useUnsaved } from "../../../ui/unsaved/useUnsaved.tsx";
import { type Drafted, DraftForm, useDraft, useDrafts } from "../editing/drafts.tsx";
import { HistoryButton } from "../history/HistoryDialog.tsx";
import { TabHead } from "../lists/ListHead.tsx";
import { ListStates } from "../lists/RowList.tsx";
import { MaintenanceSwitch } from "../maintenance/MaintenanceSwitch.tsx";
import { ifMatch } from "../resource/resourceConfig.ts";
import { imagesQuery } from "../siteImages/SiteImages.tsx";
import { MarkCard } from "./MarkCard.tsx";
import { ColourPicker, SignalPreview } from "./SignalField.tsx";
import { deviceZone, ZoneNames, ZonePreview } from "./TimeZoneField.tsx";

const textsQuery = readQuery("/api/admin/content", {});

export const reads = [textsQuery, imagesQuery];

/** The label first, pages of one text last; those between in the order of the texts' keys, over all pages. */
const GROUPS = [
  ["label", "Label"],
  ["/artists", "Artists page"],
  ["/", "Home page"],
  ["/imprint", "Imprint"],
  ["/privacy-policy", "Privacy policy"],
] as const;

export function Tab() {
  const texts = useDrafts<SiteText, TextFields>(textsQuery, ({ key }) => key);
  const [isPlacing, setPlacing] = useState(false);
  const { question } = useUnsaved(texts.isUnsaved || isPlacing);
  const [search, setSearch] = useState("");
  const found = texts.items.filter((text) => matches(text, search));
  useNamedText(texts.items, search, setSearch);
  return (
    <>
      <TabHead
        name={`Content (${texts.pages ? texts.items.filter(isOfPages).length : "..."})`}
        search={{ typed: search, setTyped: setSearch }}
        found={search.trim() && texts.pages ? found.length : undefined}
        searchLabel="Search texts"
      />
      <MaintenanceSwitch pageKey="home" />
      <ListStates
        label="content"
        // The mark stays in sight while it is being placed.
        rows={{ ...texts, total: found.length + Number(isPlacing) }}
        loadFailed="content_load_failed"
        empty={search ? `Nothing found for “${search}”` : "No content yet"}
      >
        {GROUPS.map(([group, name]) => (
          <section key={group} aria-label={name} className="not-has-[form]:hidden">
            <h3 className="type-label border-hairline border-b px-gutter pt-6 pb-3 text-dim uppercase">
              {name}
            </h3>
            <div className="grid-cells xl:grid-cols-2">
              {group === "label" && (isPlacing || !search.trim()) && (
                <MarkCard onPlacing={setPlacing} />
              )}
              {found
                .filter(({ key }) => groupOf(key) === group)
                .sort((one, other) => placeInLabel(one.key) - placeInLabel(other.key))
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

/** Gives the focus to the text whose key is the address's fragment, even if the search leaves it out. */
function useNamedText(
  texts: readonly SiteText[],
  search: string,
  setSearch: (search: string) => void,
): void {
  const named = useLocation({ select: ({ hash }) => hash });
  const isText = texts.some(({ key }) => key === named);
  const navigate = useNavigate();
  useEffect(() => {
    if (!isText) return;
    if (search) return setSearch("");
    document.getElementById(named)?.querySelector<HTMLElement>("[data-focus-home]")?.focus();
    // A second press of the same link counts too.
    void navigate({ to: ".", search: true, hash: "", replace: true, resetScroll: false });
  }, [isText, named, search, setSearch, navigate]);
}

/** The label's own texts and its imprint are not counted: a new label has none of them. */
function isOfPages({ key }: SiteText): boolean {
  return groupOf(key) !== "label" && key !== IMPRINT;
}

function matches({ key, value, description }: SiteText, search: string): boolean {
  const words = search.trim().toLowerCase();
  return [titleOfText(key), value, description ?? ""].some((part) =>
    part.toLowerCase().includes(words),
  );
}

export type SiteText = Schemas["EditableText"];

type TextFields = Pick<SiteText, "value">;

/** The only text without which its page is missing. */
const IMPRINT = "imprint";

const LABELS = { value: "Text" };

function TextCard({ drafted }: { drafted: Drafted<SiteText, TextFields> }) {
  const { stored } = drafted;
  const { key } = stored;
  const label = useLabelName();
  const title = titleOfText(key);
  const rows = rowsOfText(key);
  const form = useDraft(drafted, {
    check({ value }) {
      const refused = withRules((rules) => rules.checkContentText(key, value));
      return refused && { value: refused.message };
    },
    send: ({ value }, version) =>
      call("PUT", "/api/admin/content/{key}", {
        path: { key },
        headers: ifMatch({ version }),
        body: { value },
      }),
    onSaved: () => toastSuccess("content_updated"),
    onFailed: (error) => toastChangeFailed(error, "content_update_failed"),
  });
  const { value } = form.shown;
  const field = {
    label: title,
    error: form.failure?.fields.value ?? form.failure?.said,
    value,
    onChange: ({ target }: { target: { value: string } }) => form.write({ value: target.value }),
    onBlur() {
      const completed = key === "label_links" && completeLines(value);
      if (completed && completed !== value) form.write({ value: completed });
    },
  };
  return (
    <DraftForm
      id={key}
      name={title}
      className="px-gutter py-6"
      form={form}
      newest={
        <p className="max-h-60 overflow-y-auto whitespace-pre-line">{stored.value || "(empty)"}</p>
      }
    >
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <div className="flex min-w-0 flex-wrap items-baseline gap-x-4">
          <h4 className="type-row">{title}</h4>
          {(key !== IMPRINT || stored.value.trim()) && (
            <OutLink
              href={pathOf(key)}
              label={`${title} on the site: ${pathOf(key)}`}
              className="type-label min-h-6 min-w-6 text-dim text-link decoration-hairline hover:text-ink"
            >
              {pathOf(key)}
            </OutLink>
          )}
        </div>
        <span className="type-label">
          <HistoryButton
            kind="text"
            rowKey={key}
            name={title}
            version={stored.version}
            labels={LABELS}
            hasUnsaved={form.hasChanged}
            onRestored={async () => {
              if (await drafted.readNewest()) form.discard();
            }}
            onStale={async () => (await drafted.readNewest())?.version}
          />
        </span>
      </div>
      {stored.description && <p className="-mt-2 text-dim">{stored.description}</p>}
      {/* Always whole rows, even for a short text. */}
      <div className="[&_label]:sr-only [&_textarea]:field-sizing-fixed">
        {key === "label_signal" && (
          <ColourPicker value={value} onPick={(colour) => form.write({ value: colour })} />
        )}
        {key === "label_header" ? (
          <Select
            label={title}
            data-focus-home
            value={value}
            options={HEADERS}
            onChoose={(chosen) => form.write({ value: chosen })}
          />
        ) : key === "label_time_zone" ? (
          <Field
            {...field}
            data-focus-home
            hint={`This device: ${deviceZone()}`}
            list={`${key}-names`}
            spellCheck={false}
          >
            <ZoneNames id={`${key}-names`} />
          </Field>
        ) : rows > 1 ? (
          <TextArea {...field} data-focus-home rows={rows} />
        ) : (
          <Field {...field} data-focus-home autoComplete="off" />
        )}
      </div>
      <details className="text-dim">
        <summary className="type-label w-fit cursor-pointer uppercase hover:text-ink">
          Preview
        </summary>
        {key === "label_signal" ? (
          <SignalPreview colour={value.trim()} />
        ) : key === "label_time_zone" ? (
          <ZonePreview zone={value.trim() || "UTC"} />
        ) : value.trim() ? (
          <p
            className={`mt-4 max-h-80 overflow-y-auto whitespace-pre-line text-ink ${voiceOf(key)}`}
          >
            {value === BUILT_IN_TEXTS[key] ? value.replace(NAME_IN_TEXTS, label) : value}
          </p>
        ) : (
          <p className="mt-4">Empty: {EMPTY[key] ?? "the page shows its built-in text."}</p>
        )}
      </details>
    </DraftForm>
  );
}

const HEADERS = [
  ["", "The mark alone"],
  ["mark and name", "The mark beside the name"],
] as const;

/** The meaning of an empty text that has no built-in one. */
const EMPTY: Readonly<Record<string, string>> = {
  imprint: "there is no such page, and no link to it.",
  label_name: "the name in the settings.",
  label_header: "the mark alone, or the name without a mark.",
  label_links: "no links.",
  label_ribbon: "the label's name, and what is etched into a run-out.",
  label_copyright: "© 2024 and the label's name.",
};

/** The addresses with their scheme, which is often left out. */
function completeLines(value: string): string | undefined {
  return withRules((rules) => value.split("\n").map(rules.completeUrl).join("\n"));
}

function titleOfText(key: string): string {
  return withRules((rules) => rules.contentCardTitle(key)) ?? TEXT_CARDS[key]?.title ?? key;
}

const LONG_ROWS = 4;

function rowsOfText(key: string): number {
  return withRules((rules) => rules.contentCardRows(key)) ?? TEXT_CARDS[key]?.rows ?? LONG_ROWS;
}

function groupOf(key: string): (typeof GROUPS)[number][0] {
  return key.startsWith("label_") ? "label" : pathOf(key);
}

const ORDER = Object.keys(TEXT_CARDS);

/** The label's texts begin with its name; others stay in the order of their keys. */
function placeInLabel(key: string): number {
  return groupOf(key) === "label" ? ORDER.indexOf(key) : 0;
}

/** The page that a text appears on. */
function pathOf(key: string): "/" | "/artists" | "/imprint" | "/privacy-policy" {
  if (key === IMPRINT) return "/imprint";
  if (key === "privacy_policy") return "/privacy-policy";
  return key.startsWith("artists_") ? "/artists" : "/";
}

/** The type of a text on its page, as classes of the theme. */
function voiceOf(key: string): string {
  if (/main_title|join_title|embrace/.test(key)) return "type-display text-[2.5rem]!";
  if (/subtitle|intro|newsletter_title/.test(key)) return "type-heading";
  if (key === "manifesto_title") return "type-label";
  return "type-lead";
}
