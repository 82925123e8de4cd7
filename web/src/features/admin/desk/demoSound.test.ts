import { describe, expect, it } from "vitest";
import { aTrack } from "../../../testing/desk.ts";
import { trackBeside, trackOf } from "./demoSound.ts";

const broken = {
  state: "failed" as const,
  failure: "unreadable",
  duration_ms: null,
  track_count: null,
};
const tracks = [
  aTrack({ index: 0, sound: broken }),
  aTrack({ index: 1 }),
  aTrack({ index: 2, sound: broken }),
  aTrack({ index: 3 }),
];

describe("the track that is heard", () => {
  it("is the chosen one, else the first that can be heard", () => {
    expect(trackOf(tracks, 2)?.index).toBe(2);
    expect(trackOf(tracks, undefined)?.index).toBe(1);
    expect(trackOf(tracks, 9)?.index).toBe(1);
    expect(trackOf(tracks.slice(0, 1), undefined)?.index).toBe(0);
    expect(trackOf([], undefined)).toBeUndefined();
  });

  it("comes before or after another one, past what cannot be heard", () => {
    expect(trackBeside(tracks, 1, 1)?.index).toBe(3);
    expect(trackBeside(tracks, 3, -1)?.index).toBe(1);
    expect(trackBeside(tracks, 3, 1)).toBeUndefined();
    expect(trackBeside(tracks, 1, -1)).toBeUndefined();
  });
});
