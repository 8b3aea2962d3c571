//! The smallest text that shows a finding. In: a text, and whether a text shows it; out: a text of which no line and no
//! character can go. Invariant: what comes out shows the finding if the text did.

/// The maximum number of texts to try.
const TRIES: usize = 4_000;

/// A text from which nothing can be removed without losing the finding.
pub(crate) fn smallest(text: &str, shows: &impl Fn(&str) -> bool) -> String {
    let mut tries = TRIES;
    let mut text = text.to_owned();
    loop {
        let before = text.len();
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        text = without(&lines, &mut tries, shows);
        let letters: Vec<&str> = text.split_inclusive(|_| true).collect();
        text = without(&letters, &mut tries, shows);
        if text.len() == before || tries == 0 {
            return text;
        }
    }
}

/// The pieces that are needed. Tries to remove long runs of pieces first, then single ones.
fn without(pieces: &[&str], tries: &mut usize, shows: &impl Fn(&str) -> bool) -> String {
    let mut pieces = pieces.to_vec();
    let mut length = pieces.len() / 2;
    while length > 0 {
        let mut start = 0;
        while start < pieces.len() && *tries > 0 {
            let end = (start + length).min(pieces.len());
            let rest = [&pieces[..start], &pieces[end..]].concat();
            *tries -= 1;
            if shows(&rest.concat()) {
                pieces = rest;
            } else {
                start = end;
            }
        }
        length /= 2;
    }
    pieces.concat()
}
