// A picture of the site, as it is recorded.
import { useQueryClient } from "@tanstack/react-query";
import type { MouseEvent } from "react";
import { day } from "../../../ui/dates.ts";
import { OutLink } from "../../../ui/OutLink.tsx";
import { HistoryKey } from "../history/HistoryKey.tsx";
import { Row } from "../lists/Row.tsx";
import { readRowsAgain } from "../lists/useRows.ts";
import { IMAGES_PATH, imagesQuery, type SiteImage } from "./siteImage.ts";

/** What the fields of a saved version are called. */
const LABELS = {
  image_url: "Picture",
  alt_text: "Alternative text",
  description: "Description",
};

interface SiteImageRowProps {
  image: SiteImage;
  onDelete: (event: MouseEvent) => void;
}

export function SiteImageRow({ image, onDelete }: SiteImageRowProps) {
  const client = useQueryClient();
  const { image_width: width, image_height: height } = image;
  return (
    <Row
      id={image.id}
      name={image.key}
      imageUrl={image.image_url}
      smallUrl={image.image_small_url}
      imageSizes={image.image_sizes}
      badges={[]}
      onDelete={onDelete}
    >
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
        <HistoryKey
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
