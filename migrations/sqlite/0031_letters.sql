-- Letters to the subscribers, what became of each, and the pace of sending.

CREATE TABLE letters (
    id           BLOB    NOT NULL PRIMARY KEY,
    -- Part of the address of its page, from the start of sending.
    slug         TEXT    UNIQUE,
    subject      TEXT    NOT NULL DEFAULT '',
    preheader    TEXT    NOT NULL DEFAULT '',
    -- JSON: the parts in their order.
    parts        TEXT    NOT NULL DEFAULT '[]',
    in_archive   BOOLEAN NOT NULL DEFAULT TRUE,
    state        TEXT    NOT NULL DEFAULT 'draft'
        CHECK (state IN ('draft', 'scheduled', 'sending', 'paused', 'sent', 'stopped', 'missed')),
    goes_out_at  BIGINT,
    began_at     BIGINT,
    ended_at     BIGINT,
    -- A name of rules::letter_sending::PauseReason.
    pause_reason TEXT,
    -- Whether it went into files, because there was no mail server.
    captured     BOOLEAN NOT NULL DEFAULT FALSE,
    -- As it goes out, with holes for the address and the link to leave.
    html         TEXT,
    text         TEXT,
    -- JSON: its parts as its page shows them, with their pictures and releases as they were then.
    shown        TEXT,
    created_at   BIGINT  NOT NULL,
    updated_at   BIGINT  NOT NULL,
    version      BIGINT  NOT NULL DEFAULT 1
);
CREATE INDEX letters_by_date ON letters (created_at DESC, id);
CREATE INDEX letters_at_work ON letters (state, goes_out_at) WHERE state IN ('scheduled', 'sending');

CREATE TRIGGER letters_inserted AFTER INSERT ON letters BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('letters', 'insert', lower(hex(NEW.id)), unixepoch() * 1000000);
END;
CREATE TRIGGER letters_updated AFTER UPDATE ON letters BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('letters', 'update', lower(hex(NEW.id)), unixepoch() * 1000000);
END;
CREATE TRIGGER letters_deleted AFTER DELETE ON letters BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('letters', 'delete', lower(hex(OLD.id)), unixepoch() * 1000000);
END;

CREATE TRIGGER public_letters_inserted AFTER INSERT ON letters WHEN NEW.in_archive AND NEW.began_at IS NOT NULL AND NEW.slug IS NOT NULL BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('public_letters', 'insert', lower(hex(NEW.id)), unixepoch() * 1000000);
END;
CREATE TRIGGER public_letters_updated AFTER UPDATE ON letters WHEN (OLD.in_archive AND OLD.began_at IS NOT NULL AND OLD.slug IS NOT NULL) OR (NEW.in_archive AND NEW.began_at IS NOT NULL AND NEW.slug IS NOT NULL) BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('public_letters', 'update', lower(hex(NEW.id)), unixepoch() * 1000000);
END;
CREATE TRIGGER public_letters_deleted AFTER DELETE ON letters WHEN OLD.in_archive AND OLD.began_at IS NOT NULL AND OLD.slug IS NOT NULL BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('public_letters', 'delete', lower(hex(OLD.id)), unixepoch() * 1000000);
END;

-- The pictures of a letter, copied from the library as JPEG: mails load them for years.
CREATE TABLE letter_pictures (
    key       TEXT           NOT NULL PRIMARY KEY,
    letter_id BLOB NOT NULL REFERENCES letters (id) ON DELETE CASCADE
);
CREATE INDEX letter_pictures_by_letter ON letter_pictures (letter_id);

-- The letters that visitors read: from the start of sending on.
CREATE VIEW public_letters AS
    SELECT id, slug, subject, preheader, shown, state, began_at, updated_at, version FROM letters
    WHERE in_archive AND began_at IS NOT NULL AND slug IS NOT NULL AND state IN ('sending', 'paused', 'sent', 'stopped');
CREATE INDEX letters_in_archive ON letters (began_at DESC, id DESC) WHERE in_archive AND began_at IS NOT NULL AND slug IS NOT NULL;

-- One row for each recipient. The address is the subscription's; with it gone, the row only counts.
CREATE TABLE letter_recipients (
    id              BLOB    NOT NULL PRIMARY KEY,
    letter_id       BLOB    NOT NULL REFERENCES letters (id) ON DELETE CASCADE,
    subscription_id BLOB    REFERENCES newsletter_subscriptions (id) ON DELETE SET NULL,
    state           TEXT    NOT NULL DEFAULT 'waiting'
        CHECK (state IN ('waiting', 'handing', 'sent', 'refused', 'bounced', 'left', 'skipped')),
    next_try_at     BIGINT  NOT NULL,
    tries           BIGINT  NOT NULL DEFAULT 0,
    leased_until    BIGINT,
    -- The mail server's code, such as 550 or 5.1.1.
    code            TEXT,
    -- When a mail server took it.
    sent_at         BIGINT,
    -- When it was taken, refused or given up, or the person left.
    ended_at        BIGINT,
    -- Whether a program died while it handed the letter over, so that it may have arrived twice.
    perhaps_twice   BOOLEAN NOT NULL DEFAULT FALSE,
    UNIQUE (letter_id, subscription_id)
);
CREATE INDEX letter_recipients_due ON letter_recipients (letter_id, next_try_at, id) WHERE state IN ('waiting', 'handing');
CREATE INDEX letter_recipients_handing ON letter_recipients (leased_until) WHERE state = 'handing';
CREATE INDEX letter_recipients_by_state ON letter_recipients (letter_id, state);
CREATE INDEX letter_recipients_by_subscription ON letter_recipients (subscription_id) WHERE subscription_id IS NOT NULL;
CREATE INDEX letter_recipients_by_time ON letter_recipients (sent_at) WHERE sent_at IS NOT NULL;
CREATE INDEX letter_recipients_by_end ON letter_recipients (letter_id, ended_at DESC) WHERE ended_at IS NOT NULL;

-- One row, shared by all instances: when the next letter may be handed over, and the pause after a mail server that asked for one.
CREATE TABLE letter_pace (
    id           BIGINT NOT NULL PRIMARY KEY CHECK (id = 1),
    next_at      BIGINT NOT NULL,
    -- How often in a row the server asked to slow down.
    slowed       BIGINT NOT NULL,
    paused_until BIGINT NOT NULL
);

ALTER TABLE newsletter_settings ADD COLUMN letters_a_second BIGINT NOT NULL DEFAULT 2 CHECK (letters_a_second BETWEEN 1 AND 50);
-- NULL: no bound.
ALTER TABLE newsletter_settings ADD COLUMN letters_an_hour BIGINT CHECK (letters_an_hour > 0);
ALTER TABLE newsletter_settings ADD COLUMN letters_a_day BIGINT CHECK (letters_a_day > 0);
-- Below each letter.
ALTER TABLE newsletter_settings ADD COLUMN postal_address TEXT NOT NULL DEFAULT '';
