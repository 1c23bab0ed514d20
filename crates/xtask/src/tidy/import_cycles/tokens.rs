//! Patterns in Rust's tokens.

use std::collections::BTreeSet;

use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};

/// Without the mark of a raw identifier.
pub(super) fn plain(name: &Ident) -> String {
    name.to_string().trim_start_matches("r#").to_owned()
}

/// Whether `keyword name` declares an item: in `const fn name` that is `fn name`, in `static mut NAME` `mut NAME`.
pub(super) fn is_declaration(keyword: &Ident, name: &Ident) -> bool {
    let declares = |word: &str| keyword == word;
    let is_keyword = |word: &str| name == word;
    ["struct", "enum", "union", "trait", "type", "fn", "const", "static", "mut"].into_iter().any(declares)
        && !["fn", "unsafe", "async", "extern", "mut"].into_iter().any(is_keyword)
}

pub(super) fn is_group(token: Option<&TokenTree>, delimiter: Delimiter) -> bool {
    matches!(token, Some(TokenTree::Group(group)) if group.delimiter() == delimiter)
}

pub(super) fn is_mark(token: Option<&TokenTree>, mark: char) -> bool {
    matches!(token, Some(TokenTree::Punct(found)) if found.as_char() == mark)
}

pub(super) fn begins_with_colons(tokens: &[TokenTree]) -> bool {
    is_mark(tokens.first(), ':') && is_mark(tokens.get(1), ':')
}

/// `::std::fmt` is a path of another crate, and the end of `<T as Trait>::Name` or `Vec::<T>::new` belongs to a type.
pub(super) fn foreign_path_length(tokens: &[TokenTree]) -> usize {
    let mut length = 0;
    while begins_with_colons(&tokens[length..]) {
        length += 2 + usize::from(matches!(tokens.get(length + 2), Some(TokenTree::Ident(_))));
    }
    length
}

/// The brackets of the attribute at the beginning, and how many tokens the attribute takes.
pub(super) fn attribute(tokens: &[TokenTree]) -> Option<(&Group, usize)> {
    if !is_mark(tokens.first(), '#') {
        return None;
    }
    let start = 1 + usize::from(is_mark(tokens.get(1), '!'));
    match tokens.get(start)? {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Bracket => Some((group, start + 1)),
        _ => None,
    }
}

/// `cfg(test)`, and `cfg(all(test, …))`.
pub(super) fn is_for_tests(attribute: &Group) -> bool {
    let text: String = attribute.stream().to_string().split_whitespace().collect();
    text == "cfg(test)" || text.starts_with("cfg(all(test,")
}

/// The value of `path = "…"`.
pub(super) fn path_of(attribute: &Group) -> Option<String> {
    let tokens: Vec<TokenTree> = attribute.stream().into_iter().collect();
    match tokens.as_slice() {
        [TokenTree::Ident(name), TokenTree::Punct(_), TokenTree::Literal(value)] if name == "path" => {
            Some(value.to_string().trim_matches('"').to_owned())
        }
        _ => None,
    }
}

/// How many tokens an item, a field or a statement takes, its other attributes included.
pub(super) fn item_length(tokens: &[TokenTree]) -> usize {
    let mut length = 0;
    while let Some((_, attribute)) = attribute(&tokens[length..]) {
        length += attribute;
    }
    let is_end = |token: &TokenTree| {
        is_mark(Some(token), ';') || is_mark(Some(token), ',') || is_group(Some(token), Delimiter::Brace)
    };
    tokens[length..].iter().position(is_end).map_or(tokens.len(), |end| length + end + 1)
}

pub(super) fn words(tokens: TokenStream, found: &mut BTreeSet<String>) {
    for token in tokens {
        match token {
            TokenTree::Ident(word) => {
                found.insert(plain(&word));
            }
            TokenTree::Group(group) => words(group.stream(), found),
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}
