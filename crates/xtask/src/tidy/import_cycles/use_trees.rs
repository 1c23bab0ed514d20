//! The names that a `use` declaration brings in.

use std::iter::Peekable;

use proc_macro2::{Delimiter, TokenTree};

use super::tokens::{is_mark, plain};

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Leaf {
    /// Without a final `self` or `*`. Empty at its beginning (`::name`) means another crate.
    pub(super) path: Vec<String>,
    pub(super) binding: Binding,
    pub(super) line: usize,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Binding {
    /// The name under which it is known here; `_` for none.
    Name(String),
    /// Everything in it.
    Glob,
}

/// Reads the tokens after `use`; returns how many it takes, the semicolon included.
pub(super) fn parse(tokens: &[TokenTree]) -> (Vec<Leaf>, usize) {
    let end = tokens.iter().position(|token| is_mark(Some(token), ';'));
    let length = end.map_or(tokens.len(), |end| end + 1);
    let mut leaves = Vec::new();
    tree(&mut tokens[..length].iter().cloned().peekable(), &[], &mut leaves);
    (leaves, length)
}

fn tree(tokens: &mut Peekable<impl Iterator<Item = TokenTree>>, prefix: &[String], leaves: &mut Vec<Leaf>) {
    let mut path = prefix.to_vec();
    let mut binding = None;
    let mut line = 0;
    let mut is_group = false;
    while let Some(token) = tokens.next_if(|token| ![',', ';'].iter().any(|mark| is_mark(Some(token), *mark)))
    {
        match token {
            TokenTree::Ident(word) if word == "as" => {
                if let Some(TokenTree::Ident(name)) = tokens.next() {
                    binding = Some(Binding::Name(plain(&name)));
                }
            }
            TokenTree::Ident(word) => {
                line = word.span().start().line;
                path.push(plain(&word));
            }
            TokenTree::Punct(mark) if mark.as_char() == '*' => {
                line = mark.span().start().line;
                binding = Some(Binding::Glob);
            }
            TokenTree::Punct(_) if path.is_empty() => path.push(String::new()),
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                is_group = true;
                let mut inner = group.stream().into_iter().peekable();
                while inner.peek().is_some() {
                    tree(&mut inner, &path, leaves);
                    inner.next();
                }
            }
            TokenTree::Punct(_) | TokenTree::Group(_) | TokenTree::Literal(_) => {}
        }
    }
    if is_group {
        return;
    }
    // `use a::{self}` brings in `a`.
    if path.len() > 1 && path.last().is_some_and(|word| word == "self") {
        path.pop();
    }
    if let Some(name) = path.last().cloned() {
        leaves.push(Leaf { path, binding: binding.unwrap_or(Binding::Name(name)), line });
    }
}

#[cfg(test)]
mod tests {
    use proc_macro2::TokenStream;

    use super::*;

    /// The leaves as `path => name` or `path => *`.
    fn leaves(text: &str) -> Vec<String> {
        let tokens: Vec<TokenTree> = text.parse::<TokenStream>().unwrap().into_iter().collect();
        let (leaves, length) = parse(&tokens[1..]);
        assert_eq!(length, tokens.len() - 1);
        let text = |leaf: Leaf| match leaf.binding {
            Binding::Name(name) => format!("{} => {name}", leaf.path.join("::")),
            Binding::Glob => format!("{} => *", leaf.path.join("::")),
        };
        leaves.into_iter().map(text).collect()
    }

    #[test]
    fn every_form_of_a_use_tree() {
        assert_eq!(leaves("use crate::jobs;"), ["crate::jobs => jobs"]);
        assert_eq!(leaves("use super::super::a as b;"), ["super::super::a => b"]);
        assert_eq!(leaves("use a::*;"), ["a => *"]);
        assert_eq!(leaves("use ::a::B;"), ["::a::B => B"]);
        assert_eq!(
            leaves("use crate::{a::{self, B, c::D as _}, E, f::*,};"),
            ["crate::a => a", "crate::a::B => B", "crate::a::c::D => _", "crate::E => E", "crate::f => *"]
        );
        assert_eq!(leaves("use crate::r#type;"), ["crate::type => type"]);
    }
}
