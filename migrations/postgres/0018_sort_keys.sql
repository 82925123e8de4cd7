-- Keys are at most 500 characters long, and know one sigma.
UPDATE artists SET sort_key = substr(replace(sort_key, 'ς', 'σ'), 1, 500) WHERE sort_key LIKE '%ς%' OR length(sort_key) > 500;
UPDATE releases SET sort_key = substr(replace(sort_key, 'ς', 'σ'), 1, 500) WHERE sort_key LIKE '%ς%' OR length(sort_key) > 500;
UPDATE store_products SET sort_key = substr(replace(sort_key, 'ς', 'σ'), 1, 500) WHERE sort_key LIKE '%ς%' OR length(sort_key) > 500;
UPDATE media_files SET sort_key = substr(replace(sort_key, 'ς', 'σ'), 1, 500) WHERE sort_key LIKE '%ς%' OR length(sort_key) > 500;
