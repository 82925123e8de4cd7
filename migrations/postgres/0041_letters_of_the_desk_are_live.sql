-- Open desks read the letters again when another admin has saved one.
CREATE CONSTRAINT TRIGGER letter_templates_changed AFTER UPDATE ON letter_templates
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION record_settings_event();
