// The label's name, colour and mark: as the page was served with them, until they change.
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, use, useEffect } from "react";
import type { Schemas } from "../api/client.ts";
import { labelQuery } from "../api/siteContent.ts";
import { LabelMark, LabelName, labelName, setLabelName } from "../ui/labelName.ts";

/** The style sheet, or a style in the head, has the colour already. */
const AS_SERVED = "";

export function LabelProvider({ children }: { children: ReactNode }) {
  const painted = use(LabelName);
  const { name, signal, mark } = useQuery({
    ...labelQuery,
    initialData: (): Schemas["LabelView"] => ({
      name: painted ?? labelName(),
      signal: AS_SERVED,
      has_imprint: false,
      links: [],
      ribbon: null,
      copyright: `© 2024 ${painted ?? labelName()}`,
      mark: null,
      counts_visits: false,
      time_zone: "UTC",
    }),
  }).data;
  useEffect(() => setLabelName(name), [name]);
  useEffect(() => {
    if (signal !== AS_SERVED) {
      document.documentElement.style.setProperty("--color-signal", signal);
    }
  }, [signal]);
  return (
    <LabelName value={name}>
      <LabelMark value={mark}>{children}</LabelMark>
    </LabelName>
  );
}
