-- What rows are looked for by, whatever its case and accents. Empty until the program has
-- written it, which it does when it starts.
ALTER TABLE demos ADD COLUMN search_key TEXT NOT NULL DEFAULT '';
ALTER TABLE demo_notes ADD COLUMN search_key TEXT NOT NULL DEFAULT '';
ALTER TABLE media_files ADD COLUMN search_key TEXT NOT NULL DEFAULT '';
ALTER TABLE store_products ADD COLUMN search_key TEXT NOT NULL DEFAULT '';
CREATE INDEX demos_without_search_key ON demos (id) WHERE search_key = '';
CREATE INDEX demo_notes_without_search_key ON demo_notes (id) WHERE search_key = '';
CREATE INDEX media_files_without_search_key ON media_files (id) WHERE search_key = '';
CREATE INDEX store_products_without_search_key ON store_products (id) WHERE search_key = '';

-- And demos by artist as all other names are sorted.
ALTER TABLE demos ADD COLUMN sort_key TEXT COLLATE "C" NOT NULL DEFAULT '';
CREATE INDEX demos_without_sort_key ON demos (id) WHERE sort_key = '';
DROP INDEX demos_by_artist;
CREATE INDEX demos_by_artist ON demos (sort_key, id) WHERE deleted_at IS NULL;
