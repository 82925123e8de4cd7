// The account's picture: chosen, cropped to a square in the browser, and sent; or removed.
import { call } from "../../../api/client.ts";
import { useSingleMutation } from "../../../api/useSingleMutation.ts";
import {
  AVATAR_ACCEPT,
  AVATAR_MAX_MB,
  AVATAR_QUALITY,
  AVATAR_SIZE,
  AVATAR_TYPES,
} from "../../../rules/generated/constants.ts";
import { loadRules, withRules } from "../../../rules/rules.ts";
import { type Profile, useProfileChanges } from "../../../session/profileQuery.ts";
import { toastFailure, wordsFor, wordsForField } from "../../../session/wordsFor.ts";
import { Button } from "../../../ui/Button.tsx";
import { messageText } from "../../../ui/messages.ts";
import { toastError, toastSuccess } from "../../../ui/toasts/toast.ts";
import { useFilePicker } from "../../../ui/useFilePicker.tsx";
import { ProfileSection } from "./ProfileSection.tsx";

/** The rules refused the file; the message says why. */
class RefusedPicture extends Error {}

export function AvatarSection({ profile }: { profile: Profile }) {
  const { take, readAgain } = useProfileChanges();
  const upload = useSingleMutation({
    mutationFn: sendPicture,
    onSuccess: (changed) => {
      take(changed);
      toastSuccess("avatar_updated");
    },
    onError: (error) => {
      sayUploadFailure(error);
      // Only the answer may be lost.
      void readAgain();
    },
  });
  const remove = useSingleMutation({
    mutationFn: () => call("DELETE", "/api/profile/avatar"),
    onSuccess: (changed) => {
      take(changed);
      toastSuccess("avatar_removed");
    },
    onError: (error) => {
      toastFailure(error, "avatar_exception");
      void readAgain();
    },
  });
  const isBusy = upload.isPending || remove.isPending;

  const { open, picker } = useFilePicker(
    { "aria-label": "Avatar file", accept: AVATAR_ACCEPT },
    ([file]) => file && upload.mutate(file),
  );

  return (
    <ProfileSection
      name="AVATAR"
      about={`${AVATAR_TYPES}, at most ${AVATAR_MAX_MB} MB. The middle of the picture is cut to a square before it is sent.`}
    >
      {picker}
      <div className="type-label flex flex-wrap items-center gap-3">
        <Button data-focus-home variant="main" isBusy={isBusy} onClick={open}>
          {profile.avatar_url ? "Change Avatar" : "Upload Avatar"}
        </Button>
        {profile.avatar_url && (
          <Button isBusy={isBusy} onClick={() => remove.mutate()}>
            Remove Avatar
          </Button>
        )}
        {upload.isPending && (
          <span role="status" className="flex items-center gap-3 uppercase">
            <progress aria-label="Upload" className="meter w-32" />
            Uploading...
          </span>
        )}
      </div>
    </ProfileSection>
  );
}

async function sendPicture(file: File): Promise<Profile> {
  const isJudged = await loadRules();
  const refused = withRules((rules) =>
    rules.checkAvatar({ name: file.name, media_type: file.type, size_bytes: file.size }),
  );
  if (refused) throw new RefusedPicture(refused.message);
  // Without the rules the server checks the file and crops it.
  const picture = new File([isJudged ? await squared(file) : file], "avatar.jpg");
  return call("POST", "/api/profile/avatar", { body: { file: picture } });
}

async function squared(file: File): Promise<Blob> {
  try {
    return await squareJpeg(file, AVATAR_SIZE, AVATAR_QUALITY);
  } catch {
    throw new RefusedPicture("This picture could not be read.");
  }
}

function sayUploadFailure(error: Error): void {
  const refused = error instanceof RefusedPicture ? error.message : wordsForField(error, "file");
  toastError("avatar_failed", refused ?? wordsFor(error, messageText("artist_image_failed")));
}

interface Crop {
  x: number;
  y: number;
  size: number;
}

/**
 * Crops a picture to what the server keeps: its centre as a square JPEG. Done in the browser, so that a photograph's
 * full size and location never leave it.
 */
export function centreSquare(width: number, height: number): Crop {
  const size = Math.min(width, height);
  return { x: Math.floor((width - size) / 2), y: Math.floor((height - size) / 2), size };
}

/** The file as a square JPEG of `pixels` a side; `quality` from 0 to 1. Rejects if it is not a picture. */
async function squareJpeg(file: Blob, pixels: number, quality: number): Promise<Blob> {
  const picture = await createImageBitmap(file);
  try {
    const canvas = new OffscreenCanvas(pixels, pixels);
    const pen = canvas.getContext("2d");
    if (!pen) throw new Error("this browser cannot draw");
    // JPEG has no transparency: transparent areas get the page's ground.
    pen.fillStyle = getComputedStyle(document.documentElement).backgroundColor || "#0b0b0b";
    pen.fillRect(0, 0, pixels, pixels);
    pen.imageSmoothingQuality = "high";
    const { x, y, size } = centreSquare(picture.width, picture.height);
    pen.drawImage(picture, x, y, size, size, 0, 0, pixels, pixels);
    return await canvas.convertToBlob({ type: "image/jpeg", quality });
  } finally {
    picture.close();
  }
}
