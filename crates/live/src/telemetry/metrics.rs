//! Metrics of a run beside its spans: tokens, times and costs, in the words of OpenTelemetry's conventions for generative models.
//!
//! Input: spans that ended. Output: one request of OTLP with the differences since the process began with the run. Invariant: equal
//! attributes are one point, and no text of a model or a tool is an attribute.

use std::collections::BTreeMap;
use std::time::SystemTime;

use prost::Message;

use super::otlp::{
    HistogramPoint, MetricPoints, MetricsRequest, OtlpAttribute, OtlpMetric, OtlpSpan, OtlpValue, SumPoint,
    nanoseconds,
};

/// The attributes of a data point, by name.
type Attributes = BTreeMap<&'static str, String>;

/// The metrics of a run.
#[derive(Debug)]
pub(super) struct Metrics {
    began: SystemTime,
    tokens: BTreeMap<Attributes, Distribution>,
    durations: BTreeMap<Attributes, Distribution>,
    costs: BTreeMap<Attributes, f64>,
}

/// A histogram: counts of values in buckets.
#[derive(Debug, Clone)]
struct Distribution {
    bounds: &'static [f64],
    counts: Vec<u64>,
    count: u64,
    sum: f64,
    least: f64,
    most: f64,
}

/// The bucket limits for tokens, as the conventions recommend them.
const TOKENS: [f64; 14] = [
    1.0,
    4.0,
    16.0,
    64.0,
    256.0,
    1024.0,
    4096.0,
    16384.0,
    65536.0,
    262_144.0,
    1_048_576.0,
    4_194_304.0,
    16_777_216.0,
    67_108_864.0,
];
/// The bucket limits for seconds, as the conventions recommend them.
const SECONDS: [f64; 14] =
    [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];
/// The attributes of spans that data points get, too.
const SHARED: [&str; 5] = [
    "gen_ai.operation.name",
    "gen_ai.provider.name",
    "gen_ai.request.model",
    "gen_ai.tool.name",
    "error.type",
];
const TOKEN_TYPE: &str = "gen_ai.token.type";

impl Metrics {
    pub(super) fn new(began: SystemTime) -> Metrics {
        Metrics { began, tokens: BTreeMap::new(), durations: BTreeMap::new(), costs: BTreeMap::new() }
    }

    /// Adds a span that ended. Only calls of models and tools count.
    pub(super) fn add(&mut self, span: &OtlpSpan) {
        let value = |key: &str| span.attributes.iter().find(|attribute| attribute.key == key)?.value();
        let number = |key: &str| value(key).and_then(OtlpValue::as_number);
        let shared = SHARED.iter().filter_map(|key| Some((*key, value(key)?.as_text()?.to_owned())));
        let attributes: Attributes = shared.collect();
        if !matches!(attributes.get(SHARED[0]).map(String::as_str), Some("chat" | "execute_tool")) {
            return;
        }
        let duration = span.end_time_unix_nano.saturating_sub(span.start_time_unix_nano) as f64 / 1e9;
        let durations = self.durations.entry(attributes.clone());
        durations.or_insert_with(|| Distribution::new(&SECONDS)).add(duration);
        for (key, word) in [("gen_ai.usage.input_tokens", "input"), ("gen_ai.usage.output_tokens", "output")]
        {
            let Some(tokens) = number(key) else { continue };
            let mut attributes = attributes.clone();
            attributes.insert(TOKEN_TYPE, word.to_owned());
            self.tokens.entry(attributes).or_insert_with(|| Distribution::new(&TOKENS)).add(tokens);
        }
        if let Some(cost) = number("nodewise.cost_usd") {
            *self.costs.entry(attributes).or_default() += cost;
        }
    }

    /// The request with all metrics; `None` if there is nothing to send.
    pub(super) fn encoded(&self, now: SystemTime) -> Option<Vec<u8>> {
        let (from, to) = (nanoseconds(self.began), nanoseconds(now));
        let attributes_of = |attributes: &Attributes| {
            let all = attributes.iter().map(|(key, value)| OtlpAttribute::new(key, value.as_str()));
            all.collect::<Vec<_>>()
        };
        let histogram = |points: &BTreeMap<Attributes, Distribution>| {
            let points = points.iter().map(|(attributes, values)| HistogramPoint {
                attributes: attributes_of(attributes),
                start_time_unix_nano: from,
                time_unix_nano: to,
                count: values.count,
                sum: Some(values.sum),
                bucket_counts: values.counts.clone(),
                explicit_bounds: values.bounds.to_vec(),
                min: Some(values.least),
                max: Some(values.most),
            });
            MetricPoints::histograms(points.collect())
        };
        let costs = self.costs.iter().map(|(attributes, cost)| SumPoint {
            attributes: attributes_of(attributes),
            start_time_unix_nano: from,
            time_unix_nano: to,
            value: Some(*cost),
        });
        let costs = MetricPoints::sums(costs.collect());
        let named = |name: &str, unit: &str, description: &str, points: MetricPoints| OtlpMetric {
            name: name.to_owned(),
            unit: unit.to_owned(),
            description: description.to_owned(),
            points: Some(points),
        };
        let mut metrics = Vec::new();
        if !self.durations.is_empty() {
            let duration = "The time of calls of models and tools.";
            let name = "gen_ai.client.operation.duration";
            metrics.push(named(name, "s", duration, histogram(&self.durations)));
        }
        if !self.tokens.is_empty() {
            let tokens = "The tokens that models read and wrote.";
            metrics.push(named("gen_ai.client.token.usage", "{token}", tokens, histogram(&self.tokens)));
        }
        if !self.costs.is_empty() {
            metrics.push(named("nodewise.cost", "{USD}", "What calls cost, in US dollars.", costs));
        }
        (!metrics.is_empty()).then(|| MetricsRequest::new(metrics).encode_to_vec())
    }
}

impl Distribution {
    fn new(bounds: &'static [f64]) -> Distribution {
        let (least, most) = (f64::INFINITY, f64::NEG_INFINITY);
        Distribution { bounds, counts: vec![0; bounds.len() + 1], count: 0, sum: 0.0, least, most }
    }

    fn add(&mut self, value: f64) {
        let bucket = self.bounds.partition_point(|bound| *bound < value);
        if let Some(count) = self.counts.get_mut(bucket) {
            *count += 1;
        }
        self.count += 1;
        self.sum += value;
        self.least = self.least.min(value);
        self.most = self.most.max(value);
    }
}
