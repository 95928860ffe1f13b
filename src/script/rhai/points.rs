//! Named points of actors.

use std::rc::Rc;

use rhai::{Dynamic, Engine as Rhai};

use super::{
    bindings::{given, method, with},
    budget::Shared,
    fields::place,
    problem::text,
};
use crate::{
    natives::{Engine, access::text_argument},
    world::Transform,
};

pub(super) fn register(engine: &mut Rhai, shared: &Rc<Shared>) {
    method(engine, shared, "attachment", 1, |shared, context, key, values| {
        let name = given(values, 0);
        let find = |engine: &mut Engine| {
            let name = text_argument("attachment", 1, "name", name.given())?;
            engine.attachment(key, name)
        };
        with(shared, context, find).map(transform)
    });
    method(engine, shared, "attachments", 0, |shared, context, key, _| {
        let names = |engine: &mut Engine| {
            let names = engine.attachments(key)?;
            Ok(names.into_iter().map(|name| text(name.to_owned())).collect::<Vec<_>>())
        };
        let names = with(shared, context, names)?;
        shared.charge(names.len() as u64 / 16)?;
        Ok(Dynamic::from_array(names))
    });
    method(engine, shared, "emit", 2, |shared, context, key, values| {
        let (point, effect) = (given(values, 0), given(values, 1));
        let emit = |engine: &mut Engine| {
            let point = text_argument("emit", 1, "point", point.given())?;
            let effect = text_argument("emit", 2, "effect", effect.given())?;
            engine.emit(key, point, effect)
        };
        with(shared, context, emit).map(|()| Dynamic::UNIT)
    });
}

fn transform(Transform { position, matrix }: Transform) -> Dynamic {
    let position = place(position.map(|component| Dynamic::from_float(component.into())));
    let matrix = matrix.0.into_iter().map(|component| Dynamic::from_float(component.into())).collect();
    let names = ["position", "matrix"].map(Into::into);
    Dynamic::from_map(names.into_iter().zip([position, Dynamic::from_array(matrix)]).collect())
}
