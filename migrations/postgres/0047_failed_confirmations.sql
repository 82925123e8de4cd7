-- A confirmation mail that could not be sent is due again, within the bounds of its mailbox.
CREATE OR REPLACE FUNCTION record_end_of_confirmation() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.dead_at IS NULL THEN
        UPDATE newsletter_letters SET sent_at = NEW.sent_at WHERE outbox_id = NEW.id;
    ELSE
        UPDATE newsletter_subscriptions SET ask_at = NEW.dead_at
        WHERE id = (SELECT subscription_id FROM newsletter_letters WHERE outbox_id = NEW.id) AND active AND consent = 'unconfirmed';
        DELETE FROM newsletter_letters WHERE outbox_id = NEW.id;
    END IF;
    RETURN NULL;
END;
$$;
-- Those whose mail failed before.
UPDATE newsletter_subscriptions SET ask_at = asked_at
WHERE active AND consent = 'unconfirmed' AND ask_at IS NULL AND asked_at IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM newsletter_letters l
        WHERE l.subscription_id = newsletter_subscriptions.id AND l.created_at >= newsletter_subscriptions.subscribed_at);
