-- How long a processor has worked to measure the demo, all its tracks together: in the row of its file.
ALTER TABLE demo_sounds ADD COLUMN work_ms BIGINT NOT NULL DEFAULT 0;
