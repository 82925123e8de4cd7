//! Completes the OpenAPI document: refusals shared by many operations, and which fields every answer has.

use std::collections::{BTreeMap, BTreeSet};

use http::StatusCode;
use utoipa::openapi::{
    Content, OpenApi, RefOr, Response, Type,
    path::{Operation, ParameterIn, PathItem},
    schema::{ArrayItems, Ref, Schema, SchemaType},
};

const OF_A_BODY: [(&str, &str); 4] = [
    ("400", "The body is not JSON"),
    ("413", "The body is too large"),
    ("415", "The body is of another type"),
    ("422", "The body has another form, or breaks a rule"),
];

/// Refusals of a caller who is not an admin, before anything is looked up.
const OF_A_RIGHT: [(&str, &str); 2] =
    [("401", "No session"), ("403", "Not an admin, or first the second factor")];
const FOR_ADMINS: &str = "/api/admin/";

/// Refusals of a caller who is not signed in, or who still has to give the second factor.
const OF_A_SESSION: [(&str, &str); 2] = [("401", "No session"), ("403", "First the second factor")];
/// Where they hold.
const FOR_MEMBERS: [&str; 10] = [
    "/api/profile",
    "/api/profile/avatar",
    "/api/profile/username-check",
    "/api/auth/account",
    "/api/auth/email-change",
    "/api/auth/email-change/resend",
    "/api/auth/password",
    "/api/auth/reauthenticate",
    "/api/auth/sessions",
    "/api/auth/sessions/{id}",
];

/// Refusal of a client that guesses.
const OF_A_GUESS: [(&str, &str); 1] = [("429", "Too many tries")];
/// Where it holds for every body.
const FOR_GUESSES: &str = "/api/auth/";

/// Refusals of an edit that does not name the current version in `If-Match`.
const OF_A_VERSION: [(&str, &str); 2] =
    [("412", "The row was changed since that version"), ("428", "`If-Match` is missing")];

const OF_A_ROW: [(&str, &str); 1] = [("404", "There is no such row")];

const OF_A_QUERY: [(&str, &str); 1] = [("422", "The query is not valid")];

const OF_A_FORM: [(&str, &str); 4] = [
    ("413", "The file is too large"),
    ("415", "Not a form with a file"),
    ("429", "Too many uploads at once"),
    ("503", "No room, or not right now"),
];

const OF_NO_BODY: [(&str, &str); 1] = [("415", "The body is of a type that nothing here takes")];

/// The first of a status describes the shared response.
const USUAL: [&[(&str, &str)]; 6] =
    [&OF_A_BODY, &OF_A_RIGHT, &OF_A_ROW, &OF_A_GUESS, &OF_A_VERSION, &OF_A_FORM];

const PROBLEM_JSON: &str = "application/problem+json";

/// Adds the refusals that all admin operations and all changing operations share, where they do not describe them themselves.
/// An answer of which an operation says only its status becomes a reference to the shared response of that status.
/// The schemas of answers say that fields that may be null are always sent.
pub fn complete(document: &mut OpenApi) {
    refer_to_rows(document);
    require_nullable(document);
    let mut shared = BTreeMap::new();
    for (path, item) in &mut document.paths.paths {
        if path.starts_with(FOR_ADMINS) {
            for operation in all(item) {
                add(operation, &OF_A_RIGHT);
                if path.contains('{') {
                    add(operation, &OF_A_ROW);
                }
            }
        }
        for operation in all(item) {
            if FOR_MEMBERS.contains(&path.as_str()) {
                add(operation, &OF_A_SESSION);
            }
            if path.starts_with(FOR_GUESSES) && takes(operation, "application/json") {
                add(operation, &OF_A_GUESS);
            }
            if names(operation, "if-match") {
                add(operation, &OF_A_VERSION);
            }
            if takes_a_query(operation) {
                add(operation, &OF_A_QUERY);
            }
            if takes(operation, "multipart/form-data") {
                add(operation, &OF_A_FORM);
            }
        }
        for operation in writes(item) {
            let refusals =
                if takes(operation, "application/json") { &OF_A_BODY[..] } else { &OF_NO_BODY[..] };
            add(operation, refusals);
        }
        for (status, response) in all(item).flat_map(|operation| operation.responses.responses.iter_mut()) {
            share(status, response, &mut shared);
        }
    }
    document.components.get_or_insert_default().responses.extend(shared);
}

fn names(operation: &Operation, parameter: &str) -> bool {
    let mut named = operation.parameters.iter().flatten();
    named.any(|of| matches!(of, RefOr::T(of) if of.name == parameter))
}

fn takes_a_query(operation: &Operation) -> bool {
    let mut named = operation.parameters.iter().flatten();
    named.any(|of| matches!(of, RefOr::T(of) if of.parameter_in == ParameterIn::Query))
}

fn takes(operation: &Operation, media_type: &str) -> bool {
    let body = operation.request_body.as_ref();
    body.is_some_and(|body| matches!(body, RefOr::T(body) if body.content.contains_key(media_type)))
}

fn add(operation: &mut Operation, refusals: &[(&str, &str)]) {
    for (status, description) in refusals {
        let of_operation = &mut operation.responses.responses;
        of_operation.entry((*status).to_owned()).or_insert_with(|| RefOr::T(Response::new(*description)));
    }
}

/// Replaces an answer that describes neither body nor headers by a reference to one of `shared`. The reference keeps the
/// description where it is not the usual one of that status. A shared refusal has a [`Problem`](deadwax_http::error::Problem) as its body, except where it answers HEAD, as clients know.
fn share(status: &str, response: &mut RefOr<Response>, shared: &mut BTreeMap<String, RefOr<Response>>) {
    let (RefOr::T(of_operation), Ok(status)) = (&mut *response, status.parse::<StatusCode>()) else { return };
    if !of_operation.content.is_empty() || !of_operation.headers.is_empty() {
        return;
    }
    let reason = status.canonical_reason().unwrap_or("Refused");
    let name: String = reason.chars().filter(char::is_ascii_alphanumeric).collect();
    let usual = USUAL
        .iter()
        .copied()
        .flatten()
        .find(|(of, _)| *of == status.as_str())
        .map_or(reason, |(_, said)| said);
    let mut reference = Ref::new(format!("#/components/responses/{name}"));
    if of_operation.description != usual {
        reference.description = std::mem::take(&mut of_operation.description);
    }
    *response = RefOr::Ref(reference);
    shared.entry(name).or_insert_with(|| {
        let mut response = Response::new(usual);
        if status.as_u16() >= 400 {
            let problem = Content::new(Some(Ref::from_schema_name("Problem")));
            response.content.insert(PROBLEM_JSON.to_owned(), RefOr::T(problem));
        }
        RefOr::T(response)
    });
}

fn all(item: &mut PathItem) -> impl Iterator<Item = &mut Operation> {
    [&mut item.get, &mut item.post, &mut item.put, &mut item.patch, &mut item.delete].into_iter().flatten()
}

fn writes(item: &mut PathItem) -> impl Iterator<Item = &mut Operation> {
    [&mut item.post, &mut item.put, &mut item.patch, &mut item.delete].into_iter().flatten()
}

/// Lets pages of lists refer to their rows, which the derive of a generic type writes out instead.
fn refer_to_rows(document: &mut OpenApi) {
    let Some(components) = &mut document.components else { return };
    for (name, schema) in &mut components.schemas {
        if let Some((_, row)) = name.split_once("Page_")
            && let RefOr::T(Schema::Object(page)) = schema
            && let Some(RefOr::T(Schema::Array(rows))) = page.properties.get_mut("items")
        {
            rows.items = ArrayItems::RefOrSchema(Box::new(RefOr::Ref(Ref::from_schema_name(row))));
        }
    }
}

/// Makes the nullable fields of every answer required. The derive declares each `Option` optional, which holds for request
/// bodies; an answer sends null instead. A field that an answer leaves out is declared `nullable = false`, and stays optional.
fn require_nullable(document: &mut OpenApi) {
    let sent_here = schemas_of_bodies(document);
    let Some(components) = &mut document.components else { return };
    for (name, schema) in &mut components.schemas {
        let RefOr::T(Schema::Object(answer)) = schema else { continue };
        if sent_here.contains(name) {
            continue;
        }
        for (field, value) in &answer.properties {
            if is_nullable(value) && !answer.required.contains(field) {
                answer.required.push(field.clone());
            }
        }
    }
}

fn schemas_of_bodies(document: &mut OpenApi) -> BTreeSet<String> {
    let mut names = Vec::new();
    for operation in document.paths.paths.values_mut().flat_map(writes) {
        if let Some(RefOr::T(body)) = &operation.request_body {
            for content in body.content.values() {
                if let RefOr::T(Content { schema: Some(schema), .. }) = content {
                    names_in(schema, &mut names);
                }
            }
        }
    }
    let mut found = BTreeSet::new();
    while let Some(name) = names.pop() {
        let schema = document.components.as_ref().and_then(|components| components.schemas.get(&name));
        if let Some(schema) = schema
            && found.insert(name)
        {
            names_in(schema, &mut names);
        }
    }
    found
}

fn names_in(schema: &RefOr<Schema>, names: &mut Vec<String>) {
    let parts: Vec<&RefOr<Schema>> = match schema {
        RefOr::Ref(reference) => {
            names.extend(reference.ref_location.rsplit('/').next().map(str::to_owned));
            return;
        }
        RefOr::T(Schema::Object(object)) => object.properties.values().collect(),
        RefOr::T(Schema::OneOf(forms)) => forms.items.iter().collect(),
        RefOr::T(Schema::AllOf(forms)) => forms.items.iter().collect(),
        RefOr::T(Schema::AnyOf(forms)) => forms.items.iter().collect(),
        RefOr::T(Schema::Array(array)) => match &array.items {
            ArrayItems::RefOrSchema(items) => vec![items],
            ArrayItems::False => Vec::new(),
        },
        RefOr::T(_) => Vec::new(),
    };
    for part in parts {
        names_in(part, names);
    }
}

fn is_nullable(schema: &RefOr<Schema>) -> bool {
    let has_null = |of: &SchemaType| match of {
        SchemaType::Type(only) => *only == Type::Null,
        SchemaType::Array(several) => several.contains(&Type::Null),
        SchemaType::AnyValue => false,
    };
    match schema {
        RefOr::T(Schema::Object(object)) => has_null(&object.schema_type),
        RefOr::T(Schema::Array(array)) => has_null(&array.schema_type),
        RefOr::T(Schema::OneOf(forms)) => forms.items.iter().any(is_nullable),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    fn schema(name: &str) -> Value {
        serde_json::to_value(crate::routes::openapi()).unwrap()["components"]["schemas"][name].take()
    }

    fn is_required(schema: &Value, field: &str) -> bool {
        schema["required"].as_array().unwrap().contains(&json!(field))
    }

    #[test]
    fn an_answer_has_every_field_that_may_be_null() {
        for (name, field) in [
            ("ReleaseView", "artist"),
            ("ReleaseView", "description"),
            ("Page_ReleaseView", "next_cursor"),
            ("SessionView", "user"),
            ("UserMetadata", "full_name"),
        ] {
            assert!(is_required(&schema(name), field), "{field} of {name} is optional");
        }
    }

    #[test]
    fn what_an_answer_leaves_out_is_optional_and_never_null() {
        for (name, field, kind) in [
            ("SessionView", "access_token", "string"),
            ("MfaAnswer", "recovery_codes", "array"),
            ("ContactAnswer", "fields", "object"),
            ("Problem", "retry_after", "integer"),
        ] {
            let schema = schema(name);
            assert!(!is_required(&schema, field), "{field} of {name} is required");
            assert_eq!(schema["properties"][field]["type"], kind, "{field} of {name}");
        }
    }

    #[test]
    fn what_is_sent_here_may_leave_out_what_it_could() {
        assert_eq!(schema("ReleaseBody")["required"], json!(["title", "release_date"]));
        let sign_up = schema("SignUpBody");
        assert!(!is_required(&sign_up, "data") && is_required(&sign_up, "email"));
        assert!(schema("SignUpData")["required"].is_null(), "a part of a body is a body");
    }

    #[test]
    fn every_list_says_where_its_next_page_is() {
        let document = serde_json::to_value(crate::routes::openapi()).unwrap();
        let lists = document["components"]["schemas"].as_object().unwrap().iter();
        let lists = lists.filter(|(_, schema)| schema["properties"]["items"]["type"] == "array");
        let names: Vec<&String> = lists
            .clone()
            .filter(|(_, schema)| !is_required(schema, "next_cursor"))
            .map(|(name, _)| name)
            .collect();
        assert_eq!((names, lists.count() > 20), (vec![], true));
    }
}
