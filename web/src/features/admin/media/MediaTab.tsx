import { useState } from "react";
import { TextButton } from "../../../ui/TextButton.tsx";
import { useUnsaved } from "../../../ui/unsaved/useUnsaved.tsx";
import { DemoInbox } from "../demos/DemoInbox.tsx";
import { demoCalls } from "../demos/demo.ts";
import { MediaLibrary } from "../library/MediaLibrary.tsx";
import { fileCalls } from "../library/mediaFile.ts";
import { rowsQuery } from "../lists/useRows.ts";
import { imagesQuery, SiteImages } from "../siteImages/SiteImages.tsx";

export const reads = [imagesQuery, rowsQuery(fileCalls), rowsQuery(demoCalls)];

export function Tab() {
  const [isPlacing, setPlacing] = useState(false);
  const [isUploading, setUploading] = useState(false);
  const { question } = useUnsaved(
    isPlacing || isUploading,
    "A file is chosen or on its way, and not stored yet. Leaving gives it up.",
  );
  return (
    <>
      <nav aria-label="Sections of Media" className="border-hairline border-b px-gutter py-2.5">
        <ul className="type-label flex flex-wrap gap-x-6">
          <SectionLink to="site-images" name="Site Images" />
          <SectionLink to="general-media" name="General Media" />
          <SectionLink to="demo-submissions" name="Demo Submissions" />
        </ul>
      </nav>
      <SiteImages onPlacing={setPlacing} />
      <MediaLibrary onUploading={setUploading} />
      <DemoInbox />
      {question}
    </>
  );
}

/** Scrolls to a section's heading, which may be many screens away. */
function SectionLink({ to, name }: { to: string; name: string }) {
  return (
    <li>
      <TextButton
        className="min-h-9 decoration-hairline"
        onClick={() => {
          const heading = document.getElementById(to);
          heading?.scrollIntoView();
          heading?.focus({ preventScroll: true });
        }}
      >
        {name}
      </TextButton>
    </li>
  );
}
