//! What programs that embed Almoner call, over a snapshot of fictional nonprofits.

use std::error::Error;

use almoner::fictional;
use almoner::{
    BuildOptions, Ein, GrantDirection, MatchDecision, MatchQuery, Nonprofits, StandingState, build,
};

/// So many that some make grants.
const ORGANIZATIONS: u64 = 400;

/// The snapshot, and the EINs in it.
fn opened(folder: &tempfile::TempDir) -> Result<(Nonprofits, Vec<Ein>), Box<dyn Error>> {
    let (files, data) = (folder.path().join("files"), folder.path().join("data"));
    fictional::generate(&files, &fictional::Options::new(ORGANIZATIONS, 1), &mut |_| {})?;
    build(&BuildOptions::new(&data, [files]).without_embeddings())?;
    let list = almoner::snapshot::open(&data)?;
    let orgs = (0..list.columns.organizations()).map(almoner::record::OrgId::new);
    let eins = orgs.map(|org| list.columns.ein_of(org)).collect::<Result<_, _>>()?;
    Ok((Nonprofits::open(&data)?, eins))
}

#[test]
fn a_row_is_matched_and_its_organization_has_standing_grants_and_people() {
    let folder = tempfile::tempdir().unwrap();
    let (nonprofits, eins) = opened(&folder).unwrap();
    let unknown: Ein = "000000001".parse().unwrap();

    let details = nonprofits.details(eins[0]).unwrap().unwrap();
    let address = &details.address;
    let row = MatchQuery {
        name: details.name.clone(),
        street: address.street.clone().unwrap(),
        city: address.city.clone().unwrap(),
        state: address.state.unwrap().code().to_owned(),
        ..MatchQuery::default()
    };
    let matched = nonprofits.match_row(&row).unwrap();
    assert_eq!((matched.decision, matched.candidates[0].ein), (MatchDecision::Yes, eins[0]));
    let nobody = MatchQuery { name: "Zyzzyva Quuxworthy".into(), ..MatchQuery::default() };
    let matched = nonprofits.match_row(&nobody).unwrap();
    assert_eq!(matched.decision, MatchDecision::No);
    assert!(matched.candidates.is_empty() && matched.no_match_reason.is_some());

    let standing = nonprofits.standing(eins[0]).unwrap().unwrap();
    assert_eq!(standing.in_master_file, Some(true));
    assert_ne!(standing.exemption.state, StandingState::NotChecked);
    assert!(standing.exemption.list.is_some());
    assert_eq!(nonprofits.standing(unknown).unwrap(), None);

    // What one made is what others received of it, as far as these are linked.
    let made = eins.iter().find_map(|ein| {
        let made = nonprofits.grants(*ein, GrantDirection::Made, 1, 100).unwrap().unwrap();
        let linked = made.list.page.rows.into_iter().find(|row| row.recipient_ein.is_some());
        linked.filter(|row| row.recipient_ein.is_some_and(|ein| eins.contains(&ein)))
    });
    let made = made.expect("fictional returns list grants to organizations of the snapshot");
    let recipient = made.recipient_ein.unwrap();
    let received = nonprofits.grants(recipient, GrantDirection::Received, 1, 100).unwrap().unwrap();
    assert!(received.list.page.rows.iter().any(|row| row.grantor_ein == made.grantor_ein));
    assert!(nonprofits.grants(unknown, GrantDirection::Made, 1, 100).unwrap().is_none());

    let people = nonprofits.people(made.grantor_ein, 1, 100).unwrap().unwrap();
    assert!(
        people.page.total > 0 && people.page.rows.iter().all(|one| one.ein == made.grantor_ein)
    );
    // A page that is too long is cut, not refused; page 0 is the first.
    let first = nonprofits.people(made.grantor_ein, 0, 1000).unwrap().unwrap();
    assert_eq!(first.page.rows, people.page.rows);
    assert_eq!(nonprofits.people(unknown, 1, 100).unwrap(), None);
}
