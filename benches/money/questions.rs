//! Pages of grants, funders, people, families and peers under filters drawn by chance: how long each takes,
//! and what memory answering takes.

use std::hint::black_box;
use std::time::Instant;

use almoner::index::columns::Bitmap;
use almoner::record::{Ein, Grant, GrantStage, OrgId, RowId, State};
use almoner::search::grants::{self, Direction};
use almoner::search::listing::{Paging, SIZE_MAX};
use almoner::search::{family, funders, peers, people};
use almoner::snapshot::Snapshot;
use fastrand::Rng;

use crate::memory;

/// Questions of each kind.
const ASKED: usize = 1_000;

/// A question that is ready to be asked.
type Question = Box<dyn Fn(&Snapshot)>;

/// Whom and what is asked about.
struct Subjects<'a> {
    snapshot: &'a Snapshot,
    /// Who made most grants, and who received most.
    greatest: [Ein; 2],
}

type Kind = (&'static str, fn(&Subjects<'_>, &mut Rng) -> Question);

const KINDS: [Kind; 12] = [
    ("grants made by one", |all, rng| {
        of_one(all.party(rng, Direction::Made), Direction::Made, all, rng)
    }),
    ("grants made by the greatest", |all, rng| of_one(all.greatest[0], Direction::Made, all, rng)),
    ("grants received by one", |all, rng| {
        of_one(all.party(rng, Direction::Received), Direction::Received, all, rng)
    }),
    ("grants received by the greatest", |all, rng| {
        of_one(all.greatest[1], Direction::Received, all, rng)
    }),
    ("grants, without words", |all, rng| search(all.query(rng), rng)),
    ("grants, with words", |all, rng| search(all.worded(rng), rng)),
    ("funders, without words", |all, rng| funders(all.query(rng), rng)),
    ("funders, with words", |all, rng| funders(all.worded(rng), rng)),
    ("people of one", |all, rng| {
        let (ein, paging) = (all.lister(rng), paging(rng, 2));
        let order = people::PeopleOrder::Form;
        let asked = people::NonprofitQuery { ein, year: None, order, paging };
        Box::new(move |snapshot| {
            drop(black_box(people::nonprofit_people(snapshot, &asked).expect("an answer")))
        })
    }),
    ("people by name", |all, rng| {
        let (text, state, paging) = (all.name(rng), all.state(rng), paging(rng, 20));
        let ask = move |snapshot: &Snapshot| {
            let query = people::Query { text: Some(&text), state, ..people::Query::default() };
            people::search(snapshot, &query, paging)
        };
        Box::new(move |snapshot| drop(black_box(ask(snapshot).expect("an answer"))))
    }),
    ("family", |all, rng| {
        let (ein, paging) = (all.anybody(rng), paging(rng, 5));
        let ask = move |snapshot: &Snapshot| family::family(snapshot, ein, paging);
        Box::new(move |snapshot| drop(black_box(ask(snapshot).expect("an answer"))))
    }),
    ("peers", |all, rng| {
        let ein = all.lister(rng);
        Box::new(move |snapshot| drop(black_box(peers::compare(snapshot, ein).expect("an answer"))))
    }),
];

/// Asks questions of every kind and prints how long they took.
pub fn ask(snapshot: &Snapshot) {
    let opened = memory::anonymous();
    let all = Subjects { snapshot, greatest: greatest(snapshot) };
    let mut questions = Vec::new();
    for (name, question) in KINDS {
        let mut rng = Rng::with_seed(1);
        let asked: Vec<Question> = (0..ASKED).map(|_| question(&all, &mut rng)).collect();
        let first = times(snapshot, &asked);
        let again = times(snapshot, &asked);
        let at = |share: f64| again[((again.len() - 1) as f64 * share) as usize];
        println!(
            "  {name}: p50 {:.2} ms, p99 {:.2} ms, worst {:.2} ms; worst of those asked first {:.2} ms",
            at(0.5),
            at(0.99),
            at(1.0),
            first[first.len() - 1]
        );
        questions.push(asked);
    }
    let answered = memory::anonymous();
    let most = memory::most_anonymous(|| {
        questions.iter().flatten().for_each(|question| question(snapshot));
    });
    let [opened, answered, most] = [opened, answered, most].map(|bytes| bytes as f64 / 1e6);
    println!(
        "  anonymous: {opened:.1} MB opened, {answered:.1} MB afterwards, {most:.1} MB at most"
    );
}

/// In milliseconds, rising.
fn times(snapshot: &Snapshot, questions: &[Question]) -> Vec<f64> {
    let time = |question: &Question| {
        let start = Instant::now();
        question(snapshot);
        start.elapsed().as_secs_f64() * 1e3
    };
    let mut times: Vec<f64> = questions.iter().map(time).collect();
    times.sort_by(f64::total_cmp);
    times
}

/// Who made most grants, and who received most.
fn greatest(snapshot: &Snapshot) -> [Ein; 2] {
    let grants = &snapshot.grants;
    let made = grants.by_grantor(&Bitmap::all(grants.count())).expect("a whole snapshot");
    let grantor = made.iter().max_by_key(|one| one.sum.grants).expect("grants").grantor;
    let mut received = vec![0_u32; snapshot.columns.organizations() as usize];
    for row in (0..grants.count()).map(RowId::<Grant>::new) {
        let link = grants.link(row).expect("a whole snapshot");
        link.recipient.into_iter().for_each(|org| received[org.index()] += 1);
    }
    let recipient = (0..received.len()).max_by_key(|org| received[*org]).expect("organizations");
    [grantor, OrgId::new(recipient as u32)].map(|org| ein(snapshot, org))
}

fn ein(snapshot: &Snapshot, org: OrgId) -> Ein {
    snapshot.records.organization(org).expect("a whole snapshot").ein
}

impl Subjects<'_> {
    fn grant(&self, rng: &mut Rng) -> RowId<Grant> {
        RowId::new(rng.u32(..self.snapshot.grants.count()))
    }

    /// One on a side of a grant.
    fn party(&self, rng: &mut Rng, side: Direction) -> Ein {
        loop {
            let row = self.grant(rng);
            let grants = &self.snapshot.grants;
            let org = match side {
                Direction::Made => Some(grants.grantor(row).expect("a whole snapshot")),
                Direction::Received => grants.link(row).expect("a whole snapshot").recipient,
            };
            if let Some(org) = org {
                return ein(self.snapshot, org);
            }
        }
    }

    /// One whose return lists people.
    fn lister(&self, rng: &mut Rng) -> Ein {
        let person = RowId::new(rng.u32(..self.snapshot.people.count()));
        ein(self.snapshot, self.snapshot.people.owner(person).expect("a whole snapshot"))
    }

    fn anybody(&self, rng: &mut Rng) -> Ein {
        ein(self.snapshot, OrgId::new(rng.u32(..self.snapshot.columns.organizations())))
    }

    /// A name that is listed: whole, or a word of it.
    fn name(&self, rng: &mut Rng) -> String {
        let person = RowId::new(rng.u32(..self.snapshot.people.count()));
        let named: almoner::record::ListedName =
            self.snapshot.records.get(person).expect("a whole snapshot");
        let words: Vec<&str> = named.name.split(' ').collect();
        match rng.usize(..3) {
            0 => named.name.clone(),
            1 => words[0].to_owned(),
            _ => words[words.len() - 1].to_owned(),
        }
    }

    /// That of somebody, half of the time.
    fn state(&self, rng: &mut Rng) -> Option<State> {
        let org = OrgId::new(rng.u32(..self.snapshot.columns.organizations()));
        let states = self.snapshot.columns.states(&[org]).expect("a whole snapshot");
        states[0].filter(|_| rng.bool())
    }

    /// Words of a grant's recipient or purpose.
    fn words(&self, rng: &mut Rng) -> String {
        let grant: Grant = self.snapshot.records.get(self.grant(rng)).expect("a whole snapshot");
        let text =
            if rng.bool() { grant.purpose } else { grant.recipient_name }.unwrap_or_default();
        let words: Vec<&str> = text.split(' ').collect();
        let from = rng.usize(..words.len());
        words[from..words.len().min(from + 2)].join(" ")
    }

    fn query(&self, rng: &mut Rng) -> grants::Query {
        let major = char::from(b'A' + rng.u8(..25)).to_string();
        let recipient_ntee = if rng.bool() { vec![major] } else { Vec::new() };
        grants::Query {
            words: None,
            recipient_state: self.state(rng),
            recipient_ntee,
            grantor_state: self.state(rng),
            year: rng.bool().then(|| rng.u16(2018..2024)),
            min_amount: rng.bool().then(|| rng.i64(0..50_000)),
            accepts_applications: None,
        }
    }

    fn worded(&self, rng: &mut Rng) -> grants::Query {
        grants::Query { words: Some(self.words(rng)), ..self.query(rng) }
    }
}

fn paging(rng: &mut Rng, pages: u64) -> Paging {
    let size = if rng.bool() { 20 } else { SIZE_MAX };
    Paging { page: rng.u64(1..=pages), size }
}

fn of_one(ein: Ein, direction: Direction, all: &Subjects<'_>, rng: &mut Rng) -> Question {
    let asked = grants::NonprofitQuery {
        ein,
        direction,
        year: rng.bool().then(|| rng.u16(2018..2024)),
        stage: GrantStage::Paid,
        min_amount: rng.bool().then(|| rng.i64(0..50_000)),
        state: all.state(rng),
        words: rng.bool().then(|| all.words(rng)),
        paging: paging(rng, 5),
    };
    Box::new(move |snapshot| {
        drop(black_box(grants::nonprofit_grants(snapshot, &asked).expect("an answer")))
    })
}

fn search(query: grants::Query, rng: &mut Rng) -> Question {
    let paging = paging(rng, 20);
    let ask = move |snapshot: &Snapshot| grants::search(snapshot, &query, paging);
    Box::new(move |snapshot| drop(black_box(ask(snapshot).expect("an answer"))))
}

fn funders(query: grants::Query, rng: &mut Rng) -> Question {
    let accepts_applications = [None, Some(true), Some(false)][rng.usize(..3)];
    let query = grants::Query { accepts_applications, ..query };
    let paging = paging(rng, 20);
    let ask = move |snapshot: &Snapshot| {
        funders::search(snapshot, &query, funders::Order::DEFAULT, paging)
    };
    Box::new(move |snapshot| drop(black_box(ask(snapshot).expect("an answer"))))
}
