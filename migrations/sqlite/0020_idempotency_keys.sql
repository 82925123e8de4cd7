-- Requests that created something, for as long as they may come again: whose and which, as a code of both.
CREATE TABLE idempotency_keys (
    request    BLOB PRIMARY KEY NOT NULL,
    -- A code of what it said, and what it was answered, sealed. None only within its transaction.
    content    BLOB,
    answer     BLOB,
    expires_at BIGINT NOT NULL
);
CREATE INDEX idempotency_keys_by_expiry ON idempotency_keys (expires_at);
