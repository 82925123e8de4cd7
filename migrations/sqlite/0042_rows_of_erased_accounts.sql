-- Erasing a sign-up or a session finds the rows that name it; so does a page that waits for the link of its sign-up.
CREATE INDEX one_time_tokens_by_attempt ON one_time_tokens (attempt_id) WHERE attempt_id IS NOT NULL;
CREATE INDEX recovery_codes_by_session ON recovery_codes (session_id) WHERE session_id IS NOT NULL;
