import type { ReleaseDetail } from "./queries.ts";

export function TrackList({ tracks }: Pick<ReleaseDetail, "tracks">) {
  return (
    <section
      aria-labelledby="tracks"
      className="grid gap-y-5 border-hairline border-t py-10 lg:grid-cols-12"
    >
      <h2 id="tracks" className="type-label px-gutter lg:col-span-5">
        TRACKS
      </h2>
      <ol className="px-gutter lg:col-span-7">
        {tracks.map((track, index) => (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: a track is its place in the list
            key={index}
            className="grid grid-cols-[2.5rem_1fr_auto] items-baseline gap-x-3 border-hairline border-b py-2.5"
          >
            <span aria-hidden={!track.position} className="type-label text-signal">
              {track.position ?? String(index + 1).padStart(2, "0")}
            </span>
            <span>
              {track.title}
              {track.artist && <span className="block text-dim">{track.artist}</span>}
            </span>
            <span className="type-label text-dim">{track.duration_label}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}
