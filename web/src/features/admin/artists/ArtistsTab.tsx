import { ByRules } from "../../../rules/ByRules.tsx";
import { ExportButton } from "../exports/ExportButton.tsx";
import type { RowActions } from "../lists/Row.tsx";
import { Row, RowLinks } from "../lists/Row.tsx";
import { rowsQuery } from "../lists/useRows.ts";
import { RowsTab } from "../resource/RowsTab.tsx";
import { ArtistEditor } from "./ArtistEditor.tsx";
import { type Artist, artistConfig } from "./artistConfig.ts";

export const reads = [rowsQuery(artistConfig)];

export function ArtistsTab() {
  return (
    <RowsTab
      config={artistConfig}
      name="Artists"
      one="Artist"
      searchLabel="Search names"
      pageKey="artists"
      tools={<ExportButton of="artists" />}
      row={drawArtist}
      editor={(artist, onClose) => <ArtistEditor artist={artist} onClose={onClose} />}
    />
  );
}

const drawArtist = (artist: Artist, actions: RowActions) => (
  <ArtistRow artist={artist} actions={actions} />
);

function ArtistRow({ artist, actions }: { artist: Artist; actions: RowActions }) {
  const { bio } = artist;
  return (
    <Row
      of={artist}
      name={artist.name}
      badges={[artist.featured && "Featured", !artist.is_public && "Not public yet"]}
      {...actions}
    >
      <p className="mt-1 max-w-[80ch] text-dim">
        {bio ? <ByRules ask={(rules) => rules.preview(bio)} without={bio} /> : "No bio available"}
      </p>
      <RowLinks
        of={artist.name}
        links={[
          ["Spotify", artist.spotify_url],
          ["SoundCloud", artist.soundcloud_url],
          ["Apple Music", artist.apple_music_url],
          ["YouTube", artist.youtube_url],
          ["Instagram", artist.instagram_url],
        ]}
      />
    </Row>
  );
}
