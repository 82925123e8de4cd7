-- Streams of a session end when its tokens are retired, too: the old ones get 401 from then on. The newest of them has no used successor, so
-- that a session with many tokens records few changes.
CREATE FUNCTION record_retired_token() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(4040404);
    INSERT INTO events (table_name, op, row_key, created_at)
    VALUES ('sessions', 'update', NEW.session_id::TEXT, (extract(epoch FROM clock_timestamp()) * 1000000)::BIGINT);
    PERFORM pg_notify('deadwax_events', '');
    RETURN NULL;
END;
$$;
CREATE CONSTRAINT TRIGGER session_tokens_changed AFTER UPDATE OF retired_at ON session_tokens
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.superseded_at IS NULL) EXECUTE FUNCTION record_retired_token();
