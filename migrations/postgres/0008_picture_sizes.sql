-- Pictures in the sizes that pages show them in.

-- The picture that a file is a size of; none for every other file.
ALTER TABLE objects ADD COLUMN original_key TEXT;
CREATE INDEX objects_by_original ON objects (original_key) WHERE original_key IS NOT NULL;
-- Which sizes a picture has, as JSON: what their addresses begin with, their widths, and their formats. None until they are made.
ALTER TABLE objects ADD COLUMN sizes TEXT;

-- What is to be made, was made, or could not be made: a row for each picture that pages may show.
CREATE TABLE picture_sizes (
    key          TEXT   NOT NULL PRIMARY KEY REFERENCES objects (key) ON DELETE CASCADE,
    state        TEXT   NOT NULL CHECK (state IN ('due', 'made', 'failed')),
    -- Why it failed, in words.
    failure      TEXT,
    -- How often it was begun and did not end.
    tries        BIGINT NOT NULL DEFAULT 0,
    next_try_at  BIGINT NOT NULL,
    -- Who works on it, and until when it is theirs.
    lease        TEXT,
    leased_until BIGINT,
    created_at   BIGINT NOT NULL
);
CREATE INDEX picture_sizes_due ON picture_sizes (next_try_at, key) WHERE state = 'due';
