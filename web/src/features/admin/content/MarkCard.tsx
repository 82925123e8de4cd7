// The label's mark: uploaded, replaced, and removed.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { uploadTarget } from "../../../api/client.ts";
import { readState } from "../../../api/readState.ts";
import { MARK_ACCEPT } from "../../../rules/generated/constants.ts";
import type { Rules } from "../../../rules/rules.ts";
import { Button } from "../../../ui/Button.tsx";
import { messageText } from "../../../ui/messages.ts";
import { fitted } from "../../../ui/Wordmark.tsx";
import { useDelete } from "../lists/useDelete.ts";
import { readRowsAgain } from "../lists/useRows.ts";
import { PlacingButtons, usePlacing } from "../siteImages/placing.tsx";
import {
  IMAGES_PATH,
  ImageHistory,
  imageCalls,
  imagesQuery,
  MESSAGES,
} from "../siteImages/SiteImages.tsx";

const MARK_KEY = "label_mark";

const ENDPOINT = {
  to: uploadTarget("PUT", "/api/admin/site-images/{image}", { path: { image: MARK_KEY } }),
  check: (rules: Rules) => rules.checkMark,
  messages: { uploaded: "mark_uploaded", failed: "mark_upload_failed" },
  texts: { description: "Mark of the label" },
} as const;

const WITHOUT_MARK = {
  loading: "Loading...",
  failing: messageText("images_load_failed"),
  ready: "None: the label's name stands alone.",
} as const;

/** Room for the mark in pixels. */
const ROOM = [280, 96] as const;

export function MarkCard({ onPlacing }: { onPlacing: (isPlacing: boolean) => void }) {
  const client = useQueryClient();
  const card = useRef<HTMLElement>(null);
  const images = useQuery(imagesQuery);
  const mark = images.data?.items.find(({ key }) => key === MARK_KEY);
  const placing = usePlacing({
    endpoint: ENDPOINT,
    label: "Mark file",
    accept: MARK_ACCEPT,
    within: card,
    onPlacing,
    onPlaced: () => readRowsAgain(client, IMAGES_PATH),
  });
  const { preview, isOver } = placing;
  const remove = useDelete({ calls: imageCalls, messages: MESSAGES });
  const { image_width, image_height } = mark ?? {};
  const [width, height] = fitted({ width: image_width ?? 1, height: image_height ?? 1 }, ROOM);

  return (
    <section
      ref={card}
      aria-label="Mark"
      className={`flex min-w-0 flex-col gap-4 px-gutter py-6 ${isOver ? "bg-ink/6" : ""}`}
    >
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <h4 className="type-row">LABEL MARK</h4>
        {mark && (
          <span className="type-label">
            <ImageHistory image={mark} />
          </span>
        )}
      </div>
      <p className="-mt-2 text-dim">
        The label's sign at the top of every page, in mails, on shared addresses and as the icon. It
        is kept without its margins; one that is dark all over is drawn in the light ink.
      </p>
      {/* A chosen file may be dark or light; on this ground both are seen. */}
      <div
        className={`flex min-h-28 items-center border border-hairline p-2 ${preview ? "bg-dim" : "bg-ground"}`}
      >
        {preview ? (
          <img src={preview} alt="The chosen file" className="h-24 max-w-full object-contain" />
        ) : mark?.image_url ? (
          <img
            src={mark.image_url}
            alt="The mark now"
            width={width}
            height={height}
            className="h-auto max-w-full"
          />
        ) : (
          <p className="px-2 text-dim">{WITHOUT_MARK[readState(images)]}</p>
        )}
      </div>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          void placing.place();
        }}
      >
        <PlacingButtons placing={placing} choose="Upload Mark">
          {mark && <Button onClick={(event) => remove(event, mark.id)}>Remove</Button>}
        </PlacingButtons>
      </form>
      <p className="type-label text-dim">
        SVG or PNG, up to 1 MB. Text in an SVG must be paths. It can be dropped here too.
      </p>
    </section>
  );
}
