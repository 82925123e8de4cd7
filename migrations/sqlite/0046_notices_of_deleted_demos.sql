-- Notices to the label about demos that it has deleted since.
DELETE FROM outbox WHERE kind = 'demo' AND NOT EXISTS (SELECT 1 FROM demo_letters l WHERE l.outbox_id = outbox.id);
