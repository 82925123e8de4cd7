-- Accounts, sessions, two-factor, the mail queue, the audit log and the jobs that remove files.
-- Secrets are stored as hashes (SHA-256 of 256-bit tokens), message authentication codes (short codes) or sealed with the
-- key file; passwords as Argon2id. So a copy of the database alone opens nothing.

-- Facts of this installation, such as the fingerprint of its key file.
CREATE TABLE installation (
    name       TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    value      TEXT   NOT NULL,
    created_at BIGINT NOT NULL
);

-- One row per mail address, trimmed and in lower case. The password is set when the address is confirmed.
CREATE TABLE users (
    id                  UUID   NOT NULL PRIMARY KEY,
    email               TEXT COLLATE "C" NOT NULL UNIQUE,
    password_hash       TEXT,
    full_name           TEXT,
    confirmed_at        BIGINT,
    reset_by_mail_at    BIGINT,
    password_changed_at BIGINT NOT NULL,
    created_at          BIGINT NOT NULL,
    updated_at          BIGINT NOT NULL,
    version             BIGINT NOT NULL DEFAULT 1,
    CHECK (confirmed_at IS NULL OR password_hash IS NOT NULL)
);
CREATE INDEX users_unconfirmed ON users (created_at) WHERE confirmed_at IS NULL;

-- What each sign-up for an unconfirmed address typed; confirming one installs it and voids the others.
CREATE TABLE signup_attempts (
    id            UUID   NOT NULL PRIMARY KEY,
    user_id       UUID   NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    password_hash TEXT   NOT NULL,
    username      TEXT,
    full_name     TEXT,
    browser_hash  BYTEA  NOT NULL,
    created_at    BIGINT NOT NULL,
    voided_at     BIGINT
);
CREATE INDEX signup_attempts_by_user ON signup_attempts (user_id, created_at);

CREATE TABLE profiles (
    id           UUID   NOT NULL PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    username     TEXT   NOT NULL,
    username_key TEXT COLLATE "C" NOT NULL UNIQUE,
    avatar_url   TEXT,
    created_at   BIGINT NOT NULL,
    updated_at   BIGINT NOT NULL,
    version      BIGINT NOT NULL DEFAULT 1
);

-- Written by the command line alone, except mfa_enabled, which mirrors two_factor.
CREATE TABLE admin_users (
    user_id     UUID    NOT NULL PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    active      BOOLEAN NOT NULL,
    mfa_enabled BOOLEAN NOT NULL DEFAULT FALSE,
    created_at  BIGINT  NOT NULL,
    updated_at  BIGINT  NOT NULL,
    version     BIGINT  NOT NULL DEFAULT 1
);

-- Links in mails. A link counts until it is used, voided or expired.
CREATE TABLE one_time_tokens (
    token_hash BYTEA  NOT NULL PRIMARY KEY,
    purpose    TEXT   NOT NULL CHECK (purpose IN ('confirm', 'not_me', 'reset', 'email_change', 'email_change_cancel')),
    user_id    UUID   NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    attempt_id UUID   REFERENCES signup_attempts (id) ON DELETE CASCADE,
    email      TEXT,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    used_at    BIGINT,
    voided_at  BIGINT
);
CREATE INDEX one_time_tokens_by_user ON one_time_tokens (user_id, purpose);
CREATE INDEX one_time_tokens_by_expiry ON one_time_tokens (expires_at);

CREATE TABLE sessions (
    id                 UUID   NOT NULL PRIMARY KEY,
    user_id            UUID   NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    generation         BIGINT NOT NULL,
    user_agent         TEXT   NOT NULL,
    network            TEXT   NOT NULL,
    created_at         BIGINT NOT NULL,
    used_at            BIGINT NOT NULL,
    expires_at         BIGINT NOT NULL,
    stamped_at         BIGINT,
    mfa_verified_at    BIGINT,
    mfa_verified_until BIGINT
);
CREATE INDEX sessions_by_user ON sessions (user_id, created_at);
CREATE INDEX sessions_by_use ON sessions (used_at);

-- Every token a session ever had, so that a copied one is noticed when it is used late. A retired one counts no more.
CREATE TABLE session_tokens (
    token_hash    BYTEA  NOT NULL PRIMARY KEY,
    session_id    UUID   NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    generation    BIGINT NOT NULL,
    created_at    BIGINT NOT NULL,
    first_used_at BIGINT,
    retired_at    BIGINT,
    UNIQUE (session_id, generation)
);

-- The second factor of an account: the sealed secret, and the one being set up.
CREATE TABLE two_factor (
    user_id        UUID   NOT NULL PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    secret         BYTEA,
    enabled_at     BIGINT,
    last_step      BIGINT NOT NULL DEFAULT 0,
    pending_secret BYTEA,
    pending_at     BIGINT,
    CHECK ((secret IS NULL) = (enabled_at IS NULL))
);

-- Steps whose codes were seen before their time.
CREATE TABLE totp_burned (
    user_id UUID   NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    step    BIGINT NOT NULL,
    PRIMARY KEY (user_id, step)
);

-- Answers kept for a repeated request whose first answer was lost.
CREATE TABLE mfa_attempts (
    session_id UUID   NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    request_id TEXT   NOT NULL,
    code_mac   BYTEA  NOT NULL,
    answer     TEXT   NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (session_id, request_id)
);
CREATE INDEX mfa_attempts_by_age ON mfa_attempts (created_at);

-- Mailed codes belong to one session and expire; the ten written-down ones do neither.
CREATE TABLE recovery_codes (
    id         UUID   NOT NULL PRIMARY KEY,
    user_id    UUID   NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    session_id UUID   REFERENCES sessions (id) ON DELETE CASCADE,
    kind       TEXT   NOT NULL CHECK (kind IN ('mailed', 'offline')),
    code_mac   BYTEA  NOT NULL,
    tries      BIGINT NOT NULL DEFAULT 0,
    created_at BIGINT NOT NULL,
    expires_at BIGINT,
    used_at    BIGINT
);
CREATE INDEX recovery_codes_by_user ON recovery_codes (user_id, kind);

-- Mail to be sent. The mail itself is sealed, and removed once it is sent.
CREATE TABLE outbox (
    id           UUID   NOT NULL PRIMARY KEY,
    kind         TEXT   NOT NULL,
    sealed       BYTEA,
    patience     TEXT   NOT NULL CHECK (patience IN ('account', 'message')),
    not_after    BIGINT,
    created_at   BIGINT NOT NULL,
    next_try_at  BIGINT NOT NULL,
    tries        BIGINT NOT NULL DEFAULT 0,
    leased_until BIGINT,
    sent_at      BIGINT,
    dead_at      BIGINT,
    last_error   TEXT
);
CREATE INDEX outbox_due ON outbox (next_try_at) WHERE sent_at IS NULL AND dead_at IS NULL;

-- Objects to be removed from the storage. Their rows are gone already, so their keys answer 404.
CREATE TABLE deletions (
    key         TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    created_at  BIGINT NOT NULL,
    next_try_at BIGINT NOT NULL,
    tries       BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX deletions_due ON deletions (next_try_at);

-- What happened, who did it and how it ended. Rows are never changed, and removed after 180 days at the earliest.
CREATE TABLE audit_log (
    id          UUID   NOT NULL PRIMARY KEY,
    at          BIGINT NOT NULL,
    event       TEXT   NOT NULL,
    actor       UUID,
    role        TEXT   NOT NULL,
    session_ref TEXT,
    address     TEXT,
    agent_hash  TEXT,
    target      TEXT,
    outcome     TEXT   NOT NULL,
    request_id  TEXT
);
CREATE INDEX audit_log_by_age ON audit_log (at);

CREATE FUNCTION keep_audit_log() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' THEN
        RAISE EXCEPTION 'audit_log: rows are never changed';
    ELSIF OLD.at > ((extract(epoch FROM clock_timestamp()) - 180 * 86400) * 1000000)::BIGINT THEN
        RAISE EXCEPTION 'audit_log: rows stay 180 days';
    END IF;
    RETURN OLD;
END;
$$;
CREATE TRIGGER audit_log_is_kept BEFORE UPDATE OR DELETE ON audit_log FOR EACH ROW EXECUTE FUNCTION keep_audit_log();

-- Streams of a session end when it does, and rights change at once.
CREATE TRIGGER sessions_changed AFTER DELETE ON sessions FOR EACH ROW EXECUTE FUNCTION record_event('id');
CREATE TRIGGER admin_users_changed AFTER INSERT OR UPDATE OR DELETE ON admin_users FOR EACH ROW EXECUTE FUNCTION record_event('user_id');

-- Recorded at the commit instead of at the statement: the lock that orders the events is then the last one a transaction
-- takes, so that two of them never wait for each other's rows behind it.
DO $$
DECLARE
    watched RECORD;
BEGIN
    FOR watched IN
        SELECT tgrelid::regclass AS watched_table, tgname, pg_get_triggerdef(oid) AS definition
        FROM pg_trigger WHERE NOT tgisinternal AND tgfoid = 'record_event'::regproc
    LOOP
        EXECUTE format('DROP TRIGGER %I ON %s', watched.tgname, watched.watched_table);
        EXECUTE replace(
            replace(watched.definition, 'CREATE TRIGGER', 'CREATE CONSTRAINT TRIGGER'),
            'FOR EACH ROW', 'DEFERRABLE INITIALLY DEFERRED FOR EACH ROW');
    END LOOP;
END;
$$;
