-- The further orders of the dashboard's lists; each index serves its order from both ends.
CREATE INDEX artists_by_change ON artists (updated_at, id) WHERE deleted_at IS NULL;
CREATE INDEX releases_by_title ON releases (sort_key, id) WHERE deleted_at IS NULL;
CREATE INDEX releases_by_catalog ON releases ((COALESCE(NULLIF(LOWER(catalog), ''), '~') COLLATE "C"), id) WHERE deleted_at IS NULL;
CREATE INDEX releases_by_any_date ON releases (COALESCE(release_date, ''), id) WHERE deleted_at IS NULL;
CREATE INDEX releases_by_change ON releases (updated_at, id) WHERE deleted_at IS NULL;
CREATE INDEX store_products_by_title ON store_products (sort_key, id) WHERE deleted_at IS NULL;
CREATE INDEX media_files_by_name ON media_files (sort_key, id) WHERE deleted_at IS NULL;
