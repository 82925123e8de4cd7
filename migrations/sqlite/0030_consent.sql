-- What each subscriber agreed to, the ways to confirm and to leave, and addresses that must not come back by an import.

-- Made anew, because SQLite adds no column with a random default.
CREATE TABLE subscriptions_with_consent (
    id              BLOB    NOT NULL PRIMARY KEY,
    email           TEXT    NOT NULL UNIQUE,
    active          BOOLEAN NOT NULL DEFAULT TRUE,
    subscribed_at   BIGINT  NOT NULL,
    created_at      BIGINT  NOT NULL,
    updated_at      BIGINT  NOT NULL,
    version         BIGINT  NOT NULL DEFAULT 1,
    consent         TEXT    NOT NULL DEFAULT 'unconfirmed' CHECK (consent IN ('unconfirmed', 'confirmed', 'vouched')),
    confirmed_at    BIGINT,
    -- JSON: form, page, words shown, times. No network address.
    proof           TEXT    NOT NULL DEFAULT '{}',
    -- 128 random bits. In clear, because it only lets somebody leave.
    leave_token     TEXT    NOT NULL UNIQUE DEFAULT (lower(hex(randomblob(16)))),
    -- Of the link in the latest confirmation mail, which was queued at asked_at.
    confirm_hash    BLOB    UNIQUE,
    asked_at        BIGINT,
    -- From when the next confirmation mail is due.
    ask_at          BIGINT,
    inactive_reason TEXT    CHECK (inactive_reason IN ('left', 'bounced', 'complained')),
    inactive_at     BIGINT,
    -- Whether suppressions has the address: then only its own confirmation counts as consent.
    suppressed      BOOLEAN NOT NULL DEFAULT FALSE
);
INSERT INTO subscriptions_with_consent (id, email, active, subscribed_at, created_at, updated_at, version)
SELECT id, email, active, subscribed_at, created_at, updated_at, version FROM newsletter_subscriptions;
DROP TABLE newsletter_subscriptions;
ALTER TABLE subscriptions_with_consent RENAME TO newsletter_subscriptions;
CREATE INDEX newsletter_subscriptions_by_date ON newsletter_subscriptions (subscribed_at DESC, id);
CREATE INDEX newsletter_subscriptions_to_ask ON newsletter_subscriptions (ask_at) WHERE ask_at IS NOT NULL;

CREATE TRIGGER newsletter_subscriptions_inserted AFTER INSERT ON newsletter_subscriptions BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('newsletter_subscriptions', 'insert', lower(hex(NEW.id)), unixepoch() * 1000000);
END;
CREATE TRIGGER newsletter_subscriptions_updated AFTER UPDATE ON newsletter_subscriptions BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('newsletter_subscriptions', 'update', lower(hex(NEW.id)), unixepoch() * 1000000);
END;
CREATE TRIGGER newsletter_subscriptions_deleted AFTER DELETE ON newsletter_subscriptions BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('newsletter_subscriptions', 'delete', lower(hex(OLD.id)), unixepoch() * 1000000);
END;

-- Confirmation mails, so that none stays behind when an address is erased. One that could not be sent has no row.
CREATE TABLE newsletter_letters (
    outbox_id       BLOB   NOT NULL PRIMARY KEY,
    subscription_id BLOB   NOT NULL REFERENCES newsletter_subscriptions (id) ON DELETE CASCADE,
    created_at      BIGINT NOT NULL,
    sent_at         BIGINT
);
CREATE INDEX newsletter_letters_by_subscription ON newsletter_letters (subscription_id, created_at);

CREATE TRIGGER outbox_newsletter_sent AFTER UPDATE OF sent_at ON outbox WHEN NEW.sent_at IS NOT NULL BEGIN
    UPDATE newsletter_letters SET sent_at = NEW.sent_at WHERE outbox_id = NEW.id;
END;
CREATE TRIGGER outbox_newsletter_failed AFTER UPDATE OF dead_at ON outbox WHEN NEW.dead_at IS NOT NULL BEGIN
    DELETE FROM newsletter_letters WHERE outbox_id = NEW.id;
END;

-- Addresses that left, bounced, complained or were erased, as MACs by the key suppression_key of the installation.
CREATE TABLE suppressions (
    address    BLOB   NOT NULL PRIMARY KEY,
    reason     TEXT   NOT NULL CHECK (reason IN ('left', 'bounced', 'complained', 'erased')),
    created_at BIGINT NOT NULL
);

-- What the label has set; without the one row, what the rules say.
CREATE TABLE newsletter_settings (
    id                  BIGINT  NOT NULL PRIMARY KEY CHECK (id = 1),
    asks_to_confirm     BOOLEAN NOT NULL,
    confirmations_a_day BIGINT  NOT NULL CHECK (confirmations_a_day BETWEEN 1 AND 4800),
    updated_at          BIGINT  NOT NULL
);
CREATE TRIGGER newsletter_settings_inserted AFTER INSERT ON newsletter_settings BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('newsletter_subscriptions', 'update', 'settings', unixepoch() * 1000000);
END;
CREATE TRIGGER newsletter_settings_updated AFTER UPDATE ON newsletter_settings BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('newsletter_subscriptions', 'update', 'settings', unixepoch() * 1000000);
END;
