// The label's files: site images, the library, and submitted demos.
import { useRef, useState } from "react";
import { TextButton } from "../../../ui/TextButton.tsx";
import { useUnsaved } from "../../../ui/unsaved/useUnsaved.tsx";
import { DemoInbox } from "../demos/DemoInbox.tsx";
import { demoCalls } from "../demos/demo.ts";
import { MediaLibrary } from "../library/MediaLibrary.tsx";
import { fileCalls } from "../library/mediaFile.ts";
import { rowsQuery } from "../lists/useRows.ts";
import { imagesQuery } from "../siteImages/HeroUpload.tsx";
import { SiteImages } from "../siteImages/SiteImages.tsx";

/** Read ahead for the tab. */
export const reads = [imagesQuery, rowsQuery(fileCalls), rowsQuery(demoCalls)];

export function MediaTab() {
  const images = useRef<HTMLHeadingElement>(null);
  const library = useRef<HTMLHeadingElement>(null);
  const demos = useRef<HTMLHeadingElement>(null);
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
          <SectionLink to={images} name="Site Images" />
          <SectionLink to={library} name="General Media" />
          <SectionLink to={demos} name="Demo Submissions" />
        </ul>
      </nav>
      <SiteImages headingRef={images} onPlacing={setPlacing} />
      <MediaLibrary headingRef={library} onUploading={setUploading} />
      <DemoInbox headingRef={demos} />
      {question}
    </>
  );
}

interface SectionLinkProps {
  to: React.RefObject<HTMLHeadingElement | null>;
  name: string;
}

/** Scrolls to a section, which may be many screens away. */
function SectionLink({ to, name }: SectionLinkProps) {
  return (
    <li>
      <TextButton
        className="min-h-9 decoration-hairline"
        onClick={() => {
          to.current?.scrollIntoView();
          to.current?.focus({ preventScroll: true });
        }}
      >
        {name}
      </TextButton>
    </li>
  );
}
