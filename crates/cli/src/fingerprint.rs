//! What a finding is called across edits: a name that stays while the finding does.
//!
//! Input: diagnostics in output order. Output: a fingerprint each. Invariant: lines that come or go elsewhere in the file
//! change no fingerprint, and no two findings of a project share one.

use std::collections::BTreeMap;

use nodewise_analysis::diagnostic::Diagnostic;

use crate::project::Judged;

/// The fingerprints of a project's diagnostics, in their order.
pub(crate) fn fingerprints(judged: &Judged, diagnostics: &[&Diagnostic]) -> Vec<String> {
    let mut seen: BTreeMap<u64, u32> = BTreeMap::new();
    let of_one = |diagnostic: &&Diagnostic| {
        let place = judged.place(diagnostic.finding.at);
        let path = place.map_or("", |place| place.path);
        let line = judged.text(diagnostic.finding.at.source).and_then(|(text, lines)| {
            let range = lines.line_range(place?.start.at.line)?;
            text.get(usize::from(range.start())..usize::from(range.end()))
        });
        let line = line.unwrap_or_default().trim();
        let basis = hash(&[diagnostic.rule, path, &diagnostic.finding.message, line]);
        // Equal findings on equal lines are told apart by their order.
        let number = seen.entry(basis).or_default();
        *number += 1;
        format!("{:016x}", hash(&[&basis.to_string(), &number.to_string()]))
    };
    diagnostics.iter().map(of_one).collect()
}

/// FNV-1a: the same in every release and on every machine, which the standard hasher does not promise.
fn hash(parts: &[&str]) -> u64 {
    const BASIS: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0100_0000_01b3;
    let bytes = parts.iter().flat_map(|part| part.bytes().chain([0]));
    bytes.fold(BASIS, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(PRIME))
}
