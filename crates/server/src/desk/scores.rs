//! Scores and tags. Each admin scores for themselves, and is told what the others think once their own score stands.

use axum::Json;
use deadwax_http::{
    error::{AppError, AppResult},
    extract::{ApiJson, PathId},
};
use deadwax_store::statements;
use rules::demo_desk;
use serde::Deserialize;
use utoipa::ToSchema;

use super::{
    states,
    view::{self, DeskDemo},
};
use crate::{accounts::rows, app::AppState, auth::guard::Admin, caller::Caller, edits};

statements! {
    SCORE = "INSERT INTO demo_scores (demo_id, user_id, score, scored_at) VALUES ($1, $2, $3, $4) \
        ON CONFLICT (demo_id, user_id) DO UPDATE SET score = excluded.score, scored_at = excluded.scored_at \
        WHERE demo_scores.score <> excluded.score";
    UNSCORE = "DELETE FROM demo_scores WHERE demo_id = $1 AND user_id = $2";
    TAGS = "SELECT tag FROM demo_tags WHERE demo_id = $1 ORDER BY tag";
    TAG = "INSERT INTO demo_tags (demo_id, tag) VALUES ($1, $2) ON CONFLICT (demo_id, tag) DO NOTHING";
    UNTAG = "DELETE FROM demo_tags WHERE demo_id = $1 AND tag = $2";
}

/// What somebody thinks of a demo.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ScoreBody {
    /// 1 to 5; null takes it back.
    #[schema(minimum = 1, maximum = 5)]
    score: Option<i64>,
}

/// All tags of a demo.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TagsBody {
    /// At most 20, of 1 to 30 characters each.
    #[schema(max_items = 20)]
    tags: Vec<String>,
    /// The tags that `tags` was made of. What somebody else has put on or taken off since stays so; left out, nothing does.
    #[schema(max_items = 20)]
    was: Option<Vec<String>>,
}

/// `tags`, but for what differs between `was` and `present`: that is somebody else's change.
fn merged(tags: Vec<String>, was: &[String], present: &[String]) -> Vec<String> {
    let others_put_on = present.iter().filter(|tag| !was.contains(tag)).cloned();
    let mut merged: Vec<String> = tags
        .into_iter()
        .filter(|tag| present.contains(tag) || !was.contains(tag))
        .chain(others_put_on)
        .collect();
    merged.sort_unstable();
    merged.dedup();
    merged
}

/// Says what the admin who asks thinks of a demo, or takes it back. One that nobody had heard is heard by it.
#[utoipa::path(put, path = "/api/admin/desk/demos/{id}/score", tag = "admin", request_body = ScoreBody,
    params(("id" = Uuid, Path, description = "The demo's id")), responses(
    (status = 200, description = "The demo as it is now", body = DeskDemo),
    (status = 404, description = "There is no such demo"),
))]
pub async fn score_demo(
    app: AppState,
    Admin(me): Admin,
    caller: Caller,
    PathId(id): PathId,
    ApiJson(body): ApiJson<ScoreBody>,
) -> AppResult<Json<DeskDemo>> {
    let score = body.score.map(demo_desk::score).transpose();
    let score = score.map_err(|error| AppError::invalid("score", error))?;
    let now = app.clock.now();
    let mut tx = app.db.begin().await?;
    rows::lock_own(&mut tx, me.user_id).await?;
    // Of two who judge at once, the second finds it heard.
    view::lock(&mut tx, id).await?;
    let changed = match score {
        Some(score) => tx.query(SCORE).bind(id).bind(me.user_id).bind(score).bind(now),
        None => tx.query(UNSCORE).bind(id).bind(me.user_id),
    };
    let changed = changed.execute().await? > 0;
    if changed {
        edits::note(&mut tx, &me, &caller, "data_update", &format!("demo_score:{id}"), now).await?;
    }
    let is_heard = score.is_some() && states::hear(&mut tx, &me, &caller, id, now).await?;
    let demo = view::find(&mut tx, me.user_id, id).await?;
    if changed || is_heard {
        tx.commit().await?;
    }
    Ok(Json(demo))
}

/// Sets the tags of a demo; blanks are made one and letters small, and each counts once. With `was` it changes what differs from that
/// alone, so that two who tag at once lose nothing.
#[utoipa::path(put, path = "/api/admin/desk/demos/{id}/tags", tag = "admin", request_body = TagsBody,
    params(("id" = Uuid, Path, description = "The demo's id")), responses(
    (status = 200, description = "The demo as it is now", body = DeskDemo),
    (status = 404, description = "There is no such demo"),
))]
pub async fn tag_demo(
    app: AppState,
    Admin(me): Admin,
    caller: Caller,
    PathId(id): PathId,
    ApiJson(body): ApiJson<TagsBody>,
) -> AppResult<Json<DeskDemo>> {
    let tags = demo_desk::tags(&body.tags).map_err(|error| AppError::invalid("tags", error))?;
    let was = body.was.as_deref().map(demo_desk::tags).transpose();
    let was = was.map_err(|error| AppError::invalid("was", error))?;
    let now = app.clock.now();
    let mut tx = app.db.begin().await?;
    // Of two who tag at once, the second sees what the first left.
    view::lock(&mut tx, id).await?;
    let present: Vec<String> =
        tx.query(TAGS).bind(id).all::<(String,)>().await?.into_iter().map(|(tag,)| tag).collect();
    let tags = match was {
        Some(was) => {
            // Those of an older version may not be composed.
            let seen = demo_desk::tags(&present).unwrap_or_else(|_| present.clone());
            demo_desk::tags(&merged(tags, &was, &seen)).map_err(|error| AppError::invalid("tags", error))?
        }
        None => tags,
    };
    for tag in present.iter().filter(|tag| !tags.contains(tag)) {
        tx.query(UNTAG).bind(id).bind(tag).execute().await?;
    }
    for tag in tags.iter().filter(|tag| !present.contains(tag)) {
        tx.query(TAG).bind(id).bind(tag).execute().await?;
    }
    let changed = tags != present;
    if changed {
        edits::note(&mut tx, &me, &caller, "data_update", &format!("demo:{id}"), now).await?;
    }
    let demo = view::find(&mut tx, me.user_id, id).await?;
    if changed {
        tx.commit().await?;
    }
    Ok(Json(demo))
}
