//! Shared state that may move to another thread: what a build with the feature `send` uses.
//!
//! The types have the names and functions of their counterparts in `sync.rs`. A runtime is still used by one thread at a
//! time, so no lock is ever waited for.

#![allow(dead_code, unused_imports, reason = "a build without Lua shares nothing")]

use parking_lot::{Mutex, MutexGuard};

pub(crate) use std::sync::Arc as Shared;

/// What a runtime's parts must be able to do: move to another thread.
pub trait Portable: Send {}

impl<T: Send + ?Sized> Portable for T {}

/// A value that is copied in and out.
#[derive(Debug, Default)]
pub(crate) struct Cell<T>(Mutex<T>);

impl<T: Copy> Cell<T> {
    pub(crate) const fn new(value: T) -> Self {
        Self(Mutex::new(value))
    }

    pub(crate) fn get(&self) -> T {
        *self.0.lock()
    }

    pub(crate) fn set(&self, value: T) {
        *self.0.lock() = value;
    }

    pub(crate) fn replace(&self, value: T) -> T {
        std::mem::replace(&mut *self.0.lock(), value)
    }
}

/// A value that is borrowed; a second borrow at the same time is refused.
#[derive(Debug, Default)]
pub(crate) struct Lock<T>(Mutex<T>);

/// The value is borrowed already.
#[derive(Debug)]
pub(crate) struct Borrowed;

impl<T> Lock<T> {
    pub(crate) const fn new(value: T) -> Self {
        Self(Mutex::new(value))
    }

    pub(crate) fn borrow(&self) -> MutexGuard<'_, T> {
        self.0.lock()
    }

    pub(crate) fn borrow_mut(&self) -> MutexGuard<'_, T> {
        self.0.lock()
    }

    pub(crate) fn try_borrow_mut(&self) -> Result<MutexGuard<'_, T>, Borrowed> {
        self.0.try_lock().ok_or(Borrowed)
    }
}
