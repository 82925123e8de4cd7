// Checks the end of a chosen file, where an archive lists its content, before it is sent.
import { DEMO_END_BYTES } from "../../rules/generated/constants.ts";
import { withRules } from "../../rules/rules.ts";

/** The rules' objection to the file's end. An unreadable file is reported when it is sent. */
export async function problemOfEnd(file: File) {
  const end = await file
    .slice(-DEMO_END_BYTES)
    .arrayBuffer()
    .catch(() => undefined);
  return end && withRules((rules) => rules.checkDemoEnd(file.name, new Uint8Array(end)));
}
