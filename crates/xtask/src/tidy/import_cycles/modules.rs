//! The modules of one target and the names that each uses, read from the tokens of its files.
//!
//! Code that is compiled for tests alone (`#[cfg(test)]`) is left out.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};

use super::tokens::{
    attribute, begins_with_colons, foreign_path_length, is_declaration, is_for_tests, is_group, is_mark,
    item_length, path_of, plain, words,
};
use super::use_trees::{self, Leaf};

/// An index into the modules of a target.
pub(super) type ModuleId = usize;

/// The crate root is read first.
pub(super) const ROOT: ModuleId = 0;

#[derive(Debug, Default)]
pub(super) struct Module {
    /// The file it is written in, relative to the repository's root.
    pub(super) file: String,
    pub(super) parent: Option<ModuleId>,
    pub(super) children: BTreeMap<String, ModuleId>,
    /// Types, functions, traits, constants and macros declared here.
    pub(super) items: BTreeSet<String>,
    /// Words in the macros invoked here: a macro may declare an item of such a name.
    pub(super) macro_words: BTreeSet<String>,
    pub(super) imports: Vec<Import>,
    pub(super) mentions: Vec<Mention>,
}

/// One name of a `use` declaration.
#[derive(Debug)]
pub(super) struct Import {
    pub(super) leaf: Leaf,
    /// Whether it is a re-export: `pub use`, restricted or not.
    pub(super) is_public: bool,
}

/// A path in code.
#[derive(Debug)]
pub(super) struct Mention {
    pub(super) path: Vec<String>,
    pub(super) line: usize,
}

/// Reads the modules of the target with the root file `root`; `sources` maps paths to texts.
///
/// # Errors
/// Names the file that cannot be tokenized, or the module without a file.
pub(super) fn read(root: &str, sources: &BTreeMap<&str, &str>) -> Result<Vec<Module>, String> {
    let mut reader = Reader { sources, modules: Vec::new() };
    reader.file(root, folder_of(root), None)?;
    Ok(reader.modules)
}

struct Reader<'a> {
    sources: &'a BTreeMap<&'a str, &'a str>,
    modules: Vec<Module>,
}

/// Where tokens are: declarations in function bodies and the like are local.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Level {
    Module,
    Local,
}

impl Reader<'_> {
    /// Reads a file as a module; `folder` is where the files of its children are.
    fn file(&mut self, file: &str, folder: PathBuf, parent: Option<ModuleId>) -> Result<ModuleId, String> {
        let text = self.sources.get(file).ok_or_else(|| format!("{file} does not exist"))?;
        let tokens: TokenStream = text.parse().map_err(|error| format!("{file}: {error}"))?;
        let module = self.add(file, parent);
        self.tokens(tokens, module, &folder, Level::Module)?;
        Ok(module)
    }

    fn add(&mut self, file: &str, parent: Option<ModuleId>) -> ModuleId {
        self.modules.push(Module { file: file.to_owned(), parent, ..Module::default() });
        self.modules.len() - 1
    }

    fn tokens(
        &mut self,
        tokens: TokenStream,
        module: ModuleId,
        folder: &Path,
        level: Level,
    ) -> Result<(), String> {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut index = 0;
        let mut is_public = false;
        let mut path_attribute = None;
        while let Some(token) = tokens.get(index) {
            let rest = &tokens[index..];
            if let Some((attribute, length)) = attribute(rest) {
                index += length;
                if is_for_tests(attribute) {
                    index += item_length(&tokens[index..]);
                } else {
                    path_attribute = path_of(attribute).or(path_attribute);
                    self.tokens(attribute.stream(), module, folder, Level::Local)?;
                }
                continue;
            }
            index += match (token, rest.get(1)) {
                (TokenTree::Ident(keyword), next) if keyword == "pub" => {
                    is_public = true;
                    1 + usize::from(is_group(next, Delimiter::Parenthesis))
                }
                // `impl Trait + use<'a>` is no import.
                (TokenTree::Ident(keyword), next) if keyword == "use" && !is_mark(next, '<') => {
                    let (leaves, length) = use_trees::parse(&rest[1..]);
                    let imports = leaves.into_iter().map(|leaf| Import { leaf, is_public });
                    self.modules[module].imports.extend(imports);
                    is_public = false;
                    1 + length
                }
                (TokenTree::Ident(keyword), Some(TokenTree::Ident(name)))
                    if level == Level::Module && keyword == "mod" =>
                {
                    self.child(&plain(name), rest.get(2), path_attribute.take(), module, folder)?;
                    is_public = false;
                    3
                }
                (TokenTree::Ident(keyword), Some(TokenTree::Ident(name)))
                    if level == Level::Module && is_declaration(keyword, name) =>
                {
                    self.modules[module].items.insert(plain(name));
                    is_public = false;
                    2
                }
                (TokenTree::Ident(keyword), next)
                    if level == Level::Module && keyword == "macro_rules" && is_mark(next, '!') =>
                {
                    if let Some(TokenTree::Ident(name)) = rest.get(2) {
                        self.modules[module].items.insert(plain(name));
                    }
                    3
                }
                // The names of methods, fields, lifetimes and local functions are no paths.
                (TokenTree::Punct(mark), Some(TokenTree::Ident(_)))
                    if ['.', '\''].contains(&mark.as_char()) =>
                {
                    2
                }
                (TokenTree::Ident(keyword), Some(TokenTree::Ident(_))) if keyword == "fn" => 2,
                (TokenTree::Ident(first), _) => self.mention(first, rest, module, level),
                (TokenTree::Punct(_), _) if begins_with_colons(rest) => foreign_path_length(rest),
                (TokenTree::Group(group), _) => {
                    self.tokens(group.stream(), module, folder, Level::Local)?;
                    1
                }
                (TokenTree::Punct(_) | TokenTree::Literal(_), _) => 1,
            };
        }
        Ok(())
    }

    /// A `mod` declaration; `body` is its block, or the semicolon.
    fn child(
        &mut self,
        name: &str,
        body: Option<&TokenTree>,
        path_attribute: Option<String>,
        parent: ModuleId,
        folder: &Path,
    ) -> Result<(), String> {
        let declaring = self.modules[parent].file.clone();
        let child = if let Some(TokenTree::Group(block)) = body {
            let child = self.add(&declaring, Some(parent));
            self.tokens(block.stream(), child, &folder.join(name), Level::Module)?;
            child
        } else if let Some(path) = path_attribute {
            let file = with_slashes(&folder_of(&declaring).join(path));
            self.file(&file, folder_of(&file), Some(parent))?
        } else {
            let files = [folder.join(format!("{name}.rs")), folder.join(name).join("mod.rs")];
            let files = files.map(|file| with_slashes(&file));
            let Some(file) = files.iter().find(|file| self.sources.contains_key(file.as_str())) else {
                return Err(format!("{declaring} declares `mod {name}`, which has no file"));
            };
            self.file(file, folder.join(name), Some(parent))?
        };
        self.modules[parent].children.insert(name.to_owned(), child);
        Ok(())
    }

    /// A path in code, from its first word; returns how many tokens it takes.
    fn mention(&mut self, first: &Ident, rest: &[TokenTree], module: ModuleId, level: Level) -> usize {
        let mut path = vec![plain(first)];
        let mut length = 1;
        while begins_with_colons(&rest[length..])
            && let Some(TokenTree::Ident(next)) = rest.get(length + 2)
        {
            path.push(plain(next));
            length += 3;
        }
        let mut is_call = is_group(rest.get(length), Delimiter::Parenthesis);
        if is_mark(rest.get(length), '!')
            && let Some(TokenTree::Group(body)) = rest.get(length + 1)
        {
            is_call = true;
            if level == Level::Module {
                words(body.stream(), &mut self.modules[module].macro_words);
            }
        }
        // A single lowercase word that is not called is a variable or a field far more often than an item.
        if path.len() > 1 || is_call || path[0].starts_with(char::is_uppercase) {
            self.modules[module].mentions.push(Mention { path, line: first.span().start().line });
        }
        length
    }
}

fn folder_of(file: &str) -> PathBuf {
    Path::new(file).parent().unwrap_or(Path::new("")).to_path_buf()
}

/// The path as git prints it: with slashes, and without `..`.
fn with_slashes(path: &Path) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for component in path.components() {
        match component {
            Component::ParentDir => {
                parts.pop();
            }
            Component::Normal(part) => parts.extend(part.to_str()),
            Component::Prefix(_) | Component::RootDir | Component::CurDir => {}
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn modules(files: &[(&str, &str)]) -> Vec<Module> {
        read(files[0].0, &files.iter().copied().collect()).unwrap()
    }

    fn mentions(code: &str) -> Vec<String> {
        let module = modules(&[("src/lib.rs", code)]).swap_remove(0);
        module.mentions.into_iter().map(|mention| mention.path.join("::")).collect()
    }

    #[test]
    fn child_modules_are_found_where_rust_looks_for_them() {
        let modules = modules(&[
            ("src/lib.rs", "mod a; mod inline { mod c; }\n#[path = \"other/d.rs\"] mod d;"),
            ("src/a.rs", "pub(crate) mod b;"),
            ("src/a/b/mod.rs", ""),
            ("src/inline/c.rs", ""),
            ("src/other/d.rs", "mod e;"),
            ("src/other/e.rs", ""),
        ]);
        let files: Vec<&str> = modules.iter().map(|module| module.file.as_str()).collect();
        assert_eq!(
            files,
            [
                "src/lib.rs",
                "src/a.rs",
                "src/a/b/mod.rs",
                "src/lib.rs",
                "src/inline/c.rs",
                "src/other/d.rs",
                "src/other/e.rs"
            ]
        );
        assert_eq!(modules[2].parent, Some(1));
        assert_eq!(modules[ROOT].children["d"], 5);
    }

    #[test]
    fn a_module_without_a_file_is_an_error() {
        let error = read("src/lib.rs", &BTreeMap::from([("src/lib.rs", "mod gone;")])).unwrap_err();
        assert_eq!(error, "src/lib.rs declares `mod gone`, which has no file");
        let error = read("src/lib.rs", &BTreeMap::from([("src/lib.rs", "fn a() {")])).unwrap_err();
        assert!(error.starts_with("src/lib.rs: "), "{error}");
    }

    #[test]
    fn declared_items() {
        let code = "pub struct A; pub const fn b() { fn local() {} } static mut C: u8 = 0; unsafe trait D {}\n\
                    macro_rules! e { () => {} } impl A { fn method() {} const F: u8 = 1; } ids!(G, H);";
        let module = modules(&[("src/lib.rs", code)]).swap_remove(0);
        assert_eq!(module.items, BTreeSet::from(["A", "b", "C", "D", "e"].map(str::to_owned)));
        assert_eq!(module.macro_words, BTreeSet::from(["G", "H"].map(str::to_owned)));
    }

    #[test]
    fn paths_in_code() {
        assert_eq!(
            mentions("fn a(b: crate::B) -> impl C + use<'a> { d::e(&f.g(), h.i, 'j'); k!(super::L) }"),
            ["crate::B", "C", "d::e", "k", "super::L"]
        );
        assert_eq!(mentions("fn a() { ::b::c(); <D as e::F>::g(); H::<I>::j() }"), ["D", "e::F", "H", "I"]);
        assert_eq!(
            mentions("#[derive(A)] struct B<'c>(#[d(value = e::f)] g::H<'c>);"),
            ["derive", "A", "d", "e::f", "g::H"]
        );
        assert_eq!(mentions("macro_rules! a { ($b:expr) => { $crate::c::d($b) } }"), ["crate::c::d"]);
        assert_eq!(mentions("/// [crate::A]\nfn b() { \"crate::c\"; } // crate::d"), Vec::<String>::new());
    }

    #[test]
    fn code_for_tests_is_left_out() {
        let code = "#[cfg(test)]\n#[allow(x)]\nmod tests { use a::b; }\n#[cfg(test)] use c::{d, e};\n\
                    struct F { #[cfg(test)] g: H, i: J }\nfn k() { #[cfg(test)] l::m(); n::o(); }\n\
                    #[cfg(all(test, unix))] impl P { }\n#[cfg(any(test, unix))] fn q() { r::s() }";
        assert_eq!(mentions(code), ["J", "n::o", "cfg", "any", "r::s"]);
    }

    #[test]
    fn imports_in_function_bodies_count_for_their_module() {
        let module = modules(&[("src/lib.rs", "pub use a::B;\nfn c() { use d::E; }")]).swap_remove(0);
        let imports: Vec<(&str, bool, usize)> = module
            .imports
            .iter()
            .map(|import| (import.leaf.path[0].as_str(), import.is_public, import.leaf.line))
            .collect();
        assert_eq!(imports, [("a", true, 1), ("d", false, 2)]);
    }
}
