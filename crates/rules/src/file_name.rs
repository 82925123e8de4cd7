//! File names.

/// Extension of the last path segment; `None` without a dot, or if it has nothing before or after the dot.
pub fn extension(name: &str) -> Option<&str> {
    let file = name.rsplit('/').next()?;
    let (stem, extension) = file.rsplit_once('.')?;
    (!stem.is_empty() && !extension.is_empty()).then_some(extension)
}
