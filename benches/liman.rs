//! The layers one by one on 1,000 Liman files held in memory: parsing beside an independent event
//! parser on the same text, facts, index, rules. Compare within one run; machines differ and are noisy.

use std::hint::black_box;
use std::sync::Arc;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use nodewise_analysis::check;
use nodewise_analysis::facts::FileFacts;
use nodewise_analysis::files::Files;
use nodewise_analysis::index::Index;
use nodewise_analysis::settings::Settings;
use nodewise_model::SourceId;
use nodewise_test_support::workspace::flow;

const FILES: usize = 1_000;

fn layers(criterion: &mut Criterion) {
    let texts: Vec<Arc<str>> = (0..FILES).map(|number| flow(number, FILES, "orders").into()).collect();
    let bytes: usize = texts.iter().map(|text| text.len()).sum();
    let mut group = criterion.benchmark_group("liman");
    group.throughput(Throughput::Bytes(bytes as u64)).sample_size(20);
    group.bench_function("parse", |bencher| {
        bencher
            .iter(|| texts.iter().for_each(|text| drop(black_box(nodewise_syntax::parse(Arc::clone(text))))));
    });
    group.bench_function("parse (yaml-rust2 events)", |bencher| {
        bencher.iter(|| texts.iter().for_each(|text| count_events(text)));
    });
    group.bench_function("facts", |bencher| bencher.iter(|| black_box(facts(&texts))));
    let files = facts(&texts);
    group.bench_function("index", |bencher| bencher.iter(|| black_box(Index::build(&files))));
    let index = Index::build(&files);
    group.bench_function("rules", |bencher| {
        bencher.iter(|| files.iter().for_each(|file| drop(black_box(check::judge(&files, &index, file)))));
    });
    group.finish();
}

fn facts(texts: &[Arc<str>]) -> Files {
    let settings = Arc::new(Settings::default());
    let facts = |(number, text): (u32, &Arc<str>)| {
        FileFacts::new(
            SourceId(number),
            format!("flow_{number:05}.yaml").into(),
            Arc::clone(text),
            Arc::clone(&settings),
        )
    };
    (0..).zip(texts).map(facts).collect()
}

fn count_events(text: &str) {
    let mut parser = yaml_rust2::parser::Parser::new_from_str(text);
    while let Ok((event, _)) = parser.next_token() {
        if matches!(black_box(event), yaml_rust2::Event::StreamEnd) {
            break;
        }
    }
}

criterion_group!(benches, layers);
criterion_main!(benches);
