// A letter beside its editor, as the server renders it: wide, narrow, dark, without pictures, as text.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call, type Schemas } from "../../../../api/client.ts";
import { readQuery } from "../../../../api/queries.ts";
import { withRules } from "../../../../rules/rules.ts";
import { useRules } from "../../../../rules/useRules.ts";
import { wordsFor } from "../../../../session/wordsFor.ts";
import { Button } from "../../../../ui/Button.tsx";
import { SkeletonLines } from "../../../../ui/Skeleton.tsx";
import { usePaused } from "../../../../ui/useTypedSearch.ts";
import { notOut } from "./letterConfig.ts";

const VIEWS = [
  ["wide", "Wide"],
  ["narrow", "Narrow"],
  ["dark", "Dark"],
  ["bare", "Without Pictures"],
  ["text", "Text"],
] as const;

type View = (typeof VIEWS)[number][0];

/** The pause in typing after which the preview is made anew. */
const PAUSE_MS = 400;

const UNANSWERED = "The server did not answer.";

/** A letter that went out, as it went out. */
export function FrozenPreview({ id }: { id: string }) {
  const { data, error, isFetching } = useQuery(
    readQuery("/api/admin/letters/{id}/preview", { path: { id } }),
  );
  const problem = error && wordsFor(error, UNANSWERED);
  return <Preview letter={data} problem={problem} isBusy={isFetching} />;
}

interface DraftPreviewProps {
  draft: Schemas["LetterDraft"];
  inArchive: boolean;
}

export function DraftPreview({ draft, inArchive }: DraftPreviewProps) {
  const written = usePaused(JSON.stringify(draft), PAUSE_MS);
  useRules();
  const asked: Schemas["LetterDraft"] = JSON.parse(written);
  const [refused] = withRules((rules) => rules.checkLetterDraft(asked))?.problems ?? [];
  const {
    data: answer,
    error,
    isFetching,
  } = useQuery({
    queryKey: ["/api/admin/letters/preview", written, inArchive],
    queryFn: ({ signal }) =>
      call("POST", "/api/admin/letters/preview", {
        query: { in_archive: inArchive },
        body: asked,
        signal,
      }),
    enabled: refused === undefined,
    retry: false,
    gcTime: 10_000,
  });
  // The latest one stays in sight, also while what is typed has a problem.
  const [data, setData] = useState(answer);
  if (answer && answer !== data) setData(answer);
  const problem = refused?.message ?? (error && wordsFor(error, UNANSWERED));
  return <Preview letter={data} problem={problem} isBusy={isFetching} />;
}

interface PreviewProps {
  letter: Schemas["LetterPreview"] | undefined;
  /** Why it is not the newest one. */
  problem: string | null | undefined;
  isBusy: boolean;
}

function Preview({ letter, problem, isBusy }: PreviewProps) {
  const [view, setView] = useState<View>("wide");
  return (
    <section aria-label="Preview" aria-busy={isBusy} className="flex min-w-0 flex-col gap-3">
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would draw its legend */}
      <div role="group" aria-label="Preview as" className="type-label flex flex-wrap gap-2">
        {VIEWS.map(([value, name]) => (
          <Button
            key={value}
            aria-pressed={view === value}
            variant={view === value ? "outline" : undefined}
            onClick={() => setView(value)}
          >
            {name}
          </Button>
        ))}
      </div>
      <p role="status" className="text-dim tabular-nums">
        {problem
          ? `${letter ? "This is the letter before: " : ""}${problem}`
          : letter && sizeOf(letter)}
      </p>
      {letter && letter.not_out.length > 0 && <p>{notOut(letter.not_out)}</p>}
      {!letter ? (
        !problem && <SkeletonLines lines={8} />
      ) : view === "text" ? (
        <pre className="max-h-[70vh] overflow-auto whitespace-pre-wrap border border-hairline p-4 text-[0.75rem]">
          {letter.text}
        </pre>
      ) : (
        <Mail html={letter.html} view={view} />
      )}
    </section>
  );
}

function sizeOf({ size_bytes, size_max }: Schemas["LetterPreview"]): string {
  const words = `${Math.ceil(size_bytes / 1024)} of ${Math.floor(size_max / 1024)} KB`;
  return size_bytes > size_max ? `${words}: too large to be saved` : words;
}

interface MailProps {
  html: string;
  view: Exclude<View, "text">;
}

function Mail({ html, view }: MailProps) {
  const [height, setHeight] = useState(400);
  return (
    <iframe
      // Another view is another document.
      key={view}
      title="The letter"
      // No script, no form, no window; the origin lets this page set the styles.
      sandbox="allow-same-origin"
      srcDoc={withoutStyles(html, view === "bare")}
      onLoad={({ currentTarget }) => setHeight(dress(currentTarget, html, view === "dark"))}
      style={{ height }}
      className={`max-h-[75vh] max-w-full border border-hairline bg-white ${view === "narrow" ? "w-80" : "w-full max-w-[40rem]"}`}
    />
  );
}

/**
 * The policy of this page, which the frame inherits, allows no style in a document. So they are set by script, from attributes of
 * another name. In the server's HTML a quote in a text is escaped, so nothing typed looks like an attribute.
 */
function withoutStyles(html: string, isBare: boolean): string {
  const plain = html.replace(/<style>.*?<\/style>/s, "").replaceAll(' style="', ' data-style="');
  return isBare ? plain.replaceAll('<img src="', '<img data-src="') : plain;
}

/** Sets the styles of a letter in its frame; returns its height. */
function dress(frame: HTMLIFrameElement, html: string, isDark: boolean): number {
  const { contentDocument: letter, contentWindow } = frame;
  if (!letter || !contentWindow) return 0;
  for (const element of letter.querySelectorAll<HTMLElement>("[data-style]")) {
    element.style.cssText = element.dataset.style ?? "";
  }
  const rules = /<style>(.*?)<\/style>/s.exec(html)?.[1] ?? "";
  const scheme = isDark ? "all" : "not all";
  const sheet = new (contentWindow as Window & typeof globalThis).CSSStyleSheet();
  sheet.replaceSync(rules.replaceAll("(prefers-color-scheme:dark)", scheme));
  letter.adoptedStyleSheets = [sheet];
  letter.documentElement.style.colorScheme = isDark ? "dark" : "light";
  return letter.documentElement.scrollHeight;
}
