//! Completion and hover in `nodewise.toml`.

use super::{complete, hover};

/// The labels at `$0` that hold `wanted`, and what accepting the first one makes of the text.
fn check_offers(text: &str, wanted: &str, labels: &str, accepted: &str) {
    let offset = text.find("$0").expect("the text has a cursor");
    let text = text.replace("$0", "");
    let offers: Vec<_> =
        complete(&text, offset).into_iter().filter(|offer| offer.label.contains(wanted)).collect();
    let found: Vec<&str> = offers.iter().map(|offer| offer.label.as_str()).collect();
    assert_eq!(found.join(" "), labels, "{text}");
    let result = offers.first().map(|first| {
        let mut text = text.clone();
        text.replace_range(first.range.clone(), &first.text);
        text
    });
    assert_eq!(result.unwrap_or_default(), accepted);
}

#[test]
fn keys_of_the_table_around() {
    check_offers("[liman]\npro$0", "prof", "profile", "[liman]\nprofile = ");
    check_offers("[liman]\npro$0 = \"spec\"\n", "prof", "profile", "[liman]\nprofile = \"spec\"\n");
    check_offers("liman.p$0", "prof", "profile", "liman.profile = ");
    check_offers(
        "[rules]\nbad-$0",
        "invalid-reference",
        "invalid-reference",
        "[rules]\ninvalid-reference = ",
    );
    check_offers("[files]\n$0\n[liman]\n", "clude", "include exclude", "[files]\ninclude = \n[liman]\n");
    check_offers(
        "[live.models.\"m-1\"]\n$0",
        "usd",
        "input_usd output_usd cached_usd cache_write_usd",
        "[live.models.\"m-1\"]\ninput_usd = ",
    );
    check_offers("[live.tools]\nx = { fun$0", "function", "function", "[live.tools]\nx = { function = ");
    check_offers(
        "[[rules.override]]\nlevels = { bad-$0 }",
        "invalid-reference",
        "invalid-reference",
        "[[rules.override]]\nlevels = { invalid-reference =  }",
    );
    check_offers("[files] # ex$0", "", "", "");
    check_offers("[files]\nexclude = [ # x\n  \"a\", $0\n]", "", "", "");
}

#[test]
fn names_of_tables() {
    check_offers("[lim$0", "liman", "liman liman.external", "[liman]");
    check_offers("[liman.$0]\n", "liman.", "liman.external", "[liman.external]\n");
    check_offers("[[$0", "", "rules.override", "[[rules.override]]");
    check_offers("$0", "[liman", "[liman] [liman.external]", "[liman]");
}

#[test]
fn words_that_a_key_may_be_set_to() {
    check_offers("[liman]\nprofile = $0", "", "spec 0.1.1 0.1.0", "[liman]\nprofile = \"spec\"");
    check_offers("[liman]\nprofile = \"0$0\"", "0.1.0", "0.1.0", "[liman]\nprofile = \"0.1.0\"");
    check_offers(
        "[rules]\ninvalid-reference = \"$0",
        "",
        "off hint warning error",
        "[rules]\ninvalid-reference = \"off",
    );
    check_offers(
        "[[rules.override]]\nlevels = { invalid-reference = $0 }",
        "hint",
        "hint",
        "[[rules.override]]\nlevels = { invalid-reference = \"hint\" }",
    );
    check_offers("[dialect]\n\"a/**\" = \"$0\"", "none", "none", "[dialect]\n\"a/**\" = \"none\"");
    check_offers("[format]\nbrace_spacing = $0", "", "true false", "[format]\nbrace_spacing = true");
    check_offers("[files]\nmax_size_mib = $0", "", "64", "[files]\nmax_size_mib = 64");
}

fn check_hover(text: &str, expected: &str) {
    let offset = text.find("$0").expect("the text has a cursor");
    let text = text.replace("$0", "");
    let found = hover(&text, offset).map(|(range, doc)| {
        let words: Vec<String> = doc.words.into_iter().map(|(word, _)| word).collect();
        format!("{}: {} {} [{}] {:?}", &text[range], doc.name, doc.text, words.join(" "), doc.default)
    });
    assert_eq!(found.unwrap_or_default(), expected, "{text}");
}

#[test]
fn keys_and_words_are_explained() {
    check_hover(
        "[liman]\nprof$0ile = \"spec\"",
        "profile: liman.profile The version of Liman to follow. [spec 0.1.1 0.1.0] Some(\"\\\"spec\\\"\")",
    );
    check_hover(
        "[liman]\nprofile = \"sp$0ec\"",
        "spec: spec follow the specification; what a release lacks is a hint [] None",
    );
    check_hover("[lim$0an]", "liman: liman Settings for Liman documents. [] None");
    check_hover(
        "[rules]\n\"empty-f$0ile\" = \"off\"",
        "empty-file: rules.empty-file Reports a file without any document: nothing in it, or comments only. [off hint warning error] Some(\"\\\"warning\\\"\")",
    );
    check_hover("[li$0mon]", "");
    check_hover("[files]\nexclude = [\"a$0\"]", "");
}

#[test]
fn no_text_and_no_place_is_too_odd() {
    let guide = include_str!("../../../../../docs/configuration.md");
    for offset in (0..guide.len()).filter(|offset| guide.is_char_boundary(*offset)).step_by(5) {
        drop((complete(guide, offset), hover(guide, offset)));
    }
    for text in ["[", "[[", "]", "\"", "\"\"\"", "a = {", "a = [[[", "= =", "'\\", "a.\"b"] {
        (0..=text.len()).for_each(|offset| drop((complete(text, offset), hover(text, offset))));
    }
}
