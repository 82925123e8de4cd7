-- What a new label has done and no other row says. One row, or none before the first of it.
CREATE TABLE first_steps (
    id           BIGINT NOT NULL PRIMARY KEY CHECK (id = 1),
    -- When an admin closed the list of first steps.
    closed_at    BIGINT,
    -- When `deadwax backup` last wrote the whole label.
    backed_up_at BIGINT
);

-- A label with records is past them.
INSERT INTO first_steps (id, closed_at)
SELECT 1, (extract(epoch FROM clock_timestamp()) * 1000000)::BIGINT WHERE EXISTS (SELECT 1 FROM releases);
