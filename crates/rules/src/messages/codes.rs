//! Message codes with their texts, one line each, in the order of the reference.

/// Code, title and text; an empty string means absent.
pub(super) type Entry = (&'static str, &'static str, &'static str);

/// Declares [`Code`] and the tables of texts in the same order.
macro_rules! codes {
    (
        by_the_browser { $($shared:ident = $shared_code:literal, $shared_title:literal, $shared_text:expr;)+ }
        by_the_server { $($native:ident = $native_code:literal, $native_title:literal, $native_text:expr;)+ }
    ) => {
        /// Stable code of a message or refusal, independent of its wording.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Code {
            $(#[doc = concat!("`", $shared_code, "`")] $shared,)+
            $(#[doc = concat!("`", $native_code, "`")] $native,)+
        }

        impl Code {
            /// The code in JSON, in `snake_case`.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$shared => $shared_code,)+ $(Self::$native => $native_code,)+ }
            }

            /// Toast title; empty without one.
            pub const fn title(self) -> &'static str {
                match self { $(Self::$shared => $shared_title,)+ $(Self::$native => $native_title,)+ }
            }

            /// Text; empty for a toast with a title only.
            pub const fn text(self) -> &'static str {
                match self { $(Self::$shared => $shared_text,)+ $(Self::$native => $native_text,)+ }
            }
        }

        /// Messages the web app shows by itself.
        pub(super) static BY_THE_BROWSER: &[Entry] = &[$(($shared_code, $shared_title, $shared_text),)+];
        /// Messages the web app shows as the server sends them.
        pub(super) static BY_THE_SERVER: &[Entry] = &[$(($native_code, $native_title, $native_text),)+];
    };
}

const INVALID_EMAIL: &str = "Please enter a valid email address.";
const ADMIN_REQUIRED: &str = "Access denied. Admin privileges required.";

codes! {
    by_the_browser {
        // Public pages.
        NewsletterSubscribed = "newsletter_subscribed", "Transmission successful", "You have been added to the encrypted channel.";
        NewsletterRateLimited = "newsletter_rate_limited", "Transmission blocked", "Too many attempts. Please try again later.";
        NewsletterInvalidEmail = "newsletter_invalid_email", "Invalid transmission format", INVALID_EMAIL;
        NewsletterFailed = "newsletter_failed", "Transmission failed", "Something went wrong. Please try again.";
        DemoSubmitted = "demo_submitted", "Demo submitted successfully!", "";
        DemoLink = "demo_link", "", "Keep this link. It shows where your demo stands, and lets you send another file or erase everything: do not share it.";
        DemoFailed = "demo_failed", "Upload failed", "Failed to upload demo. Please try again.";
        ContactSent = "contact_sent", "Message Sent!", "Thank you for contacting us. We'll get back to you soon.";
        ContactFailed = "contact_failed", "Error", "Failed to send message. Please try again.";
        PrivacyPolicyFailed = "privacy_policy_failed", "", "Error loading privacy policy. Please try again later.";
        TerminalFailed = "terminal_failed", "", "ERROR: Connection to AI system failed. Please try again.";
        TerminalUnauthorized = "terminal_unauthorized", "", "Authentication failed. Service temporarily unavailable.";
        TerminalNotFound = "terminal_not_found", "", "AI service not found. Please contact support.";
        TerminalRateLimited = "terminal_rate_limited", "", "Rate limit exceeded. Please wait before trying again.";
        TerminalInternal = "terminal_internal", "", "Internal server error. Please try again later.";
        ArtistNotFound = "artist_not_found", "", "ARTIST NOT FOUND";
        PageNotFound = "page_not_found", "", "Oops! Page not found";

        // Sign-in, sign-up, confirmation, second factor, profile.
        LoginFailed = "login_failed", "", "ACCESS DENIED: {message}";
        LoginUnreachable = "login_unreachable", "", "SYSTEM ERROR: Connection failed";
        SignOutOwed = "sign_out_owed", "", "You are signed out here. The server will be notified as soon as it can be reached.";
        InvalidCredentials = "invalid_credentials", "", "Invalid username or password";
        EmailNotConfirmed = "email_not_confirmed", "", "Email not confirmed";
        RegistrationFailed = "registration_failed", "", "REGISTRATION FAILED: {message}";
        RegistrationUnreachable = "registration_unreachable", "", "SYSTEM ERROR: Registration failed";
        ResetSent = "reset_sent", "PASSWORD RESET INITIATED", "Check your email for reset instructions";
        MfaCancelled = "mfa_cancelled", "", "MFA verification cancelled";
        RecoveryCodeSent = "recovery_code_sent", "RECOVERY CODE SENT", "";
        RecoveryCodeInvalid = "recovery_code_invalid", "", "Invalid recovery code. Please try again.";
        RecoverySendFailed = "recovery_send_failed", "", "Failed to send recovery code";
        RecoveryFailed = "recovery_failed", "", "Recovery verification failed";
        SignupBlocked = "signup_blocked", "", "Too many signup attempts. Please try again in an hour.";
        SignupUnexpected = "signup_unexpected", "", "An unexpected error occurred. Please try again.";
        ResendFailed = "resend_failed", "", "Failed to resend confirmation. Please try again later.";
        CallbackInvalid = "callback_invalid", "", crate::callback::INVALID_LINK;
        MailedLinkLeft = "mailed_link_left", "", "This page was loaded anew. If you have not pressed its key yet, please open the link in the mail once more.";
        CallbackUnexpected = "callback_unexpected", "", "An unexpected error occurred";
        CallbackResent = "callback_resent", "", "Confirmation email sent! Check your inbox.";
        CallbackResendFailed = "callback_resend_failed", "", "Failed to resend confirmation email";
        NotAuthenticated = "not_authenticated", "", "Not authenticated";
        MfaGenerateFailed = "mfa_generate_failed", "", "Failed to generate secret";
        MfaEnableFailed = "mfa_enable_failed", "", "Failed to enable MFA";
        MfaDisableFailed = "mfa_disable_failed", "", "Failed to disable MFA";
        MfaEnabled = "mfa_enabled", "MFA Enabled", "";
        MfaDisabled = "mfa_disabled", "MFA Disabled", "";
        Copied = "copied", "Copied", "";
        UsernameTaken = "username_taken", "USERNAME TAKEN", "This username is already in use. Please choose another.";
        ValidationError = "validation_error", "VALIDATION ERROR", "{message}";
        SecurityError = "security_error", "SECURITY ERROR", "{message}";
        AvatarFailed = "avatar_failed", "UPLOAD FAILED", "{message}";
        UpdateFailed = "update_failed", "UPDATE FAILED", "{message}";
        PasswordException = "password_exception", "SYSTEM ERROR", "Failed to update password";
        EmailException = "email_exception", "SYSTEM ERROR", "Failed to update email address";
        UsernameException = "username_exception", "SYSTEM ERROR", "Failed to update username";
        AvatarException = "avatar_exception", "SYSTEM ERROR", "Failed to update avatar";
        ProfileMissing = "profile_missing", "PROFILE ERROR", "Profile not properly loaded. Please refresh the page.";
        TerminationFailed = "termination_failed", "TERMINATION FAILED", "Could not delete account. Please try again.";
        UsernameUpdated = "username_updated", "USERNAME UPDATED", "";
        PasswordUpdated = "password_updated", "PASSWORD UPDATED", "";
        EmailUpdateInitiated = "email_update_initiated", "EMAIL UPDATE INITIATED", "Check your new email address for a confirmation link...";
        AvatarUpdated = "avatar_updated", "AVATAR UPDATED", "";
        AvatarRemoved = "avatar_removed", "AVATAR REMOVED", "";
        AccountTerminated = "account_terminated", "ACCOUNT TERMINATED", "";

        // The admin login and the dashboard.
        AdminLoginLocked = "admin_login_locked", "", "Too many login attempts. Please wait 15 minutes before trying again.";
        AdminLoginLockAlert = "admin_login_lock_alert", "", "Account temporarily locked due to multiple failed login attempts. This is a security measure to protect against unauthorized access.";
        AdminLoginHint = "admin_login_hint", "", "Multiple failed attempts detected. Please verify your credentials and ensure you have admin access.";
        AdminLoginUnexpected = "admin_login_unexpected", "", "An unexpected error occurred. Please try again.";
        AdminRequired = "admin_required", "", ADMIN_REQUIRED;
        ContentLoadFailed = "content_load_failed", "Error", "Failed to load content";
        ContentUpdateFailed = "content_update_failed", "Error", "Failed to update content";
        ContentUpdated = "content_updated", "Success", "Content updated successfully";
        ArtistsLoadFailed = "artists_load_failed", "Error", "Failed to load artists";
        ArtistDeleteFailed = "artist_delete_failed", "Error", "Failed to delete artist";
        ArtistCreateFailed = "artist_create_failed", "Error", "Failed to create artist";
        ArtistUpdateFailed = "artist_update_failed", "Error", "Failed to update artist";
        ArtistDeleted = "artist_deleted", "Success", "Artist deleted successfully";
        ArtistCreated = "artist_created", "Success", "Artist created successfully";
        ArtistUpdated = "artist_updated", "Success", "Artist updated successfully";
        ArtistImageFailed = "artist_image_failed", "Upload failed", "Failed to upload image. Please try again.";
        ArtistImageUploaded = "artist_image_uploaded", "Upload successful", "Artist image uploaded successfully";
        LoadFailed = "load_failed", "Error", "Failed to load data";
        ReleaseDeleteFailed = "release_delete_failed", "Error", "Failed to delete release";
        ReleaseCreateFailed = "release_create_failed", "Error", "Failed to create release";
        ReleaseUpdateFailed = "release_update_failed", "Error", "Failed to update release";
        ReleaseDeleted = "release_deleted", "Success", "Release deleted successfully";
        ReleaseCreated = "release_created", "Success", "Release created successfully";
        ReleaseUpdated = "release_updated", "Success", "Release updated successfully";
        ReleaseImageFailed = "release_image_failed", "Upload failed", "Failed to upload image. Please try again.";
        ReleaseImageUploaded = "release_image_uploaded", "Upload successful", "Cover image uploaded successfully";
        ProductsLoadFailed = "products_load_failed", "Error", "Failed to load products";
        ProductDeleteFailed = "product_delete_failed", "Error", "Failed to delete product";
        ProductCreateFailed = "product_create_failed", "Error", "Failed to create product";
        ProductUpdateFailed = "product_update_failed", "Error", "Failed to update product";
        ProductStatusFailed = "product_status_failed", "Error", "Failed to update product status";
        ProductDeleted = "product_deleted", "Success", "Product deleted successfully";
        ProductCreated = "product_created", "Success", "Product created successfully";
        ProductUpdated = "product_updated", "Success", "Product updated successfully";
        ProductActivated = "product_activated", "Success", "Product activated successfully";
        ProductDeactivated = "product_deactivated", "Success", "Product deactivated successfully";
        MediaLoadFailed = "media_load_failed", "Error", "Failed to load media files";
        MediaDeleteFailed = "media_delete_failed", "Error", "Failed to delete media file";
        MediaDeleted = "media_deleted", "Media file deleted", "";
        MediaTakenOut = "media_taken_out", "Media file deleted", "It was shown by {uses}.";
        MediaUploadFailed = "media_upload_failed", "Upload failed", "Failed to upload file";
        MediaUploaded = "media_uploaded", "Upload successful", "File uploaded successfully";
        ImagesLoadFailed = "images_load_failed", "Error", "Failed to fetch images";
        ImageDeleteFailed = "image_delete_failed", "Error", "Failed to delete image";
        HeroUploadFailed = "hero_upload_failed", "Upload failed", "Failed to upload image. Please try again.";
        HeroUploaded = "hero_uploaded", "Upload successful", "Hero background uploaded successfully";
        MarkUploadFailed = "mark_upload_failed", "Upload failed", "Failed to upload the mark. Please try again.";
        MarkUploaded = "mark_uploaded", "Mark saved", "Every page shows it now";
        UrlCopied = "url_copied", "URL copied to clipboard", "";
        DemosLoadFailed = "demos_load_failed", "Error", "Failed to load demo files";
        DemoDeleteFailed = "demo_delete_failed", "Error", "Failed to delete demo file";
        DemoDeleted = "demo_deleted", "Demo deleted", "It can be brought back for a minute.";
        ImageDeleted = "image_deleted", "Site image deleted", "";
        RowsTrashed = "rows_trashed", "Moved to the trash", "{rows}.";
        TrashFailed = "trash_failed", "Error", "Failed to move to the trash";
        Restored = "restored", "Restored", "";
        RestoredAsDraft = "restored_as_draft", "Restored as a draft", "Its date passed while it was in the trash.";
        RestoreFailed = "restore_failed", "Error", "Failed to restore";
        TrashLoadFailed = "trash_load_failed", "Error", "Failed to load the trash";
        Purged = "purged", "Deleted for good", "";
        PurgeFailed = "purge_failed", "Error", "Failed to delete for good";
        HistoryLoadFailed = "history_load_failed", "Error", "Failed to load the history";
        VersionRestored = "version_restored", "Success", "Version restored successfully";
        VersionRestoreFailed = "version_restore_failed", "Error", "Failed to restore the version";
        ActivityLoadFailed = "activity_load_failed", "Error", "Failed to load the activity";
        LibraryLoadFailed = "library_load_failed", "Error", "Failed to load the library";
        NewsletterLoadFailed = "newsletter_load_failed", "Error", "Failed to load newsletter subscriptions.";
        NewsletterExported = "newsletter_exported", "Export complete", "";
        ConfirmationsQueued = "confirmations_queued", "Confirmations queued", "{count} will get one mail each.";
        SubscribersVouched = "subscribers_vouched", "Consent noted", "For {count}.";
        SendingSettingsSaved = "sending_settings_saved", "Settings saved", "Letters go out at this pace from now on.";
        BackupsChangeFailed = "backups_change_failed", "Error", "That did not work.";
        BackupSettingsSaved = "backup_settings_saved", "Settings saved", "They hold from the next backup on.";
        NewsletterChangeFailed = "newsletter_change_failed", "Error", "That did not work.";
        LettersLoadFailed = "letters_load_failed", "Error", "Failed to load the letters.";
        LetterCreateFailed = "letter_create_failed", "Error", "Failed to begin a letter. Please try again.";
        LetterSaved = "letter_saved", "Success", "Letter saved";
        LetterSaveFailed = "letter_save_failed", "Error", "Failed to save the letter";
        LetterDeleted = "letter_deleted", "Success", "Draft deleted";
        LetterDeleteFailed = "letter_delete_failed", "Error", "Failed to delete the draft";
        LetterArchiveFailed = "letter_archive_failed", "Error", "Failed to change the archive";
        LetterTestSent = "letter_test_sent", "Test sent", "To {addresses}.";
        LetterTestCaptured = "letter_test_captured", "Test captured", "There is no mail server: the test for {addresses} is in a file.";
        LetterTestFailed = "letter_test_failed", "Error", "Failed to send the test";
        ArrivalFailed = "arrival_failed", "Error", "That could not be found out. Please try again.";
        RecordCopied = "record_copied", "Record copied to clipboard", "";
        SubscriberRemoved = "subscriber_removed", "Success", "Subscriber removed successfully";
        SubscriberRemoveFailed = "subscriber_remove_failed", "Error", "Failed to remove subscriber";
        MaintenanceFailed = "maintenance_failed", "Error", "Failed to update maintenance mode for {page}. Please try again.";
        MaintenanceEnabled = "maintenance_enabled", "Maintenance Mode Enabled", "";
        MaintenanceDisabled = "maintenance_disabled", "Maintenance Mode Disabled", "";
    }

    by_the_server {
        NotFound = "not_found", "", "Not found.";
        BadRequest = "bad_request", "", "This request could not be understood.";
        MethodNotAllowed = "method_not_allowed", "", "This method is not allowed here.";
        PayloadTooLarge = "payload_too_large", "", "This is larger than what is accepted here.";
        UnsupportedMediaType = "unsupported_media_type", "", "This type of content is not accepted here.";
        RangeNotSatisfiable = "range_not_satisfiable", "", "The file has no such part.";
        Misdirected = "misdirected", "", "This address is not served here.";
        AmbiguousLength = "ambiguous_length", "", "This request tells its length in two ways.";
        Csrf = "csrf", "", "This request came from another website.";
        Refused = "refused", "", "This could not be accepted.";
        Forbidden = "forbidden", "", ADMIN_REQUIRED;
        RateLimited = "rate_limited", "", "Too many requests. Try again in {minutes} minutes.";
        Busy = "busy", "", "The service is busy right now. Please try again shortly.";
        Unavailable = "unavailable", "", "The service is not available right now. Please try again shortly.";
        MailUnavailable = "mail_unavailable", "", "No mail can be sent right now. Please try again later.";
        Internal = "internal", "", "Something went wrong. Please try again in a moment.";
        InvalidReport = "invalid_report", "", "This is not a report.";
        VersionRequired = "version_required", "", "Say in If-Match which version this change is based on.";
        StaleVersion = "stale_version", "", "Someone else has changed this in the meantime. Your text is still here: load the newest version and compare.";
        InvalidSearch = "invalid_search", "", "The search must have at most 200 characters.";
        InvalidId = "invalid_id", "", "This is not the id of an artist.";
        MfaRequired = "mfa_required", "", "Two-factor verification is required.";
        NoSession = "no_session", "", crate::mfa::NO_SESSION;
        SessionExpired = "session_expired", "", crate::mfa::NO_SESSION;
        MfaSetupRequired = "mfa_setup_required", "", "Set up two-factor authentication first.";
        ReauthenticationNeeded = "reauthentication_needed", "", "Please enter your password again to continue.";
        MfaVerificationNeeded = "mfa_verification_needed", "", "Please enter a code of your second factor to change the address.";
        ResetLinkInvalid = "reset_link_invalid", "", "This reset link has expired, was used, or has a newer one. Ask for a new one at the login.";
        OtpExpired = "otp_expired", "", crate::callback::INVALID_LINK;
        UserAlreadyRegistered = "user_already_registered", "", crate::cooldown::ALREADY_REGISTERED;
        WrongPassword = "wrong_password", "", "This is not the password of your account.";
        NoEmailChange = "no_email_change", "", "No change of your address is waiting.";
        LastAdmin = "last_admin", "", "The last admin cannot delete the account.";
        AlreadyEnabled = "already_enabled", "", "Two-factor authentication is already enabled for this account.";
        NotEnabled = "not_enabled", "", "Two-factor authentication is not enabled for this account.";
        SecretGenerated = "secret_generated", "", "Add this key to your authenticator app.";
        RecoveryCodesReplaced = "recovery_codes_replaced", "", "Keep these recovery codes where you will find them.";
        SecretNotPending = "secret_not_pending", "", "This set-up is no longer valid. Please start again.";
        RecoveryHold = "recovery_hold", "", "A link to reset your password was opened within the last 24 hours, so no email code can be sent yet. Use one of your recovery codes.";
        InvalidRequestId = "invalid_request_id", "", "The request id must be 1 to 128 printable characters.";
        RequestIdConflict = "request_id_conflict", "", "This request id was used with another code.";
        InvalidIdempotencyKey = "invalid_idempotency_key", "", "The key of a request must be 1 to 128 printable characters.";
        IdempotencyKeyReused = "idempotency_key_reused", "", "This key was used for another request.";
        TusVersion = "tus_version", "", "Uploads speak version 1.0.0 of the tus protocol.";
        LengthMissing = "length_missing", "", "The length of the file is missing.";
        InvalidForm = "invalid_form", "", "The upload could not be read.";
        TooManyFormParts = "too_many_form_parts", "", "An upload has at most 10 parts.";
        OneFile = "one_file", "", "Please choose one file.";
        InvalidMetadata = "invalid_metadata", "", "The description of the file could not be read.";
        OffsetMissing = "offset_missing", "", "The offset of the bytes is missing.";
        ChecksumAlgorithm = "checksum_algorithm", "", "Checksums are taken as sha1 or sha256, in base64.";
        ChecksumMismatch = "checksum_mismatch", "", "What arrived is not what was sent. Please send it again.";
        UploadOffset = "upload_offset", "", "The upload is not where this request continues it. Please ask how far it is.";
        UploadTooLong = "upload_too_long", "", "More arrived than was announced. Please begin again.";
        TooManyParts = "too_many_parts", "", "This upload has come in too many pieces. Please send the rest of it at once.";
        DemoHeard = "demo_heard", "", "The label is at work on this demo, so its file can no longer be replaced.";
        LetterNotDraft = "letter_not_draft", "", "This letter is on its way or was sent: only drafts can be changed.";
        AlreadyAnswered = "already_answered", "", "This demo has had an answer of this kind. Say that it is to have another.";
        AnswerLeft = "answer_left", "", "This answer has left, and cannot be taken back any more.";
        InvalidLimit = "invalid_limit", "", "The limit must be between 1 and 100.";
        InvalidCursor = "invalid_cursor", "", "This position in the list is not valid.";
        InvalidQuery = "invalid_query", "", "The address asks for something in a way that is not known here.";
        InvalidBody = "invalid_body", "", "Something is missing from this request, or is of the wrong kind.";
        InvalidEmail = "invalid_email", "", INVALID_EMAIL;
        UnknownField = "unknown_field", "", "This request says more than is taken here.";
        InvalidJson = "invalid_json", "", "The body is not valid JSON.";
        Maintenance = "maintenance", "", "This page is currently down for maintenance. Check back soon.";
        TooSlow = "too_slow", "", "The request arrived too slowly. Please try again.";
        StorageFull = "storage_full", "", "There is no room left right now. Please try again later.";
        ChecklistServerSideAuthorisation = "checklist_server_side_authorisation", "Server-side authorisation", "Every operation of this area asks for an admin's session before it looks anything up.";
        ChecklistAdminTwoFactor = "checklist_admin_two_factor", "Two-factor authentication of admins", "An admin's password alone should not be enough to sign in.";
        ChecklistPasswordHashing = "checklist_password_hashing", "Password hashing", "Passwords are stored as slow hashes, from which they cannot be recovered.";
        ChecklistUploadValidation = "checklist_upload_validation", "Upload validation", "Files are judged by name, type, size and first bytes, and there is room for them.";
        ChecklistInputSanitising = "checklist_input_sanitising", "Input sanitising", "What is typed into forms cannot run in a visitor's browser.";
        ChecklistSessionsAndTransport = "checklist_sessions_and_transport", "Sessions and transport", "Connections are encrypted, and no script can read the session's cookie.";
        ChecklistSecurityHeaders = "checklist_security_headers", "Security headers", "Every answer tells browsers what they must not do with it.";
        ChecklistLoginLimits = "checklist_login_limits", "Login rate limiting", "Guessing passwords is slowed down in the browser and, whatever the browser does, on the server.";
    }
}
