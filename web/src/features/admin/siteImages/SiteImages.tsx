import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type MouseEvent, useCallback, useState } from "react";
import { readState } from "../../../api/readState.ts";
import { day } from "../../../ui/dates.ts";
import { OutLink } from "../../../ui/OutLink.tsx";
import { HistoryButton } from "../history/HistoryDialog.tsx";
import { Row } from "../lists/Row.tsx";
import { ListStates } from "../lists/RowList.tsx";
import { useDelete } from "../lists/useDelete.ts";
import { readRowsAgain } from "../lists/useRows.ts";
import { TrashButton } from "../trash/TrashDialog.tsx";
import {
  HERO_KEY,
  HeroUpload,
  IMAGES_PATH,
  imageCalls,
  imagesQuery,
  type SiteImage,
} from "./HeroUpload.tsx";

const MESSAGES = { deleted: "image_deleted", deleteFailed: "image_delete_failed" } as const;

export function SiteImages({ onPlacing }: { onPlacing: (isPlacing: boolean) => void }) {
  const { images, rows } = useImages();
  /** The deleted background; the default one is shown in its place. */
  const [goneHero, setGoneHero] = useState<string>();
  const hero = images.find(({ key }) => key === HERO_KEY);
  const remove = useDelete({
    calls: imageCalls,
    messages: MESSAGES,
    onGone: useCallback((id: string) => setGoneHero(id === hero?.id ? id : undefined), [hero?.id]),
  });
  return (
    <section aria-labelledby="site-images" className="border-hairline border-b">
      <header className="flex flex-wrap items-end justify-between gap-x-8 gap-y-4 border-hairline border-b px-gutter pt-7 pb-5">
        <h2
          id="site-images"
          tabIndex={-1}
          data-focus-home
          className="type-heading scroll-mt-4 tabular-nums"
        >
          Site Images
        </h2>
        <TrashButton kind="site_image" name="Site Images" path={IMAGES_PATH} />
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

const LABELS = {
  image_url: "Picture",
  alt_text: "Alternative text",
  description: "Description",
};

interface SiteImageRowProps {
  image: SiteImage;
  onDelete: (event: MouseEvent) => void;
}

function SiteImageRow({ image, onDelete }: SiteImageRowProps) {
  const client = useQueryClient();
  const { image_width: width, image_height: height } = image;
  return (
    <Row of={image} name={image.key} badges={[]} onDelete={onDelete}>
      {image.description && <p className="mt-0.5">{image.description}</p>}
      {image.alt_text && <p className="mt-1 text-dim">“{image.alt_text}”</p>}
      <p className="mt-1 flex flex-wrap gap-x-4 text-dim tabular-nums">
        {width && height && (
          <span>
            {width} × {height}
          </span>
        )}
        <time dateTime={image.updated_at}>{day(image.updated_at)}</time>
        {image.image_url && (
          <OutLink
            href={image.image_url}
            label={`Open ${image.key}`}
            className="text-link decoration-hairline"
          >
            Open
          </OutLink>
        )}
      </p>
      <div className="type-label mt-2">
        <HistoryButton
          kind="site_image"
          rowKey={image.id}
          name={image.key}
          version={image.version}
          labels={LABELS}
          hasUnsaved={false}
          onRestored={() => readRowsAgain(client, IMAGES_PATH)}
          onStale={async () => {
            const images = await client
              .fetchQuery({ ...imagesQuery, staleTime: 0 })
              .catch(() => undefined);
            return images?.items.find(({ id }) => id === image.id)?.version;
          }}
        />
      </div>
    </Row>
  );
}
