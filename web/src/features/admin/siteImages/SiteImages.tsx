// Pictures of the site itself: the home page's background to be replaced, and what is recorded.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type RefObject, useCallback, useState } from "react";
import { readState } from "../../../api/readState.ts";
import { ListStates } from "../lists/RowList.tsx";
import { useDelete } from "../lists/useDelete.ts";
import { TrashKey } from "../trash/TrashKey.tsx";
import { HeroUpload } from "./HeroUpload.tsx";
import { SiteImageRow } from "./SiteImageRow.tsx";
import { HERO_KEY, IMAGES_PATH, imageCalls, imagesQuery, type SiteImage } from "./siteImage.ts";

const MESSAGES = { deleted: "image_deleted", deleteFailed: "image_delete_failed" } as const;

interface SiteImagesProps {
  headingRef: RefObject<HTMLHeadingElement | null>;
  /** Hears whether a picture is chosen that is not in its place yet. */
  onPlacing: (isPlacing: boolean) => void;
}

export function SiteImages({ headingRef, onPlacing }: SiteImagesProps) {
  const { images, rows } = useImages();
  /** The background in whose place the default one came. */
  const [goneHero, setGoneHero] = useState<string>();
  const hero = images.find(({ key }) => key === HERO_KEY);
  const remove = useDelete({
    calls: imageCalls,
    messages: MESSAGES,
    onGone: useCallback((id: string) => setGoneHero(id === hero?.id ? id : undefined), [hero?.id]),
    restoreFocus: useCallback(() => headingRef.current?.focus(), [headingRef]),
  });
  return (
    <section aria-labelledby="site-images" className="border-hairline border-b">
      <header className="flex flex-wrap items-end justify-between gap-x-8 gap-y-4 border-hairline border-b px-gutter pt-7 pb-5">
        <h2
          id="site-images"
          ref={headingRef}
          tabIndex={-1}
          className="type-heading scroll-mt-4 tabular-nums"
        >
          Site Images
        </h2>
        <TrashKey kind="site_image" name="Site Images" path={IMAGES_PATH} />
      </header>
      <div className="grid-cells lg:grid-cols-[minmax(0,5fr)_minmax(0,7fr)]">
        <HeroUpload
          hero={hero}
          onPlacing={(isPlacing) => {
            onPlacing(isPlacing);
            if (isPlacing) setGoneHero(undefined);
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
            {goneHero &&
              goneHero !== hero?.id &&
              "The default background is back on the home page."}
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
