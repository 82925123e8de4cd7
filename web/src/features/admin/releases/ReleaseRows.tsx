// What a release's own page tells in lists: its tracks, and who did what for it.
import type { Editor } from "../editing/useEditor.ts";
import { pastedCredits, pastedTracks } from "./pastedRows.ts";
import { RowsField } from "./RowsField.tsx";
import { type Release, type ReleaseForm, releaseConfig } from "./releaseConfig.ts";

const WHOLE = "col-span-2 col-start-2";
const LEFT = "col-start-2";

interface ReleaseRowsProps {
  form: Editor<Release, ReleaseForm>["form"];
}

export function Tracks({ form }: ReleaseRowsProps) {
  return (
    <RowsField
      form={form}
      name="tracks"
      label={releaseConfig.labels.tracks}
      rowName="Track"
      hint="Artist only where it differs. A position such as A1 replaces the number. Lines such as [A1] Title / Artist 6:12 can be pasted into a title."
      lead={{ name: "position", label: "Position", className: "row-span-3 uppercase" }}
      fields={[
        // Named otherwise than the release's own fields, which are asked for by their labels.
        {
          name: "title",
          label: "Name",
          placeholder: "Title",
          className: `${LEFT} max-sm:col-span-2`,
        },
        {
          name: "duration_seconds",
          label: "Length",
          placeholder: "6:12",
          className: "max-sm:row-start-2 max-sm:col-start-3",
        },
        {
          name: "artist",
          label: "By",
          placeholder: "Artist",
          className: `${LEFT} max-sm:row-start-2`,
        },
      ]}
      blank={{ position: "", title: "", artist: "", duration_seconds: "" }}
      read={pastedTracks}
    />
  );
}

export function Credits({ form }: ReleaseRowsProps) {
  return (
    <RowsField
      form={form}
      name="credits"
      label={releaseConfig.labels.credits}
      rowName="Credit"
      hint="Lines such as Role: Name can be pasted into a role."
      fields={[
        { name: "role", label: "Role", placeholder: "Mastering", className: WHOLE },
        { name: "name", label: "Name", className: `${LEFT} max-sm:col-span-2` },
      ]}
      blank={{ role: "", name: "" }}
      read={pastedCredits}
    />
  );
}
