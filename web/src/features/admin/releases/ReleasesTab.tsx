import { useState } from "react";
import { useLabelZone } from "../../../api/labelZone.ts";
import { ByRules } from "../../../rules/ByRules.tsx";
import { Button } from "../../../ui/Button.tsx";
import { ExportButton } from "../exports/ExportButton.tsx";
import { ImportDialog } from "../imports/ImportDialog.tsx";
import { inZone } from "../labelTime.ts";
import type { RowActions } from "../lists/Row.tsx";
import { Row, RowLinks } from "../lists/Row.tsx";
import { rowsQuery } from "../lists/useRows.ts";
import { RowsTab } from "../resource/RowsTab.tsx";
import { NumberNotices } from "./CatalogNumbers.tsx";
import { PreviewButton, ReleaseEditor } from "./ReleaseEditor.tsx";
import { ADDRESSES, type Release, type ReleaseState, releaseConfig } from "./releaseConfig.ts";

export const reads = [rowsQuery(releaseConfig)];

export function Tab() {
  const [isImporting, setImporting] = useState(false);
  return (
    <>
      <RowsTab
        config={releaseConfig}
        name="Releases"
        one="Release"
        searchLabel="Search releases"
        pageKey="releases"
        tools={
          <>
            <Button className="flex-none" onClick={() => setImporting(true)}>
              Import
            </Button>
            <ExportButton of="releases" />
          </>
        }
        notices={(search) => <NumberNotices onSearch={search} />}
        line={ReleaseLine}
        editor={ReleaseEditor}
      />
      {isImporting && <ImportDialog onClose={() => setImporting(false)} />}
    </>
  );
}

const STATES = { draft: "Draft", scheduled: "Scheduled", out: false } as const;

function ReleaseLine({ row: release, ...actions }: RowActions & { row: Release }) {
  const { description } = release;
  const zone = useLabelZone();
  return (
    <Row
      of={release}
      name={release.title}
      badges={[release.featured && "Featured", STATES[release.state as ReleaseState]]}
      facts={
        <p className="flex gap-4 tabular-nums md:flex-col md:gap-0 md:text-right">
          {release.catalog && <span className="min-w-0 text-signal">{release.catalog}</span>}
          <span className="flex-none text-dim">
            <ByRules
              ask={(rules) => rules.dateLabel(release.release_date)}
              without={release.release_date ?? ""}
            />
          </span>
          {release.goes_out_at && (
            <span>
              <span className="sr-only">Goes out </span>
              {inZone(release.goes_out_at, zone)}
            </span>
          )}
        </p>
      }
      buttons={
        release.state !== "out" && (
          <PreviewButton id={release.id} label={`Preview ${release.title}`} />
        )
      }
      {...actions}
    >
      <p className="mt-0.5">
        <bdi>{release.artist?.name ?? "Unknown Artist"}</bdi>
      </p>
      {description && (
        <p dir="auto" className="mt-1 max-w-[80ch] text-dim">
          <ByRules ask={(rules) => rules.preview(description)} without={description} />
        </p>
      )}
      <RowLinks
        of={release.title}
        links={ADDRESSES.map((field) => [releaseConfig.labels[field], release[field]])}
      />
    </Row>
  );
}
