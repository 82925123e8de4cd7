-- What each subscriber agreed to, the ways to confirm and to leave, and addresses that must not come back by an import.

ALTER TABLE newsletter_subscriptions
    ADD COLUMN consent         TEXT    NOT NULL DEFAULT 'unconfirmed' CHECK (consent IN ('unconfirmed', 'confirmed', 'vouched')),
    ADD COLUMN confirmed_at    BIGINT,
    -- JSON: form, page, words shown, times. No network address.
    ADD COLUMN proof           TEXT    NOT NULL DEFAULT '{}',
    -- 128 random bits. In clear, because it only lets somebody leave. A random UUID has 122, so two are hashed.
    ADD COLUMN leave_token     TEXT    COLLATE "C" NOT NULL UNIQUE
        DEFAULT encode(substr(sha256(convert_to(gen_random_uuid()::TEXT || gen_random_uuid()::TEXT, 'UTF8')), 1, 16), 'hex'),
    -- Of the link in the latest confirmation mail, which was queued at asked_at.
    ADD COLUMN confirm_hash    BYTEA   UNIQUE,
    ADD COLUMN asked_at        BIGINT,
    -- From when the next confirmation mail is due.
    ADD COLUMN ask_at          BIGINT,
    ADD COLUMN inactive_reason TEXT    CHECK (inactive_reason IN ('left', 'bounced', 'complained')),
    ADD COLUMN inactive_at     BIGINT,
    -- Whether suppressions has the address: then only its own confirmation counts as consent.
    ADD COLUMN suppressed      BOOLEAN NOT NULL DEFAULT FALSE;
CREATE INDEX newsletter_subscriptions_to_ask ON newsletter_subscriptions (ask_at) WHERE ask_at IS NOT NULL;

-- Confirmation mails, so that none stays behind when an address is erased. One that could not be sent has no row.
CREATE TABLE newsletter_letters (
    outbox_id       UUID   NOT NULL PRIMARY KEY,
    subscription_id UUID   NOT NULL REFERENCES newsletter_subscriptions (id) ON DELETE CASCADE,
    created_at      BIGINT NOT NULL,
    sent_at         BIGINT
);
CREATE INDEX newsletter_letters_by_subscription ON newsletter_letters (subscription_id, created_at);

CREATE FUNCTION record_end_of_confirmation() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.dead_at IS NULL THEN
        UPDATE newsletter_letters SET sent_at = NEW.sent_at WHERE outbox_id = NEW.id;
    ELSE
        DELETE FROM newsletter_letters WHERE outbox_id = NEW.id;
    END IF;
    RETURN NULL;
END;
$$;
CREATE TRIGGER outbox_confirmation_ended AFTER UPDATE OF sent_at, dead_at ON outbox
    FOR EACH ROW WHEN (NEW.sent_at IS NOT NULL OR NEW.dead_at IS NOT NULL) EXECUTE FUNCTION record_end_of_confirmation();

-- Addresses that left, bounced, complained or were erased, as MACs by the key suppression_key of the installation.
CREATE TABLE suppressions (
    address    BYTEA  NOT NULL PRIMARY KEY,
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
CREATE FUNCTION record_newsletter_settings_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(4040404);
    INSERT INTO events (table_name, op, row_key, created_at)
    VALUES ('newsletter_subscriptions', 'update', 'settings', (extract(epoch FROM clock_timestamp()) * 1000000)::BIGINT);
    PERFORM pg_notify('deadwax_events', '');
    RETURN NULL;
END;
$$;
CREATE CONSTRAINT TRIGGER newsletter_settings_changed AFTER INSERT OR UPDATE ON newsletter_settings
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION record_newsletter_settings_event();
