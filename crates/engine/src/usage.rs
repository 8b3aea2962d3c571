//! The usage of model calls: tokens and money.

use std::ops::AddAssign;

/// The tokens and money that calls used.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Usage {
    /// Tokens that models read.
    pub input_tokens: f64,
    /// How many of the read tokens the provider had in its cache.
    pub cached_tokens: f64,
    /// How many of the read tokens the provider wrote to its cache.
    pub cache_write_tokens: f64,
    /// Tokens that models wrote.
    pub output_tokens: f64,
    /// Money, in US dollars.
    pub cost_usd: f64,
}

impl Usage {
    /// Tokens read and written together.
    #[must_use]
    pub fn tokens(&self) -> f64 {
        self.input_tokens + self.output_tokens
    }

    /// Whether nothing was used.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        *self == Usage::default()
    }
}

impl AddAssign for Usage {
    fn add_assign(&mut self, other: Usage) {
        self.input_tokens += other.input_tokens;
        self.cached_tokens += other.cached_tokens;
        self.cache_write_tokens += other.cache_write_tokens;
        self.output_tokens += other.output_tokens;
        self.cost_usd += other.cost_usd;
    }
}
