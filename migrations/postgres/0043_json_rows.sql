-- SQLite's names for what statements do with a JSON array that is bound as text, so that one text serves both. Neither strict nor volatile:
-- the planner then puts the body in place of the call.
CREATE FUNCTION json_each(rows TEXT) RETURNS TABLE (value JSONB) LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT value FROM jsonb_array_elements(CAST(rows AS JSONB))
$$;
CREATE FUNCTION unhex(id TEXT) RETURNS UUID LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT CAST(id AS UUID) $$;
-- With the second argument, which SQLite has as well, for bytes that are not an id.
CREATE FUNCTION unhex(code TEXT, ignored TEXT) RETURNS BYTEA LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT decode(code, 'hex') $$;
