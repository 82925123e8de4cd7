// The numbers of a label's visits.
import type { Numbers } from "../features/admin/analytics/numbersQuery.ts";

const DAY_MS = 86_400_000;
const LAST = Date.UTC(2026, 10, 27);

const dayBefore = (days: number) => new Date(LAST - days * DAY_MS).toISOString().slice(0, 10);

/** Before anything is counted. */
export const NO_VISITS: Numbers = {
  is_on: true,
  first_day: null,
  days: daysOf(30, () => 0),
  totals: {
    views: 0,
    visitors: 0,
    plays: 0,
    shares: 0,
    buttons: 0,
    searches_without_results: 0,
    demos_opened: 0,
    demos_sent: 0,
    confirmed: 0,
    left: 0,
    left_out: 0,
  },
  places: [],
  sources: [],
  platforms: [],
  releases: [],
  letters: [],
};

function daysOf(count: number, viewsOn: (daysAgo: number) => number): Numbers["days"] {
  return Array.from({ length: count }, (_, index) => {
    const views = viewsOn(count - 1 - index);
    return { day: dayBefore(count - 1 - index), views, visitors: Math.round(views / 3) };
  });
}

/** Weekends are quiet, and after a letter there is a peak. */
function busy(daysAgo: number): number {
  return 60 + ((daysAgo * 37) % 50) + (daysAgo % 30 === 4 ? 340 : 0) - (daysAgo % 7 < 2 ? 40 : 0);
}

/** The numbers of a span; all of its days were counted unless stated. */
export function visitsOf(span: number, changes: Partial<Numbers> = {}): Numbers {
  const days = daysOf(span, busy);
  const views = days.reduce((sum, day) => sum + day.views, 0);
  return {
    ...NO_VISITS,
    first_day: dayBefore(span - 1),
    days,
    totals: {
      views,
      visitors: days.reduce((sum, { visitors }) => sum + visitors, 0),
      plays: 412,
      shares: 31,
      buttons: 264,
      searches_without_results: 18,
      demos_opened: 77,
      demos_sent: 23,
      confirmed: 64,
      left: 9,
      left_out: 1_310,
    },
    places: [
      { name: "Home", path: "/", count: 1_204 },
      { name: "Releases", path: "/releases", count: 986 },
      { name: "Dead Air Protocol", path: "/releases/404-019", count: 640 },
      ...Array.from({ length: 12 }, (_, index) => ({
        name: `Plate ${index + 1}`,
        path: `/releases/404-0${index}`,
        count: 90 - index * 6,
      })),
      { name: "other", path: null, count: 3 },
    ],
    sources: [
      { name: "Out now: Dead Air Protocol", path: "/letters/out-now", count: 310 },
      { name: "a-very-long-subdomain.of-a-forum.example", path: null, count: 122 },
      { name: "search.example", path: null, count: 44 },
    ],
    platforms: [
      { name: "bandcamp", path: null, count: 140 },
      { name: "spotify", path: null, count: 96 },
      { name: "apple_music", path: null, count: 28 },
    ],
    releases: [
      {
        id: "019aa000-0000-7000-8000-00000000000a",
        name: "Dead Air Protocol",
        path: "/releases/404-019",
        views: 640,
        visitors: 402,
        plays: 211,
        shares: 17,
        buttons: 130,
      },
      {
        id: "019aa000-0000-7000-8000-00000000000b",
        name: "A title that is longer than a line of a phone: Locked Groove, Versions",
        path: null,
        views: 88,
        visitors: 61,
        plays: 12,
        shares: 0,
        buttons: 9,
      },
    ],
    letters: [
      ...(span > 200
        ? [
            { id: "l1", day: dayBefore(304), subject: "The label in January" },
            { id: "l2", day: dayBefore(214), subject: "Three records, one evening" },
            { id: "l3", day: dayBefore(212), subject: "Correction: it is Friday" },
          ]
        : []),
      { id: "l4", day: dayBefore(4), subject: "Out now: Dead Air Protocol" },
    ],
    ...changes,
  };
}
