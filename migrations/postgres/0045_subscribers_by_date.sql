-- In the order of the list: the rows of an import have one time.
DROP INDEX newsletter_subscriptions_by_date;
CREATE INDEX newsletter_subscriptions_by_date ON newsletter_subscriptions (subscribed_at DESC, id DESC);
