//! The OpenAPI document: what the routes say of themselves, and what holds for all that take a body.

use utoipa::openapi::{
    Content, OpenApi, RefOr, Response,
    path::{Operation, PathItem},
    schema::Ref,
};

/// Refusals of a JSON body before any handler sees it.
const OF_A_BODY: [(&str, &str); 4] = [
    ("400", "The body is not JSON"),
    ("413", "The body is too large"),
    ("415", "The body is of another type"),
    ("422", "The body has another form, or breaks a rule"),
];

/// Refusals of whoever is no admin, before anything is looked up.
const OF_A_RIGHT: [(&str, &str); 2] =
    [("401", "No session"), ("403", "Not an admin, or first the second factor")];
/// Where they hold.
const FOR_ADMINS: &str = "/api/admin/";

/// Refusal of a body where none is taken.
const OF_NO_BODY: [(&str, &str); 1] = [("415", "The body is of a type that nothing here takes")];

const PROBLEM_JSON: &str = "application/problem+json";

/// Adds the refusals that all admin operations and all changing operations share, where they do not describe them themselves;
/// and what a refusal is answered with, where an operation says no more of it than its status. An answer to HEAD has no body.
pub fn complete(document: &mut OpenApi) {
    for (path, item) in &mut document.paths.paths {
        for response in all(item).flat_map(|operation| operation.responses.responses.iter_mut()) {
            if let (status, RefOr::T(response)) = response
                && status.starts_with(['4', '5'])
                && response.content.is_empty()
            {
                response.content.insert(PROBLEM_JSON.to_owned(), RefOr::T(problem()));
            }
        }
        if path.starts_with(FOR_ADMINS) {
            for operation in all(item) {
                add(operation, &OF_A_RIGHT);
            }
        }
        for operation in writes(item) {
            let takes_json = operation.request_body.as_ref().is_some_and(
                |body| matches!(body, RefOr::T(body) if body.content.contains_key("application/json")),
            );
            let refusals = if takes_json { &OF_A_BODY[..] } else { &OF_NO_BODY[..] };
            add(operation, refusals);
        }
    }
}

fn add(operation: &mut Operation, refusals: &[(&str, &str)]) {
    for (status, description) in refusals {
        let of_operation = &mut operation.responses.responses;
        of_operation.entry((*status).to_owned()).or_insert_with(|| refusal(description));
    }
}

fn all(item: &mut PathItem) -> impl Iterator<Item = &mut Operation> {
    [&mut item.get, &mut item.post, &mut item.put, &mut item.patch, &mut item.delete].into_iter().flatten()
}

fn writes(item: &mut PathItem) -> impl Iterator<Item = &mut Operation> {
    [&mut item.post, &mut item.put, &mut item.patch, &mut item.delete].into_iter().flatten()
}

fn refusal(description: &str) -> RefOr<Response> {
    let mut response = Response::new(description);
    response.content.insert(PROBLEM_JSON.to_owned(), RefOr::T(problem()));
    RefOr::T(response)
}

fn problem() -> Content {
    Content::new(Some(Ref::from_schema_name("Problem")))
}
