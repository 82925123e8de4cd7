-- Demos that were declined together with others before anyone had heard them. `heard_at` is when that was; the promise leaves them out.
ALTER TABLE demos ADD COLUMN declined_unheard BOOLEAN NOT NULL DEFAULT FALSE;
