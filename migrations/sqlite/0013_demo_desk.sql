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
CREATE INDEX demos_queue ON demos (CASE WHEN state = 'new' THEN submitted_at ELSE submitted_at + 1000000000000000000 END, id) WHERE deleted_at IS NULL;
CREATE INDEX demos_by_state ON demos (state, submitted_at, id) WHERE deleted_at IS NULL;
CREATE INDEX demos_by_heard ON demos (heard_at) WHERE heard_at IS NOT NULL;
CREATE INDEX demos_by_sender ON demos (LOWER(email));

-- Each admin scores for themselves.
CREATE TABLE demo_scores (
    demo_id   BLOB   NOT NULL REFERENCES demos (id) ON DELETE CASCADE,
    user_id   BLOB   NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    score     BIGINT NOT NULL CHECK (score BETWEEN 1 AND 5),
    scored_at BIGINT NOT NULL,
    PRIMARY KEY (demo_id, user_id)
);
CREATE INDEX demo_scores_by_user ON demo_scores (user_id);

CREATE TABLE demo_notes (
    id         BLOB   NOT NULL PRIMARY KEY,
    demo_id    BLOB   NOT NULL REFERENCES demos (id) ON DELETE CASCADE,
    user_id    BLOB   NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    text       TEXT   NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE INDEX demo_notes_by_demo ON demo_notes (demo_id, created_at, id);
CREATE INDEX demo_notes_by_user ON demo_notes (user_id);

-- In lower case, as the rules write them.
CREATE TABLE demo_tags (
    demo_id BLOB   NOT NULL REFERENCES demos (id) ON DELETE CASCADE,
    tag     TEXT   NOT NULL,
    PRIMARY KEY (demo_id, tag)
);
CREATE INDEX demo_tags_by_tag ON demo_tags (tag, demo_id);

-- Who listens to what; whoever does says so again before the row expires.
CREATE TABLE demo_listeners (
    user_id    BLOB   NOT NULL PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    demo_id    BLOB   NOT NULL REFERENCES demos (id) ON DELETE CASCADE,
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

-- What changes on the desk changes its demo, for whoever follows that table. A demo that is going, or in the trash, is told of once, by
-- itself.
CREATE TRIGGER demo_scores_inserted AFTER INSERT ON demo_scores WHEN EXISTS (SELECT 1 FROM demos WHERE id = NEW.demo_id AND deleted_at IS NULL) BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('demos', 'update', lower(hex(NEW.demo_id)), unixepoch() * 1000000);
END;
CREATE TRIGGER demo_scores_updated AFTER UPDATE ON demo_scores WHEN EXISTS (SELECT 1 FROM demos WHERE id = NEW.demo_id AND deleted_at IS NULL) BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('demos', 'update', lower(hex(NEW.demo_id)), unixepoch() * 1000000);
END;
CREATE TRIGGER demo_scores_deleted AFTER DELETE ON demo_scores WHEN EXISTS (SELECT 1 FROM demos WHERE id = OLD.demo_id AND deleted_at IS NULL) BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('demos', 'update', lower(hex(OLD.demo_id)), unixepoch() * 1000000);
END;
CREATE TRIGGER demo_notes_inserted AFTER INSERT ON demo_notes WHEN EXISTS (SELECT 1 FROM demos WHERE id = NEW.demo_id AND deleted_at IS NULL) BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('demos', 'update', lower(hex(NEW.demo_id)), unixepoch() * 1000000);
END;
CREATE TRIGGER demo_notes_updated AFTER UPDATE ON demo_notes WHEN EXISTS (SELECT 1 FROM demos WHERE id = NEW.demo_id AND deleted_at IS NULL) BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('demos', 'update', lower(hex(NEW.demo_id)), unixepoch() * 1000000);
END;
CREATE TRIGGER demo_notes_deleted AFTER DELETE ON demo_notes WHEN EXISTS (SELECT 1 FROM demos WHERE id = OLD.demo_id AND deleted_at IS NULL) BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('demos', 'update', lower(hex(OLD.demo_id)), unixepoch() * 1000000);
END;
CREATE TRIGGER demo_tags_inserted AFTER INSERT ON demo_tags WHEN EXISTS (SELECT 1 FROM demos WHERE id = NEW.demo_id AND deleted_at IS NULL) BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('demos', 'update', lower(hex(NEW.demo_id)), unixepoch() * 1000000);
END;
CREATE TRIGGER demo_tags_deleted AFTER DELETE ON demo_tags WHEN EXISTS (SELECT 1 FROM demos WHERE id = OLD.demo_id AND deleted_at IS NULL) BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('demos', 'update', lower(hex(OLD.demo_id)), unixepoch() * 1000000);
END;

-- Whoever goes on listening says nothing new.
CREATE TRIGGER demo_listeners_inserted AFTER INSERT ON demo_listeners WHEN EXISTS (SELECT 1 FROM demos WHERE id = NEW.demo_id AND deleted_at IS NULL) BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('demos', 'update', lower(hex(NEW.demo_id)), unixepoch() * 1000000);
END;
CREATE TRIGGER demo_listeners_updated AFTER UPDATE ON demo_listeners WHEN EXISTS (SELECT 1 FROM demos WHERE id = NEW.demo_id AND deleted_at IS NULL) AND NEW.demo_id <> OLD.demo_id BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('demos', 'update', lower(hex(NEW.demo_id)), unixepoch() * 1000000);
END;
CREATE TRIGGER demo_listeners_deleted AFTER DELETE ON demo_listeners WHEN EXISTS (SELECT 1 FROM demos WHERE id = OLD.demo_id AND deleted_at IS NULL) BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('demos', 'update', lower(hex(OLD.demo_id)), unixepoch() * 1000000);
END;

CREATE TRIGGER desk_settings_inserted AFTER INSERT ON desk_settings BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('demos', 'update', 'settings', unixepoch() * 1000000);
END;
CREATE TRIGGER desk_settings_updated AFTER UPDATE ON desk_settings BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('demos', 'update', 'settings', unixepoch() * 1000000);
END;
