import { useState } from "react";
import { Field, TextArea } from "../../../ui/Field.tsx";
import { Switch } from "../../../ui/Switch.tsx";
import { EditorDialog } from "../editing/EditorDialog.tsx";
import { ImageField } from "../editing/ImageField.tsx";
import { UrlField } from "../editing/UrlField.tsx";
import { useEditor } from "../editing/useEditor.ts";
import { ArtistChoice, type Choice } from "./ArtistChoice.tsx";
import { NextNumber } from "./CatalogNumbers.tsx";
import { PrivateLink } from "./PrivateLink.tsx";
import { PublishFields } from "./PublishFields.tsx";
import { Credits, Tracks } from "./RowsField.tsx";
import { type Release, releaseConfig } from "./releaseConfig.ts";

const ADDRESSES = [
  "spotify_url",
  "soundcloud_url",
  "apple_music_url",
  "youtube_url",
  "bandcamp_url",
] as const;

interface ReleaseEditorProps {
  release: Release | null;
  onClose: () => void;
}

export function ReleaseEditor({ release, onClose }: ReleaseEditorProps) {
  const [isUploading, setUploading] = useState(false);
  const editor = useEditor(releaseConfig, release, onClose);
  const { form } = editor;
  const { labels } = releaseConfig;
  const [known, setKnown] = useState<readonly Choice[]>(release?.artist ? [release.artist] : []);
  const artistId = form.valueOf("artist_id");
  // The newest version brings the name of a choice it replaced.
  const chosen =
    [...known, editor.newest?.artist].find((artist) => artist?.id === artistId) ?? null;

  function choose(artist: Choice | null): void {
    if (artist) setKnown([...known, artist]);
    form.fill("artist_id", artist?.id ?? "");
  }

  return (
    <EditorDialog
      title={editor.base ? "Edit Release" : "Add New Release"}
      config={releaseConfig}
      editor={editor}
      isUploading={isUploading}
      onClose={onClose}
    >
      <div className="flex flex-col gap-5">
        <Field label={labels.title} required autoComplete="off" {...form.field("title")} />
        <ArtistChoice
          label={labels.artist_id}
          value={artistId}
          chosen={chosen}
          error={form.errorOf("artist_id")}
          onChoose={choose}
          onLeave={(typed) => form.fill("artist_id", typed)}
        />
        <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-5 lg:grid-cols-2 lg:gap-4">
          <Field
            label={labels.catalog}
            autoComplete="off"
            placeholder="404-001"
            hint="The artist's page reads its number from a line CATALOG: in the description."
            {...form.field("catalog")}
          >
            {!editor.base && <NextNumber onUse={(next) => form.fill("catalog", next)} />}
          </Field>
          <Field label={labels.release_date} required type="date" {...form.field("release_date")} />
        </div>
        <TextArea label={labels.description} {...form.field("description")} />
        <Field
          label={labels.format}
          autoComplete="off"
          placeholder='12" vinyl'
          {...form.field("format")}
        />
        <Tracks form={form} />
        <Credits form={form} />
        <PublishFields
          publish={form.valueOf("publish")}
          goesOutAt={form.valueOf("goes_out_at")}
          state={editor.base?.state}
          error={form.errorOf("goes_out_at")}
          onPublish={(publish) => form.fill("publish", publish)}
          onGoesOutAt={(instant) => form.fill("goes_out_at", instant)}
        />
        {editor.base && editor.base.state !== "out" && (
          <PrivateLink release={editor.newest ?? editor.base} />
        )}
      </div>
      <div className="flex flex-col gap-5">
        <ImageField
          label="Cover Image"
          folder="releases"
          messages={{ uploaded: "release_image_uploaded", failed: "release_image_failed" }}
          seed={release?.id ?? "new release"}
          value={form.valueOf("cover_image_url")}
          error={form.errorOf("cover_image_url")}
          input={form.register("cover_image_url")}
          onUploaded={(url) => form.fill("cover_image_url", url)}
          onUploading={setUploading}
        />
        {ADDRESSES.map((field) => (
          <UrlField
            key={field}
            label={labels[field]}
            {...form.field(field)}
            onCompleted={(url) => form.fill(field, url)}
          />
        ))}
        <Switch label={labels.featured} {...form.register("featured")} />
      </div>
    </EditorDialog>
  );
}
