-- Message-IDs of the reports that were counted, so that none counts twice.
CREATE TABLE letter_reports (
    message_id TEXT   COLLATE "C" NOT NULL PRIMARY KEY,
    created_at BIGINT NOT NULL
);
CREATE INDEX letter_reports_by_age ON letter_reports (created_at);
