//! What random edits make of texts. In: a seed; out: offsets and edited texts, the same in every run.

/// Numbers that look random and are the same in every run.
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % end.max(1)
    }

    pub(crate) fn boundary(&mut self, text: &str) -> usize {
        let mut offset = self.below(text.len() + 1);
        while !text.is_char_boundary(offset) {
            offset -= 1;
        }
        offset
    }

    /// Offsets in a text and behind its end, also inside of characters.
    pub(crate) fn offsets(&mut self, text: &str, count: usize) -> Vec<usize> {
        let mut offsets: Vec<usize> = (0..count).map(|_| self.below(text.len() + 3)).collect();
        offsets.extend([0, text.len()]);
        offsets
    }

    /// A text with one thing done to it that happens while somebody types or pastes.
    pub(crate) fn edited(&mut self, text: &str, other: &str) -> String {
        const TYPED: &[&str] = &[
            "\"",
            "'",
            "{",
            "}",
            "[",
            "]",
            ":",
            ": ",
            "- ",
            "\n",
            "\n  ",
            "\t",
            "😀",
            "漢字",
            "é",
            "#",
            " #",
            "|",
            ">-\n",
            "&a ",
            "*a ",
            "!x ",
            "<<: *a\n",
            "---\n",
            "$",
            "{a}",
            "\r\n",
            "\r",
            "\u{feff}",
            "\u{0}",
            "\u{2028}",
            "kind: ",
            "# nodewise: ignore[",
            "? ",
            "when: \"",
            "\\",
            "%",
            ".",
            "()",
            "'' ",
        ];
        let (from, to) = (self.boundary(text), self.boundary(text));
        let (from, to) = (from.min(to), from.max(to));
        let (pasted, pasted_end) = (self.boundary(other), self.boundary(other));
        let pasted = &other[pasted.min(pasted_end)..pasted.max(pasted_end)];
        match self.below(8) {
            0 => text.replace('\n', "\r\n"),
            1 => format!("{}{}", &text[..from], &text[to..]),
            2 => format!("{}{pasted}{}", &text[..from], &text[from..]),
            3 => text[..from].to_owned(),
            4 => text.replacen(char::is_alphabetic, "漢😀", self.below(5)),
            _ => format!("{}{}{}", &text[..from], TYPED[self.below(TYPED.len())], &text[from..]),
        }
    }
}
