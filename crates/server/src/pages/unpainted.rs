//! Pages that were served without their text, until the engine has time for them.

use std::{
    collections::BTreeSet,
    sync::{Mutex, PoisonError},
};

use tokio::sync::Notify;

use super::address::PageAddress;

/// More than the response cache keeps of pages; one more stays as it is until its next change.
const MOST: usize = 256;

#[derive(Debug, Default)]
pub struct Unpainted {
    waiting: Mutex<BTreeSet<PageAddress>>,
    added: Notify,
}

impl Unpainted {
    /// Adds a page, if there is room; parts of lists leave half of it to the others.
    pub fn add(&self, page: PageAddress) {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        if waiting.len() < if page.is_part() { MOST / 2 } else { MOST } {
            waiting.insert(page);
            self.added.notify_one();
        }
    }

    /// Takes a page, parts of lists last; waits if the queue is empty. For one caller at a time.
    pub async fn next(&self) -> PageAddress {
        loop {
            match self.take() {
                Some(page) => return page,
                None => self.added.notified().await,
            }
        }
    }

    fn take(&self) -> Option<PageAddress> {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        let whole = waiting.iter().find(|page| !page.is_part()).cloned();
        match whole {
            Some(page) => waiting.take(&page),
            None => waiting.pop_first(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_page_waits_once_and_not_without_bound() {
        let unpainted = Unpainted::default();
        for _ in 0..3 {
            unpainted.add(PageAddress::Home);
        }
        for number in 0..1000 {
            unpainted.add(PageAddress::Releases(Some(number.to_string())));
        }
        unpainted.add(PageAddress::Artists(None));
        assert_eq!(unpainted.next().await, PageAddress::Home);
        assert_eq!(unpainted.next().await, PageAddress::Artists(None), "before what a visitor thought of");
        for _ in 1..MOST / 2 {
            unpainted.next().await;
        }
        let wait = std::time::Duration::from_millis(20);
        assert!(tokio::time::timeout(wait, unpainted.next()).await.is_err());
    }
}
