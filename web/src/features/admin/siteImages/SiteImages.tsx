import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type MouseEvent, useCallback, useRef, useState } from "react";
import { apiError, call, type Schemas, uploadTarget } from "../../../api/client.ts";
import { readQuery } from "../../../api/queries.ts";
import { readState } from "../../../api/readState.ts";
import { HERO_ACCEPT, HERO_MAX_MB, HERO_TYPES } from "../../../rules/generated/constants.ts";
import type { Rules } from "../../../rules/rules.ts";
import { day } from "../../../ui/dates.ts";
import { Field } from "../../../ui/Field.tsx";
import { OutLink } from "../../../ui/OutLink.tsx";
import { Picture } from "../../../ui/Picture.tsx";
import { HistoryButton } from "../history/HistoryDialog.tsx";
import { Row } from "../lists/Row.tsx";
import { ListStates } from "../lists/RowList.tsx";
import { useDelete } from "../lists/useDelete.ts";
import { type RemovableRows, readRowsAgain } from "../lists/useRows.ts";
import { sizeOf } from "../sizeOf.ts";
import { TrashButton } from "../trash/TrashDialog.tsx";
import { PlacingButtons, usePlacing } from "./placing.tsx";

export const MESSAGES = { deleted: "image_deleted", deleteFailed: "image_delete_failed" } as const;

export function SiteImages({ onPlacing }: { onPlacing: (isPlacing: boolean) => void }) {
  const client = useQueryClient();
  const query = useQuery(imagesQuery);
  const images: readonly SiteImage[] = query.data?.items ?? [];
  /** The last deletion was that of the background. */
  const [isHeroGone, setHeroGone] = useState(false);
  const hero = images.find(({ key }) => key === HERO_KEY);
  const remove = useDelete({
    calls: imageCalls,
    messages: MESSAGES,
    onGone: useCallback((id: string) => setHeroGone(id === hero?.id), [hero?.id]),
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
        <HeroUpload hero={hero} onPlacing={onPlacing} onChosen={() => setHeroGone(false)} />
        <div>
          <ListStates
            label="Site Images"
            rows={{
              pages: query.data,
              total: images.length,
              isFailing: readState(query) === "failing",
              tryAgain: () => void client.resetQueries({ queryKey: imagesQuery.queryKey }),
            }}
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
            {isHeroGone && hero?.is_default && "The default background is back on the home page."}
          </p>
        </div>
      </div>
    </section>
  );
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
        <ImageHistory image={image} />
      </div>
    </Row>
  );
}

export function ImageHistory({ image }: { image: SiteImage }) {
  const client = useQueryClient();
  return (
    <HistoryButton
      kind="site_image"
      rowKey={image.id}
      name={image.key}
      version={image.version}
      labels={LABELS}
      hasUnsaved={false}
      onRestored={async () => readRowsAgain(client, IMAGES_PATH)}
      onStale={async () => {
        const images = await client
          .fetchQuery({ ...imagesQuery, staleTime: 0 })
          .catch(() => undefined);
        return images?.items.find(({ id }) => id === image.id)?.version;
      }}
    />
  );
}

export type SiteImage = Schemas["EditableImage"];

export const IMAGES_PATH = "/api/admin/site-images";

export const imagesQuery = readQuery(IMAGES_PATH, {});

export const imageCalls: RemovableRows = {
  path: IMAGES_PATH,
  remove: (image) => call("DELETE", "/api/admin/site-images/{image}", { path: { image } }),
  trash: "site_image",
};

const HERO_KEY = "hero_background";

const ENDPOINT = {
  to: uploadTarget("PUT", "/api/admin/site-images/{image}", { path: { image: HERO_KEY } }),
  check: (rules: Rules) => rules.checkHero,
  messages: { uploaded: "hero_uploaded", failed: "hero_upload_failed" },
} as const;

const DESCRIPTION = "Background of the home page";

interface HeroUploadProps {
  hero: SiteImage | undefined;
  onPlacing: (isPlacing: boolean) => void;
  onChosen: () => void;
}

function HeroUpload({ hero, onPlacing, onChosen }: HeroUploadProps) {
  const client = useQueryClient();
  const plate = useRef<HTMLDivElement>(null);
  const [altText, setAltText] = useState("");
  const [problem, setProblem] = useState<string>();
  const placing = usePlacing({
    endpoint: { ...ENDPOINT, texts: { alt_text: altText, description: DESCRIPTION } },
    label: "Hero background file",
    accept: HERO_ACCEPT,
    within: plate,
    onPlacing,
    onPlaced: () => readRowsAgain(client, IMAGES_PATH),
    onChosen() {
      setAltText("");
      setProblem(undefined);
      onChosen();
    },
  });
  const { file, preview, isOver } = placing;

  async function send(): Promise<void> {
    setProblem(undefined);
    const error = await placing.place();
    if (error) setProblem(apiError(error).fields.alt_text);
  }

  return (
    <div ref={plate} className={`flex flex-col gap-4 p-gutter ${isOver ? "bg-ink/6" : ""}`}>
      <h3 className="type-label flex items-center justify-between gap-4 uppercase">
        Hero Background
        <span className={file ? "" : "text-dim"}>
          {isOver ? "Let go to take this picture" : file ? "Not on the site yet" : "On the site"}
        </span>
      </h3>
      {preview ? (
        <img src={preview} alt="As it would be" className={PREVIEW} />
      ) : (
        <Picture
          of={hero}
          alt="As it stands"
          seed={HERO_KEY}
          sizes="(width >= 64rem) 50vw, 100vw"
          className={PREVIEW}
        />
      )}
      <form
        noValidate
        aria-label="Hero background"
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        {file && (
          <>
            <p className="flex flex-wrap justify-between gap-x-6">
              <span className="min-w-0">{file.name}</span>
              <span className="text-dim tabular-nums">{sizeOf(file.size)}</span>
            </p>
            <Field
              label="Alternative text"
              hint="What it shows, for those who do not see it. May stay empty."
              autoComplete="off"
              disabled={placing.progress !== undefined}
              error={problem}
              value={altText}
              onChange={({ target }) => setAltText(target.value)}
            />
          </>
        )}
        <PlacingButtons placing={placing} choose="Upload Hero Background" />
        <p className="type-label text-dim">
          {HERO_TYPES}, up to {HERO_MAX_MB} MB. It can be dropped here too.
        </p>
      </form>
    </div>
  );
}

const PREVIEW = "aspect-16/10 w-full border border-hairline object-cover";
