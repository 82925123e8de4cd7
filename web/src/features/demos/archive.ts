// A look at the end of a chosen file, where an archive says what it holds: what would be refused need not travel.
import { DEMO_END_BYTES } from "../../rules/generated/constants.ts";
import { withRules } from "../../rules/rules.ts";

/** What the rules have against the file's end; nothing where it cannot be read, which is told when it is sent. */
export async function problemOfEnd(file: File) {
  const end = await file
    .slice(-DEMO_END_BYTES)
    .arrayBuffer()
    .catch(() => undefined);
  return end && withRules((rules) => rules.checkDemoEnd(file.name, new Uint8Array(end)));
}
