-- A sign-up keeps what was typed in it only until its address is confirmed or it is voided.
UPDATE signup_attempts SET password_hash = '', username = NULL, full_name = NULL
WHERE voided_at IS NOT NULL OR user_id IN (SELECT id FROM users WHERE confirmed_at IS NOT NULL);
