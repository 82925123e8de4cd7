-- A confirmation mail that could not be sent is due again, within the bounds of its mailbox.
DROP TRIGGER outbox_newsletter_failed;
CREATE TRIGGER outbox_newsletter_failed AFTER UPDATE OF dead_at ON outbox WHEN NEW.dead_at IS NOT NULL BEGIN
    UPDATE newsletter_subscriptions SET ask_at = NEW.dead_at
    WHERE id = (SELECT subscription_id FROM newsletter_letters WHERE outbox_id = NEW.id) AND active AND consent = 'unconfirmed';
    DELETE FROM newsletter_letters WHERE outbox_id = NEW.id;
END;
-- Those whose mail failed before.
UPDATE newsletter_subscriptions SET ask_at = asked_at
WHERE active AND consent = 'unconfirmed' AND ask_at IS NULL AND asked_at IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM newsletter_letters l
        WHERE l.subscription_id = newsletter_subscriptions.id AND l.created_at >= newsletter_subscriptions.subscribed_at);
