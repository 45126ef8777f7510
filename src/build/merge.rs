//! Joins the sources by EIN, orders the organizations, and makes their records.

use std::collections::{BTreeMap, HashMap};

use rayon::prelude::*;

use super::arena::{Arena, ArenaError, ArenaOffset};
use super::error::BuildError;
use super::gather::{
    ByEin, IndexedFiling, ItemRef, Items, LeftOut, RevocationEntry, SourceRecords, keyed,
};
use super::namesakes;
use super::order::{OrderKey, order};
use super::report_cache::ReportCache;
use super::reports;
use super::returns::{Latest, Returns};
use super::row::{
    exemption, finances, full_address, in_care_of, other_names, row_of, shown_alternate,
};
use crate::irs::{List, ListRow, MasterRow};
use crate::naming;
use crate::record::{
    Ein, Exemption, Filing, Foundation, GroupNumber, Listing, Listings, Month, Ntee, OrgId,
    Organization, Origin, Origins, Overlay, Schedules, SdgSet,
};
use crate::sources::{Reject, SourceKind, Summary};
use crate::taxonomy::Cause;

/// The organizations of a snapshot in the order of their numbers, not yet made.
#[derive(Debug)]
pub(super) struct MergedOrganizations {
    arena: Arena,
    /// Sorted; an organization's number is its position.
    order: Vec<OrderKey>,
    publication_78: Vec<ByEin<u32>>,
    code_lists: Vec<Vec<String>>,
    revocations: Vec<ByEin<RevocationEntry>>,
    /// Those that only lists of who was exempt have, by EIN.
    departed: Vec<Departed>,
    /// What the lists have of an organization that none of them has.
    absent: Listings,
    postcards: Vec<ByEin<Option<ArenaOffset>>>,
    returns: Returns,
    /// Of each further list and EIN the row that counts, whose name agrees.
    lists: BTreeMap<List, Vec<ByEin<ArenaOffset>>>,
    /// Of each EIN that of the latest period.
    indexed: Vec<ByEin<IndexedFiling>>,
    unrelated: Vec<ByEin<Month>>,
    /// Of each group ruling the code that most coded members have.
    group_codes: HashMap<GroupNumber, Ntee>,
    overlays: Vec<ByEin<Overlay>>,
}

/// An organization, and every return of it, the latest tax period first.
#[derive(Debug)]
pub(super) struct MergedOrganization {
    pub(super) organization: Organization,
    pub(super) filings: Vec<Filing>,
    /// What each of these lists.
    pub(super) schedules: Vec<Schedules>,
}

/// A nonprofit that neither a list of the exempt nor a return has.
#[derive(Debug)]
enum Departed {
    /// Its exemption was revoked; before that it may have been approved on Form 1023-EZ.
    Revoked { revocation: ByEin<RevocationEntry>, approval: Option<ByEin<ArenaOffset>> },
    /// It was approved on Form 1023-EZ, and no extract that is loaded has it.
    Approved(ByEin<ArenaOffset>),
}

impl Departed {
    /// Those of two lists in the order of EINs, each of which is once in a list.
    fn of(revoked: Vec<ByEin<RevocationEntry>>, approved: Vec<ByEin<ArenaOffset>>) -> Vec<Self> {
        let mut approved = approved.into_iter().peekable();
        let mut all = Vec::with_capacity(revoked.len() + approved.len());
        for revocation in revoked {
            while let Some(before) = approved.next_if(|row| row.ein < revocation.ein) {
                all.push(Self::Approved(before));
            }
            let approval = approved.next_if(|row| row.ein == revocation.ein);
            all.push(Self::Revoked { revocation, approval });
        }
        all.extend(approved.map(Self::Approved));
        all
    }

    fn ein(&self) -> u32 {
        match self {
            Self::Revoked { revocation, .. } => revocation.ein,
            Self::Approved(approval) => approval.ein,
        }
    }
}

/// What merging dropped, by source.
#[derive(Debug)]
pub(super) struct DropCounts {
    pub(super) superseded: Vec<u64>,
    pub(super) unmatched: Vec<u64>,
}

/// Joins what was gathered. Items whose EIN nobody has become rejects.
pub(super) fn merge(
    mut gathered: SourceRecords,
    cache: &ReportCache,
    without: &[LeftOut],
) -> Result<(MergedOrganizations, SourceRecords, DropCounts), BuildError> {
    let sources = gathered.sources.len();
    let mut dropped = DropCounts { superseded: vec![0; sources], unmatched: vec![0; sources] };
    let mut arena = std::mem::take(&mut gathered.arena);
    let extracts: Vec<bool> =
        gathered.sources.iter().map(|source| source.kind == SourceKind::Extract).collect();
    let filings = std::mem::take(&mut gathered.filings);
    let returns = Returns::of(filings, extracts, &mut dropped.superseded);
    let mut master = last_of_each(&mut gathered.master, &mut dropped);
    add_filers(&mut master, &returns, &mut arena)?;
    let known: Vec<u32> = master.iter().map(|row| row.ein).collect();
    let publication_78 = matched(&mut gathered.publication_78, &known, &mut dropped);
    let revocations = last_of_each(&mut gathered.revocations, &mut dropped);
    let (revocations, revoked) = parted(revocations, &known);
    let postcards = matched(&mut gathered.postcards, &known, &mut dropped);
    let mut lists = std::mem::take(&mut gathered.lists);
    let approvals = lists.entry(List::Approvals).or_default();
    let (listed, approved) = parted(last_of_each(approvals, &mut dropped), &known);
    *approvals = listed;
    let departed = Departed::of(revoked, approved);
    for rows in lists.values_mut() {
        let found = matched(rows, &known, &mut dropped);
        *rows = namesakes::left_out(found, &master, &arena, &mut gathered.sources)?;
    }
    let indexed = matched(&mut gathered.indexed, &known, &mut dropped);
    let unrelated = matched(&mut gathered.unrelated, &known, &mut dropped);
    reports::make_items(&mut gathered, &known, &mut arena, cache, without)?;
    refuse_unknown(&mut gathered, &known)?;
    let overlay = |item: &ItemRef| {
        let (ein, source) = (item.ein?.pack(), item.source);
        Some(arena.get(item.place).map(|value| ByEin { ein, source, rank: 0, value }))
    };
    let overlays = gathered.items.overlays.iter().filter_map(overlay);
    let mut overlays: Vec<ByEin<Overlay>> = overlays.collect::<Result<_, ArenaError>>()?;
    let overlays = last_of_each(&mut overlays, &mut dropped);
    let absent = Listings {
        master_file: absent(&gathered.sources, SourceKind::MasterFile),
        publication_78: absent(&gathered.sources, SourceKind::Publication78),
        revocations: absent(&gathered.sources, SourceKind::RevocationList),
        approvals: absent(&gathered.sources, SourceKind::Approvals),
        returns: absent(&gathered.sources, SourceKind::Returns),
    };
    let is_listed = |source: u32| gathered.sources[source as usize].kind == SourceKind::MasterFile;
    let (order, group_codes) = order(&arena, &master, |row| match is_listed(row.source) {
        true => Listing::Row { source: row.source },
        false => absent.master_file,
    })?;
    let code_lists = std::mem::take(&mut gathered.code_lists);
    let merged = MergedOrganizations {
        arena,
        order,
        publication_78,
        code_lists,
        revocations,
        departed,
        absent,
        postcards,
        returns,
        lists,
        indexed,
        unrelated,
        group_codes,
        overlays,
    };
    Ok((merged, gathered, dropped))
}

/// What a list has of an organization that it has no row of.
fn absent(sources: &[Summary], kind: SourceKind) -> Listing {
    let is_loaded = sources.iter().any(|source| source.kind == kind);
    if is_loaded { Listing::Absent } else { Listing::NotLoaded }
}

/// Adds a row for each filer that the master file lacks, made of its latest return.
fn add_filers(
    master: &mut Vec<ByEin<ArenaOffset>>,
    returns: &Returns,
    arena: &mut Arena,
) -> Result<(), ArenaError> {
    let mut added = Vec::new();
    // Figures alone name nobody.
    for latest in returns.latest_whole() {
        if master.binary_search_by_key(&latest.ein, |row| row.ein).is_ok() {
            continue;
        }
        let value = arena.add(&row_of(arena.get(latest.value.filing)?))?;
        added.push(ByEin { ein: latest.ein, source: latest.source, rank: 0, value });
    }
    if !added.is_empty() {
        master.extend(added);
        master.par_sort_by_key(|row| row.ein);
    }
    Ok(())
}

/// Makes rejects of items whose EIN is not known: they could be shown under no name.
fn refuse_unknown(gathered: &mut SourceRecords, known: &[u32]) -> Result<(), BuildError> {
    let SourceRecords { items, rejects, sources, .. } = gathered;
    let Items { stories, metrics, posts, overlays, .. } = items;
    let is_unknown = |ein: Ein| known.binary_search(&ein.pack()).is_err();
    for (list, key) in
        [(stories, "ein"), (metrics, "ein"), (overlays, "ein"), (posts, "organization_ein")]
    {
        for item in list.extract_if(.., |item| item.ein.is_some_and(is_unknown)) {
            let summary = &mut sources[item.source as usize];
            summary.rows = summary.rows.saturating_sub(1);
            summary.rejects += 1;
            rejects.add(&Reject {
                source: summary.name.clone(),
                line: u64::from(item.line),
                field: key.to_owned(),
                reason: "the EIN of a nonprofit in the master file or among the returns".to_owned(),
                found: item.ein.map(|ein| ein.to_string()).unwrap_or_default(),
            })?;
        }
    }
    rejects.flush()
}

/// Takes the rows whose EIN is known: of each the last.
fn matched<Value: Send>(
    rows: &mut Vec<ByEin<Value>>,
    known: &[u32],
    dropped: &mut DropCounts,
) -> Vec<ByEin<Value>> {
    rows.retain(|row| {
        let found = known.binary_search(&row.ein).is_ok();
        dropped.unmatched[row.source as usize] += u64::from(!found);
        found
    });
    last_of_each(rows, dropped)
}

/// The rows of known EINs, and the others.
fn parted<Value>(rows: Vec<ByEin<Value>>, known: &[u32]) -> (Vec<ByEin<Value>>, Vec<ByEin<Value>>) {
    rows.into_iter().partition(|row| known.binary_search(&row.ein).is_ok())
}

/// Takes the rows, sorted by EIN: of each the row of the greatest rank that came last.
fn last_of_each<Value: Send>(
    rows: &mut Vec<ByEin<Value>>,
    dropped: &mut DropCounts,
) -> Vec<ByEin<Value>> {
    let mut rows = std::mem::take(rows);
    // Stable: rows of one EIN and rank stay in the order read.
    rows.par_sort_by_key(|row| (row.ein, row.rank));
    rows.dedup_by(|later, kept| {
        let same = later.ein == kept.ein;
        if same {
            dropped.superseded[kept.source as usize] += 1;
            std::mem::swap(later, kept);
        }
        same
    });
    rows
}

impl MergedOrganizations {
    /// How many organizations there are.
    pub(super) fn len(&self) -> usize {
        self.order.len()
    }

    /// Their EINs, in the order of their numbers.
    pub(super) fn eins(&self) -> impl Iterator<Item = Ein> {
        self.order.iter().filter_map(|key| Ein::unpack(key.ein))
    }

    /// Numbers of organizations by their EINs, sorted by EIN.
    pub(super) fn numbers(&self) -> Vec<(Ein, OrgId)> {
        let numbered = (0..).map(OrgId::new).zip(&self.order);
        let mut numbers: Vec<_> =
            numbered.filter_map(|(org, key)| Ein::unpack(key.ein).map(|ein| (ein, org))).collect();
        numbers.par_sort_unstable();
        numbers
    }

    /// The rows and items of the sources.
    pub(super) fn arena(&self) -> &Arena {
        &self.arena
    }

    /// EINs of those that have a return and no overlay with a summary of their impact, and where the
    /// latest return of each is.
    pub(super) fn to_be_summarised(&self) -> Vec<(u32, ArenaOffset)> {
        let told = |ein| {
            found(&self.overlays, ein).is_some_and(|overlay| overlay.impact_summary.is_some())
        };
        let latest = self.returns.latest_whole();
        latest.filter(|filing| !told(filing.ein)).map(|one| (one.ein, one.value.filing)).collect()
    }

    /// The organization of a number below [`MergedOrganizations::len`].
    pub(super) fn make(&self, number: usize) -> Result<MergedOrganization, ArenaError> {
        let key = &self.order[number];
        let row: MasterRow = self.arena.get(key.row)?;
        let codes = keyed(&self.publication_78, key.ein);
        let revocation = keyed(&self.revocations, key.ein);
        let (filings, schedules) = self.returns.of_ein(key.ein, &self.arena)?;
        let listings = self.listings(key.ein, key.listing, &filings);
        let codes = codes.map(|row| self.code_lists[row.value as usize].as_slice());
        let revocation = revocation.map(|row| row.value.entry.clone());
        let mut origins = Origins::default();
        let (of_postcard, postcard_website, postcard_names) = self.postcard(key.ein)?;
        let (whole_at, whole) = (0..).zip(&filings).find(|(_, one)| one.is_whole()).unzip();
        let whole_at = Origin::Return(whole_at.unwrap_or_default());
        let stated = whole.and_then(|filing: &Filing| filing.doing_business_as.clone());
        let doing_business_as: Vec<String> =
            stated.iter().cloned().chain(postcard_names.iter().cloned()).collect();
        let other_names = other_names(&row, &doing_business_as);
        let is_alternative = |name: &String| {
            other_names.first() == Some(&naming::display_alternate(name, &row.name))
        };
        if stated.as_ref().is_some_and(is_alternative) {
            origins.alt_name = whole_at;
        } else if postcard_names.iter().any(is_alternative) {
            origins.alt_name = of_postcard;
        }
        let latest = Latest { filings: &filings };
        let indexed = keyed(&self.indexed, key.ein);
        let latest_filing = latest.filing(indexed, &mut origins.latest_filing);
        let mut website = latest.saying(|filing| filing.website.clone(), &mut origins.website);
        if website.is_none() && postcard_website.is_some() {
            (website, origins.website) = (postcard_website, of_postcard);
        }
        let summary = latest.saying(|filing| filing.mission.clone(), &mut origins.summary);
        let year_formed = latest.saying(|filing| filing.year_formed, &mut origins.year_formed);
        origins.impact_summary = whole_at;
        let finances = finances(&row, filings.first(), &mut origins);
        origins.unreadable.clone_from(&row.unreadable);
        let named = Organization::named(row.ein, &naming::display_name(&row.name));
        let mut organization = Organization {
            alt_name: shown_alternate(&other_names, row.group).cloned(),
            other_names,
            in_care_of: in_care_of(&row),
            address: full_address(&row),
            finances,
            ntee: row.ntee.filter(|code| !code.is_unknown()),
            website,
            summary,
            year_formed,
            phone: whole.and_then(|filing| filing.phone.clone()),
            principal_officer: whole.and_then(|filing| officer(&filing.principal_officer)),
            business_officer: whole.and_then(|filing| officer(&filing.business_officer)),
            latest_filing,
            unrelated_business: found(&self.unrelated, key.ein).copied(),
            origins,
            legal_name: row.name.clone(),
            exemption: Exemption { listings, ..exemption(row, codes, revocation) },
            ..named
        };
        self.complete(&mut organization, key.ein)?;
        organization.sdgs = Cause::of(&organization).map_or(SdgSet::default(), Cause::goals);
        if let Some(overlay) = keyed(&self.overlays, key.ein) {
            lay_over(&mut organization, overlay.value.clone(), overlay.source);
        }
        Ok(MergedOrganization { organization, filings, schedules })
    }

    /// What each list has of an organization; `filings` are those of it.
    fn listings(&self, ein: u32, master_file: Listing, filings: &[Filing]) -> Listings {
        let absent = &self.absent;
        let as_filed = filings.iter().find(|filing| filing.is_whole());
        Listings {
            master_file,
            publication_78: listing(keyed(&self.publication_78, ein), absent.publication_78),
            revocations: listing(keyed(&self.revocations, ein), absent.revocations),
            approvals: listing(keyed(&self.lists[&List::Approvals], ein), absent.approvals),
            returns: as_filed.map_or(absent.returns, |one| Listing::Row { source: one.source }),
        }
    }

    /// The code that most coded members of its group ruling have. Groups of churches have codes for their
    /// schools and charities alone, so that these tell nothing of a church.
    fn group_code(&self, exemption: &Exemption) -> Option<Ntee> {
        let is_church = exemption.foundation.is_some_and(Foundation::is_church);
        let group = exemption.group.filter(|_| !is_church)?;
        self.group_codes.get(&group).copied()
    }

    /// Completes an organization by its rows of further lists and by its group.
    fn complete(&self, organization: &mut Organization, ein: u32) -> Result<(), ArenaError> {
        for row in self.lists.values().filter_map(|rows| keyed(rows, ein)) {
            self.arena.get::<ListRow>(row.value)?.complete(organization, row.source);
        }
        if organization.ntee.is_none() {
            organization.group_ntee = self.group_code(&organization.exemption);
        }
        Ok(())
    }

    /// The website and the names of an organization's Form 990-N, and that they are from there.
    fn postcard(&self, ein: u32) -> Result<(Origin, Option<String>, Vec<String>), ArenaError> {
        let row = keyed(&self.postcards, ein);
        let (website, names) = match row.and_then(|row| row.value) {
            Some(at) => self.arena.get::<(Option<String>, Vec<String>)>(at)?,
            None => (None, Vec::new()),
        };
        let origin = row.map_or(Origin::Row, |row| Origin::Postcard { source: row.source });
        Ok((origin, website, names))
    }

    /// Those that only lists of who was exempt have: they are numbered behind the organizations.
    pub(super) fn departed(&self) -> impl ExactSizeIterator<Item = u32> {
        self.departed.iter().map(Departed::ein)
    }

    /// The departed of a position below the count of [`MergedOrganizations::departed`].
    pub(super) fn make_departed(&self, at: usize) -> Result<MergedOrganization, ArenaError> {
        let (mut organization, approval) = match &self.departed[at] {
            Departed::Revoked { revocation, approval } => {
                (self.make_revoked(revocation)?, approval.as_ref())
            }
            Departed::Approved(approval) => {
                let row: ListRow = self.arena.get(approval.value)?;
                let (name, (_, ein, _)) = (row.name().unwrap_or_default(), row.key());
                let mut organization = Organization::named(ein, &naming::display_name(name));
                organization.legal_name = name.to_owned();
                organization.exemption.listings = self.absent;
                (organization, Some(approval))
            }
        };
        if let Some(approval) = approval {
            self.arena.get::<ListRow>(approval.value)?.complete(&mut organization, approval.source);
        }
        Ok(MergedOrganization { organization, filings: Vec::new(), schedules: Vec::new() })
    }

    /// One as the revocation list describes it.
    fn make_revoked(&self, revoked: &ByEin<RevocationEntry>) -> Result<Organization, ArenaError> {
        let ByEin { source, value: RevocationEntry { entry, row }, .. } = revoked;
        let row: MasterRow = self.arena.get(*row)?;
        let other_names = other_names(&row, &[]);
        let listings = Listings { revocations: Listing::Row { source: *source }, ..self.absent };
        Ok(Organization {
            alt_name: shown_alternate(&other_names, row.group).cloned(),
            other_names,
            address: full_address(&row),
            legal_name: row.name.clone(),
            exemption: Exemption { listings, ..exemption(row.clone(), None, Some(entry.clone())) },
            ..Organization::named(row.ein, &naming::display_name(&row.name))
        })
    }
}

/// What an overlay says counts; its texts and goals move to where those of others are.
fn lay_over(organization: &mut Organization, mut overlay: Overlay, source: u32) {
    let said_here = Origin::Overlay { source };
    let say = |place: &mut Option<String>, origin: &mut Origin, said: Option<String>| {
        if said.is_some() {
            *place = said;
            *origin = said_here;
        }
    };
    let origins = &mut organization.origins;
    origins.overlay = said_here;
    say(&mut organization.summary, &mut origins.summary, overlay.summary.take());
    say(&mut organization.website, &mut origins.website, overlay.url.take());
    let impact_summary = &mut organization.impact_summary;
    say(impact_summary, &mut origins.impact_summary, overlay.impact_summary.take());
    if let Some(name) = overlay.alt_name.take() {
        let normal = naming::normalise(&name);
        organization.other_names.retain(|other| naming::normalise(other) != normal);
        organization.other_names.insert(0, name.clone());
        organization.alt_name = Some(name);
        origins.alt_name = said_here;
    }
    if let Some(goals) = overlay.sdgs.take() {
        organization.sdgs = goals;
        origins.sdgs = said_here;
    }
    organization.overlay = Some(Box::new(overlay));
}

/// An officer's name as it is shown.
fn officer(filed: &Option<String>) -> Option<String> {
    filed.as_deref().map(naming::display_name)
}

/// Whether a list has a row; where it has none, what its absence means.
fn listing<Value>(row: Option<&ByEin<Value>>, absent: Listing) -> Listing {
    row.map_or(absent, |row| Listing::Row { source: row.source })
}

/// The value of an EIN.
fn found<Value>(rows: &[ByEin<Value>], ein: u32) -> Option<&Value> {
    keyed(rows, ein).map(|row| &row.value)
}
