// Sends a picture, and tells how far it is: the one thing `fetch` cannot.
import { ApiError, refusal } from "../../../api/client.ts";

/** Where pictures are kept, by what they are for. */
export type ImageFolder = "artists" | "releases" | "uploads";

interface UploadedImage {
  url: string;
  small_url: string | null;
  width: number;
  height: number;
}

/** Throws `ApiError` when refused, and the signal's reason when given up. */
export function uploadImage(
  folder: ImageFolder,
  file: File,
  onProgress: (part: number) => void,
  signal: AbortSignal,
): Promise<UploadedImage> {
  return new Promise((resolve, reject) => {
    const call = new XMLHttpRequest();
    call.open("POST", `/api/admin/images?folder=${folder}`);
    call.responseType = "text";
    call.upload.onprogress = ({ loaded, total, lengthComputable }) => {
      if (lengthComputable) onProgress(loaded / total);
    };
    call.onload = () => {
      const body = parsed(call.responseText);
      if (call.status >= 200 && call.status < 300) resolve(body as UploadedImage);
      else reject(refusal(call.status, body));
    };
    call.onerror = () => reject(new ApiError(0, { detail: "The connection broke." }));
    call.onabort = () => reject(signal.reason);
    signal.addEventListener("abort", () => call.abort());
    const form = new FormData();
    form.append("file", file);
    call.send(form);
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Something on the way answered in a language of its own; the status is all there is.
    return undefined;
  }
}
