// Dates and times in the browser's time zone, or in a given one; days in the form of the catalogue: 2026.11.20.

const FORMS = {
  day: { locale: "sv-SE" },
  minute: { locale: "sv-SE", dateStyle: "short", timeStyle: "short" },
  second: { locale: "sv-SE", dateStyle: "short", timeStyle: "medium" },
  clock: { locale: "en-GB", timeStyle: "medium" },
} as const;

type Form = keyof typeof FORMS;

/** Created on first use: the painting engine has no Intl. */
const made: Record<string, Intl.DateTimeFormat> = {};

type Moment = string | number;

export function day(at: Moment): string {
  return withDots("day", at);
}

export function dayAndTime(at: Moment, zone?: string): string {
  return withDots("minute", at, zone);
}

export function dayAndSecond(at: Moment, zone?: string): string {
  return withDots("second", at, zone);
}

/** Such as 17:05:00. */
export function timeOfDay(at: Moment): string {
  return written("clock", at);
}

/** The instant at which a clock in UTC shows what the zone's shows at `at`, in whole seconds. */
export function utcOfClock(at: Moment, zone: string): number {
  const shown = written("second", at, zone).padStart("2026-11-20 12:00:00".length, "0");
  return Date.parse(`${shown.replace(" ", "T")}Z`);
}

function withDots(form: Form, at: Moment, zone?: string): string {
  return written(form, at, zone).replaceAll("-", ".");
}

function written(form: Form, at: Moment, zone?: string): string {
  const { locale, ...options } = FORMS[form];
  const key = zone ? `${form} ${zone}` : form;
  made[key] ??= new Intl.DateTimeFormat(locale, { ...options, ...(zone && { timeZone: zone }) });
  return made[key].format(new Date(at));
}
