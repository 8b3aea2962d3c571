//! `nodewise.toml` as JSON Schema.
//!
//! Input: the words that the reader of the file knows, the rules, the tables' lists of outside names. Output: the schema.
//! Invariant: it has the keys that the reader accepts, and no others; a test asks the reader.

mod live;

use nodewise_analysis::page::summary;
use nodewise_analysis::project_rules::GROUP;
use nodewise_analysis::rule::Category;
use nodewise_analysis::rules::RULES;
use nodewise_analysis::settings::Profile;
use nodewise_dialect::schema::head;
use nodewise_dialect::table::Dialect;
use nodewise_dialect::tables::rule::PREFIX;
use nodewise_dialect::tables::{DIALECTS, systems};
use nodewise_format::options::{FormatOptions, INDENTS};
use serde_json::{Map, Value, json};

use super::SIZE_MAX_MIB;
use super::words::{
    Choice, EXTERNAL, EXTRA_FIELDS, FLOWS, FORMER_EXTERNAL, KEY_ORDERS, LEVELS, NO_DIALECT, OVERRIDES,
    PROFILE, QUOTES, SEQUENCES, TOOL_PREFIXES, profiles,
};

/// Marks a key that has a new name: it is still read, but not suggested.
pub(super) const DEPRECATED: &str = "deprecated";

/// The schema of a configuration file.
#[must_use]
pub fn config_schema() -> Value {
    let mut schema = head("config", "nodewise.toml");
    schema["description"] = json!("The configuration of nodewise for a project.");
    schema["type"] = json!("object");
    schema["properties"] = json!({
        "files": files(),
        "check": check(),
        "dialect": pins(),
        "rules": rules(),
        "shared_rules": shared_rules(),
        "security": security(),
        "format": format(),
    });
    for dialect in systems() {
        schema["properties"][dialect.id] = system(dialect);
    }
    schema["properties"]["live"] = live::live();
    schema["properties"]["serve"] = live::serve();
    schema["additionalProperties"] = json!(false);
    schema["definitions"] = json!({"level": one_of(LEVELS), "levels": levels_by_rule(Map::new())});
    schema
}

/// The schema as the text of a file.
#[must_use]
pub fn config_schema_text() -> String {
    format!("{:#}\n", config_schema())
}

fn files() -> Value {
    section(
        "Which files belong to the project.",
        json!({
            "include": with_default(
                texts("Patterns as in `.gitignore`. If there are any, only matching files are read."),
                json!([]),
            ),
            "exclude": with_default(
                texts("Patterns as in `.gitignore` of files to skip. A path that you name is checked anyway."),
                json!([]),
            ),
            "max_size_mib": {
                "type": "integer",
                "minimum": 0,
                "default": SIZE_MAX_MIB,
                "description": "Files larger than this many MiB are reported and not read.",
            },
        }),
    )
}

fn check() -> Value {
    section(
        "Settings of `nodewise check`.",
        json!({
            "baseline": {
                "type": "string",
                "description": "The file that lists findings to ignore, relative to this file's folder.",
            },
        }),
    )
}

fn pins() -> Value {
    let mut dialects: Vec<&str> = DIALECTS.iter().map(|dialect| dialect.id).collect();
    dialects.push(NO_DIALECT);
    json!({
        "type": "object",
        "description": "The system of files by pattern, regardless of their content. Later patterns win.",
        "additionalProperties": {
            "enum": dialects,
            "description": "The system of the files; `none` means that they are ignored.",
        },
        "examples": [{"agents/**": dialects.first(), "other/**": NO_DIALECT}],
    })
}

fn rules() -> Value {
    let mut overriding = section(
        "Levels for some files.",
        json!({
            "files": texts("Patterns as in `.gitignore` for the files."),
            "levels": {"$ref": "#/definitions/levels", "description": "Levels by rule."},
        }),
    );
    overriding["required"] = json!(["files", "levels"]);
    let overrides = json!({"type": "array", "items": overriding, "description": "Levels for some files. Later entries win."});
    let mut rules = levels_by_rule(Map::from_iter([(OVERRIDES.to_owned(), overrides)]));
    rules["description"] = json!("The level of each rule.");
    rules
}

fn shared_rules() -> Value {
    let text = |doc: &str| json!({"type": "string", "description": doc});
    let mut commit = text("The full hash of the commit.");
    commit["pattern"] = json!("^([0-9a-fA-F]{40}|[0-9a-fA-F]{64})$");
    let one = section(
        "Where some rules are: a commit of a repository, or a folder.",
        json!({
            "git": text("The address of the repository."),
            "commit": commit,
            "folder": text("The folder in the repository. The default is the whole repository."),
            "path": text("A folder, relative to this file's folder."),
        }),
    );
    json!({
        "type": "object",
        "description": "Rules from other places, by name. `nodewise rules fetch` copies them to `.nodewise/rules`.",
        "additionalProperties": one,
    })
}

fn security() -> Value {
    let names = |doc: &str| with_default(texts(doc), json!([]));
    section(
        "What tools and servers mean to the rules of the category `security`. In a name, `*` stands for any letters.",
        json!({
            "trusted": names("Tools, MCP servers and remote agents whose answers can be trusted."),
            "untrusted": names("Tools, MCP servers and remote agents whose answers anyone may have written."),
            "effects": names("Tools that change something outside of the run, which cannot be undone."),
            "harmless": names("Tools that change nothing outside of the run, whatever their names say."),
        }),
    )
}

/// The schema of a level for each rule, next to other keys.
fn levels_by_rule(mut keys: Map<String, Value>) -> Value {
    for rule in RULES.iter() {
        let mut level = json!({"$ref": "#/definitions/level", "description": summary(rule)});
        // A rule whose level depends on the system has no single default.
        let severity = rule.severest();
        if rule.parts().all(|entry| entry.part.severity == severity) {
            level["default"] = json!(severity.word());
        }
        keys.insert(rule.id.to_owned(), level);
        for former in rule.former {
            let doc = format!("The former id of `{}`.", rule.id);
            let level = json!({"$ref": "#/definitions/level", "description": doc, DEPRECATED: true});
            keys.insert((*former).to_owned(), level);
        }
    }
    for category in Category::ALL {
        let doc = format!("Every rule of the category: {}. The level of a rule itself wins.", category.doc());
        keys.insert(category.word().to_owned(), json!({"$ref": "#/definitions/level", "description": doc}));
    }
    let level = |doc: &str| json!({"$ref": "#/definitions/level", "description": doc});
    keys.insert(
        GROUP.to_owned(),
        level("Every rule that the project declares itself. The level of a rule itself wins."),
    );
    let own = level("A rule that the project declares itself.");
    let pattern = format!("^{PREFIX}[a-z][a-z0-9-]*$");
    json!({"type": "object", "properties": keys, "patternProperties": {pattern: own}, "additionalProperties": false})
}

fn format() -> Value {
    let usual = FormatOptions::default();
    let number = |min: usize, usual: usize, doc: &str| json!({"type": "integer", "minimum": min, "default": usual, "description": doc});
    let mut indent =
        number(*INDENTS.start(), usual.indent, "The number of columns per level of indentation.");
    indent["maximum"] = json!(INDENTS.end());
    section(
        "How `nodewise fmt` and editors format declarations.",
        json!({
            "indent": indent,
            "sequences": described(
                chosen(SEQUENCES, usual.sequences),
                "Where to place the items of a sequence below its key.",
            ),
            "quotes": described(chosen(QUOTES, usual.quotes), "Which quotes to use where both are possible."),
            "line_width": number(
                0,
                usual.line_width,
                "The length of a line from which a flow collection in it is split.",
            ),
            "blank_lines": number(0, usual.blank_lines, "The maximum number of consecutive empty lines."),
            "flow": described(
                chosen(FLOWS, usual.flow),
                "How to write a flow collection that does not fit on one line.",
            ),
            "brace_spacing": {
                "type": "boolean",
                "description": "Whether to put spaces inside braces. By default, only documents written as JSON have them.",
            },
            "key_order": described(chosen(KEY_ORDERS, usual.key_order), "The order of keys."),
        }),
    )
}

fn system(dialect: &Dialect) -> Value {
    let mut keys = Map::new();
    if !dialect.profiles.is_empty() {
        let doc = format!("The version of {} to follow.", dialect.title);
        keys.insert(PROFILE.to_owned(), described(chosen(&profiles(dialect), Profile::default()), &doc));
    }
    if let Some(prefix) = dialect.generated_tools {
        let doc =
            format!("Prefixes of tools that are generated at run time: `{prefix}` stands for `{prefix}__…`.");
        keys.insert(TOOL_PREFIXES.to_owned(), with_default(texts(&doc), json!([prefix])));
    }
    keys.extend(keys_of_every_system(dialect));
    section(&format!("Settings for {} documents.", dialect.title), Value::Object(keys))
}

fn keys_of_every_system(dialect: &Dialect) -> Map<String, Value> {
    let lists = dialect.outside.iter().map(|outside| (outside.key.to_owned(), texts(outside.doc)));
    let extra = with_default(texts("Keys that plugins and other tools add to documents."), json!([]));
    let external = section(
        "Names that no file declares because your program provides them. A list is complete: any other name is reported.",
        Value::Object(lists.collect()),
    );
    let mut former = described(external.clone(), &format!("The former name of `{EXTERNAL}`."));
    former[DEPRECATED] = json!(true);
    Map::from_iter([
        (EXTRA_FIELDS.to_owned(), extra),
        (EXTERNAL.to_owned(), external),
        (FORMER_EXTERNAL.to_owned(), former),
    ])
}

fn section(doc: &str, properties: Value) -> Value {
    json!({"type": "object", "description": doc, "properties": properties, "additionalProperties": false})
}

fn texts(doc: &str) -> Value {
    json!({"type": "array", "items": {"type": "string"}, "description": doc})
}

fn one_of<T>(choices: &[Choice<T>]) -> Value {
    let (words, docs): (Vec<&str>, Vec<&str>) =
        choices.iter().map(|choice| (choice.word, choice.doc)).unzip();
    json!({"enum": words, "enumDescriptions": docs})
}

fn chosen<T: PartialEq>(choices: &[Choice<T>], usual: T) -> Value {
    let schema = one_of(choices);
    match choices.iter().find(|choice| choice.value == usual) {
        Some(choice) => with_default(schema, json!(choice.word)),
        None => schema,
    }
}

fn described(mut schema: Value, doc: &str) -> Value {
    schema["description"] = json!(doc);
    schema
}

fn with_default(mut schema: Value, value: Value) -> Value {
    schema["default"] = value;
    schema
}

#[cfg(test)]
mod tests;
