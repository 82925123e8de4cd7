//! Tells systemd how the service is: started, alive, stopping (`sd_notify(3)`). Does nothing elsewhere.

use sd_notify::NotifyState;
use tokio_util::sync::CancellationToken;

/// Reports that the website is served, then twice within each watchdog interval that the runtime still works.
pub(super) async fn report(stop: CancellationToken) {
    notify(NotifyState::Ready);
    match sd_notify::watchdog_enabled() {
        Some(interval) => {
            let mut ticks = tokio::time::interval(interval / 2);
            while stop.run_until_cancelled(ticks.tick()).await.is_some() {
                notify(NotifyState::Watchdog);
            }
        }
        None => stop.cancelled().await,
    }
    notify(NotifyState::Stopping);
}

fn notify(state: NotifyState<'_>) {
    if let Err(error) = sd_notify::notify(&[state]) {
        tracing::warn!(cause = %error, "reporting to systemd");
    }
}
