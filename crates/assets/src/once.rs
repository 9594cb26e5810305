//! Values that are made once for each key, by the first thread that needs them.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Values that are made once for each key. The lock is not held while a value is made, so other keys do not wait.
#[derive(Debug)]
pub(crate) struct OncePerKey<K, V>(Mutex<HashMap<K, Arc<OnceLock<V>>>>);

impl<K, V> Default for OncePerKey<K, V> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<K: Eq + Hash, V: Clone> OncePerKey<K, V> {
    pub(crate) fn get_or_init<Q>(&self, key: &Q, make: impl FnOnce() -> V) -> V
    where
        K: Borrow<Q>,
        Q: Eq + Hash + ToOwned<Owned = K> + ?Sized,
    {
        let slot = {
            let mut slots = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            match slots.get(key) {
                Some(slot) => slot.clone(),
                None => slots.entry(key.to_owned()).or_default().clone(),
            }
        };
        slot.get_or_init(make).clone()
    }

    /// The value, if it has been made.
    pub(crate) fn get<Q>(&self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
        Q: Eq + Hash + ?Sized,
    {
        let slots = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        slots.get(key)?.get().cloned()
    }
}
