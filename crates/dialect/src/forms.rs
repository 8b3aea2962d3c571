//! Which of the forms of a type a value has, by what recognises the form.

use crate::table::{Discriminator, Form};
use crate::value::{Data, SpannedValue};

/// Whether a value has the given form.
pub(crate) fn fits(form: &Form, value: &SpannedValue<'_>) -> bool {
    match form.when {
        Discriminator::Text => value.as_text().is_some(),
        Discriminator::Boolean => matches!(value.data, Data::Bool(_)),
        Discriminator::Mapping => value.as_map().is_some(),
        Discriminator::HasKey(key) => value.get(key).is_some(),
        Discriminator::Otherwise => true,
    }
}
