// Checks the types under the strictest options.
import {
  type Checked,
  type ContactMessage,
  checkContact,
  checkProduct,
  type Problem,
  signupAttemptsAfterSubmit,
} from "@deadwax/rules";
import { checkContact as checkWithBundler } from "@deadwax/rules/bundler";
import { IMAGE_MAX_MB, MESSAGES } from "@deadwax/rules/data";

const checked: Checked<ContactMessage> = checkContact({ name: "", email: "", message: "" });
const problems: Problem[] | undefined = checked.problems;
const email: string | undefined = checked.value?.email;
const title: "Message Sent!" = MESSAGES.contact_sent.title;
const words: string | null | undefined = checkProduct({ title: "", price: "", stock_quantity: "" }).value?.description;
const last: number | null = signupAttemptsAfterSubmit(0, null, 0).last_attempt_ms;
export const seen: unknown[] = [problems, email, title, words, last, IMAGE_MAX_MB];

// @ts-expect-error: a name is a text
checkContact({ name: 1, email: "", message: "" });
// @ts-expect-error: a form has all its fields
checkWithBundler({ name: "" });
// @ts-expect-error: no such message
MESSAGES.no_such_message;
