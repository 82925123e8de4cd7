-- Links know the browser that asked for them, and a session knows whether a recovery code opened it.

-- The hash of the cookie of the browser that asked; a sign-up's browser stands with its attempt.
ALTER TABLE one_time_tokens ADD COLUMN browser_hash BLOB;
CREATE INDEX signup_attempts_by_browser ON signup_attempts (browser_hash, created_at);
-- When one of the ten recovery codes took the authenticator's place; none once the authenticator was used again.
ALTER TABLE sessions ADD COLUMN recovered_at BIGINT;
