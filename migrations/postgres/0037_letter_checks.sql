-- What was found about the arrival of letters, for all instances: the latest look-ups, and the letter that was read back.
CREATE TABLE letter_checks (
    name       TEXT   COLLATE "C" NOT NULL PRIMARY KEY CHECK (name IN ('arrival', 'read_back')),
    checked_at BIGINT NOT NULL,
    -- JSON.
    found      TEXT   NOT NULL
);
