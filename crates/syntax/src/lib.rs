//! Lossless, error-tolerant YAML trees.
