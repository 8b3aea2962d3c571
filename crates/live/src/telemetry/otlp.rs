//! The messages of OTLP that nodewise sends: spans and metrics.
//!
//! Input: their fields. Output: bytes for a collector. Invariant: fields have the numbers and types of version 1 of
//! [OTLP](https://github.com/open-telemetry/opentelemetry-proto/tree/main/opentelemetry/proto). Fields that nodewise never sets are left
//! out, which the encoding allows. The tests decode what is sent with the messages of OpenTelemetry's own crate.

use std::time::{SystemTime, UNIX_EPOCH};

use prost::{Message, Oneof};

/// The body of a request to `/v1/traces`.
#[derive(Clone, PartialEq, Message)]
pub(super) struct TracesRequest {
    #[prost(message, repeated, tag = "1")]
    resource_spans: Vec<ResourceSpans>,
}

#[derive(Clone, PartialEq, Message)]
struct ResourceSpans {
    #[prost(message, optional, tag = "1")]
    resource: Option<OtlpResource>,
    #[prost(message, repeated, tag = "2")]
    scope_spans: Vec<ScopeSpans>,
}

#[derive(Clone, PartialEq, Message)]
struct ScopeSpans {
    #[prost(message, optional, tag = "1")]
    scope: Option<OtlpScope>,
    #[prost(message, repeated, tag = "2")]
    spans: Vec<OtlpSpan>,
}

/// A span that has ended.
#[derive(Clone, PartialEq, Message)]
pub(super) struct OtlpSpan {
    #[prost(bytes = "vec", tag = "1")]
    pub(super) trace_id: Vec<u8>,
    #[prost(bytes = "vec", tag = "2")]
    pub(super) span_id: Vec<u8>,
    /// Empty for the root of a trace.
    #[prost(bytes = "vec", tag = "4")]
    pub(super) parent_span_id: Vec<u8>,
    #[prost(string, tag = "5")]
    pub(super) name: String,
    /// One of [`INTERNAL`] and [`CLIENT`].
    #[prost(int32, tag = "6")]
    pub(super) kind: i32,
    #[prost(fixed64, tag = "7")]
    pub(super) start_time_unix_nano: u64,
    #[prost(fixed64, tag = "8")]
    pub(super) end_time_unix_nano: u64,
    #[prost(message, repeated, tag = "9")]
    pub(super) attributes: Vec<OtlpAttribute>,
    #[prost(message, repeated, tag = "11")]
    pub(super) events: Vec<OtlpEvent>,
    #[prost(message, optional, tag = "15")]
    pub(super) status: Option<OtlpStatus>,
    #[prost(fixed32, tag = "16")]
    pub(super) flags: u32,
}

/// Something that happened at one moment of a span.
#[derive(Clone, PartialEq, Message)]
pub(super) struct OtlpEvent {
    #[prost(fixed64, tag = "1")]
    pub(super) time_unix_nano: u64,
    #[prost(string, tag = "2")]
    pub(super) name: String,
    #[prost(message, repeated, tag = "3")]
    pub(super) attributes: Vec<OtlpAttribute>,
}

/// How a span ended. The default is a span without an error.
#[derive(Clone, PartialEq, Message)]
pub(super) struct OtlpStatus {
    #[prost(string, tag = "2")]
    message: String,
    #[prost(int32, tag = "3")]
    code: i32,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct OtlpAttribute {
    #[prost(string, tag = "1")]
    pub(super) key: String,
    #[prost(message, optional, tag = "2")]
    value: Option<OtlpAnyValue>,
}

#[derive(Clone, PartialEq, Message)]
struct OtlpAnyValue {
    #[prost(oneof = "OtlpValue", tags = "1, 2, 3, 4")]
    value: Option<OtlpValue>,
}

/// The value of an attribute.
#[derive(Clone, PartialEq, Oneof)]
pub(super) enum OtlpValue {
    #[prost(string, tag = "1")]
    Text(String),
    #[prost(bool, tag = "2")]
    Flag(bool),
    #[prost(int64, tag = "3")]
    Integer(i64),
    #[prost(double, tag = "4")]
    Number(f64),
}

/// The program that sends.
#[derive(Clone, PartialEq, Message)]
struct OtlpResource {
    #[prost(message, repeated, tag = "1")]
    attributes: Vec<OtlpAttribute>,
}

/// The part of the program that made the spans or metrics.
#[derive(Clone, PartialEq, Message)]
struct OtlpScope {
    #[prost(string, tag = "1")]
    name: String,
    #[prost(string, tag = "2")]
    version: String,
}

/// The body of a request to `/v1/metrics`.
#[derive(Clone, PartialEq, Message)]
pub(super) struct MetricsRequest {
    #[prost(message, repeated, tag = "1")]
    resource_metrics: Vec<ResourceMetrics>,
}

#[derive(Clone, PartialEq, Message)]
struct ResourceMetrics {
    #[prost(message, optional, tag = "1")]
    resource: Option<OtlpResource>,
    #[prost(message, repeated, tag = "2")]
    scope_metrics: Vec<ScopeMetrics>,
}

#[derive(Clone, PartialEq, Message)]
struct ScopeMetrics {
    #[prost(message, optional, tag = "1")]
    scope: Option<OtlpScope>,
    #[prost(message, repeated, tag = "2")]
    metrics: Vec<OtlpMetric>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct OtlpMetric {
    #[prost(string, tag = "1")]
    pub(super) name: String,
    #[prost(string, tag = "2")]
    pub(super) description: String,
    /// In the notation of UCUM: `s`, or `{token}`.
    #[prost(string, tag = "3")]
    pub(super) unit: String,
    #[prost(oneof = "MetricPoints", tags = "7, 9")]
    pub(super) points: Option<MetricPoints>,
}

/// The values of a metric, one for each set of attributes.
#[derive(Clone, PartialEq, Oneof)]
pub(super) enum MetricPoints {
    #[prost(message, tag = "7")]
    Sums(SumPoints),
    #[prost(message, tag = "9")]
    Histograms(HistogramPoints),
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct SumPoints {
    #[prost(message, repeated, tag = "1")]
    points: Vec<SumPoint>,
    #[prost(int32, tag = "2")]
    temporality: i32,
    #[prost(bool, tag = "3")]
    only_grows: bool,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct SumPoint {
    #[prost(fixed64, tag = "2")]
    pub(super) start_time_unix_nano: u64,
    #[prost(fixed64, tag = "3")]
    pub(super) time_unix_nano: u64,
    /// Optional because the field is a choice in OTLP: a point without it has no value, while 0 is a value.
    #[prost(double, optional, tag = "4")]
    pub(super) value: Option<f64>,
    #[prost(message, repeated, tag = "7")]
    pub(super) attributes: Vec<OtlpAttribute>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct HistogramPoints {
    #[prost(message, repeated, tag = "1")]
    points: Vec<HistogramPoint>,
    #[prost(int32, tag = "2")]
    temporality: i32,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct HistogramPoint {
    #[prost(fixed64, tag = "2")]
    pub(super) start_time_unix_nano: u64,
    #[prost(fixed64, tag = "3")]
    pub(super) time_unix_nano: u64,
    #[prost(fixed64, tag = "4")]
    pub(super) count: u64,
    #[prost(double, optional, tag = "5")]
    pub(super) sum: Option<f64>,
    /// One more than [`Self::explicit_bounds`]: the last one counts the values above the last bound.
    #[prost(fixed64, repeated, tag = "6")]
    pub(super) bucket_counts: Vec<u64>,
    #[prost(double, repeated, tag = "7")]
    pub(super) explicit_bounds: Vec<f64>,
    #[prost(message, repeated, tag = "9")]
    pub(super) attributes: Vec<OtlpAttribute>,
    #[prost(double, optional, tag = "11")]
    pub(super) min: Option<f64>,
    #[prost(double, optional, tag = "12")]
    pub(super) max: Option<f64>,
}

/// The kind of a span for work in this process.
pub(super) const INTERNAL: i32 = 1;
/// The kind of a span for a request to another one.
pub(super) const CLIENT: i32 = 3;
/// The trace is recorded (bit 0), and it is known (bit 8) that the parent is not in another process (bit 9).
pub(super) const SAMPLED_LOCAL_PARENT: u32 = 0x101;
/// The code of a status with an error.
const ERROR: i32 = 2;
/// Points are differences since the last ones, not sums since the beginning.
const DELTA: i32 = 1;

impl TracesRequest {
    pub(super) fn new(spans: Vec<OtlpSpan>) -> TracesRequest {
        let scope_spans = vec![ScopeSpans { scope: Some(OtlpScope::nodewise()), spans }];
        TracesRequest {
            resource_spans: vec![ResourceSpans { resource: Some(OtlpResource::nodewise()), scope_spans }],
        }
    }
}

impl MetricsRequest {
    pub(super) fn new(metrics: Vec<OtlpMetric>) -> MetricsRequest {
        let scope_metrics = vec![ScopeMetrics { scope: Some(OtlpScope::nodewise()), metrics }];
        let resource = Some(OtlpResource::nodewise());
        MetricsRequest { resource_metrics: vec![ResourceMetrics { resource, scope_metrics }] }
    }
}

impl MetricPoints {
    /// Sums that never get smaller.
    pub(super) fn sums(points: Vec<SumPoint>) -> MetricPoints {
        MetricPoints::Sums(SumPoints { points, temporality: DELTA, only_grows: true })
    }

    pub(super) fn histograms(points: Vec<HistogramPoint>) -> MetricPoints {
        MetricPoints::Histograms(HistogramPoints { points, temporality: DELTA })
    }
}

impl OtlpStatus {
    pub(super) fn error(class: String) -> OtlpStatus {
        OtlpStatus { message: class, code: ERROR }
    }
}

impl OtlpAttribute {
    pub(super) fn new(key: &str, value: impl Into<OtlpValue>) -> OtlpAttribute {
        OtlpAttribute { key: key.to_owned(), value: Some(OtlpAnyValue { value: Some(value.into()) }) }
    }

    pub(super) fn value(&self) -> Option<&OtlpValue> {
        self.value.as_ref()?.value.as_ref()
    }
}

impl OtlpValue {
    /// The text of the value; `None` if it is not a text.
    pub(super) fn as_text(&self) -> Option<&str> {
        match self {
            OtlpValue::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The value as a number; `None` if it is not a number.
    pub(super) fn as_number(&self) -> Option<f64> {
        match self {
            OtlpValue::Integer(number) => Some(*number as f64),
            OtlpValue::Number(number) => Some(*number),
            _ => None,
        }
    }
}

impl OtlpResource {
    fn nodewise() -> OtlpResource {
        OtlpResource {
            attributes: vec![
                OtlpAttribute::new("service.name", "nodewise"),
                OtlpAttribute::new("service.version", env!("CARGO_PKG_VERSION")),
            ],
        }
    }
}

impl OtlpScope {
    fn nodewise() -> OtlpScope {
        OtlpScope { name: "nodewise".to_owned(), version: env!("CARGO_PKG_VERSION").to_owned() }
    }
}

impl From<&str> for OtlpValue {
    fn from(text: &str) -> OtlpValue {
        OtlpValue::Text(text.to_owned())
    }
}

impl From<String> for OtlpValue {
    fn from(text: String) -> OtlpValue {
        OtlpValue::Text(text)
    }
}

impl From<bool> for OtlpValue {
    fn from(flag: bool) -> OtlpValue {
        OtlpValue::Flag(flag)
    }
}

impl From<i64> for OtlpValue {
    fn from(number: i64) -> OtlpValue {
        OtlpValue::Integer(number)
    }
}

impl From<f64> for OtlpValue {
    fn from(number: f64) -> OtlpValue {
        OtlpValue::Number(number)
    }
}

/// A time in nanoseconds since 1970. Times before are 0.
pub(super) fn nanoseconds(time: SystemTime) -> u64 {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_nanos()).unwrap_or(u64::MAX)
}
