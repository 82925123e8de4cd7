-- The further orders of the desk; each index serves its order from both ends.
CREATE INDEX demos_by_step ON demos (COALESCE(state_at, submitted_at), id) WHERE deleted_at IS NULL;
CREATE INDEX demos_by_artist ON demos ((LOWER(artist_name) COLLATE "C"), id) WHERE deleted_at IS NULL;

-- As the keys of files are compared where they are kept: otherwise no index of theirs is used to find one, and every file is looked at.
ALTER TABLE demos ALTER COLUMN file_key TYPE TEXT COLLATE "default";
ALTER TABLE media_files ALTER COLUMN file_path TYPE TEXT COLLATE "default";
