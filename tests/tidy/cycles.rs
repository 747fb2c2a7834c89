//! Import cycles between the files of one module, and between the folders in it: the strongly connected components of the graph of their imports (Tarjan, 1972).

use std::collections::{BTreeMap, BTreeSet};

use crate::names::names;
use crate::{is_for_tests, module_of};

type Module = Vec<String>;
type Imports = BTreeMap<Module, BTreeSet<Module>>;

/// Returns one line for every group of files in the module `top` that import each other in a circle, and for every such group of
/// files and folders that are next to each other. A `mod.rs` counts as
/// importing what it re-exports.
pub(crate) fn cycles(top: &str, sources: &[(String, String)]) -> Vec<String> {
    let files: BTreeMap<Module, &str> = sources
        .iter()
        .filter(|(file, _)| module_of(file).first() == Some(&top) && !is_for_tests(file))
        .map(|(file, source)| (owned(&module_of(file)), source.as_str()))
        .collect();
    let imports: Imports = files
        .iter()
        .map(|(module, source)| (module.clone(), imports(module, source, &files)))
        .collect();
    let mut found = circles(&imports);
    for folder in folders(&files) {
        found.extend(circles(&between(&imports, &folder)));
    }
    found.dedup();
    found
}

/// Returns one line for every group of modules that import each other in a circle.
fn circles(imports: &Imports) -> Vec<String> {
    let mut search = Search {
        imports,
        order: BTreeMap::new(),
        low: BTreeMap::new(),
        stack: Vec::new(),
        groups: Vec::new(),
    };
    for module in imports.keys() {
        if !search.order.contains_key(module) {
            search.visit(module);
        }
    }
    let cyclic = search.groups.into_iter().filter(|group| group.len() > 1);
    cyclic
        .map(|group| {
            let names: Vec<String> = group.iter().map(|module| module.join("::")).collect();
            format!("import cycle: {}", names.join(", "))
        })
        .collect()
}

/// Returns the modules that have others below them.
fn folders(files: &BTreeMap<Module, &str>) -> BTreeSet<Module> {
    let above = files
        .keys()
        .flat_map(|module| (1..module.len()).map(|length| module[..length].to_vec()));
    above.collect()
}

/// Returns the imports between the files and folders of one folder. Its own `mod.rs` is not among them.
fn between(imports: &Imports, folder: &Module) -> Imports {
    let child = |module: &Module| -> Option<Module> {
        let is_below = module.len() > folder.len() && module.starts_with(folder);
        is_below.then(|| module[..=folder.len()].to_vec())
    };
    let mut between = Imports::new();
    for (module, imported) in imports {
        let Some(own) = child(module) else { continue };
        let others = imported.iter().filter_map(child);
        let others: Vec<Module> = others.filter(|other| *other != own).collect();
        between.entry(own).or_default().extend(others);
    }
    between
}

fn owned(module: &[&str]) -> Module {
    module.iter().map(|&part| part.to_owned()).collect()
}

/// Returns the files that a file imports, found by the longest part of each path that is a file.
fn imports(module: &Module, source: &str, files: &BTreeMap<Module, &str>) -> BTreeSet<Module> {
    let parts: Vec<&str> = module.iter().map(String::as_str).collect();
    let mut found = BTreeSet::new();
    // A visibility names a module but imports nothing from it.
    let source = source.replace("(in crate::", "(in ");
    for name in names(&parts, &source) {
        let path = match name.path.split_first() {
            Some((first, rest)) if first == "crate" => rest.to_vec(),
            // A path that begins with a child module.
            Some(_) => [module.clone(), name.path].concat(),
            None => continue,
        };
        let longest = (1..=path.len())
            .rev()
            .find_map(|length| files.get_key_value(&path[..length]));
        if let Some((import, _)) = longest.filter(|(import, _)| *import != module) {
            found.insert(import.clone());
        }
    }
    found
}

struct Search<'a> {
    imports: &'a Imports,
    order: BTreeMap<&'a Module, usize>,
    low: BTreeMap<&'a Module, usize>,
    stack: Vec<&'a Module>,
    groups: Vec<Vec<&'a Module>>,
}

impl<'a> Search<'a> {
    fn visit(&mut self, module: &'a Module) {
        let number = self.order.len();
        self.order.insert(module, number);
        self.low.insert(module, number);
        self.stack.push(module);
        for import in &self.imports[module] {
            if !self.order.contains_key(import) {
                self.visit(import);
                let low = self.low[import].min(self.low[module]);
                self.low.insert(module, low);
            } else if self.stack.contains(&import) {
                let low = self.order[import].min(self.low[module]);
                self.low.insert(module, low);
            }
        }
        if self.low[module] == number {
            let at = self.stack.iter().rposition(|&other| other == module);
            let group = self.stack.split_off(at.unwrap_or(0));
            self.groups.push(group);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::cycles;

    #[track_caller]
    fn check(files: &[(&str, &str)], expected: &[&str]) {
        let sources: Vec<(String, String)> = files
            .iter()
            .map(|(file, source)| ((*file).to_owned(), (*source).to_owned()))
            .collect();
        assert_eq!(cycles("a", &sources), expected);
    }

    #[test]
    fn a_circle_of_imports_is_named() {
        check(&[("a/b.rs", "use super::c::X;"), ("a/c.rs", "")], &[]);
        check(
            &[
                ("a/b.rs", "use super::c::X;"),
                ("a/c.rs", "fn f() { crate::a::b::g() }"),
            ],
            &["import cycle: a::b, a::c"],
        );
        check(
            &[
                ("a/mod.rs", "mod b;\npub use b::X;\npub struct Y;"),
                ("a/b.rs", "use super::Y;"),
            ],
            &["import cycle: a, a::b"],
        );
        check(
            &[
                ("a/b/c.rs", "use crate::a::d::e::X;"),
                ("a/b/f.rs", ""),
                ("a/d/e.rs", ""),
                ("a/d/g.rs", "use crate::a::b::f::X;"),
            ],
            &["import cycle: a::b, a::d"],
        );
    }
}
