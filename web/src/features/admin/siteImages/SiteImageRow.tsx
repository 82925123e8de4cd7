// A picture of the site, as it is recorded.
import type { MouseEvent } from "react";
import { day } from "../../../ui/dates.ts";
import { OutLink } from "../../../ui/OutLink.tsx";
import { Row } from "../lists/Row.tsx";
import type { SiteImage } from "./siteImage.ts";

interface SiteImageRowProps {
  image: SiteImage;
  onDelete: (event: MouseEvent) => void;
}

export function SiteImageRow({ image, onDelete }: SiteImageRowProps) {
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
    </Row>
  );
}
