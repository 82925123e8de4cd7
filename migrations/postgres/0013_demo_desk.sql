-- The demo desk: where each demo stands, and what admins note on it. All of it goes with the demo, and what a person noted with the
-- account.

-- Every step is allowed, forwards and back; the rules (demo_state) name the states.
ALTER TABLE demos ADD COLUMN state TEXT NOT NULL DEFAULT 'new' CHECK (state IN ('new', 'heard', 'shortlisted', 'accepted', 'declined'));
-- When it came to that state; none where it is in its first.
ALTER TABLE demos ADD COLUMN state_at BIGINT;
ALTER TABLE demos ADD COLUMN heard_at BIGINT CHECK ((heard_at IS NULL) = (state = 'new'));
-- When it came to the short list, also where it has left that by a decision.
ALTER TABLE demos ADD COLUMN shortlisted_at BIGINT;
-- The queue: unheard first, oldest first. One number, so that a page begins where the one before ended.
CREATE INDEX demos_queue ON demos ((CASE WHEN state = 'new' THEN submitted_at ELSE submitted_at + 1000000000000000000 END), id) WHERE deleted_at IS NULL;
CREATE INDEX demos_by_state ON demos (state, submitted_at, id) WHERE deleted_at IS NULL;
CREATE INDEX demos_by_heard ON demos (heard_at) WHERE heard_at IS NOT NULL;
CREATE INDEX demos_by_sender ON demos (LOWER(email));

-- Each admin scores for themselves.
CREATE TABLE demo_scores (
    demo_id   UUID   NOT NULL REFERENCES demos (id) ON DELETE CASCADE,
    user_id   UUID   NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    score     BIGINT NOT NULL CHECK (score BETWEEN 1 AND 5),
    scored_at BIGINT NOT NULL,
    PRIMARY KEY (demo_id, user_id)
);
CREATE INDEX demo_scores_by_user ON demo_scores (user_id);

CREATE TABLE demo_notes (
    id         UUID   NOT NULL PRIMARY KEY,
    demo_id    UUID   NOT NULL REFERENCES demos (id) ON DELETE CASCADE,
    user_id    UUID   NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    text       TEXT   NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE INDEX demo_notes_by_demo ON demo_notes (demo_id, created_at, id);
CREATE INDEX demo_notes_by_user ON demo_notes (user_id);

-- In lower case, as the rules write them.
CREATE TABLE demo_tags (
    demo_id UUID   NOT NULL REFERENCES demos (id) ON DELETE CASCADE,
    tag     TEXT   COLLATE "C" NOT NULL,
    PRIMARY KEY (demo_id, tag)
);
CREATE INDEX demo_tags_by_tag ON demo_tags (tag, demo_id);

-- Who listens to what; whoever does says so again before the row expires.
CREATE TABLE demo_listeners (
    user_id    UUID   NOT NULL PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    demo_id    UUID   NOT NULL REFERENCES demos (id) ON DELETE CASCADE,
    since      BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX demo_listeners_by_demo ON demo_listeners (demo_id);

-- What the label has set; without the one row, what the rules say.
CREATE TABLE desk_settings (
    id             BIGINT  NOT NULL PRIMARY KEY CHECK (id = 1),
    overdue_days   BIGINT  NOT NULL CHECK (overdue_days BETWEEN 1 AND 365),
    -- Whether a sender is told a decision only once an answer has gone out.
    hides_decision BOOLEAN NOT NULL,
    updated_at     BIGINT  NOT NULL
);

-- A demo has states of its own, which the trigger of the catalogue would take for a release's.
CREATE FUNCTION record_demo_event() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    was_shown BOOLEAN := TG_OP <> 'INSERT' AND OLD.deleted_at IS NULL;
    is_shown BOOLEAN := TG_OP <> 'DELETE' AND NEW.deleted_at IS NULL;
    was_trashed BOOLEAN := TG_OP <> 'INSERT' AND OLD.deleted_at IS NOT NULL;
    is_trashed BOOLEAN := TG_OP <> 'DELETE' AND NEW.deleted_at IS NOT NULL;
    demo UUID := CASE WHEN TG_OP = 'DELETE' THEN OLD.id ELSE NEW.id END;
    now BIGINT := (extract(epoch FROM clock_timestamp()) * 1000000)::BIGINT;
BEGIN
    PERFORM pg_advisory_xact_lock(4040404);
    IF was_shown OR is_shown THEN
        INSERT INTO events (table_name, op, row_key, created_at)
        VALUES ('demos', CASE WHEN NOT was_shown THEN 'insert' WHEN NOT is_shown THEN 'delete' ELSE 'update' END, demo::TEXT, now);
    END IF;
    IF was_trashed <> is_trashed THEN
        INSERT INTO events (table_name, op, row_key, created_at)
        VALUES ('trash', CASE WHEN is_trashed THEN 'insert' ELSE 'delete' END, demo::TEXT, now);
    END IF;
    PERFORM pg_notify('deadwax_events', '');
    RETURN NULL;
END;
$$;
DROP TRIGGER demos_changed ON demos;
CREATE CONSTRAINT TRIGGER demos_changed AFTER INSERT OR UPDATE OR DELETE ON demos
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION record_demo_event();

-- What changes on the desk changes its demo, for whoever follows that table. A demo that is going, or in the trash, is told of once, by
-- itself. For every table with a column demo_id.
CREATE FUNCTION record_desk_event() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    demo UUID := CASE WHEN TG_OP = 'DELETE' THEN OLD.demo_id ELSE NEW.demo_id END;
BEGIN
    IF EXISTS (SELECT 1 FROM demos WHERE id = demo AND deleted_at IS NULL) THEN
        PERFORM pg_advisory_xact_lock(4040404);
        INSERT INTO events (table_name, op, row_key, created_at)
        VALUES ('demos', 'update', demo::TEXT, (extract(epoch FROM clock_timestamp()) * 1000000)::BIGINT);
        PERFORM pg_notify('deadwax_events', '');
    END IF;
    RETURN NULL;
END;
$$;
CREATE CONSTRAINT TRIGGER demo_scores_changed AFTER INSERT OR UPDATE OR DELETE ON demo_scores
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION record_desk_event();
CREATE CONSTRAINT TRIGGER demo_notes_changed AFTER INSERT OR UPDATE OR DELETE ON demo_notes
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION record_desk_event();
CREATE CONSTRAINT TRIGGER demo_tags_changed AFTER INSERT OR DELETE ON demo_tags
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION record_desk_event();
CREATE CONSTRAINT TRIGGER demo_listeners_changed AFTER INSERT OR DELETE ON demo_listeners
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION record_desk_event();
-- Whoever goes on listening says nothing new.
CREATE CONSTRAINT TRIGGER demo_listeners_moved AFTER UPDATE ON demo_listeners
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.demo_id <> OLD.demo_id) EXECUTE FUNCTION record_desk_event();

CREATE FUNCTION record_settings_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(4040404);
    INSERT INTO events (table_name, op, row_key, created_at)
    VALUES ('demos', 'update', 'settings', (extract(epoch FROM clock_timestamp()) * 1000000)::BIGINT);
    PERFORM pg_notify('deadwax_events', '');
    RETURN NULL;
END;
$$;
CREATE CONSTRAINT TRIGGER desk_settings_changed AFTER INSERT OR UPDATE ON desk_settings
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION record_settings_event();
