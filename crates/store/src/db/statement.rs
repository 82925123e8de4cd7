//! SQL texts as values that can be listed, so that a test can prepare each of them on both engines.

/// One SQL text with `$1…` parameters, the same for both engines unless the dialects leave no choice.
///
/// Made only by [`statements!`](crate::statements).
#[derive(Clone, Copy, Debug)]
pub struct Statement {
    name: &'static str,
    sqlite: &'static str,
    postgres: &'static str,
}

impl Statement {
    #[doc(hidden)]
    pub const fn both(name: &'static str, sql: &'static str) -> Self {
        Self { name, sqlite: sql, postgres: sql }
    }

    #[doc(hidden)]
    pub const fn each(name: &'static str, sqlite: &'static str, postgres: &'static str) -> Self {
        Self { name, sqlite, postgres }
    }

    /// Its name in the log: module and constant.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    pub const fn sqlite(&self) -> &'static str {
        self.sqlite
    }

    pub const fn postgres(&self) -> &'static str {
        self.postgres
    }
}

/// Declares the statements of a module: `statements! { NAME = "sql"; OTHER = "for SQLite", postgres "for PostgreSQL"; }`. Where
/// PostgreSQL's text only says more: `LOCK = "SELECT …", postgres + " FOR UPDATE";`.
///
/// The module gets a private constant for each and a `STATEMENTS` list of all, which the crate gathers.
#[macro_export]
macro_rules! statements {
    ($($(#[$meta:meta])* $name:ident = $sql:expr $(, postgres $(+ $more:literal)? $($postgres:expr)?)?;)*) => {
        $(
            $(#[$meta])*
            const $name: $crate::db::Statement =
                $crate::statements!(@make $name $sql $(, $(+ $more)? $($postgres)?)?);
        )*
        /// Every statement of this module, for the test that prepares them.
        pub(crate) const STATEMENTS: &[(&str, $crate::db::Statement)] = &[$((stringify!($name), $name)),*];
    };
    (@make $name:ident $sql:expr, + $more:literal) => { $crate::statements!(@make $name $sql, concat!($sql, $more)) };
    (@make $name:ident $sqlite:expr, $postgres:expr) => {
        $crate::db::Statement::each(concat!(module_path!(), "::", stringify!($name)), $sqlite, $postgres)
    };
    (@make $name:ident $sql:expr) => {
        $crate::db::Statement::both(concat!(module_path!(), "::", stringify!($name)), $sql)
    };
}
