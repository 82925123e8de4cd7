// Where files can be sent to, by whose rule, and how it is said in toasts how that went.
import { apiError } from "../../../api/client.ts";
import { UPLOAD_TITLES } from "../../../rules/generated/refusals.ts";
import { loadRules, type Rules, withRules } from "../../../rules/rules.ts";
import { message, messageTitle, type TitledCode } from "../../../ui/messages.ts";
import { showToast } from "../../../ui/toasts/toastQueue.ts";
import type { FileRequest } from "./uploadFile.ts";

type Check = Rules["checkImage"];

export interface UploadEndpoint extends Omit<FileRequest, "file"> {
  /** The rule that judges files before they travel. */
  check: (rules: Rules) => Check;
  /** Names of the stated texts. */
  said: { uploaded: TitledCode; failed: TitledCode };
}

/** Judges a file before a byte travels. What is wrong with it is said, and answered. */
export async function checkFile(endpoint: UploadEndpoint, file: File): Promise<string | undefined> {
  await loadRules();
  const refused = withRules((rules) =>
    endpoint.check(rules)({ name: file.name, media_type: file.type, size_bytes: file.size }),
  );
  if (!refused) return undefined;
  const title = refused.title ?? messageTitle(endpoint.said.failed);
  showToast({ title, description: refused.message, isError: true });
  return refused.message;
}

export interface UploadFailure {
  reason: string;
  /** True where the same file would be refused again. */
  isFinal: boolean;
}

/** Says why the server did not take a file, in its words where it has some for the sender, and answers them. */
export function toastRefusal(endpoint: UploadEndpoint, error: unknown): UploadFailure {
  const { code, fields, said } = apiError(error);
  const aboutFile = fields.file ?? (code === "file_too_large" ? said : undefined);
  const { title, text } = message(endpoint.said.failed);
  // Of a text beside the file its field says the same.
  const [aboutText] = Object.values(fields);
  const reason = aboutFile ?? (code === "storage_full" ? said : undefined) ?? aboutText ?? text;
  const fileTitle = aboutFile === undefined ? undefined : UPLOAD_TITLES[code];
  showToast({ title: fileTitle ?? title, description: reason, isError: true });
  return { reason, isFinal: aboutFile !== undefined };
}
