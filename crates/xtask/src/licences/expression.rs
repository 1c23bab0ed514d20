//! SPDX licence expressions: `MIT OR (Apache-2.0 WITH LLVM-exception AND Zlib)`. `AND` binds tighter than `OR`.

/// Whether a choice among the alternatives leaves only terms for which `allowed` holds. A term is a licence, with its
/// exception if it has one.
///
/// # Errors
/// Says what was expected where.
pub(crate) fn is_satisfied(expression: &str, allowed: impl Fn(&str) -> bool) -> Result<bool, String> {
    // Before SPDX expressions, Cargo took `MIT/Apache-2.0` for a choice.
    let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let mut words = spaced.split_whitespace().peekable();
    let satisfied = choice(&mut words, &allowed)?;
    match words.next() {
        None => Ok(satisfied),
        Some(word) => Err(format!("'{word}' is left over")),
    }
}

type Words<'a> = std::iter::Peekable<std::str::SplitWhitespace<'a>>;

fn choice(words: &mut Words<'_>, allowed: &impl Fn(&str) -> bool) -> Result<bool, String> {
    let mut satisfied = all_of(words, allowed)?;
    while words.next_if_eq(&"OR").is_some() {
        satisfied |= all_of(words, allowed)?;
    }
    Ok(satisfied)
}

fn all_of(words: &mut Words<'_>, allowed: &impl Fn(&str) -> bool) -> Result<bool, String> {
    let mut satisfied = term(words, allowed)?;
    while words.next_if_eq(&"AND").is_some() {
        satisfied &= term(words, allowed)?;
    }
    Ok(satisfied)
}

fn term(words: &mut Words<'_>, allowed: &impl Fn(&str) -> bool) -> Result<bool, String> {
    match words.next() {
        Some("(") => {
            let satisfied = choice(words, allowed)?;
            words.next_if_eq(&")").map(|_| satisfied).ok_or_else(|| "a ')' is missing".to_owned())
        }
        Some(word @ (")" | "AND" | "OR" | "WITH")) => Err(format!("a licence is missing before '{word}'")),
        None => Err("a licence is missing at the end".to_owned()),
        Some(licence) if words.next_if_eq(&"WITH").is_some() => {
            let exception = words.next().ok_or("an exception is missing at the end")?;
            Ok(allowed(&format!("{licence} WITH {exception}")))
        }
        Some(licence) => Ok(allowed(licence)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(expression: &str) -> Result<bool, String> {
        is_satisfied(expression, |term| ["MIT", "Zlib", "Apache-2.0 WITH LLVM-exception"].contains(&term))
    }

    #[test]
    fn choices_and_sums() {
        for good in [
            "MIT",
            "GPL-2.0 OR MIT",
            "GPL-2.0/MIT",
            "MIT AND Zlib",
            "(GPL-2.0 OR MIT) AND Zlib",
            "Apache-2.0 WITH LLVM-exception",
            "GPL-2.0 AND Zlib OR MIT",
        ] {
            assert_eq!(holds(good), Ok(true), "{good}");
        }
        for bad in
            ["GPL-2.0", "MIT AND GPL-2.0", "Apache-2.0", "MIT WITH LLVM-exception", "(MIT)AND(GPL-2.0)"]
        {
            assert_eq!(holds(bad), Ok(false), "{bad}");
        }
    }

    #[test]
    fn what_is_no_expression_is_refused() {
        for broken in ["", "MIT OR", "AND MIT", "(MIT", "MIT)", "MIT Zlib", "MIT WITH"] {
            assert!(holds(broken).is_err(), "{broken}");
        }
    }
}
