//! Schemas of Zod, in the JSON Schema of types alone and in Zod's own.

use std::sync::Arc;

use crate::tests::check_module;
use crate::{NoOthers, read};

/// Compares the schema of what a run is given: first of types alone, then Zod's own.
#[track_caller]
fn check(schema: &str, types: &[&str], own: &[&str]) {
    let lines = |prefix: &str, lines: &[&str]| -> Vec<String> {
        lines.iter().map(|line| format!("{prefix}{line}")).collect()
    };
    let text: Arc<str> = format!(
        "import {{ workflow }} from '@framers/agentos/orchestration';\nimport {{ z }} from 'zod';\nworkflow('w').input({schema}).compile();"
    )
    .into();
    let expected = lines(".stateSchema.input", types);
    let read_types = without_places(&text, ".stateSchema.input");
    assert_eq!(read_types, expected, "{schema}");
    let text: Arc<str> = format!(
        "import {{ graph }} from '@cycgraph/orchestrator';\nimport * as z from 'zod';\ngraph({{ name: 'g', nodes: [], inputs: {{ i: {schema} }} }});"
    )
    .into();
    assert_eq!(without_places(&text, ".inputs.i"), lines(".inputs.i", own), "{schema}");
}

fn without_places(text: &Arc<str>, part: &str) -> Vec<String> {
    let mut lines = String::new();
    for document in &read("m.ts", text, &NoOthers).documents {
        super::print(&document.root, "", text, &mut lines);
    }
    let lines = lines.lines().filter(|line| line.starts_with(part) && !line.contains("$schema"));
    lines.map(|line| line.split(" @ ").next().unwrap_or_default().to_owned()).collect()
}

#[test]
fn types_of_json() {
    check("z.string()", &[".type = \"string\""], &[".schema.type = \"string\"", ".required = true"]);
    check(
        "z.array(z.boolean()).optional()",
        &[".type = \"array\"", ".items.type = \"boolean\""],
        &[".schema.type = \"array\"", ".schema.items.type = \"boolean\"", ".required = false"],
    );
    check(
        "z.enum(['a', 'b'])",
        &[".enum[0] = \"a\"", ".enum[1] = \"b\""],
        &[
            ".schema.type = \"string\"",
            ".schema.enum[0] = \"a\"",
            ".schema.enum[1] = \"b\"",
            ".required = true",
        ],
    );
    check(
        "z.number().default(3).describe('D')",
        &[".type = \"number\""],
        &[
            ".schema.type = \"number\"",
            ".schema.default = 3",
            ".schema.description = \"D\"",
            ".required = false",
        ],
    );
}

#[test]
fn objects() {
    check(
        "z.object({ a: z.string(), b: z.number().optional(), c: z.boolean().default(true) })",
        &[
            ".type = \"object\"",
            ".properties.a.type = \"string\"",
            ".properties.b.type = \"number\"",
            ".properties.c.type = \"boolean\"",
            ".required[0] = \"a\"",
        ],
        &[
            ".schema.type = \"object\"",
            ".schema.properties.a.type = \"string\"",
            ".schema.properties.b.type = \"number\"",
            ".schema.properties.c.type = \"boolean\"",
            ".schema.properties.c.default = true",
            ".schema.required[0] = \"a\"",
            ".required = true",
        ],
    );
    check(
        "z.object({ a: z.string() }).extend({ b: z.null() }).omit({ a: true }).strict()",
        &[".type = \"object\"", ".properties.b.type = \"null\"", ".required[0] = \"b\""],
        &[
            ".schema.type = \"object\"",
            ".schema.properties.b.type = \"null\"",
            ".schema.required[0] = \"b\"",
            ".schema.additionalProperties = false",
            ".required = true",
        ],
    );
}

#[test]
fn limits() {
    check(
        "z.string().min(2).max(40)",
        &[".type = \"string\""],
        &[".schema.type = \"string\"", ".schema.minLength = 2", ".schema.maxLength = 40", ".required = true"],
    );
    check(
        "z.number().int().min(1)",
        &[".type = \"number\""],
        &[
            ".schema.type = \"integer\"",
            ".schema.minimum = 1",
            ".schema.maximum = 9007199254740991",
            ".required = true",
        ],
    );
    check(
        "z.array(z.number().lte(1)).min(1).optional()",
        &[".type = \"array\"", ".items.type = \"number\""],
        &[
            ".schema.type = \"array\"",
            ".schema.items.type = \"number\"",
            ".schema.items.maximum = 1",
            ".schema.minItems = 1",
            ".required = false",
        ],
    );
}

#[test]
fn what_differs_between_releases_is_unknown() {
    let unknown = ".schema = ? a schema that is not followed";
    check(
        "z.string().nullable()",
        &[".type[0] = \"string\"", ".type[1] = \"null\""],
        &[unknown, ".required = true"],
    );
    check(
        "z.union([z.string(), z.number()])",
        &[".anyOf[0].type = \"string\"", ".anyOf[1].type = \"number\""],
        &[unknown, ".required = true"],
    );
    let required = ".required = ? a schema that is not followed";
    check("z.string().describe('d').min(1)", &[".type = \"string\""], &[unknown, required]);
    check("z.string().min(1).min(2)", &[".type = \"string\""], &[unknown, required]);
    check("z.number().gt(1)", &[".type = \"number\""], &[unknown, required]);
    check("z.email()", &[" = ? a schema that is not followed"], &[" = ? a schema that is not followed"]);
    check("z.any()", &[" = {}"], &[".required = false"]);
    check(
        "z.object({ a: other })",
        &[".type = \"object\"", ".properties.a = ? a schema that is not followed", ".required[0] = \"a\""],
        &[unknown, ".required = true"],
    );
    check("z.object({ a: make() })", &[" = ? a schema that is not followed"], &[unknown, ".required = true"]);
}

#[test]
fn other_functions_are_not_zod() {
    let text: Arc<str> =
        "import { workflow } from '@framers/agentos/orchestration';\nimport { z } from './z';\n\
        workflow('w').input(z.string()).compile();"
            .into();
    check_module(
        &read("m.ts", &text, &NoOthers),
        &text,
        ".stateSchema.input",
        &[".stateSchema.input = ? a schema that is not followed @ z.string()"],
    );
}
