//! Shared state of one thread: what a build without the feature `send` uses.

#![allow(unused_imports, reason = "a build without Lua shares nothing")]

pub(crate) use std::{
    cell::{Cell, RefCell as Lock},
    rc::Rc as Shared,
};

/// What a runtime's parts must be able to do: here nothing; with the feature `send`, move to another thread.
pub trait Portable {}

impl<T: ?Sized> Portable for T {}
