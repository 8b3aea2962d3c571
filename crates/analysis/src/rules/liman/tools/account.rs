//! What the rules about service accounts share: the accounts of a file, those written in place
//! included.

use nodewise_model::{Account, Body};

use crate::rule::Context;

/// The service accounts in the file, declared or written in place, with overlays applied.
pub(in crate::rules) fn accounts<'a>(context: &Context<'a>) -> impl Iterator<Item = &'a Account> + use<'a> {
    context.declarations().filter_map(|declaration| match &declaration.body {
        Body::Account(account) => Some(account.as_ref()),
        Body::Node(node) => node.details.inlined_account.as_deref().map(|inlined| &inlined.account),
        _ => None,
    })
}
