//! What programs of Python register under a name, so that no file has to declare it.
//!
//! Input: the text of a Python file. Output: kinds and names, with their places. Invariant: only a name that stands there as a literal, in a
//! call of a class that the file imports from the system's package, is one; everything else registers nothing.

use std::collections::BTreeMap;

use nodewise_dialect::table::Registrations;
use nodewise_dialect::tables::systems;
use nodewise_syntax::LineIndex;
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

use crate::python::{Token, tokens};

/// A name that a program registers with a system's package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Registration {
    /// The kind of declaration that the name can stand for.
    pub kind: &'static str,
    pub name: SmolStr,
    /// The line of the name, from 0.
    pub line: u32,
    /// The byte column of the name on that line, from 0.
    pub column: u32,
}

/// The names that the programs of a project register, each with its kinds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RegisteredNames(BTreeMap<SmolStr, Vec<&'static str>>);

impl RegisteredNames {
    /// Whether a name is registered with a kind that is accepted.
    pub(crate) fn have(&self, name: &str, accepts: impl Fn(&'static str) -> bool) -> bool {
        self.0.get(name).is_some_and(|kinds| kinds.iter().any(|kind| accepts(kind)))
    }
}

impl<'r> FromIterator<&'r Registration> for RegisteredNames {
    fn from_iter<I: IntoIterator<Item = &'r Registration>>(all: I) -> RegisteredNames {
        let mut names: BTreeMap<SmolStr, Vec<&'static str>> = BTreeMap::new();
        for one in all {
            let kinds = names.entry(one.name.clone()).or_default();
            if !kinds.contains(&one.kind) {
                kinds.push(one.kind);
            }
        }
        names.values_mut().for_each(|kinds| kinds.sort_unstable());
        RegisteredNames(names)
    }
}

/// The names that a Python file registers, in reading order.
#[must_use]
pub fn registrations(text: &str) -> Vec<Registration> {
    let stands = |package: &&str| text.contains(package);
    let tables = systems().filter_map(|dialect| dialect.registrations);
    let mut tables = tables.filter(|table| table.packages.iter().any(stands)).peekable();
    if tables.peek().is_none() {
        return Vec::new();
    }
    let tokens: Vec<Token<'_>> = tokens(text).collect();
    let lines = LineIndex::new(text);
    let mut found: Vec<Registration> = Vec::new();
    for table in tables {
        let program = Program::new(table, &tokens);
        for (kind, name, offset) in program.registered() {
            let before = text.get(..offset).unwrap_or_default();
            let line = lines.line_col(u32::try_from(offset).unwrap_or(u32::MAX).into()).line;
            let column = offset - before.rfind('\n').map_or(0, |end| end + 1);
            found.push(Registration {
                kind,
                name: name.into(),
                line: line.saturating_sub(1),
                column: u32::try_from(column).unwrap_or(u32::MAX),
            });
        }
    }
    found
}

/// A Python file that is searched for registrations of one system.
struct Program<'p, 't> {
    table: &'static Registrations,
    tokens: &'p [Token<'t>],
    /// The file's local names for classes of the package: local name to class.
    classes: FxHashMap<&'t str, &'t str>,
    /// Mappings that are assigned to a name exactly once: the position of the opening brace.
    mappings: FxHashMap<&'t str, usize>,
}

impl<'p, 't> Program<'p, 't> {
    fn new(table: &'static Registrations, tokens: &'p [Token<'t>]) -> Program<'p, 't> {
        let mut program =
            Program { table, tokens, classes: FxHashMap::default(), mappings: FxHashMap::default() };
        let mut repeated: FxHashSet<&str> = FxHashSet::default();
        for at in 0..tokens.len() {
            if program.name(at) == Some("from") && program.is_beginning(at) {
                program.import(at + 1);
            }
            if let Some(name) =
                program.name(at).filter(|_| program.is(at + 1, b'=') && !program.is(at + 2, b'='))
            {
                let is_new = program.is_beginning(at) && !program.mappings.contains_key(name);
                if !is_new || !program.is(at + 2, b'{') {
                    repeated.insert(name);
                }
                program.mappings.insert(name, at + 2);
            }
        }
        program.mappings.retain(|name, _| !repeated.contains(name));
        program
    }

    fn name(&self, at: usize) -> Option<&'t str> {
        match self.tokens.get(at)? {
            Token::Name(name) => Some(name),
            _ => None,
        }
    }

    fn is(&self, at: usize, wanted: u8) -> bool {
        matches!(self.tokens.get(at), Some(Token::Mark(mark)) if *mark == wanted)
    }

    /// Whether a statement begins at this token.
    fn is_beginning(&self, at: usize) -> bool {
        at == 0 || self.is(at - 1, b'\n') || self.is(at - 1, b';')
    }

    /// Reads `from package.module import (Class, Other as Name)`.
    fn import(&mut self, start: usize) {
        if !self.name(start).is_some_and(|package| self.table.packages.contains(&package)) {
            return;
        }
        let mut at = start + 1;
        while self.is(at, b'.') {
            at += 2;
        }
        if self.name(at) != Some("import") {
            return;
        }
        at += 1;
        let is_bracketed = self.is(at, b'(');
        at += usize::from(is_bracketed);
        loop {
            while is_bracketed && self.is(at, b'\n') {
                at += 1;
            }
            let Some(class) = self.name(at) else { return };
            at += 1;
            let renamed = self.name(at + 1).filter(|_| self.name(at) == Some("as"));
            at += if renamed.is_some() { 2 } else { 0 };
            self.classes.insert(renamed.unwrap_or(class), class);
            while is_bracketed && self.is(at, b'\n') {
                at += 1;
            }
            if !self.is(at, b',') {
                return;
            }
            at += 1;
        }
    }

    /// The registered names: the kind, the name, and the offset of the name.
    fn registered(&self) -> impl Iterator<Item = (&'static str, &'t str, usize)> {
        (0..self.tokens.len()).filter_map(|at| {
            // A name after a dot is a member of something else.
            let class = self.classes.get(self.name(at)?).filter(|_| at == 0 || !self.is(at - 1, b'.'))?;
            let kind = |name: &str| self.table.kinds.iter().copied().find(|kind| *kind == name);
            if let Some(kind) = kind(class) {
                let is_call = self.is(at + 1, b'.')
                    && self.name(at + 2) == Some(self.table.from_mapping)
                    && self.is(at + 3, b'(');
                let (name, offset) = self.in_mapping(self.first_argument(at + 4).filter(|_| is_call)?)?;
                return Some((kind, name, offset));
            }
            let kind = kind(class.strip_suffix(self.table.declaration_suffix)?)?;
            let (name, offset) = self.in_call(at + 1)?;
            Some((kind, name, offset))
        })
    }

    /// The position of the mapping that is the first argument of a call: written there, or assigned to a name before.
    fn first_argument(&self, mut at: usize) -> Option<usize> {
        while self.is(at, b'\n') {
            at += 1;
        }
        let is_named = self.name(at).is_some() && self.is(at + 1, b'=');
        at += if is_named { 2 } else { 0 };
        if self.is(at, b'{') {
            return Some(at);
        }
        let is_whole = self.is(at + 1, b',') || self.is(at + 1, b')');
        self.mappings.get(self.name(at)?).copied().filter(|_| is_whole)
    }

    /// The value of the name's key in a mapping, if it is a literal.
    fn in_mapping(&self, opening: usize) -> Option<(&'t str, usize)> {
        self.members(opening).filter(|at| self.is(at + 1, b':')).find_map(|at| match self.tokens.get(at)? {
            Token::Text(key, _) if *key == self.table.name => self.literal(at + 2),
            _ => None,
        })
    }

    /// The value of the name's argument in a call, if it is a literal.
    fn in_call(&self, opening: usize) -> Option<(&'t str, usize)> {
        if !self.is(opening, b'(') {
            return None;
        }
        let is_it = |at: &usize| self.name(*at) == Some(self.table.name) && self.is(at + 1, b'=');
        self.members(opening).find(is_it).and_then(|at| self.literal(at + 2))
    }

    /// The positions where the members between two brackets begin.
    fn members(&self, opening: usize) -> impl Iterator<Item = usize> {
        let mut depth = 0_usize;
        let mut begins = false;
        let rest = self.tokens.iter().enumerate().skip(opening);
        let parts = rest.map_while(move |(at, token)| {
            let is_first = std::mem::take(&mut begins);
            match token {
                Token::Mark(b'(' | b'[' | b'{') => depth += 1,
                Token::Mark(b')' | b']' | b'}') => depth = depth.checked_sub(1).filter(|depth| *depth > 0)?,
                _ => {}
            }
            begins = match token {
                Token::Mark(b'\n') => is_first,
                Token::Mark(b',') => depth == 1,
                Token::Mark(b'(' | b'[' | b'{') => depth == 1,
                _ => false,
            };
            Some((is_first && !matches!(token, Token::Mark(_))).then_some(at))
        });
        parts.flatten()
    }

    /// A string literal that is a whole value, with its offset.
    fn literal(&self, mut at: usize) -> Option<(&'t str, usize)> {
        while self.is(at, b'\n') {
            at += 1;
        }
        let Some(Token::Text(text, offset)) = self.tokens.get(at) else { return None };
        let mut behind = at + 1;
        while self.is(behind, b'\n') {
            behind += 1;
        }
        let is_whole = [b',', b')', b'}'].iter().any(|mark| self.is(behind, *mark));
        (is_whole && !text.is_empty()).then_some((*text, *offset))
    }
}

#[cfg(test)]
mod tests {
    use super::registrations;

    const IMPORTS: &str = "from liman_core.nodes.tool_node import ToolNode\n\
        from liman_core.nodes import (\n    ToolNodeSpec as Spec,  # renamed\n    LLMNode,\n)\n";

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let text = format!("{IMPORTS}{text}");
        let found = registrations(&text);
        let shown: Vec<String> = found
            .iter()
            .map(|one| format!("{}:{} {} {}", one.line - 4, one.column + 1, one.kind, one.name))
            .collect();
        assert_eq!(shown, expected, "{text}");
    }

    #[test]
    fn mappings_and_declarations_are_registered() {
        check(
            "ToolNode.from_dict({'kind': 'ToolNode', 'name': 'search'}, registry)",
            &["1:50 ToolNode search"],
        );
        check(
            "registry.add(LLMNode.from_dict(\n    data={\n        \"prompts\": {\"name\": \"inner\"},\n        \"name\": \"start\",\n    },\n    registry=registry,\n))",
            &["4:18 LLMNode start"],
        );
        check(
            "node = ToolNode(Spec(kind='ToolNode', name='search', func=f('x', name='y')), registry)",
            &["1:45 ToolNode search"],
        );
        check(
            "SEARCH = {'name': 'search'}\ndef add(registry):\n    ToolNode.from_dict(SEARCH, registry)",
            &["1:20 ToolNode search"],
        );
        check(
            "ToolNode.from_dict({'name': 'a'}, r); ToolNode.from_dict({'name': '''b'''}, r)",
            &["1:30 ToolNode a", "1:70 ToolNode b"],
        );
    }

    #[test]
    fn what_is_no_literal_registers_nothing() {
        for text in [
            "ToolNode.from_dict({'name': name}, registry)",
            "ToolNode.from_dict({'name': f'{x}'}, registry)",
            "ToolNode.from_dict({'name': 'a' 'b'}, registry)",
            "ToolNode.from_dict({'name': 'a' + x}, registry)",
            "ToolNode.from_dict({'name': 'a\\n'}, registry)",
            "ToolNode.from_dict({'name': ''}, registry)",
            "ToolNode.from_dict({'inner': {'name': 'a'}}, registry)",
            "ToolNode.from_dict(load({'name': 'a'}), registry)",
            "ToolNode.from_yaml_path('name', registry)",
            "other.ToolNode.from_dict({'name': 'a'}, registry)",
            "# ToolNode.from_dict({'name': 'a'}, registry)",
            "'''\nToolNode.from_dict({'name': 'a'}, registry)\n'''",
            "x = {'name': 'a'}\nx = {'name': 'b'}\nToolNode.from_dict(x, registry)",
            "x = {'name': 'a'}\nToolNode.from_dict(x | y, registry)",
            "ServiceAccount.from_dict({'name': 'a'}, registry)",
            "ToolNode.from_dict({'name': 'a'",
            "ToolNode.from_dict(",
            "Spec(name=",
            "Spec",
            "from liman_core import (",
            "from liman_core import",
            "from",
        ] {
            check(text, &[]);
        }
        let own = "class ToolNode: pass\nToolNode.from_dict({'name': 'liman'}, registry)";
        assert_eq!(registrations(own), []);
    }

    #[test]
    fn every_beginning_of_a_program_is_read_without_panic() {
        let text =
            format!("{IMPORTS}x = {{'name': 'ä'}}\nToolNode.from_dict(\n  x,\n)\nSpec(name=\"b\", **c)\n");
        for (end, _) in text.char_indices() {
            let _ = registrations(&text[..end]);
        }
        assert_eq!(registrations(&text).len(), 2);
    }
}
