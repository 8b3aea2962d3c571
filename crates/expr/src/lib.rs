//! The expression languages of the dialects: parse, check, evaluate, print.
