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

/// Adds the refusals that every operation with a JSON body shares, where it does not describe them itself.
pub fn complete(document: &mut OpenApi) {
    for item in document.paths.paths.values_mut() {
        for operation in operations(item) {
            let takes_json = operation.request_body.as_ref().is_some_and(
                |body| matches!(body, RefOr::T(body) if body.content.contains_key("application/json")),
            );
            if takes_json {
                for (status, description) in OF_A_BODY {
                    let of_operation = &mut operation.responses.responses;
                    of_operation.entry(status.to_owned()).or_insert_with(|| refusal(description));
                }
            }
        }
    }
}

fn operations(item: &mut PathItem) -> impl Iterator<Item = &mut Operation> {
    [&mut item.get, &mut item.post, &mut item.put, &mut item.patch, &mut item.delete].into_iter().flatten()
}

fn refusal(description: &str) -> RefOr<Response> {
    let mut response = Response::new(description);
    let problem = Content::new(Some(Ref::from_schema_name("Problem")));
    response.content.insert("application/problem+json".to_owned(), RefOr::T(problem));
    RefOr::T(response)
}
