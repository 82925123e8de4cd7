-- Where a run wrote or proved: the folder, or the bucket and where it is. Another place has no backup yet, so that one is due.
ALTER TABLE backup_runs ADD COLUMN place TEXT;
