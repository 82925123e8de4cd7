import { useState } from "react";
import { BIO_MAX } from "../../../rules/generated/constants.ts";
import { Field, TextArea } from "../../../ui/Field.tsx";
import { Switch } from "../../../ui/Switch.tsx";
import { EditorDialog } from "../editing/EditorDialog.tsx";
import { ImageField } from "../editing/ImageField.tsx";
import { UrlField } from "../editing/UrlField.tsx";
import { useEditor } from "../editing/useEditor.ts";
import { type Artist, artistConfig } from "./artistConfig.ts";

const ADDRESSES = [
  "spotify_url",
  "soundcloud_url",
  "apple_music_url",
  "youtube_url",
  "instagram_url",
  "website",
  "twitter",
] as const;

interface ArtistEditorProps {
  artist: Artist | null;
  onClose: () => void;
}

export function ArtistEditor({ artist, onClose }: ArtistEditorProps) {
  const [isUploading, setUploading] = useState(false);
  const editor = useEditor(artistConfig, artist, onClose);
  const { form } = editor;
  const { labels } = artistConfig;
  return (
    <EditorDialog
      title={editor.base ? "Edit Artist" : "Add New Artist"}
      config={artistConfig}
      editor={editor}
      isUploading={isUploading}
      onClose={onClose}
    >
      <div className="flex flex-col gap-5">
        {editor.base?.is_public === false && (
          <p role="note" className="text-dim">
            Not public yet: visitors see this artist once a release of theirs is out.
          </p>
        )}
        <Field label={labels.name} required autoComplete="off" {...form.field("name")} />
        <TextArea label={labels.bio} maxLength={BIO_MAX} {...form.field("bio")} />
        <Switch label={labels.featured} {...form.register("featured")} />
        <ImageField
          label="Image"
          folder="artists"
          messages={{ uploaded: "artist_image_uploaded", failed: "artist_image_failed" }}
          seed={artist?.id ?? "new artist"}
          value={form.valueOf("image_url")}
          error={form.errorOf("image_url")}
          input={form.register("image_url")}
          onUploaded={(url) => form.fill("image_url", url)}
          onUploading={setUploading}
        />
      </div>
      <div className="flex flex-col gap-5">
        {ADDRESSES.map((field) => (
          <UrlField
            key={field}
            label={labels[field]}
            {...form.field(field)}
            onCompleted={(url) => form.fill(field, url)}
          />
        ))}
      </div>
    </EditorDialog>
  );
}
