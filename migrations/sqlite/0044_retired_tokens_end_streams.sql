-- Streams of a session end when its tokens are retired, too: the old ones get 401 from then on. The newest of them has no used successor, so
-- that a session with many tokens records few changes.
CREATE TRIGGER session_tokens_updated AFTER UPDATE OF retired_at ON session_tokens WHEN NEW.superseded_at IS NULL BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('sessions', 'update', lower(hex(NEW.session_id)), unixepoch() * 1000000);
END;
