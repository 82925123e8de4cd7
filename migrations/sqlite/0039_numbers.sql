-- How often things happened, by day. No trigger: nothing else depends on them.
CREATE TABLE numbers (
    -- YYYY-MM-DD in the label's time zone; YYYY-MM once days are no longer kept.
    day     TEXT   NOT NULL,
    -- A name of numbers::Kind.
    kind    TEXT   NOT NULL,
    -- What it happened to: a path, a host, or the id of a release, artist or letter; '' is the website.
    subject TEXT   NOT NULL,
    -- More about it: a platform.
    value   TEXT   NOT NULL,
    n       BIGINT NOT NULL,
    PRIMARY KEY (day, kind, subject, value)
) WITHOUT ROWID;

-- Days that have not ended, with the key of the hashes of their visitors, sealed. Never backed up.
CREATE TABLE number_days (
    day        TEXT NOT NULL PRIMARY KEY,
    sealed_key BLOB NOT NULL
);

-- Sketches of the visitors of these days (HyperLogLog, 4096 registers): of the website, '', and of releases by id. Never backed up.
CREATE TABLE number_sketches (
    day       TEXT NOT NULL,
    subject   TEXT NOT NULL,
    registers BLOB NOT NULL,
    PRIMARY KEY (day, subject)
);
