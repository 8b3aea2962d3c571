//! A dialect's reference page, written from its table: every kind and type with its keys.

use std::fmt::Write as _;

use crate::table::{Dialect, Field, FieldOrigin, Needed, Required, Shape, Type, Variant, Word};

/// The reference page of a dialect, as Markdown.
#[must_use]
pub fn reference_page(dialect: &'static Dialect) -> String {
    let mut page = format!("# {} declarations\n", dialect.title);
    let mut shapes: Vec<&'static Shape> = dialect.kinds.iter().map(|kind| &kind.shape).collect();
    let kinds = shapes.len();
    let mut position = 0;
    while let Some(shape) = shapes.get(position).copied() {
        if position == kinds {
            page.push_str("\n# Types\n");
        }
        write_shape(&mut page, shape, &mut shapes);
        position += 1;
    }
    page
}

fn write_shape(page: &mut String, shape: &'static Shape, shapes: &mut Vec<&'static Shape>) {
    // Writing to a String cannot fail.
    let _ = write!(
        page,
        "\n## {}\n\n{}\n\n| key | value | required | default | meaning |\n|---|---|---|---|---|\n",
        shape.name, shape.doc
    );
    for field in shape.fields {
        let default = field.default.map(|default| format!("`{default}`")).unwrap_or_default();
        let value = value_text(field.ty, shapes);
        let _ = writeln!(
            page,
            "| `{}` | {} | {} | {default} | {}{} |",
            field.key,
            value.replace('|', "\\|"),
            required_text(field),
            field.doc.replace('|', "\\|"),
            origin_in_words(field.origin).map(|origin| format!(" {origin}.")).unwrap_or_default()
        );
    }
}

fn required_text(field: &Field) -> String {
    let named =
        |words: &[&str]| words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(" or ");
    match (field.required, field.needed) {
        (Required::Yes, _) => "yes".to_owned(),
        (Required::Unless(other), _) => format!("unless `{other}`"),
        (Required::No, Needed::Never) => String::new(),
        (Required::No, Needed::Beside(beside)) => format!("with `{}` {}", beside.key, named(beside.words)),
        (Required::No, Needed::Without(others)) => format!("unless {}", named(others)),
    }
}

/// The origin of a field in words; `None` for a field of the specification.
#[must_use]
pub fn origin_in_words(origin: FieldOrigin) -> Option<String> {
    match origin {
        FieldOrigin::Specification => None,
        FieldOrigin::Examples => Some("Known from examples only".to_owned()),
        FieldOrigin::Unheeded => Some("The release ignores it".to_owned()),
        FieldOrigin::Release(version) => Some(format!("Not in the specification; since release {version}")),
    }
}

/// A type in words: "a whole number from 1 to 10".
#[must_use]
pub fn type_in_words(ty: Type) -> String {
    value_text(ty, &mut Vec::new())
}

/// A type in words. Adds the shapes that need a section of their own to `shapes`.
fn value_text(ty: Type, shapes: &mut Vec<&'static Shape>) -> String {
    match ty {
        Type::Kind => "the kind".to_owned(),
        Type::DeclaredName => "a name".to_owned(),
        Type::Text => "a text".to_owned(),
        Type::Any => "any value".to_owned(),
        Type::Lenient(inner) => format!("any value; usually {}", value_text(*inner, shapes)),
        Type::Suggested(words) => format!("a text, for instance {}", words_text(words)),
        Type::Bool | Type::Boolean => "`true` or `false`".to_owned(),
        Type::Number(bounds) => bounds.in_words(),
        Type::Sized(inner, size) => {
            let unit = match inner {
                Type::List(_) => "item",
                Type::MapOf(_) | Type::Object(_) => "key",
                _ => "character",
            };
            format!("{}; {}", value_text(*inner, shapes), size.in_words(unit))
        }
        Type::Slug(_) => "a text of letters, digits, `-` and `_`".to_owned(),
        Type::Symbol(symbol, _) => symbol.one().to_owned(),
        Type::Expression(language) => language.title().to_owned(),
        Type::File(_) => "the path of a file".to_owned(),
        Type::Pattern => "a regular expression".to_owned(),
        Type::JsonSchema => "a JSON Schema".to_owned(),
        Type::MapOf((key, of)) => {
            format!("a mapping from {} to {}", value_text(*key, shapes), value_text(*of, shapes))
        }
        Type::Variant(variant) => variant_text(variant, shapes),
        Type::OneOf(forms) => {
            forms.iter().map(|form| value_text(form.ty, shapes)).collect::<Vec<_>>().join(", or ")
        }
        Type::Word(words) | Type::ArgumentType(words) => words_text(words),
        Type::FunctionPath(_) => "a dotted function path".to_owned(),
        Type::Condition(_) => "a condition".to_owned(),
        Type::EdgeId => "a text or number".to_owned(),
        Type::Reference(scope) => format!("the name of {}", scope.one()),
        Type::Qualified(scope, separator) => format!("`Kind{separator}name` of {}", scope.one()),
        Type::Bundle(_) => "a localized text".to_owned(),
        Type::Bundles(_) => "localized texts".to_owned(),
        Type::Injection => "`path`, or `target: path`".to_owned(),
        Type::OutputFields(words, _) => format!("fields with a type each: {}", words_text(words)),
        Type::List(item) => format!("a list; each item {}", value_text(*item, shapes)),
        Type::OneOrMany(item) => format!("{}, or a list of such", value_text(*item, shapes)),
        Type::TextOr(text, shape) => {
            format!("{}, or {}", value_text(*text, shapes), value_text(Type::Object(shape), shapes))
        }
        Type::Object(shape) | Type::Open(shape) => {
            if !shapes.iter().any(|known| known.is_same(shape)) {
                shapes.push(shape);
            }
            format!("a mapping `{}`", shape.name)
        }
    }
}

/// A variant by its words. Each case gets a section of its own.
fn variant_text(variant: &'static Variant, shapes: &mut Vec<&'static Shape>) -> String {
    let mut words = Vec::new();
    for case in variant.cases {
        if !shapes.iter().any(|known| known.is_same(&case.shape)) {
            shapes.push(&case.shape);
        }
        words.push(format!("`{}` (`{}`)", case.word.text, case.shape.name));
    }
    format!("a mapping `{}`, by its `{}`: {}", variant.name, variant.key, words.join(", "))
}

fn words_text(words: &[Word]) -> String {
    words.iter().map(|word| format!("`{}`", word.text)).collect::<Vec<_>>().join(" ")
}
