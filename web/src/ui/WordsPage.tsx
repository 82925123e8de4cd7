// A page of few words: its name, a sentence or two, ways on.
import type { ReactNode } from "react";
import { PageHead } from "./PageHead.tsx";

interface WordsPageProps {
  name: string;
  words: ReactNode;
  children?: ReactNode;
}

export function WordsPage({ name, words, children }: WordsPageProps) {
  return (
    <>
      <PageHead name={name} />
      <div className="grid-sheet flex-1 content-start gap-y-8 py-12">
        <div className="type-lead col-span-12 flex flex-col gap-4 lg:col-span-6 lg:col-start-4">
          {words}
        </div>
        {children && (
          <div className="type-label col-span-12 flex flex-wrap gap-3 lg:col-span-6 lg:col-start-4">
            {children}
          </div>
        )}
      </div>
    </>
  );
}
