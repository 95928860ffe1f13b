//! `import`: modules beneath the script's folder, each compiled and run once for each script.

use std::{
    cell::{Cell, RefCell},
    collections::HashMap,
    rc::Rc,
};

use rhai::{AST, EvalAltResult, Module, ModuleResolver, Position, Scope, Shared as Counted};

use super::{
    budget::{Request, Shared},
    problem::fail_at,
};
use crate::{defs::ModuleSource, script::modules::module_text};

/// The modules of one script.
#[derive(Default)]
pub(super) struct Modules {
    source: ModuleSource,
    /// Looked up by name only, never walked.
    loaded: RefCell<HashMap<String, Counted<Module>>>,
    /// Names whose bodies run now.
    loading: RefCell<Vec<String>>,
    /// What the front end answered to [`Request::Module`].
    answer: Cell<Option<Result<AST, String>>>,
}

impl Modules {
    pub(super) fn new(source: ModuleSource) -> Self {
        Self { source, ..Self::default() }
    }

    /// Compiles the module of a name and leaves it for the script that waits for it.
    pub(super) fn compile(&self, engine: &rhai::Engine, name: &str) {
        let answer = module_text(&self.source, name, "rhai").and_then(|text| {
            let mut ast = engine.compile(text).map_err(|error| error.to_string())?;
            ast.set_source(format!("{name}.rhai"));
            Ok(ast)
        });
        self.answer.set(Some(answer));
    }
}

/// What Rhai asks for modules.
pub(super) struct Resolver(pub(super) Rc<Shared>);

impl ModuleResolver for Resolver {
    fn resolve(
        &self,
        engine: &rhai::Engine,
        source: Option<&str>,
        path: &str,
        position: Position,
    ) -> Result<Counted<Module>, Box<EvalAltResult>> {
        let modules = Rc::clone(&self.0.modules.borrow());
        if let Some(module) = modules.loaded.borrow().get(path) {
            return Ok(Rc::clone(module));
        }
        let fail = |reason: String| fail_at(source, position, &reason);
        if modules.loading.borrow().iter().any(|name| name == path) {
            return Err(fail(format!("import: module {path} imports itself")));
        }
        self.0.with(|engine| engine.note_module(&modules.source, path, "rhai"))?;
        self.0.wait(Request::Module(path.to_owned()))?;
        let answer = modules.answer.take().unwrap_or_else(|| Err("no answer".to_owned()));
        let ast = answer.map_err(|reason| fail(format!("import: {path:?}: {reason}")))?;
        modules.loading.borrow_mut().push(path.to_owned());
        let made = Module::eval_ast_as_new(Scope::new(), &ast, engine);
        modules.loading.borrow_mut().retain(|name| name != path);
        let mut module = made?;
        module.build_index();
        let module: Counted<Module> = module.into();
        modules.loaded.borrow_mut().insert(path.to_owned(), Rc::clone(&module));
        Ok(module)
    }
}
