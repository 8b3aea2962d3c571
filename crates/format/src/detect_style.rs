//! Which options change a set of texts least: how their people write, as far as options can say it. In: texts; out:
//! options, and how many texts they would still change. Invariant: the layout itself is the measure, so that there is no
//! second opinion about what a habit is.

use nodewise_dialect::table::Kind;
use nodewise_syntax::{ProblemKind, Tree};

use crate::conditions::{Rewrites, rewrites};
use crate::layout::laid_out;
use crate::options::{FlowWrapping, FormatOptions, Quotes, SequenceIndent};

/// The indentations to try, the most common ones first.
const INDENTS: [usize; 6] = [2, 4, 3, 1, 6, 8];
/// The line widths to try. The first one is used if several fit equally well.
const WIDTHS: [usize; 4] = [120, 140, 160, 200];
/// The numbers of empty lines to try. The first one is used if several fit equally well.
const BLANK_LINES: [usize; 3] = [1, 2, 3];

/// The style of a set of texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DetectedStyle {
    /// The options that change the texts least. Options on which the texts disagree are set to `Keep`, if they can be.
    pub options: FormatOptions,
    /// The number of texts that these options would change.
    pub changed: usize,
}

/// A text to format. It is only parsed once.
struct Sample<'t> {
    tree: &'t Tree,
    rewrites: Rewrites,
}

/// The cost of a choice: the number of changed texts, then the number of edits.
type Cost = (usize, usize);

/// Finds the style of texts. Each comes with the kinds of its documents. Texts with syntax errors are ignored.
pub fn detect_style<'t>(
    texts: impl Iterator<Item = (&'t Tree, &'t [Option<&'static Kind>])>,
) -> DetectedStyle {
    let is_break = |tree: &Tree| {
        tree.problems()
            .iter()
            .any(|problem| problem.is_syntax() || problem.kind == ProblemKind::UndefinedAlias)
    };
    let samples: Vec<Sample<'_>> = texts
        .filter(|(tree, _)| !is_break(tree))
        .map(|(tree, kinds)| Sample { tree, rewrites: rewrites(tree, kinds) })
        .collect();
    let mut search =
        Search { samples, options: FormatOptions { quotes: Quotes::Keep, ..FormatOptions::default() } };
    search.choose(INDENTS, |options, indent| options.indent = indent);
    search.choose(WIDTHS, |options, width| options.line_width = width);
    search.choose([FlowWrapping::Block, FlowWrapping::Keep], |options, flow| options.flow = flow);
    search.choose(BLANK_LINES, |options, lines| options.blank_lines = lines);
    search.choose([None, Some(true), Some(false)], |options, spacing| options.brace_spacing = spacing);
    // `Keep` comes last, so it is chosen only if it changes less than the others.
    search.choose([Quotes::Double, Quotes::Single, Quotes::Keep], |options, quotes| options.quotes = quotes);
    let sequences = [SequenceIndent::Indent, SequenceIndent::Flush, SequenceIndent::Keep];
    search.choose(sequences, |options, sequences| options.sequences = sequences);
    if search.cost(&FormatOptions { sequences: SequenceIndent::Indent, ..search.options.clone() })
        == search.cost(&FormatOptions { sequences: SequenceIndent::Flush, ..search.options.clone() })
    {
        // Both cost the same, so no text shows a preference.
        search.options.sequences = SequenceIndent::Keep;
    }
    let (changed, _) = search.cost(&search.options);
    DetectedStyle { options: search.options, changed }
}

struct Search<'t> {
    samples: Vec<Sample<'t>>,
    options: FormatOptions,
}

impl Search<'_> {
    /// Sets the option to the choice with the lowest cost; the first one if several are equal.
    fn choose<T: Copy>(&mut self, choices: impl IntoIterator<Item = T>, set: impl Fn(&mut FormatOptions, T)) {
        let mut best: Option<(Cost, FormatOptions)> = None;
        for choice in choices {
            let mut options = self.options.clone();
            set(&mut options, choice);
            let cost = self.cost(&options);
            if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                best = Some((cost, options));
            }
        }
        if let Some((_, options)) = best {
            self.options = options;
        }
    }

    fn cost(&self, options: &FormatOptions) -> Cost {
        let edits =
            self.samples.iter().map(|sample| laid_out(sample.tree, &sample.rewrites, options).1.len());
        edits.fold((0, 0), |(texts, sum), edits| (texts + usize::from(edits > 0), sum + edits))
    }
}
