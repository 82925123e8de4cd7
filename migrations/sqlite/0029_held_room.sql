-- Until when the rest of an upload has its room. Uploads from before ask for it with their next bytes.
ALTER TABLE uploads ADD COLUMN held_until BIGINT NOT NULL DEFAULT 0;
