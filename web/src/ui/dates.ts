// Dates and times in local time; days in the form of the catalogue: 2026.11.20.

const FORMS = {
  day: { locale: "sv-SE" },
  minute: { locale: "sv-SE", dateStyle: "short", timeStyle: "short" },
  second: { locale: "sv-SE", dateStyle: "short", timeStyle: "medium" },
  clock: { locale: "en-GB", timeStyle: "medium" },
} as const;

type Form = keyof typeof FORMS;

/** Created on first use: the painting engine has no Intl. */
const made: Partial<Record<Form, Intl.DateTimeFormat>> = {};

type Moment = string | number;

export function day(at: Moment): string {
  return withDots("day", at);
}

export function dayAndTime(at: Moment): string {
  return withDots("minute", at);
}

export function dayAndSecond(at: Moment): string {
  return withDots("second", at);
}

/** Such as 17:05:00. */
export function timeOfDay(at: Moment): string {
  return written("clock", at);
}

function withDots(form: Form, at: Moment): string {
  return written(form, at).replaceAll("-", ".");
}

function written(form: Form, at: Moment): string {
  const { locale, ...options } = FORMS[form];
  made[form] ??= new Intl.DateTimeFormat(locale, options);
  return made[form].format(new Date(at));
}
