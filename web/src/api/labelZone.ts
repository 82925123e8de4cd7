import { useQuery } from "@tanstack/react-query";
import { labelQuery } from "./siteContent.ts";

/** The label's time zone; UTC until it is read. */
export function useLabelZone(): string {
  const { data } = useQuery({ ...labelQuery, select: ({ time_zone }) => time_zone });
  return zoneOrUtc(data);
}

/** The zone, unless this browser does not know it: then UTC, which is named wherever times are shown in it. */
export function zoneOrUtc(zone: string | undefined): string {
  return zone && isZone(zone) ? zone : "UTC";
}

export function isZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
