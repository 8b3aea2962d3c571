//! Values without their places, as programs and expressions read them. What cannot be known is nothing.

use nodewise_expr::value::{Map, Value as Plain};
use smol_str::SmolStr;

use crate::value::{Data, SpannedValue};

/// The value without places. If a key is written twice, the last value counts.
#[must_use]
pub fn value(value: &SpannedValue<'_>) -> Plain {
    match &value.data {
        Data::Bool(boolean) => Plain::Bool(*boolean),
        Data::Number(number) => Plain::Number(*number),
        Data::Text(text) => Plain::Text(SmolStr::new(text)),
        Data::List(items) => items.iter().map(self::value).collect(),
        Data::Map(members) => {
            let entry = |member: &crate::value::SpannedEntry<'_>| {
                (SmolStr::new(&member.key), self::value(&member.value))
            };
            members.iter().map(entry).collect::<Map>().into()
        }
        Data::Null | Data::Tagged(_) | Data::Unknown => Plain::Null,
    }
}
