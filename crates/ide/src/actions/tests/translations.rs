//! Missing translations.

use super::{check_action, check_titles};

#[test]
fn where_the_other_language_has_it() {
    check_action(
        "kind: LLMNode\nname: a\nprompts:\n  system:\n    en: Plan $0{order}\n    de: Plane {order}\n  notes: {en: \"Be {kind}: x\"}\n",
        "Add the missing `de` texts",
        "kind: LLMNode\nname: a\nprompts:\n  system:\n    en: Plan {order}\n    de: Plane {order}\n  notes: {en: \"Be {kind}: x\", de: \"Be {kind}: x\"}\n",
    );
    check_action(
        "kind: LLMNode\nname: a\nprompts:\n  en:\n    system: Plan$0\n    notes: [a, b]\n  de:\n    system: Plane # fast\n",
        "Add the missing `de` texts",
        "kind: LLMNode\nname: a\nprompts:\n  en:\n    system: Plan\n    notes: [a, b]\n  de:\n    system: Plane # fast\n    notes:\n      - a\n      - b\n",
    );
    check_action(
        "kind: LLMNode\nname: a\nprompts:\n  system: Plan$0\n  notes: {en: b, de: c}\n",
        "Add the missing `de` texts",
        "kind: LLMNode\nname: a\nprompts:\n  system: Plan\n  notes: {en: b, de: c}\n  de:\n    system: Plan\n",
    );
}

#[test]
fn a_language_of_the_project() {
    let other = "---\nkind: LLMNode\nname: b\nprompts: {system: {en: Hi, fr: Salut}}\n";
    let own = "kind: LLMNode\nname: a\nprompts:\n  system: {en: Hi$0}\n";
    check_titles(&format!("{own}{other}"), "Translate", &["Translate into `fr`"]);
    check_action(
        &format!("{own}{other}"),
        "Translate into `fr`",
        &format!("{}{other}", own.replace("Hi$0", "Hi, fr: Hi")),
    );
}

#[test]
fn all_of_the_document() {
    check_action(
        "kind: ToolNode\nname: a\ndescription: {en: A, de: A}\nfunc: a.b\narguments:\n  - name$0: x\n    type: string\n    description: {en: X, de: X, fr: X}\n  - name: y\n    type: string\n    description:\n      en: {long: Y, short: s}\n      de: {long: Y}\ntriggers:\n  - {en: go, fr: va}\n",
        "Add all missing translations in the document",
        "kind: ToolNode\nname: a\ndescription: {en: A, de: A}\nfunc: a.b\narguments:\n  - name: x\n    type: string\n    description: {en: X, de: X, fr: X}\n  - name: y\n    type: string\n    description:\n      en: {long: Y, short: s}\n      de: {long: Y, short: s}\ntriggers:\n  - {en: go, fr: va}\n",
    );
}

#[test]
fn a_plain_text() {
    check_action(
        "kind: ToolNode\nname: a\ndescription: Finds$0 it.\nfunc: a.b\n",
        "Convert to a localized text",
        "kind: ToolNode\nname: a\ndescription:\n  en: Finds it.\nfunc: a.b\n",
    );
}
