-- What a release that is made of a demo takes from it.

-- What the file's tags call it and its album, as titles may be; none where they say nothing.
ALTER TABLE demo_sounds ADD COLUMN title TEXT COLLATE "C";
ALTER TABLE demo_sounds ADD COLUMN album TEXT COLLATE "C";

-- The draft that was made of it, so that it is made once. Gone for good, it may be made again.
ALTER TABLE demos ADD COLUMN release_id UUID REFERENCES releases (id) ON DELETE SET NULL;
CREATE INDEX demos_by_release ON demos (release_id) WHERE release_id IS NOT NULL;
