import type { SyntheticEvent } from "react";
import type { Schemas } from "../../../api/client.ts";
import { ByRules } from "../../../rules/ByRules.tsx";
import type { ArtistInputs } from "../../../rules/forms/inputs.ts";
import { BIO_MAX } from "../../../rules/generated/constants.ts";
import { Field, TextArea } from "../../../ui/Field.tsx";
import { Switch } from "../../../ui/Switch.tsx";
import { EditorDialog } from "../editing/EditorDialog.tsx";
import { ImageField, UrlField } from "../editing/ImageField.tsx";
import { useEditor } from "../editing/useEditor.ts";
import { ExportButton } from "../exports/ExportButton.tsx";
import { Row, type RowActions, RowLinks } from "../lists/Row.tsx";
import { type OptionsOf, ordersBy, rowsQuery } from "../lists/useRows.ts";
import { type EditorProps, RowsTab } from "../resource/RowsTab.tsx";
import {
  asText,
  callsOf,
  type EditableResourceConfig,
  messagesOf,
} from "../resource/resourceConfig.ts";

export type Artist = Schemas["EditableArtist"];

const PLATFORMS = [
  "spotify_url",
  "soundcloud_url",
  "apple_music_url",
  "youtube_url",
  "instagram_url",
] as const;

const SOCIAL = ["website", "twitter"] as const;

const TEXTS = ["name", "bio", "image_url", ...PLATFORMS] as const;

const artistConfig: EditableResourceConfig<Artist, ArtistInputs, Schemas["ArtistBody"]> = {
  ...callsOf("/api/admin/artists"),
  trash: "artist",
  options: {
    orders: [...ordersBy("name", "Name"), ["-changed", "Changed last"]],
    states: [["featured", "Highlights"]],
  } satisfies OptionsOf<"/api/admin/artists">,
  versions: "artist",
  messages: messagesOf("artist", "artists_load_failed"),
  nameOf: ({ name }) => name,
  check: (rules, form) => rules.checkArtist(form),
  unchecked: (form) => form,
  blank: { ...asText({}, [...TEXTS, ...SOCIAL]), featured: false },
  formOf: (artist) => ({
    ...asText(artist, TEXTS),
    ...asText(artist.social_links, SOCIAL),
    featured: artist.featured,
  }),
  labels: {
    name: "Name",
    bio: "Bio",
    image_url: "Image URL",
    featured: "Featured",
    spotify_url: "Spotify URL",
    soundcloud_url: "SoundCloud URL",
    apple_music_url: "Apple Music URL",
    youtube_url: "YouTube URL",
    instagram_url: "Instagram URL",
    website: "Website",
    twitter: "Twitter",
  },
};

export const reads = [rowsQuery(artistConfig)];

export function Tab() {
  return (
    <RowsTab
      config={artistConfig}
      name="Artists"
      one="Artist"
      searchLabel="Search names"
      pageKey="artists"
      tools={<ExportButton of="artists" />}
      line={ArtistLine}
      editor={ArtistEditor}
    />
  );
}

function ArtistLine({ row: artist, ...actions }: RowActions & { row: Artist }) {
  const { bio } = artist;
  return (
    <Row
      of={artist}
      name={artist.name}
      badges={[artist.featured && "Featured", !artist.is_public && "Not public yet"]}
      {...actions}
    >
      <p dir="auto" className="mt-1 max-w-[80ch] text-dim">
        {bio ? <ByRules ask={(rules) => rules.preview(bio)} without={bio} /> : "No bio available"}
      </p>
      <RowLinks
        of={artist.name}
        links={PLATFORMS.map((field) => [artistConfig.labels[field], artist[field]])}
      />
    </Row>
  );
}

function liftLimit({ currentTarget }: SyntheticEvent<HTMLTextAreaElement>): void {
  currentTarget.removeAttribute("maxlength");
}

function ArtistEditor({ row: artist, onClose }: EditorProps<Artist>) {
  const editor = useEditor(artistConfig, artist, onClose);
  const { form } = editor;
  const { labels } = artistConfig;
  return (
    <EditorDialog
      title={editor.base ? "Edit Artist" : "Add New Artist"}
      config={artistConfig}
      editor={editor}
      onClose={onClose}
    >
      <div className="flex flex-col gap-5">
        {editor.base?.is_public === false && (
          <p role="note" className="text-dim">
            Not public yet: visitors see this artist once a release of theirs is out.
          </p>
        )}
        <Field label={labels.name} required autoComplete="off" {...form.field("name")} />
        <TextArea
          label={labels.bio}
          maxLength={BIO_MAX}
          {...form.field("bio")}
          // It counts UTF-16 units and markup, and would cut what is pasted or dropped: the rule judges that whole.
          onPaste={liftLimit}
          onDrop={liftLimit}
          onInput={({ currentTarget }) => {
            currentTarget.maxLength = BIO_MAX;
          }}
        />
        <Switch label={labels.featured} {...form.register("featured")} />
        <ImageField
          form={form}
          name="image_url"
          label="Image"
          folder="artists"
          messages={{ uploaded: "artist_image_uploaded", failed: "artist_image_failed" }}
          seed={artist?.id ?? "new artist"}
          onUploading={editor.onUploading}
        />
      </div>
      <div className="flex flex-col gap-5">
        {[...PLATFORMS, ...SOCIAL].map((field) => (
          <UrlField key={field} form={form} name={field} label={labels[field]} />
        ))}
      </div>
    </EditorDialog>
  );
}
