//! What fictional returns list is what is read of them, and adds up to what they state.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use almoner::fictional::{Options, generate};
use almoner::irs::efile::{self, Return};
use almoner::record::{GrantForm, GrantStage, Schedules, Usd};

/// Every EIN of the generated master file.
fn eins(folder: &Path) -> BTreeSet<String> {
    let files = (1..=4).map(|region| folder.join(format!("eo{region}.csv")));
    let texts = files.map(|file| fs::read_to_string(file).unwrap());
    texts
        .flat_map(|text| text.lines().skip(1).map(|row| row[..9].to_owned()).collect::<Vec<_>>())
        .collect()
}

#[test]
fn what_returns_list_is_read_and_adds_up() {
    let folder = tempfile::tempdir().unwrap();
    let options = Options::new(8_000, 9);
    generate(folder.path(), &options, &mut |_| ()).unwrap();
    let known = eins(folder.path());
    let mut found = BTreeMap::new();
    let mut count = |what, number| *found.entry(what).or_insert(0) += number;
    for entry in fs::read_dir(folder.path().join("returns")).unwrap() {
        let path = entry.unwrap().path();
        let (xml, name) = (fs::read(&path).unwrap(), path.display().to_string());
        let Return { filing, schedules, unreadable } = efile::read(&*xml, &name).unwrap();
        assert_eq!(unreadable, [""; 0], "{name}");
        let (totals, Schedules { grants, people, relations }) = (filing.totals, schedules);
        let sum = |form, stage| {
            let of_list = grants.iter().filter(|grant| (grant.form, grant.stage) == (form, stage));
            of_list.filter_map(|grant| grant.cash).map(Usd::dollars).sum::<i64>()
        };
        let stated = |total: Option<Usd>| total.map_or(0, Usd::dollars);
        let (of_foundation, paid) = (GrantForm::PrivateFoundation, GrantStage::Paid);
        assert_eq!(sum(GrantForm::ScheduleI, paid), stated(totals.grants_to_organizations));
        assert_eq!(sum(of_foundation, paid), stated(totals.listed_grants_paid), "{name}");
        let approved = sum(of_foundation, GrantStage::Approved);
        assert_eq!(approved, stated(totals.listed_grants_approved), "{name}");
        let functions =
            [totals.program_expenses, totals.management_expenses, totals.fundraising_expenses];
        if let [Some(_), Some(_), Some(_)] = functions {
            let sum: i64 = functions.into_iter().map(stated).sum();
            assert_eq!(Some(sum), filing.expenses.map(Usd::dollars), "{name}");
        }
        for grant in &grants {
            count(grant.form.name(), 1);
            let ein = grant.recipient_ein.map(|ein| ein.to_string());
            assert_eq!(ein.is_some(), grant.form == GrantForm::ScheduleI, "{name}");
            assert!(ein.is_none_or(|ein| known.contains(&ein)), "{name}");
        }
        count("approved", grants.iter().filter(|one| one.stage == GrantStage::Approved).count());
        count("details", people.iter().filter(|person| person.detail.is_some()).count());
        count("relations", relations.len());
        let accepts = filing.posture.and_then(|posture| posture.accepts_applications());
        count("accepts", usize::from(accepts == Some(true)));
        count("accepts not", usize::from(accepts == Some(false)));
    }
    for what in ["990-I", "990-PF", "approved", "details", "relations", "accepts", "accepts not"] {
        assert!(found[what] > 5, "{what}: {found:?}");
    }
}
