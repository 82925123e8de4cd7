-- What demos sound like: a row for each file, and for each track of an archive, measured by a job after the file has arrived.
CREATE TABLE demo_sounds (
    demo_id          BLOB   NOT NULL REFERENCES demos (id) ON DELETE CASCADE,
    -- 0 is the file; the tracks of an archive count from 1 in the order of their names.
    track            BIGINT NOT NULL,
    state            TEXT   NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'done', 'failed')),
    -- Why it failed: a code.
    failure          TEXT   CHECK ((failure IS NOT NULL) = (state = 'failed')),
    -- Of a track: its name in the archive, where its bytes lie there, whether they are deflated, and how many they become.
    name             TEXT   CHECK ((name IS NOT NULL) = (track > 0)),
    place_start      BIGINT,
    place_end        BIGINT,
    is_deflated      BOOLEAN NOT NULL DEFAULT FALSE,
    size_bytes       BIGINT,
    duration_ms      BIGINT,
    sample_rate      BIGINT,
    channels         BIGINT,
    -- In thousandths of LUFS and of dBTP; none where all of it is silence.
    loudness         BIGINT,
    true_peak        BIGINT,
    clipped_samples  BIGINT,
    silence_start_ms BIGINT,
    silence_end_ms   BIGINT,
    -- A byte for each thousandth of the length.
    peaks            BLOB,
    -- How often it was begun and did not end.
    tries            BIGINT NOT NULL DEFAULT 0,
    next_try_at      BIGINT NOT NULL,
    -- Who works on it, and until when it is theirs.
    lease            TEXT,
    leased_until     BIGINT,
    PRIMARY KEY (demo_id, track)
);
CREATE INDEX demo_sounds_waiting ON demo_sounds (next_try_at, demo_id, track) WHERE state = 'waiting';

CREATE TRIGGER demo_sounds_told AFTER UPDATE OF state ON demo_sounds
WHEN EXISTS (SELECT 1 FROM demos WHERE id = NEW.demo_id AND deleted_at IS NULL) BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('demos', 'update', lower(hex(NEW.demo_id)), unixepoch() * 1000000);
END;
