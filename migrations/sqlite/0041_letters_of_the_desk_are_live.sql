-- Open desks read the letters again when another admin has saved one.
CREATE TRIGGER letter_templates_updated AFTER UPDATE ON letter_templates BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('demos', 'update', 'settings', unixepoch() * 1000000);
END;
