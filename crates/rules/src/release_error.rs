//! Refusals of the release form and its rows.

use crate::checked::refusals;

refusals! {
    /// Refusals of the release form; URLs have [`crate::url::UrlError`].
    pub enum ReleaseError {
        TitleRequired = "title_required", "Title is required";
        TitleTooLong = "title_too_long", "Title must be less than 200 characters";
        TitleCharacters = "title_characters", "Invalid characters in title";
        ArtistUnknown = "artist_unknown", "Please choose an artist from the list";
        CatalogTooLong = "catalog_too_long", "Catalog must be less than 50 characters";
        CatalogCharacters = "catalog_characters", "Invalid characters in catalog";
        DateRequired = "release_date_required", "Release date is required";
        DateInvalid = "release_date_invalid", "Please enter a valid release date";
        DescriptionTooLong = "description_too_long", "Description must be less than 1000 characters";
        DescriptionCharacters = "description_characters", "Invalid characters in description";
        FormatTooLong = "format_too_long", "Format must be less than 100 characters";
        FormatCharacters = "format_characters", "Invalid characters in format";
        TrackTitleRequired = "track_title_required", "Track title is required";
        DurationInvalid = "duration_invalid", "Please write the length as 6:12";
        RoleRequired = "role_required", "Role is required";
        CreditNameRequired = "credit_name_required", "Name is required";
        RowTooLong = "row_too_long", "Must be less than 200 characters";
        RowCharacters = "row_characters", "Invalid characters";
        RowsTooLong = "rows_too_long", "Must be less than 10000 characters together";
        TooManyTracks = "too_many_tracks", "A release can have at most 200 tracks";
        TooManyCredits = "too_many_credits", "A release can have at most 200 credits";
        GoesOutInvalid = "goes_out_invalid", "Please enter the date and time when it goes out";
        PositionInvalid = "position_invalid", "Please write the position as A1";
        GoesOutTooLate = "goes_out_too_late", "Please enter a date before the year 9999";
    }
}
