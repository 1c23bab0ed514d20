//! From a path to the file that declares what it names, through imports and re-exports.

use std::collections::BTreeSet;

use super::modules::{Module, ModuleId, ROOT};
use super::use_trees::Binding;

pub(super) struct Resolver<'a> {
    modules: &'a [Module],
}

/// What a path names within the crate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Target {
    Module(ModuleId),
    /// An item, by the module that declares it.
    Item(ModuleId),
}

/// The lookups that one resolution has done: imports may lead back to where they started.
type Visited = BTreeSet<(ModuleId, String, bool)>;

impl<'a> Resolver<'a> {
    pub(super) fn new(modules: &'a [Module]) -> Self {
        Self { modules }
    }

    /// The file that declares what `path` names in `module`; `None` for a module by itself, and for anything outside
    /// the crate.
    pub(super) fn declaring_file(&self, module: ModuleId, path: &[String]) -> Option<&'a str> {
        match self.resolve(module, path, &mut Visited::new())? {
            Target::Item(declaring) => Some(&self.modules[declaring].file),
            Target::Module(_) => None,
        }
    }

    /// The file of the module, or of the enum, whose content a glob import brings in.
    pub(super) fn glob_file(&self, module: ModuleId, path: &[String]) -> Option<&'a str> {
        let (Target::Item(id) | Target::Module(id)) = self.resolve(module, path, &mut Visited::new())?;
        Some(&self.modules[id].file)
    }

    fn resolve(&self, module: ModuleId, path: &[String], visited: &mut Visited) -> Option<Target> {
        let (first, mut rest) = path.split_first()?;
        let mut current = match first.as_str() {
            "crate" => ROOT,
            "self" => module,
            "super" => self.modules[module].parent?,
            name => match self.lookup(module, name, !rest.is_empty(), visited)? {
                Target::Module(id) => id,
                item @ Target::Item(_) => return Some(item),
            },
        };
        while let Some((name, after)) = rest.split_first() {
            rest = after;
            if name == "super" {
                current = self.modules[current].parent?;
                continue;
            }
            match self.lookup(current, name, !rest.is_empty(), visited) {
                Some(Target::Module(id)) => current = id,
                Some(item) => return Some(item),
                // A macro must have declared it.
                None => return Some(Target::Item(current)),
            }
        }
        Some(Target::Module(current))
    }

    /// What `name` means in a module. Where an item and a module share the name, the module is meant before `::`.
    fn lookup(&self, module: ModuleId, name: &str, is_prefix: bool, visited: &mut Visited) -> Option<Target> {
        if !visited.insert((module, name.to_owned(), is_prefix)) {
            return None;
        }
        let here = &self.modules[module];
        let mut found: Vec<Target> =
            here.items.contains(name).then_some(Target::Item(module)).into_iter().collect();
        found.extend(here.children.get(name).map(|child| Target::Module(*child)));
        for import in &here.imports {
            if matches!(&import.leaf.binding, Binding::Name(own) if own == name) {
                found.extend(self.resolve(module, &import.leaf.path, visited));
            }
        }
        let meant = found.iter().find(|target| matches!(target, Target::Module(_)) == is_prefix);
        if let Some(target) = meant.or(found.first()) {
            return Some(*target);
        }
        for import in here.imports.iter().filter(|import| import.leaf.binding == Binding::Glob) {
            if let Some(Target::Module(id)) = self.resolve(module, &import.leaf.path, visited)
                && let Some(target) = self.lookup(id, name, is_prefix, visited)
            {
                return Some(target);
            }
        }
        here.macro_words.contains(name).then_some(Target::Item(module))
    }
}
