//! File names, whatever the file is.

/// What follows the last dot of the last path segment; none without a dot, or with nothing before or after it.
pub fn extension(name: &str) -> Option<&str> {
    let file = name.rsplit('/').next()?;
    let (stem, extension) = file.rsplit_once('.')?;
    (!stem.is_empty() && !extension.is_empty()).then_some(extension)
}
