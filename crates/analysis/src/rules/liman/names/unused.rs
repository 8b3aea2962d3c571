//! What the rules about declarations that nobody uses share: which ones those are, where it can be said
//! at all. It cannot in a project without an entry, or with documents that could not be read.

use nodewise_model::{Declaration, Located};
use smol_str::SmolStr;

use crate::rule::Context;

/// The declarations of the file, with their names, to which nothing refers, not even by a misspelling.
pub(in crate::rules) fn declarations<'a>(
    context: &Context<'a>,
) -> impl Iterator<Item = (&'a Declaration, &'a Located<SmolStr>)> + use<'a> {
    let index = context.index;
    context.documents().filter_map(move |document| {
        let declaration = index.effective(document)?.declaration.as_ref()?;
        let name = declaration.name.as_ref()?;
        let is_first =
            index.first(declaration.kind, &name.value).is_some_and(|first| first.document == document.id);
        // Ask first what changes rarely. Then the result for most files does not depend on what changes often.
        let is_unused = is_first && !index.is_used(document.id);
        (is_unused && index.uses_are_known() && !index.may_be_meant(&name.value))
            .then_some((declaration, name))
    })
}
