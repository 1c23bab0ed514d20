//! A fixed number of things that one caller at a time may use.

use std::ops::{Deref, DerefMut};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Lends out its items; who comes when all are out waits.
#[derive(Debug)]
pub(super) struct SessionPool<T> {
    free: Mutex<Vec<T>>,
    returned: Condvar,
}

impl<T> SessionPool<T> {
    pub(super) fn new(items: Vec<T>) -> Self {
        Self { free: Mutex::new(items), returned: Condvar::new() }
    }

    /// Waits for an item. It comes back when the answer is dropped, after a panic as well.
    pub(super) fn take(&self) -> PoolGuard<'_, T> {
        let mut free = self.lock();
        loop {
            if let Some(item) = free.pop() {
                return PoolGuard { pool: self, item: Some(item) };
            }
            free = self.returned.wait(free).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// An item, unless all are out.
    pub(super) fn try_take(&self) -> Option<PoolGuard<'_, T>> {
        let item = self.lock().pop()?;
        Some(PoolGuard { pool: self, item: Some(item) })
    }

    /// All items that nobody uses now.
    pub(super) fn take_free(&self) -> Vec<PoolGuard<'_, T>> {
        let free = std::mem::take(&mut *self.lock());
        free.into_iter().map(|item| PoolGuard { pool: self, item: Some(item) }).collect()
    }

    /// Nothing panics while it holds the lock, and a list of items is whole at every moment.
    fn lock(&self) -> MutexGuard<'_, Vec<T>> {
        self.free.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Exclusive use of an item; gives it back when dropped.
pub(super) struct PoolGuard<'a, T> {
    pool: &'a SessionPool<T>,
    /// There until the drop.
    item: Option<T>,
}

impl<T> Deref for PoolGuard<'_, T> {
    type Target = T;

    #[allow(clippy::expect_used, reason = "taken by the drop alone")]
    fn deref(&self) -> &T {
        self.item.as_ref().expect("a guard holds its item until it is dropped")
    }
}

impl<T> DerefMut for PoolGuard<'_, T> {
    #[allow(clippy::expect_used, reason = "taken by the drop alone")]
    fn deref_mut(&mut self) -> &mut T {
        self.item.as_mut().expect("a guard holds its item until it is dropped")
    }
}

impl<T> Drop for PoolGuard<'_, T> {
    fn drop(&mut self) {
        self.pool.lock().extend(self.item.take());
        self.pool.returned.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn no_more_callers_than_items_run_at_once() {
        let (pool, running) = (SessionPool::new(vec![(), ()]), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let _session = pool.take();
                    assert!(running.fetch_add(1, Ordering::SeqCst) < 2);
                    std::thread::yield_now();
                    running.fetch_sub(1, Ordering::SeqCst);
                });
            }
        });
    }

    #[test]
    fn what_is_free_is_taken_and_comes_back() {
        let pool = SessionPool::new(vec![1, 2, 3]);
        let used = pool.take();
        assert_eq!(pool.take_free().iter().map(|item| **item).collect::<Vec<_>>(), [1, 2]);
        assert_eq!(pool.take_free().len(), 2);
        drop(used);
        assert_eq!(pool.take_free().len(), 3);
    }

    #[test]
    fn a_panic_gives_the_item_back() {
        let pool = SessionPool::new(vec![7]);
        std::thread::scope(|scope| {
            let fails = scope.spawn(|| {
                let _session = pool.take();
                panic!("on purpose");
            });
            assert!(fails.join().is_err());
        });
        assert_eq!(*pool.take(), 7);
    }
}
