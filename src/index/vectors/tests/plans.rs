//! The plans that are not exact, each forced: what they find, and what they make of damage.

use super::super::plan::run;
use super::*;

const APPROXIMATE: [Plan; 2] = [Plan::Graph, Plan::Bits];

fn forced(index: &Vectors, ask: &Query, plan: Plan) -> Result<Nearest, Damage> {
    let matches = ask.matching.map_or(index.count() as u64, |matching| matching.count);
    run(index, &index.query(ask.query)?, ask, matches, plan)
}

/// Nodes that are reached from one, by following links.
fn reached(index: &Vectors, from: u32) -> usize {
    let mut seen = vec![false; index.coarse.count()];
    let mut waiting = vec![from];
    seen[from as usize] = true;
    while let Some(node) = waiting.pop() {
        for next in index.neighbours.row(node as usize).unwrap().as_chunks::<4>().0 {
            let next = u32::from_le_bytes(*next);
            if next != NO_NODE && !std::mem::replace(&mut seen[next as usize], true) {
                waiting.push(next);
            }
        }
    }
    seen.into_iter().filter(|seen| *seen).count()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]
    #[test]
    fn every_node_is_reached_from_every_entry(
        seed in any::<u64>(),
        (count, dims) in (1_usize..500, 1_usize..20),
    ) {
        let mut chance = Rng(seed);
        let mut vectors = chance.clustered(count, dims);
        // Some that nothing is near to.
        let far: Vec<Vec<f32>> =
            vectors.iter().step_by(7).map(|one| one.iter().map(|x| -x).collect()).collect();
        vectors.extend(far);
        let (_folder, index) = built(&vectors, dims);
        let entries = index.entries.count();
        for entry in 0..entries {
            let node = index.entries.row(entry).unwrap().first_chunk().copied().unwrap();
            prop_assert_eq!(reached(&index, u32::from_le_bytes(node)), index.coarse.count());
        }
    }

    #[test]
    fn no_plan_finds_fewer_than_match_or_what_does_not(
        seed in any::<u64>(),
        (count, dims) in (1_usize..300, 2_usize..40),
        runs in prop::collection::vec((0_usize..300, 0_usize..60), 0..4),
        k in 0_usize..40,
    ) {
        let mut chance = Rng(seed);
        let vectors = chance.clustered(count, dims);
        let (_folder, index) = built(&vectors, dims);
        let query = unit((0..dims).map(|_| chance.next() - 0.5).collect());
        let runs: Vec<_> = runs.into_iter().map(|(from, length)| from..from + length).collect();
        let set = Bitmap::of_runs(count as u32, &runs);
        let matching = Matching { set: &set, count: set.count() };
        for matching in [None, Some(&matching)] {
            let ask = Query { matching, ..Query::new(&query, k) };
            let all = naive(&index, &query, matching.map(|matching| matching.set));
            for plan in APPROXIMATE {
                let found = forced(&index, &ask, plan).unwrap();
                prop_assert_eq!(found.hits.len(), k.min(all.len()), "{:?}", plan);
                prop_assert!(found.hits.iter().all(|hit| all.contains(hit)), "{:?}", plan);
                let order = |a: &Hit, b: &Hit| {
                    a.cosine > b.cosine || a.cosine == b.cosine && a.row < b.row
                };
                prop_assert!(found.hits.is_sorted_by(order), "{:?}", found.hits);
            }
        }
    }
}

#[test]
fn nearly_all_of_the_nearest_are_found() {
    let mut chance = Rng(3);
    let vectors = chance.clustered(4_000, 64);
    let (_folder, index) = built(&vectors, 64);
    let set = Bitmap::of(4_000, (0..4_000).step_by(3).map(OrgId::new));
    let matching = Matching { set: &set, count: set.count() };
    for matching in [None, Some(&matching)] {
        for plan in APPROXIMATE {
            let mut right = 0;
            for at in 0..100 {
                let near = &vectors[at * 39];
                let query = unit(near.iter().map(|x| x + 0.1 * (chance.next() - 0.5)).collect());
                let ask = Query { matching, ..Query::new(&query, 10) };
                let mut all = naive(&index, &query, matching.map(|matching| matching.set));
                all.truncate(10);
                let found = forced(&index, &ask, plan).unwrap();
                assert_eq!(found.plan, plan);
                right += found.hits.iter().filter(|hit| all.contains(hit)).count();
            }
            assert!(right >= 980, "{plan:?}: {right} of 1000");
        }
    }
}

#[test]
fn a_narrow_walk_finds_most_of_the_nearest() {
    let mut chance = Rng(13);
    let vectors = chance.clustered(6_000, 48);
    let (_folder, index) = built(&vectors, 48);
    let mut right = 0;
    for at in 0..200 {
        let query: Vec<f32> =
            vectors[at * 29].iter().map(|x| x + 0.15 * (chance.next() - 0.5)).collect();
        let query = unit(query);
        let mut all = naive(&index, &query, None);
        all.truncate(10);
        let asked = index.query(&query).unwrap();
        let (near, visits) =
            mapped_graph::walk(&index, &asked, None, 10, walk::WalkParams::of(24)).unwrap();
        assert!(visits < 1_500, "{visits}");
        let last = all[9].cosine;
        right += near.iter().filter(|scored| scored.0 >= last).count().min(10);
    }
    assert!(right >= 1_700, "{right} of 2000");
}

#[test]
fn a_walk_goes_on_where_many_are_about_as_far() {
    let mut chance = Rng(29);
    let (count, dims) = (6_000, 48);
    let vectors = chance.clustered(count, dims);
    let (_folder, index) = built(&vectors, dims);
    let slack = |share| walk::WalkParams {
        slack: Some(walk::Slack { rank: 10, share }),
        ..walk::WalkParams::of(16)
    };
    let mut ask = |params| {
        let (mut right, mut visits) = (0, 0);
        for _ in 0..100 {
            // Not near any cluster.
            let query = unit((0..dims).map(|_| chance.next() - 0.5).collect());
            let asked = index.query(&query).unwrap();
            let mut all = scan::exact(&index, &asked, None, 10, -1.0).unwrap().0;
            all.sort_unstable_by(|a, b| b.0.total_cmp(&a.0));
            let last = all[9].0;
            let (near, more) = mapped_graph::walk(&index, &asked, None, 10, params).unwrap();
            right += near.iter().filter(|scored| scored.0 >= last).count().min(10);
            visits += more;
        }
        (right, visits)
    };
    let (narrow, few) = ask(walk::WalkParams::of(16));
    let (wider, more) = ask(slack(0.2));
    assert!(narrow < 800 && wider > 960, "{narrow} and {wider} of 1000");
    assert!(more < 100 * count as u64 / 2, "{few} and {more} visits");
    let (all, limited) = ask(walk::WalkParams { visits_max: 200, ..slack(0.2) });
    assert!(all < wider && limited < 100 * 400, "{all} of 1000, {limited} visits");
}

#[test]
fn a_flipped_byte_is_an_error_or_makes_no_difference() {
    let mut chance = Rng(5);
    let vectors = chance.clustered(400, 24);
    let (folder, index) = built(&vectors, 24);
    let query = unit(vectors[17].iter().map(|x| x + 0.05).collect());
    let ask = Query::new(&query, 5);
    let plans = [Plan::Graph, Plan::Bits, Plan::Scan];
    let before = plans.map(|plan| forced(&index, &ask, plan).unwrap());
    drop(index);
    let sums: Vec<BlockSums> = FILES
        .iter()
        .map(|file| BlockSums::of(&std::fs::read(folder.path().join(file)).unwrap()[..], |_| {}))
        .collect::<Result<_, _>>()
        .unwrap();
    let mut errors = 0;
    for file in FILES {
        let path = folder.path().join(file);
        let whole = std::fs::read(&path).unwrap();
        for at in (0..16).chain((16..whole.len()).step_by(whole.len() / 24)) {
            let mut bytes = whole.clone();
            bytes[at] ^= 1 << (at % 8);
            std::fs::write(&path, bytes).unwrap();
            let opened = Vectors::open(&mut |name| {
                let sums = &sums[FILES.iter().position(|file| *file == name).unwrap()];
                MappedFile::open(&folder.path().join(name), name, sums.clone())
            });
            let Ok(opened) = opened else {
                errors += 1;
                continue;
            };
            for (plan, before) in plans.iter().zip(&before) {
                match forced(&opened, &ask, *plan) {
                    Ok(found) => assert_eq!(found, *before, "{file} at {at}"),
                    Err(Damage::Block { file: named, .. }) => {
                        assert_eq!(*named, *file);
                        errors += 1;
                    }
                    Err(other) => panic!("{file} at {at}: {other}"),
                }
            }
        }
        std::fs::write(&path, whole).unwrap();
    }
    assert!(errors > 100, "{errors}");
}
