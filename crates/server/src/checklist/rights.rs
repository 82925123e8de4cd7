//! Whether the server enforces rights: calls every operation of the back office without a session, which must be refused before anything
//! is looked up.

use std::sync::OnceLock;

use axum::{Router, body::Body};
use deadwax_http::error::AppResult;
use http::{Method, Request, StatusCode};
use tower::ServiceExt as _;
use utoipa_axum::router::OpenApiRouter;

use super::{Finding, Status, counted, people};
use crate::app::AppState;

/// Makes every documented route without layers. Handed over as a request extension, as this file is itself one of the routes.
#[derive(Clone, Copy, Debug)]
pub struct AllRoutes(pub fn() -> OpenApiRouter<AppState>);

impl AllRoutes {
    pub(crate) fn split(self) -> (Router<AppState>, Vec<Operation>) {
        let (router, document) = (self.0)().split_for_parts();
        (router, operations(&document))
    }
}

static ROUTES: OnceLock<(Router<AppState>, Vec<Operation>)> = OnceLock::new();

const PREFIX: &str = "/api/admin/";

pub(crate) type Operation = (Method, String);

fn operations(document: &utoipa::openapi::OpenApi) -> Vec<Operation> {
    let of_the_back_office = document.paths.paths.iter().filter(|(path, _)| path.starts_with(PREFIX));
    let operations = of_the_back_office.flat_map(|(path, item)| {
        let path = filled(path);
        [
            (&item.get, Method::GET),
            (&item.post, Method::POST),
            (&item.put, Method::PUT),
            (&item.patch, Method::PATCH),
            (&item.delete, Method::DELETE),
        ]
        .into_iter()
        .filter_map(move |(operation, method)| operation.as_ref().map(|_| (method, path.clone())))
    });
    operations.collect()
}

fn filled(path: &str) -> String {
    let parts = path.split('/').map(|part| if part.starts_with('{') { "nothing" } else { part });
    parts.collect::<Vec<_>>().join("/")
}

pub(super) async fn authorisation(app: &AppState, all: AllRoutes) -> AppResult<Finding> {
    let (router, operations) = ROUTES.get_or_init(|| all.split());
    let open = not_refused(&router.clone().with_state(app.clone()), operations).await;
    let admins = people::active_admins(&app.db).await?;
    Ok(judge(operations.len(), &open, admins.active))
}

async fn not_refused(router: &Router, operations: &[Operation]) -> Vec<String> {
    let mut open = Vec::new();
    for (method, path) in operations {
        let mut request = Request::new(Body::empty());
        *request.method_mut() = method.clone();
        *request.uri_mut() = path.parse().unwrap_or_default();
        let Ok(answer) = router.clone().oneshot(request).await;
        if answer.status() != StatusCode::UNAUTHORIZED {
            open.push(format!("{method} {path}"));
        }
    }
    open
}

fn judge(asked: usize, open: &[String], admins: i64) -> Finding {
    let refused = format!(
        "{} of {} refused a call without a session just now.",
        asked - open.len(),
        counted(asked as u64, "operation")
    );
    let mut parts = vec![(Status::Fail.when(asked == 0 || !open.is_empty()), refused)];
    if !open.is_empty() {
        parts.push((Status::Fail, format!("Open to strangers: {}.", open.join(", "))));
    }
    parts.push((Status::Pass, format!("{} may call them.", counted(admins, "active admin"))));
    Finding::of(parts)
}

#[cfg(test)]
mod tests {
    use axum::routing::{get, post};

    use super::*;

    #[tokio::test]
    async fn an_operation_that_answers_strangers_is_named() {
        let router = Router::new()
            .route("/api/admin/a", get(async || StatusCode::UNAUTHORIZED).post(async || StatusCode::OK))
            .route("/api/admin/b/{id}", post(async || StatusCode::NOT_FOUND));
        let operations = [(Method::GET, "a"), (Method::POST, "a"), (Method::POST, "b/nothing")]
            .map(|(method, path)| (method, format!("{PREFIX}{path}")));
        let open = not_refused(&router, &operations).await;
        assert_eq!(open, ["POST /api/admin/a", "POST /api/admin/b/nothing"]);
        let found = judge(operations.len(), &open, 2);
        assert_eq!(found.status, Status::Fail);
        assert_eq!(
            found.details,
            "1 of 3 operations refused a call without a session just now. Open to strangers: POST /api/admin/a, POST \
             /api/admin/b/nothing. 2 active admins may call them."
        );
        assert_eq!(judge(3, &[], 1).status, Status::Pass);
        assert_eq!(judge(0, &[], 1).status, Status::Fail, "nothing was asked");
    }
}
