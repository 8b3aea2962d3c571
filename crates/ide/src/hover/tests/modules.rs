//! Hovers in modules of programs.

use super::check_hover;
use crate::hover::hover;
use crate::testing::project_at_cursor;

/// Compares the first line of the hover at the cursor.
fn check_title(fixture: &str, expected: &str) {
    let (snapshot, position) = project_at_cursor(fixture);
    let hover = hover(&snapshot, position).unwrap();
    let text = &snapshot.file(position.source).unwrap().text;
    let letters = &text[std::ops::Range::<usize>::from(hover.range)];
    let title = hover.text.markdown();
    assert_eq!(format!("{letters} => {}", title.lines().next().unwrap_or_default()), expected);
}

#[test]
fn in_modules_only_texts_are_explained() {
    let files = "
#- /m.ts
import { agent, graph, node } from '@cycgraph/orchestrator';
const ada = agent({ id: 'ada', model: 'claude-x', instructions: 'Find.' });
const one = node({ id: 'one', agent: ada, reads: ['topic'], writes: 'notes' });
const two = node({ id: 'two', agent: 'ada', reads: ['notes'] });
graph({ name: 'g', inputs: { topic: { type: 'string' } }, nodes: [one, two], edges: [{ from: one, to: two, when: 'memory.notes > 1' }] });
";
    let at = |place: &str| files.replace(&place.replace("$0", ""), place);
    check_title(&at("id: '$0one'"), "one => **node** `one` · m.ts:3");
    check_title(&at("agent: 'a$0da'"), "ada => **Agent** `ada` · m.ts:2");
    check_title(&at("memory.not$0es"), "notes => **state key** `notes`");
    check_title(&at("memory.notes >$0 1"), "> => `>`: Greater. Numbers only: anything else is an error.");
    for silent in ["re$0ads: ['topic']", "[o$0ne, two]", "to$0pic: {", "gra$0ph({"] {
        check_hover(&at(silent), "");
    }
}
