use super::*;

const MODULE: &str = "let count = 0;
    export async function paint(address) {
        count++;
        if (address === '/loop') for (;;);
        if (address === '/throw') throw new Error('thrown');
        if (address === '/slow') for (const end = Date.now() + 200; Date.now() < end;);
        return address + count;
    }";

fn painter(change: impl FnOnce(&mut Bounds)) -> Painter {
    let mut bounds = Bounds {
        page: Duration::from_secs(5),
        patience: Duration::from_secs(10),
        burst: Duration::from_mins(1),
        ..Bounds::default()
    };
    change(&mut bounds);
    Painter::new(MODULE, bounds)
}

async fn paint(painter: &Painter, address: &str) -> Result<String, Skipped> {
    painter.paint(address, "{}", Priority::High).await
}

#[tokio::test]
async fn an_engine_is_made_once_and_let_go_when_idle() {
    let painter = painter(|bounds| bounds.idle = Duration::from_millis(200));
    assert_eq!(painter.engines(), 0);
    assert_eq!(paint(&painter, "/a").await.as_deref(), Ok("/a1"));
    assert_eq!(paint(&painter, "/b").await.as_deref(), Ok("/b2"));
    assert_eq!(painter.engines(), 1);
    let shared = &painter.handle.as_ref().unwrap().shared;
    while shared.state().has_thread {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert_eq!(paint(&painter, "/c").await.as_deref(), Ok("/c1"), "a new engine");
    assert_eq!(painter.engines(), 2);
}

#[tokio::test]
async fn nothing_is_painted_when_it_is_off() {
    let painter = Painter::off();
    assert_eq!(paint(&painter, "/a").await, Err(Skipped::Off));
    assert!(painter.has_leisure(), "it is not busy");
}

#[tokio::test]
async fn an_engine_is_replaced_when_it_was_ended_or_fails_again_and_again() {
    let painter = painter(|bounds| {
        bounds.page = Duration::from_millis(500);
        bounds.failures = 3;
    });
    assert_eq!(paint(&painter, "/a").await.as_deref(), Ok("/a1"));
    assert_eq!(paint(&painter, "/loop").await, Err(Skipped::Late));
    assert_eq!(paint(&painter, "/b").await.as_deref(), Ok("/b1"));
    for _ in 0..2 {
        assert!(
            matches!(paint(&painter, "/throw").await, Err(Skipped::Failed(why)) if why.contains("thrown"))
        );
    }
    assert_eq!(paint(&painter, "/c").await.as_deref(), Ok("/c4"), "two failures are not enough");
    for _ in 0..3 {
        assert!(paint(&painter, "/throw").await.is_err());
    }
    assert_eq!(paint(&painter, "/d").await.as_deref(), Ok("/d1"));
    assert_eq!(painter.engines(), 3);
}

#[tokio::test]
async fn no_caller_waits_longer_than_the_limit() {
    let painter = painter(|bounds| bounds.patience = Duration::from_millis(50));
    let started = Instant::now();
    assert_eq!(paint(&painter, "/slow").await, Err(Skipped::Late));
    assert!(started.elapsed() < Duration::from_millis(190));
    assert!(!painter.has_leisure());
}

#[tokio::test]
async fn a_page_that_nobody_waits_for_has_more_time() {
    let painter = painter(|bounds| {
        (bounds.page, bounds.patience) = (Duration::from_millis(100), Duration::from_millis(50));
        bounds.background = Duration::from_secs(5);
    });
    assert_eq!(paint(&painter, "/slow").await, Err(Skipped::Late));
    let later = painter.paint("/slow", "{}", Priority::Background).await;
    assert!(later.is_ok_and(|painted| painted.starts_with("/slow")));
}

#[tokio::test]
async fn more_than_may_wait_is_refused_at_once() {
    let painter = painter(|bounds| bounds.queue = 2);
    let all = (0..10).map(|_| paint(&painter, "/slow"));
    let mut all: Vec<_> = all.map(Box::pin).collect();
    let mut refused = 0;
    for one in &mut all {
        let asked = std::future::poll_fn(|context| std::task::Poll::Ready(one.as_mut().poll(context))).await;
        refused += u32::from(asked == std::task::Poll::Ready(Err(Skipped::Busy)));
    }
    assert!((7..=8).contains(&refused), "{refused}");
}

#[tokio::test]
async fn work_is_a_share_of_the_time() {
    let painter = painter(|bounds| {
        bounds.burst = Duration::from_millis(300);
        bounds.earned_in = 10;
    });
    assert!(painter.has_leisure());
    assert!(paint(&painter, "/slow").await.is_ok());
    assert!(!painter.has_leisure(), "less than half is left");
    assert!(paint(&painter, "/slow").await.is_ok());
    assert_eq!(paint(&painter, "/slow").await, Err(Skipped::Busy));
}

#[tokio::test]
async fn a_panic_ends_the_thread_and_not_the_painter() {
    let painter = painter(|bounds| bounds.idle = Duration::ZERO);
    let shared = Arc::clone(&painter.handle.as_ref().unwrap().shared);
    while shared.state().has_thread {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    shared.state().has_thread = true;
    let waiting = shared.ask("/a", "{}", Priority::High).unwrap();
    let ended = std::thread::spawn({
        let shared = Arc::clone(&shared);
        move || {
            let _on_panic = OnPanic(&shared);
            panic!("on purpose");
        }
    });
    assert!(ended.join().is_err());
    assert!(waiting.await.is_err(), "nobody is left waiting");
    assert_eq!(paint(&painter, "/b").await.as_deref(), Ok("/b1"));
}

#[tokio::test]
async fn the_thread_ends_with_its_painter() {
    let painter = painter(|_| {});
    paint(&painter, "/a").await.unwrap();
    let shared = Arc::downgrade(&painter.handle.as_ref().unwrap().shared);
    drop(painter);
    while shared.strong_count() > 0 {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

#[tokio::test]
async fn what_visitors_think_of_leaves_most_to_the_others() {
    let painter =
        painter(|bounds| (bounds.burst, bounds.earned_in) = (Duration::from_millis(300), 1_000_000));
    assert!(painter.paint("/slow", "{}", Priority::Low).await.is_ok());
    assert_eq!(painter.paint("/slow", "{}", Priority::Low).await, Err(Skipped::Busy));
    assert!(paint(&painter, "/a").await.is_ok());
}

#[tokio::test]
async fn what_visitors_think_of_lets_the_others_go_first() {
    let painter = painter(|_| {});
    let asked = || painter.paint("/slow", "{}", Priority::Low);
    let (.., own) = tokio::join!(asked(), asked(), asked(), paint(&painter, "/a"));
    assert!(matches!(own.as_deref(), Ok("/a1" | "/a2")), "{own:?}");
}
