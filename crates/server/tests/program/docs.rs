//! Documents and the program agree: `docs/api.md` with the OpenAPI document, and the settings of the package.

use std::collections::{BTreeMap, BTreeSet};

use clap::CommandFactory as _;
use serde_json::Value;

use crate::support::{Engine, TestServer};

const PAGE: &str = include_str!("../../../../docs/api.md");

/// OpenAPI operations by endpoint.
fn operations() -> BTreeMap<String, Value> {
    let document = serde_json::to_value(deadwax::routes::openapi()).unwrap();
    let methods = |(path, item): (&String, &Value)| {
        let of_path =
            item.as_object().unwrap().iter().map(|(method, operation)| (method.clone(), operation.clone()));
        let path = path.clone();
        of_path
            .map(move |(method, operation)| (format!("{} {path}", method.to_uppercase()), operation))
            .collect::<Vec<_>>()
    };
    document["paths"].as_object().unwrap().iter().flat_map(methods).collect()
}

/// Sections of the page by endpoint.
fn sections() -> BTreeMap<&'static str, &'static str> {
    let (_, endpoints) = PAGE.split_once("\n## Endpoints\n").unwrap();
    let (endpoints, _) = endpoints.split_once("\n## ").unwrap();
    let section = |text: &'static str| {
        let (heading, body) = text.split_once('\n').unwrap();
        (heading.trim_matches('`'), body)
    };
    endpoints.split("\n### ").skip(1).map(section).collect()
}

/// The state and endpoint of each row in the operations table.
fn mapped() -> Vec<(&'static str, &'static str)> {
    let (_, tables) = PAGE.split_once("\n## Operations of the specification\n").unwrap();
    let cells = |line: &'static str| {
        let cells: Vec<_> = line.split(" | ").collect();
        (cells.len() == 4).then(|| (cells[1], cells[2]))
    };
    tables.lines().filter_map(cells).filter(|(state, _)| *state != "State").collect()
}

/// A filter for an unknown module would log nothing.
#[test]
fn every_log_filter_that_is_described_names_a_module() {
    let page = include_str!("../../../../docs/operations.md");
    let words = page.split(|sign: char| !sign.is_ascii_alphanumeric() && !":_=".contains(sign));
    let filters: BTreeSet<_> =
        words.filter_map(|word| word.strip_suffix("=debug")).filter(|word| word.contains("::")).collect();
    assert!(filters.len() > 1, "{filters:?}");
    for filter in filters {
        let (part, module) = filter.split_once("::").unwrap();
        let part = part.strip_prefix("deadwax_").unwrap_or("server");
        let file = format!("{}/../{part}/src/{module}.rs", env!("CARGO_MANIFEST_DIR"));
        assert!(std::path::Path::new(&file).exists(), "{filter}: {file}");
    }
}

#[test]
fn the_package_offers_every_setting() {
    let file = include_str!("../../../../scripts/package.d/deadwax.env");
    let command = deadwax::cli::Cli::command();
    let settings: Vec<_> = command.get_arguments().filter_map(clap::Arg::get_env).collect();
    assert!(settings.len() > 10);
    for name in settings {
        assert!(file.contains(&format!("\n#{}=", name.display())), "{}", name.display());
    }
}

#[test]
fn every_endpoint_has_a_heading_and_every_heading_an_endpoint() {
    let served: BTreeSet<String> = operations().into_keys().collect();
    let described: BTreeSet<String> = sections().into_keys().map(str::to_owned).collect();
    assert!(served.len() > 10);
    assert_eq!(
        described, served,
        "the headings under Endpoints in docs/api.md (left) are not what is served (right)"
    );
}

#[test]
fn every_parameter_stands_under_its_heading() {
    let sections = sections();
    for (endpoint, operation) in operations() {
        for parameter in operation["parameters"].as_array().into_iter().flatten() {
            let name = parameter["name"].as_str().unwrap();
            assert!(
                sections[endpoint.as_str()].contains(&format!("`{name}`")),
                "{endpoint} in docs/api.md does not name `{name}`"
            );
        }
    }
}

#[test]
fn every_field_is_named() {
    let document = serde_json::to_value(deadwax::routes::openapi()).unwrap();
    for (schema, definition) in document["components"]["schemas"].as_object().unwrap() {
        for field in fields(definition) {
            assert!(PAGE.contains(&format!("`{field}`")), "docs/api.md does not name `{field}` of {schema}");
        }
    }
}

/// The fields of a schema and of its variants.
fn fields(schema: &Value) -> Vec<&String> {
    let own = schema["properties"].as_object().into_iter().flat_map(serde_json::Map::keys);
    let forms = ["oneOf", "allOf"].into_iter().filter_map(|kind| schema[kind].as_array()).flatten();
    own.chain(forms.flat_map(fields)).collect()
}

#[test]
fn an_operation_is_served_where_the_table_says_so() {
    let served = operations();
    let rows = mapped();
    assert!(rows.len() > 30, "only {} rows", rows.len());
    for (state, cell) in rows {
        let endpoint = cell.trim_matches('`');
        match state {
            "served" => {
                assert!(
                    served.contains_key(endpoint) || cell.starts_with("none:"),
                    "{cell} is marked as served and is not"
                );
            }
            _ => assert_eq!((state, cell), ("never", "none")),
        }
    }
}

#[tokio::test]
async fn the_contract_is_served_with_a_tag() {
    let server = TestServer::start(Engine::Sqlite).await;
    let answer = server.get("/api/openapi.json").await;
    assert_eq!(answer.json(), serde_json::to_value(deadwax::routes::openapi()).unwrap());
    let known = [("if-none-match", answer.header("etag"))];
    assert_eq!(server.get_with("/api/openapi.json", &known).await.status, 304);
}
