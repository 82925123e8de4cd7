-- Answers to demos, and what their senders may do without an account.

-- What stands in a letter until somebody writes it otherwise, by the kind of the answer.
CREATE TABLE letter_templates (
    kind       TEXT   NOT NULL PRIMARY KEY CHECK (kind IN ('received', 'shortlisted', 'declined', 'accepted')),
    subject    TEXT   NOT NULL,
    text       TEXT   NOT NULL,
    updated_at BIGINT NOT NULL,
    version    BIGINT NOT NULL DEFAULT 1
);

-- The page of a demo for whoever sent it, found by the hash of the token in its address.
CREATE TABLE demo_links (
    token_hash BYTEA  NOT NULL PRIMARY KEY,
    demo_id    UUID   NOT NULL REFERENCES demos (id) ON DELETE CASCADE,
    created_at BIGINT NOT NULL
);
CREATE INDEX demo_links_by_demo ON demo_links (demo_id);

-- Every letter that is about a demo, so that none stays behind when its sender has everything erased. The letter itself may be gone.
CREATE TABLE demo_letters (
    outbox_id UUID   NOT NULL PRIMARY KEY,
    demo_id   UUID   NOT NULL REFERENCES demos (id) ON DELETE CASCADE
);
CREATE INDEX demo_letters_by_demo ON demo_letters (demo_id);

-- What the label answered. Until undo_until it can be taken back, with the state that it gave the demo: the one before is kept with it.
CREATE TABLE demo_answers (
    id                    UUID   NOT NULL PRIMARY KEY,
    demo_id               UUID   NOT NULL REFERENCES demos (id) ON DELETE CASCADE,
    kind                  TEXT   NOT NULL CHECK (kind IN ('received', 'shortlisted', 'declined', 'accepted')),
    subject               TEXT   NOT NULL,
    text                  TEXT   NOT NULL,
    created_at            BIGINT NOT NULL,
    created_by            UUID   NOT NULL,
    undo_until            BIGINT NOT NULL,
    outbox_id             UUID   NOT NULL UNIQUE,
    -- When it left, and when it was given up: told by the outbox, which forgets in time.
    sent_at               BIGINT,
    failed_at             BIGINT,
    -- None where the answer changed nothing.
    state_before          TEXT,
    state_at_before       BIGINT,
    heard_at_before       BIGINT,
    shortlisted_at_before BIGINT
);
CREATE INDEX demo_answers_by_demo ON demo_answers (demo_id, created_at);

-- An upload that takes the place of a demo's file.
ALTER TABLE uploads ADD COLUMN replaces UUID;

CREATE FUNCTION record_end_of_answer() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE demo_answers SET sent_at = NEW.sent_at, failed_at = NEW.dead_at WHERE outbox_id = NEW.id;
    RETURN NULL;
END;
$$;
CREATE TRIGGER outbox_answer_ended AFTER UPDATE OF sent_at, dead_at ON outbox
    FOR EACH ROW WHEN (NEW.sent_at IS NOT NULL OR NEW.dead_at IS NOT NULL) EXECUTE FUNCTION record_end_of_answer();

-- A change of its answers is a change of the demo, as long as there is one.
CREATE FUNCTION record_answer_event() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    answered UUID := CASE WHEN TG_OP = 'DELETE' THEN OLD.demo_id ELSE NEW.demo_id END;
BEGIN
    PERFORM pg_advisory_xact_lock(4040404);
    INSERT INTO events (table_name, op, row_key, created_at)
    SELECT 'demos', 'update', answered::TEXT, (extract(epoch FROM clock_timestamp()) * 1000000)::BIGINT
    WHERE EXISTS (SELECT 1 FROM demos WHERE id = answered AND deleted_at IS NULL);
    PERFORM pg_notify('deadwax_events', '');
    RETURN NULL;
END;
$$;
CREATE CONSTRAINT TRIGGER demo_answers_changed AFTER INSERT OR UPDATE OR DELETE ON demo_answers
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION record_answer_event();
