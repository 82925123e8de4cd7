-- The further orders of the desk; each index serves its order from both ends.
CREATE INDEX demos_by_step ON demos (COALESCE(state_at, submitted_at), id) WHERE deleted_at IS NULL;
CREATE INDEX demos_by_artist ON demos (LOWER(artist_name), id) WHERE deleted_at IS NULL;
