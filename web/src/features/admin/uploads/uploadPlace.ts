// Where files can be sent to, by whose rule, and how it is said in toasts how that went.
import { ApiError } from "../../../api/client.ts";
import { loadRules, type Rules, withRules } from "../../../rules/rules.ts";
import { type TitledCode, titleOf, words } from "../../../rules/words.ts";
import { showToast } from "../../../ui/toasts/toastQueue.ts";
import type { FileRequest } from "./uploadFile.ts";

type Check = Rules["checkImage"];

export interface UploadPlace extends Omit<FileRequest, "file"> {
  /** The rule that judges files before they travel. */
  check: (rules: Rules) => Check;
  /** Titles of toasts by the text of what that rule refuses: an answer names no other code for the file. */
  titles: Readonly<Record<string, string>>;
  /** Names of the stated texts. */
  said: { uploaded: TitledCode; failed: TitledCode };
}

/** Judges a file before a byte travels. What is wrong with it is said, and answered. */
export async function judge(place: UploadPlace, file: File): Promise<string | undefined> {
  await loadRules();
  const refused = withRules((rules) =>
    place.check(rules)({ name: file.name, media_type: file.type, size_bytes: file.size }),
  );
  if (!refused) return undefined;
  say(refused.title ?? titleOf(place.said.failed), refused.message);
  return refused.message;
}

export interface Refusal {
  reason: string;
  /** True where the same file would be refused again. */
  isFinal: boolean;
}

/** Says why the server did not take a file, in its words where it has some for the sender, and answers them. */
export function sayRefusal(place: UploadPlace, error: unknown): Refusal {
  const { title, text } = words(place.said.failed);
  const aboutFile = error instanceof ApiError ? wordsAboutFile(error) : undefined;
  if (aboutFile !== undefined) {
    say(place.titles[aboutFile] ?? title, aboutFile);
    return { reason: aboutFile, isFinal: true };
  }
  const isFull = error instanceof ApiError && error.code === "storage_full";
  const reason = (isFull ? error.said : undefined) ?? text;
  say(title, reason);
  return { reason, isFinal: false };
}

function say(title: string, description: string): void {
  showToast({ title, description, isError: true });
}

function wordsAboutFile({ fields, code, said }: ApiError): string | undefined {
  return fields.file ?? (code === "file_too_large" ? said : undefined);
}
