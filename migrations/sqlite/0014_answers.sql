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
    token_hash BLOB   NOT NULL PRIMARY KEY,
    demo_id    BLOB   NOT NULL REFERENCES demos (id) ON DELETE CASCADE,
    created_at BIGINT NOT NULL
);
CREATE INDEX demo_links_by_demo ON demo_links (demo_id);

-- Every letter that is about a demo, so that none stays behind when its sender has everything erased. The letter itself may be gone.
CREATE TABLE demo_letters (
    outbox_id BLOB   NOT NULL PRIMARY KEY,
    demo_id   BLOB   NOT NULL REFERENCES demos (id) ON DELETE CASCADE
);
CREATE INDEX demo_letters_by_demo ON demo_letters (demo_id);

-- What the label answered. Until undo_until it can be taken back, with the state that it gave the demo: the one before is kept with it.
CREATE TABLE demo_answers (
    id                    BLOB   NOT NULL PRIMARY KEY,
    demo_id               BLOB   NOT NULL REFERENCES demos (id) ON DELETE CASCADE,
    kind                  TEXT   NOT NULL CHECK (kind IN ('received', 'shortlisted', 'declined', 'accepted')),
    subject               TEXT   NOT NULL,
    text                  TEXT   NOT NULL,
    created_at            BIGINT NOT NULL,
    created_by            BLOB   NOT NULL,
    undo_until            BIGINT NOT NULL,
    outbox_id             BLOB   NOT NULL UNIQUE,
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
ALTER TABLE uploads ADD COLUMN replaces BLOB;

CREATE TRIGGER outbox_answer_sent AFTER UPDATE OF sent_at ON outbox WHEN NEW.sent_at IS NOT NULL BEGIN
    UPDATE demo_answers SET sent_at = NEW.sent_at WHERE outbox_id = NEW.id;
END;
CREATE TRIGGER outbox_answer_failed AFTER UPDATE OF dead_at ON outbox WHEN NEW.dead_at IS NOT NULL BEGIN
    UPDATE demo_answers SET failed_at = NEW.dead_at WHERE outbox_id = NEW.id;
END;

-- A change of its answers is a change of the demo, as long as there is one.
CREATE TRIGGER demo_answers_inserted AFTER INSERT ON demo_answers WHEN EXISTS (SELECT 1 FROM demos WHERE id = NEW.demo_id AND deleted_at IS NULL) BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('demos', 'update', lower(hex(NEW.demo_id)), unixepoch() * 1000000);
END;
CREATE TRIGGER demo_answers_updated AFTER UPDATE ON demo_answers WHEN EXISTS (SELECT 1 FROM demos WHERE id = NEW.demo_id AND deleted_at IS NULL) BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('demos', 'update', lower(hex(NEW.demo_id)), unixepoch() * 1000000);
END;
CREATE TRIGGER demo_answers_deleted AFTER DELETE ON demo_answers WHEN EXISTS (SELECT 1 FROM demos WHERE id = OLD.demo_id AND deleted_at IS NULL) BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('demos', 'update', lower(hex(OLD.demo_id)), unixepoch() * 1000000);
END;
