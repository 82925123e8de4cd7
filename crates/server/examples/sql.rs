//! Prints every SQL text of the program as each engine gets it (`scripts/generate` writes `docs/sql.txt`).

use std::io::{self, Write};

/// Columns of a line.
const WIDTH: usize = 140;

fn main() -> io::Result<()> {
    let mut statements: Vec<_> =
        deadwax::operation::sql_texts::all().into_iter().map(|(_, statement)| statement).collect();
    statements.sort_by_key(|statement| statement.name);
    let mut out = io::BufWriter::new(io::stdout().lock());
    writeln!(out, "Every SQL text of the program, by module and constant. Written by scripts/generate.")?;
    for statement in statements {
        writeln!(out, "\n{}", statement.name)?;
        if statement.sqlite == statement.postgres {
            write_wrapped(&mut out, statement.sqlite)?;
        } else {
            writeln!(out, "  SQLite")?;
            write_wrapped(&mut out, statement.sqlite)?;
            writeln!(out, "  PostgreSQL")?;
            write_wrapped(&mut out, statement.postgres)?;
        }
    }
    out.flush()
}

/// Writes a text indented, its runs of white space as one blank, in lines of at most [`WIDTH`] columns.
fn write_wrapped(out: &mut impl Write, sql: &str) -> io::Result<()> {
    let mut line = String::from("   ");
    for word in sql.split_whitespace() {
        if line.len() + 1 + word.len() > WIDTH {
            writeln!(out, "{line}")?;
            line = String::from("       ");
        }
        line.push(' ');
        line.push_str(word);
    }
    writeln!(out, "{line}")
}
