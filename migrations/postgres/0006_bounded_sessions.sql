-- Sessions that are renewed without end, and audit rows of an account that repeats itself, take bounded room.

-- When the session got its newest token by renewal.
ALTER TABLE sessions ADD COLUMN renewed_at BIGINT;

-- When a later token of the session was first used: kept with the token, so that nothing is searched for it.
ALTER TABLE session_tokens ADD COLUMN superseded_at BIGINT;
UPDATE session_tokens SET superseded_at = (
    SELECT MIN(n.first_used_at) FROM session_tokens n
    WHERE n.session_id = session_tokens.session_id AND n.generation > session_tokens.generation
);
CREATE INDEX session_tokens_superseded ON session_tokens (superseded_at) WHERE superseded_at IS NOT NULL;
CREATE INDEX session_tokens_retired ON session_tokens (retired_at) WHERE retired_at IS NOT NULL;

-- How many entries like this one were left out before it.
ALTER TABLE audit_log ADD COLUMN repeats BIGINT NOT NULL DEFAULT 0;

-- A link that cancels a change of address names none; one that names an address puts that one back.
UPDATE one_time_tokens SET email = NULL WHERE purpose = 'email_change_cancel';
