// Pictures of the site itself: the home page's background to be replaced, and what is recorded.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type RefObject, useCallback, useState } from "react";
import { readState } from "../../../api/readState.ts";
import { ListStates } from "../lists/RowList.tsx";
import { useDelete } from "../lists/useDelete.ts";
import { HeroUpload } from "./HeroUpload.tsx";
import { SiteImageRow } from "./SiteImageRow.tsx";
import { HERO_KEY, imageCalls, imagesQuery, type SiteImage } from "./siteImage.ts";

const MESSAGES = { deleteFailed: "image_delete_failed" } as const;

interface SiteImagesProps {
  headingRef: RefObject<HTMLHeadingElement | null>;
  /** Hears whether a picture is chosen that is not in its place yet. */
  onPlacing: (isPlacing: boolean) => void;
}

export function SiteImages({ headingRef, onPlacing }: SiteImagesProps) {
  const { images, rows } = useImages();
  const [isRestored, setRestored] = useState(false);
  const hero = images.find(({ key }) => key === HERO_KEY);
  const remove = useDelete({
    calls: imageCalls,
    messages: MESSAGES,
    onGone: useCallback((id: string) => setRestored(id === hero?.id), [hero?.id]),
    restoreFocus: useCallback(() => headingRef.current?.focus(), [headingRef]),
  });
  return (
    <section aria-labelledby="site-images" className="border-hairline border-b">
      <header className="border-hairline border-b px-gutter pt-7 pb-5">
        <h2
          id="site-images"
          ref={headingRef}
          tabIndex={-1}
          className="type-heading scroll-mt-4 tabular-nums"
        >
          Site Images
        </h2>
      </header>
      <div className="grid-cells lg:grid-cols-[minmax(0,5fr)_minmax(0,7fr)]">
        <HeroUpload
          hero={hero}
          onPlacing={(isPlacing) => {
            onPlacing(isPlacing);
            if (isPlacing) setRestored(false);
          }}
        />
        <div>
          <ListStates
            label="Site Images"
            rows={rows}
            loadFailed="images_load_failed"
            empty="No site images yet"
          >
            <ul aria-label="Site Images">
              {images.map((image) => (
                <li key={image.id} className="border-hairline border-b last:border-b-0">
                  <SiteImageRow image={image} onDelete={(event) => remove(event, image.id)} />
                </li>
              ))}
            </ul>
          </ListStates>
          <p role="status" className="px-gutter py-4 text-dim empty:hidden">
            {isRestored && "The default background is back on the home page."}
          </p>
        </div>
      </div>
    </section>
  );
}

function useImages() {
  const client = useQueryClient();
  const query = useQuery(imagesQuery);
  const images: readonly SiteImage[] = query.data?.items ?? [];
  return {
    images,
    rows: {
      pages: query.data,
      total: images.length,
      isFailing: readState(query) === "failing",
      tryAgain: () => void client.resetQueries({ queryKey: imagesQuery.queryKey }),
    },
  };
}
