// Uploads a picture for a form: judged by the rules before it travels, given up when the form closes.
import { useEffect, useRef, useState } from "react";
import { ApiError } from "../../../api/client.ts";
import { loadRules, withRules } from "../../../rules/rules.ts";
import { words } from "../../../rules/words.ts";
import { showToast } from "../../../ui/toasts/toastQueue.ts";
import { sayDone, sayFailed } from "../say.ts";
import { type ImageFolder, uploadImage } from "./uploadImage.ts";

interface ImageUploadOptions {
  folder: ImageFolder;
  /** Names of the stated texts. */
  uploaded: string;
  failed: string;
  onUploaded: (url: string) => void;
}

export function useImageUpload({ folder, uploaded, failed, onUploaded }: ImageUploadOptions) {
  /** How much has arrived, from 0 to 1; undefined while nothing is on its way. */
  const [progress, setProgress] = useState<number>();
  const underWay = useRef<AbortController>(undefined);
  useEffect(() => () => underWay.current?.abort(), []);

  async function upload(file: File): Promise<void> {
    if (underWay.current) return;
    const call = new AbortController();
    underWay.current = call;
    setProgress(0);
    try {
      await loadRules();
      const refused = withRules((rules) =>
        rules.checkImage({ name: file.name, media_type: file.type, size_bytes: file.size }),
      );
      if (refused) {
        showToast({
          title: refused.title ?? words(failed).title,
          description: refused.message,
          isError: true,
        });
        return;
      }
      const { url } = await uploadImage(folder, file, setProgress, call.signal);
      onUploaded(url);
      sayDone(uploaded);
    } catch (error) {
      if (!call.signal.aborted) sayRefusal(error, failed);
    } finally {
      underWay.current = undefined;
      if (!call.signal.aborted) setProgress(undefined);
    }
  }

  return { progress, upload };
}

/** The server's word on the file itself, where it has one; otherwise the stated text. */
function sayRefusal(error: unknown, failed: string): void {
  const aboutFile = error instanceof ApiError ? error.fields.file : undefined;
  if (aboutFile === undefined) sayFailed(failed);
  else showToast({ title: words(failed).title, description: aboutFile, isError: true });
}
