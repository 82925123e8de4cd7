// Checks the types under the strictest options.
import { type Checked, type ContactMessage, checkContact, type Problem } from "@deadwax/rules";
import { checkContact as checkWithBundler } from "@deadwax/rules/bundler";
import { IMAGE_MAX_MB, MESSAGES } from "@deadwax/rules/data";

const checked: Checked<ContactMessage> = checkContact({ name: "", email: "", message: "" });
const problems: Problem[] | undefined = checked.problems;
const email: string | undefined = checked.value?.email;
const title: "Message Sent!" = MESSAGES.contact_sent.title;
export const seen: [Problem[] | undefined, string | undefined, string, number] = [problems, email, title, IMAGE_MAX_MB];

// @ts-expect-error: a name is a text
checkContact({ name: 1, email: "", message: "" });
// @ts-expect-error: a form has all its fields
checkWithBundler({ name: "" });
// @ts-expect-error: no such message
MESSAGES.no_such_message;
