//! Judged queries, and the figures by which `cargo bench --bench relevance` measures answers to them.

#[path = "../../benches/relevance/judged.rs"]
mod judged;

use std::collections::HashMap;

use almoner::record::{Ein, OrgId};

use judged::{Figures, GOOD, RIGHT, fused, judged, tables};

#[test]
fn agreement_of_both_rankings_beats_the_first_place_of_one() {
    let orgs = |numbers: &[u32]| numbers.iter().copied().map(OrgId::new).collect::<Vec<_>>();
    let joined = fused(&[orgs(&[1, 2, 3]), orgs(&[4, 2, 5])]);
    assert_eq!(joined, orgs(&[2, 1, 4, 3, 5]));
    assert_eq!(fused(&[orgs(&[7, 6]), Vec::new()]), orgs(&[7, 6]));
}

#[test]
fn figures_are_those_of_their_definitions() {
    let ein = |number| Ein::unpack(number).unwrap();
    let grades = HashMap::from([(ein(1), 3), (ein(2), 2), (ein(3), 0)]);
    let best = Figures::of(&[ein(1), ein(2), ein(3)], &grades);
    assert_eq!((best.ndcg, best.precision, best.recall, best.success), (1.0, 1.0, 1.0, 1.0));
    let second = Figures::of(&[ein(3), ein(1)], &grades);
    let expected = (7.0 / 3.0_f64.log2()) / (7.0 + 3.0 / 3.0_f64.log2());
    assert!((second.ndcg - expected).abs() < 1e-12);
    assert_eq!((second.precision, second.recall, second.success), (0.5, 0.5, 0.0));
    assert_eq!(Figures::of(&[], &HashMap::new()).ndcg, 0.0);
}

#[test]
fn every_judged_query_has_something_good() {
    let [queries, grades] = tables(None).unwrap();
    let judged = judged(&queries, &grades).unwrap();
    assert!(judged.len() >= 400);
    for query in judged {
        assert!(!query.text.is_empty() && !query.kind.is_empty());
        assert!(query.grades.values().any(|grade| *grade >= GOOD), "{}", query.id);
        assert!(query.grades.values().all(|grade| *grade <= RIGHT), "{}", query.id);
    }
}
