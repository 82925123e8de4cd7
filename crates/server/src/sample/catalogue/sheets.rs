//! What stands on the inner sleeves: the format, the tracks and who did what, as they would be pasted into the editor.

/// The inner sleeve of a record.
#[derive(Clone, Copy, Debug)]
pub struct SampleSheet {
    /// The catalogue number of the record.
    pub catalog: &'static str,
    /// What it is pressed on.
    pub format: &'static str,
    /// A line for each track, as [`rules::track_list::tracks`] reads them.
    pub tracks: &'static str,
    /// A line for each credit, as [`rules::track_list::credits`] reads them.
    pub credits: &'static str,
}

/// The sleeves that say anything; older records came in white ones.
pub(super) const SHEETS: &[SampleSheet] = &[
    SampleSheet {
        catalog: "404-046",
        format: "12\" EP",
        tracks: "[A1] Dead Air Protocol 6:12\n[A2] Broken Carrier 5:48\n[B1] Siren, Unresolved 7:03\n[B2] Tape Left to Run 11:00",
        credits: "Written and produced: Kesto Vann\nMastering: Ingrid Sol\nSleeve: Room 404",
    },
    SampleSheet {
        catalog: "404-045",
        format: "LP",
        tracks: "Run-in 1:33\nLocked Groove 6:40\nSomebody's Last Bar 5:21\nEnd of Side A 4:45\nBeginning Again 7:09\n\
            Clicks, Counted / Mira Holm & Sable 6:02\nHub 3:30\nRun-out 1:33",
        credits: "Cut by: Mira Holm\nLathe: Torsten Quist\nMastering: Ingrid Sol\nSleeve: Room 404",
    },
    SampleSheet {
        catalog: "404-044",
        format: "12\"",
        tracks: "Room One 9:14\nRoom Two 9:14\nThe Cable 4:01",
        credits: "Recorded: one night, no edits\nMastering: Ingrid Sol",
    },
    SampleSheet {
        catalog: "404-043",
        format: "12\" white label",
        tracks: "[A] Untitled 7:20\n[B] Untitled 6:55",
        credits: "",
    },
    SampleSheet {
        catalog: "404-042",
        format: "2×12\"",
        tracks: "Closing Time 12:40\nParity Error 11:05\nEven 9:58\nOdd 10:12\nRetransmit 13:31",
        credits: "Written and produced: Sable\nMastering: Ingrid Sol\nSleeve: Room 404",
    },
    SampleSheet {
        catalog: "404-039",
        format: "12\" EP",
        tracks: "Standing Wave 8:08\nTwo Engines 6:31\nKnots / Kesto Vann & alva 7:45",
        credits: "Written and produced: Kesto Vann\nBoat: alva",
    },
    SampleSheet {
        catalog: "404-030",
        format: "DJ tools, digital",
        tracks: "Shutter 1 3:04\nShutter 2 3:04\nShutter 3 3:04\nShutter 4 3:04",
        credits: "",
    },
];
