use crate::oracle;
use crate::support::*;
use nodewise_syntax::parse;
#[test]
fn probe() {
    let mut random = Random::new(5);
    let mut seeds: Vec<String> = vec![];
    let data = shared_file("data/yaml-test-suite.json").unwrap();
    let data: serde_json::Value = serde_json::from_str(&data).unwrap();
    for c in data["cases"].as_array().unwrap() {
        let t = c["yaml"].as_str().unwrap().to_owned();
        if !t.is_empty() {
            seeds.push(t);
        }
    }
    let n: usize = std::env::var("N").map_or(20000, |n| n.parse().unwrap());
    let (mut both, mut split, mut total) = (0, 0, 0);
    let mut shown: Vec<(usize, String)> = vec![];
    for _ in 0..n {
        let mut m = seeds[random.below(seeds.len())].clone();
        match std::env::var("G").map_or(0, |g| g.parse().unwrap()) {
            0 => m = mutant(&m, &mut random),
            1 => m = crate::generate::document(&mut random),
            _ => {
                m = mutant(&m, &mut random);
                m = mutant(&m, &mut random);
                m = mutant(&m, &mut random);
            }
        }
        total += 1;
        let tree = parse(m.as_str());
        let o = oracle::ours(&tree);
        let r = oracle::yaml_rust2(&m);
        let s = oracle::saphyr(&m);
        let eq = |a: &oracle::Verdict, b: &oracle::Verdict| match (a, b) {
            (Ok(a), Ok(b)) => a == b,
            (Err(_), Err(_)) => true,
            _ => false,
        };
        let kinds: std::collections::BTreeSet<_> =
            tree.problems().iter().filter(|p| p.is_syntax()).map(|p| p.kind).collect();
        use nodewise_syntax::ProblemKind as K;
        let only = |k: K| kinds.len() == 1 && kinds.contains(&k);
        if only(K::TabIndentation) || only(K::ControlCharacter) {
            continue;
        }
        if let (Ok(_), Err(e)) = (&o, &r)
            && (e.contains("expected whitespace")
                || e.contains("valid YAML whitespace")
                || e.contains("tabs disallowed"))
        {
            continue;
        }
        if o.is_err()
            && r.is_ok()
            && tree
                .problems()
                .iter()
                .all(|p| p.kind == K::ReservedCharacter && ["?", ">", "|"].contains(&&m[p.range]))
        {
            continue;
        }
        if m.ends_with(' ') && m.contains(['|', '>']) {
            continue;
        }
        if eq(&r, &s) && !eq(&o, &r) {
            both += 1;
            let d = match (&o, &r) {
                (Ok(a), Ok(b)) => {
                    let i = a.iter().zip(b).position(|(x, y)| x != y).unwrap_or(0);
                    format!(
                        "EVENTS ours {:?} theirs {:?}",
                        &a[i..(i + 3).min(a.len())],
                        &b[i..(i + 3).min(b.len())]
                    )
                }
                (Err(e), _) => format!("REFUSED {e}"),
                (_, Err(e)) => format!("ACCEPTED theirs {e}"),
            };
            shown.push((m.len(), format!("=== {d}\n{}\n", m.replace('\t', "»").replace(" \n", "␣\n"))));
        } else if !eq(&r, &s) && !eq(&o, &r) && !eq(&o, &s) {
            split += 1;
        }
    }
    shown.sort();
    println!("total {total} both-against-us {both} all-differ {split}");
    for (_, s) in shown.iter().take(60) {
        println!("{s}");
    }
}
