-- Backups to `BACKUP_URL` and their proofs: one row for each run, and one that is due for each kind. They speak of the store, so that a
-- backup leaves them out.
CREATE TABLE backup_runs (
    id           BLOB    NOT NULL PRIMARY KEY,
    -- 'backup' writes the label to the store and restores its rows for comparison; 'proof' restores them again and reads files back.
    kind         TEXT    NOT NULL CHECK (kind IN ('backup', 'proof')),
    state        TEXT    NOT NULL CHECK (state IN ('due', 'done', 'failed')),
    -- Why it failed, in words.
    failure      TEXT,
    -- Something to look at in a run that is done, in words.
    warning      TEXT,
    tries        BIGINT  NOT NULL DEFAULT 0,
    next_try_at  BIGINT  NOT NULL,
    lease        TEXT,
    leased_until BIGINT,
    created_at   BIGINT  NOT NULL,
    began_at     BIGINT,
    ended_at     BIGINT,
    -- The instant of the rows of the backup that was written or proved: its name in the store.
    backup_at    BIGINT,
    -- When all of it was written and read back.
    written_at   BIGINT,
    -- When its rows were restored and compared.
    proven_at    BIGINT,
    row_count    BIGINT  NOT NULL DEFAULT 0,
    file_count   BIGINT  NOT NULL DEFAULT 0,
    -- Of all rows and files.
    total_bytes  BIGINT  NOT NULL DEFAULT 0,
    -- Of what this run wrote.
    new_bytes    BIGINT  NOT NULL DEFAULT 0,
    -- The files read back by this run.
    files_read   BIGINT  NOT NULL DEFAULT 0,
    is_sealed    BOOLEAN NOT NULL DEFAULT FALSE,
    -- The program's version.
    program      TEXT,
    -- When the admins had a mail about it.
    mailed_at    BIGINT
);
CREATE INDEX backup_runs_due ON backup_runs (next_try_at) WHERE state = 'due';
CREATE INDEX backup_runs_by_age ON backup_runs (created_at);

-- How often, and how many backups are kept. One row, or none while the presets hold.
CREATE TABLE backup_settings (
    id             BIGINT NOT NULL PRIMARY KEY CHECK (id = 1),
    interval_hours BIGINT NOT NULL CHECK (interval_hours IN (1, 6, 24)),
    keep_days      BIGINT NOT NULL,
    keep_weeks     BIGINT NOT NULL,
    keep_months    BIGINT NOT NULL,
    version        BIGINT NOT NULL DEFAULT 1,
    updated_at     BIGINT NOT NULL
);
