//! Words that fictional names are made of. Family, school and place names are coined from
//! syllables, so that no person and no organization that exists is meant.

use super::random::Random;
use crate::record::State;

#[rustfmt::skip]
const HEADS: [&str; 66] = [
    "ALD", "ASH", "BAR", "BEL", "BRAN", "BRIN", "CAL", "CAR", "CLAR", "COL", "COR", "DAL", "DEN",
    "DOR", "DUN", "EL", "EN", "FAIR", "FEN", "FER", "GAL", "GAR", "GLEN", "GRAN", "HAL", "HAR",
    "HAZ", "HOL", "HUN", "KEL", "KEN", "KIR", "LAN", "LAR", "LEN", "LIN", "LOR", "MAL", "MAR",
    "MEL", "MER", "MOR", "NOR", "OAK", "OR", "PEL", "PEN", "PRES", "RAD", "RAN", "ROS", "SAL",
    "SEL", "SHEL", "STAN", "TAL", "TAN", "THORN", "TOR", "VAL", "VER", "WAL", "WEL", "WES", "WIL",
    "YAR",
];

#[rustfmt::skip]
const MIDDLES: [&str; 20] = [
    "", "A", "E", "I", "O", "BER", "DER", "EN", "ER", "GEN", "LEN", "LING", "MAN", "OS", "REN",
    "SEN", "STER", "TER", "VEN", "WEN",
];

#[rustfmt::skip]
const TAILS: [&str; 52] = [
    "BECK", "BERG", "BOROUGH", "BRIDGE", "BROOK", "BURY", "BY", "COMBE", "COTT", "CREST", "CROFT",
    "DALE", "DELL", "DEN", "FIELD", "FORD", "GATE", "GROVE", "HAM", "HAVEN", "HILL", "HOLM",
    "HURST", "LAND", "LEIGH", "LEY", "LOCK", "MARK", "MERE", "MONT", "MOOR", "MORE", "NESS",
    "POOL", "PORT", "RIDGE", "SHAW", "SIDE", "SON", "STEAD", "STOCK", "STON", "TON", "VALE",
    "VIEW", "WALD", "WAY", "WELL", "WICK", "WOOD", "WORTH", "WYN",
];

/// Writes a coined proper name: one of about 68,000, the first ones far more frequent.
pub(super) fn coin(random: &mut Random, out: &mut String) {
    out.push_str(HEADS[random.skewed(HEADS.len() as u64) as usize]);
    out.push_str(random.pick(&MIDDLES));
    out.push_str(TAILS[random.skewed(TAILS.len() as u64) as usize]);
}

#[rustfmt::skip]
pub(super) const GIVEN: [&str; 40] = [
    "ADA", "ALICE", "ARTHUR", "BEATRICE", "BENJAMIN", "CARMEN", "CHARLES", "CLARA", "DANIEL",
    "DOROTHY", "EDWARD", "ELENA", "ELLA", "FRANCES", "GEORGE", "GRACE", "HAROLD", "HELEN", "HENRY",
    "IRENE", "JAMES", "JOHN", "JOSEPH", "JUAN", "LOUISE", "LUCY", "MARGARET", "MARIA", "MARTIN",
    "MARY", "OSCAR", "PAUL", "PETER", "ROBERT", "ROSE", "RUTH", "SAMUEL", "THOMAS", "WALTER",
    "WILLIAM",
];

#[rustfmt::skip]
pub(super) const QUALITIES: [&str; 48] = [
    "AMAZING", "BEAUTIFUL", "BIG", "BLUE", "BOUNDLESS", "BRAVE", "BRIGHT", "BROKEN", "CHOSEN",
    "COMMON", "COURAGEOUS", "CREATIVE", "CURIOUS", "DEEP", "ETERNAL", "FAITHFUL", "FIRST",
    "FLYING", "FREE", "GENTLE", "GOLDEN", "GRATEFUL", "GREEN", "HAPPY", "HIDDEN", "HUMBLE",
    "INFINITE", "JOYFUL", "KIND", "LASTING", "LITTLE", "LIVING", "LOCAL", "LUCKY", "NEW", "NOBLE",
    "OPEN", "PURPLE", "QUIET", "RADIANT", "RISING", "SECOND", "SHARED", "SILVER", "SIMPLE",
    "STEADY", "TRUE", "WILD",
];

#[rustfmt::skip]
pub(super) const THINGS: [&str; 56] = [
    "ANCHOR", "ARROW", "BEACON", "BRIDGE", "BUTTERFLY", "CANDLE", "CEDAR", "CHILDREN", "CIRCLE",
    "COMPASS", "CREEK", "DOVE", "DREAM", "EAGLE", "EARTH", "EMBER", "FAMILIES", "FIELDS",
    "FOOTPRINTS", "FUTURE", "GARDEN", "GATE", "HANDS", "HARBOR", "HARVEST", "HEART", "HOPE",
    "HORIZON", "HOUSE", "JOURNEY", "KEYSTONE", "KITCHEN", "LADDER", "LANTERN", "LEGACY", "LIGHT",
    "MEADOW", "MORNING", "MOUNTAIN", "NEIGHBOR", "OAK", "PATH", "PAWS", "PROMISE", "RIVER", "ROOTS",
    "SEED", "SPARK", "SPRING", "STAR", "STEPS", "STONE", "STORY", "TABLE", "VOICE", "WINGS",
];

/// What an organization does, with its NTEE code.
#[rustfmt::skip]
pub(super) const CAUSES: [(&str, &str); 60] = [
    ("ARTS", "A20"), ("CHAMBER MUSIC", "A69"), ("DANCE", "A62"), ("HISTORICAL", "A80"),
    ("MUSEUM", "A50"), ("CHORAL", "A6B"), ("THEATRE", "A65"), ("PUBLIC MEDIA", "A30"),
    ("EDUCATION", "B90"), ("SCHOLARSHIP", "B82"), ("LITERACY", "B92"), ("LIBRARY", "B70"),
    ("MONTESSORI SCHOOL", "B20"), ("ALUMNI", "B84"), ("CONSERVATION", "C30"), ("WATERSHED", "C32"),
    ("GARDEN", "C42"), ("RECYCLING", "C27"), ("ANIMAL RESCUE", "D20"), ("WILDLIFE", "D30"),
    ("HUMANE", "D20"), ("HOSPITAL", "E22"), ("HEALTH", "E32"), ("HOSPICE", "E92"),
    ("COUNSELING", "F30"), ("RECOVERY", "F21"), ("CANCER SUPPORT", "G30"), ("AUTISM", "G84"),
    ("MEDICAL RESEARCH", "H30"), ("LEGAL AID", "I80"), ("JUSTICE", "I70"), ("JOB TRAINING", "J22"),
    ("WORKFORCE", "J20"), ("FOOD PANTRY", "K31"), ("FARMERS", "K28"), ("MEALS", "K36"),
    ("HOUSING", "L20"), ("HOMELESS SERVICES", "L41"), ("HOMEOWNERS", "L50"), ("FIRE", "M24"),
    ("DISASTER RELIEF", "M20"), ("SEARCH AND RESCUE", "M23"), ("BASEBALL", "N63"), ("SOCCER", "N64"),
    ("SWIM", "N67"), ("EQUESTRIAN", "N69"), ("RECREATION", "N30"), ("YOUTH", "O50"),
    ("BOYS AND GIRLS", "O23"), ("MENTORING", "O30"), ("FAMILY SERVICES", "P40"), ("SENIOR", "P81"),
    ("CHILD CARE", "P33"), ("WOMENS", "P43"), ("CULTURAL EXCHANGE", "Q21"), ("CIVIL RIGHTS", "R20"),
    ("COMMUNITY DEVELOPMENT", "S20"), ("ECONOMIC", "S30"), ("VETERANS", "W30"), ("SCIENCE", "U20"),
];

#[rustfmt::skip]
pub(super) const BODIES: [&str; 36] = [
    "ALLIANCE", "ASSOCIATION", "ASSOCIATION", "CENTER", "CENTER", "CLUB", "CLUB", "COALITION",
    "COLLECTIVE", "COOPERATIVE", "CORPORATION", "COUNCIL", "CREW", "FELLOWSHIP", "FOUNDATION",
    "FOUNDATION", "FOUNDATION", "FUND", "GROUP", "GUILD", "INITIATIVE", "INSTITUTE", "LEAGUE",
    "MINISTRIES", "MISSION", "NETWORK", "OUTREACH", "PARTNERSHIP", "PROGRAM", "PROJECT",
    "RESOURCE CENTER", "SERVICES", "SOCIETY", "SOCIETY", "TRUST", "WORKS",
];

#[rustfmt::skip]
pub(super) const LANDS: [&str; 28] = [
    "BAY", "BEACH", "BLUFF", "BRANCH", "CANYON", "COVE", "CREEK", "CROSSING", "FALLS", "FOREST",
    "GROVE", "HARBOR", "HEIGHTS", "HILLS", "HOLLOW", "ISLAND", "JUNCTION", "LAKE", "MEADOWS",
    "MOUNTAIN", "PARK", "POINT", "PRAIRIE", "RIDGE", "RIVER", "SPRINGS", "VALLEY", "VILLAGE",
];

#[rustfmt::skip]
pub(super) const SAINTS: [&str; 24] = [
    "ST AGNES", "ST ANDREWS", "ST ANNE", "ST ANTHONY", "ST BRIGID", "ST CATHERINE", "ST CLARE",
    "ST FRANCIS", "ST GEORGE", "ST JAMES", "ST JOHN", "ST JOHNS", "ST JOSEPH", "ST LUKE", "ST MARK",
    "ST MARTIN", "ST MARY", "ST MARYS", "ST MATTHEW", "ST MICHAEL", "ST PAUL", "ST PAULS",
    "ST PETER", "ST THOMAS",
];

#[rustfmt::skip]
pub(super) const CHURCH_FIRSTS: [&str; 44] = [
    "FIRST", "FIRST", "FIRST", "SECOND", "NEW HOPE", "NEW LIFE", "GRACE", "GRACE", "CALVARY",
    "TRINITY", "BETHEL", "MOUNT ZION", "MT CALVARY", "MT OLIVE", "ANTIOCH", "EBENEZER", "EMMANUEL",
    "FAITH", "HOPE", "CORNERSTONE", "COVENANT", "LIVING WATER", "MACEDONIA", "MORNING STAR",
    "MT PLEASANT", "OUR SAVIORS", "PLEASANT GROVE", "PROVIDENCE", "REDEEMER", "SALEM", "SHILOH",
    "VICTORY", "ZION", "ABUNDANT LIFE", "CROSSROADS", "GOOD SHEPHERD", "GREATER", "HARVEST",
    "HOLY TRINITY", "IMMANUEL", "LIBERTY", "NEW BEGINNINGS", "UNITY", "WORD OF LIFE",
];

#[rustfmt::skip]
pub(super) const CHURCH_LASTS: [(u64, &str); 22] = [
    (40, "BAPTIST CHURCH"), (18, "LUTHERAN CHURCH"), (16, "UNITED METHODIST CHURCH"),
    (14, "CHURCH OF GOD"), (14, "PRESBYTERIAN CHURCH"), (14, "MISSIONARY BAPTIST CHURCH"),
    (12, "ASSEMBLY OF GOD"), (12, "CHRISTIAN CHURCH"), (12, "MINISTRIES"), (10, "COMMUNITY CHURCH"),
    (10, "CHRISTIAN CENTER"), (10, "CHURCH"), (8, "CHURCH OF CHRIST"), (8, "CHRISTIAN FELLOWSHIP"),
    (6, "PENTECOSTAL CHURCH"), (6, "BIBLE CHURCH"), (6, "FREEWILL BAPTIST CHURCH"),
    (5, "WORSHIP CENTER"), (5, "OUTREACH MINISTRIES INTERNATIONAL"), (5, "FELLOWSHIP CHURCH"),
    (4, "TABERNACLE"), (4, "CHURCH OF THE NAZARENE"),
];

#[rustfmt::skip]
pub(super) const PEOPLE: [&str; 30] = [
    "ACCOUNTANTS", "APPRAISERS", "ARCHIVISTS", "BEEKEEPERS", "BOWLERS", "BUILDERS", "CATTLEMEN",
    "DENTAL HYGIENISTS", "EDUCATORS", "ELECTRICAL WORKERS", "FIREFIGHTERS", "FLORISTS", "GARDENERS",
    "GEOLOGISTS", "LETTER CARRIERS", "LIBRARIANS", "MASTER PLUMBERS", "MIDWIVES", "MUSIC TEACHERS",
    "NURSES", "PHARMACISTS", "PRINCIPALS", "PUBLIC EMPLOYEES", "QUILTERS", "REALTORS",
    "RETIRED TEACHERS", "SHERIFFS", "SOCIAL WORKERS", "SURVEYORS", "VETERINARIANS",
];

/// Words of invented orders: `LOYAL ORDER OF COPPER HERONS`.
#[rustfmt::skip]
pub(super) const ORDER_FIRSTS: [&str; 16] = [
    "AMICABLE", "ANCIENT", "BENEVOLENT", "CHEERFUL", "COMPANIONABLE", "CONVIVIAL", "EARNEST",
    "FRATERNAL", "GRAND", "HONORABLE", "INDEPENDENT", "INTERNATIONAL", "LOYAL", "PROTECTIVE",
    "SOVEREIGN", "UNITED",
];
#[rustfmt::skip]
pub(super) const ORDER_KINDS: [&str; 10] = [
    "ORDER OF", "SOCIETY OF", "BROTHERHOOD OF", "SISTERHOOD OF", "ASSOCIATION OF", "COMPANY OF",
    "LODGE OF", "FELLOWSHIP OF", "LEAGUE OF", "AUXILIARY TO THE ORDER OF",
];
#[rustfmt::skip]
pub(super) const ORDER_MATTERS: [&str; 24] = [
    "AMBER", "BRASS", "BRONZE", "COPPER", "CRIMSON", "CRYSTAL", "EMERALD", "GILDED", "GRANITE",
    "INDIGO", "IRON", "IVORY", "JADE", "MARBLE", "OPAL", "PEARL", "PEWTER", "SABLE", "SAPPHIRE",
    "SCARLET", "STARRY", "TOPAZ", "VELVET", "WALNUT",
];
#[rustfmt::skip]
pub(super) const ORDER_THINGS: [&str; 24] = [
    "BADGERS", "BEAVERS", "CRANES", "FALCONS", "FOXES", "GEESE", "HARES", "HERONS", "HINDS",
    "LANTERNS", "LARKS", "MARTENS", "OTTERS", "OWLS", "PLOVERS", "PLOWMEN", "RAVENS", "SEXTANTS",
    "SHEPHERDS", "STORKS", "SWALLOWS", "TORCHBEARERS", "WANDERERS", "WRENS",
];

/// Words between the parts of the longest names.
#[rustfmt::skip]
pub(super) const LONG_JOINTS: [&str; 8] = [
    "FOR THE ADVANCEMENT OF", "FOR THE PRESERVATION OF", "IN SUPPORT OF", "AND FRIENDS OF",
    "DEDICATED TO", "FOR THE BENEFIT OF", "AUXILIARY TO THE", "AND RESEARCH INSTITUTE OF",
];

#[rustfmt::skip]
pub(super) const STREETS: [&str; 30] = [
    "MAIN ST", "OAK ST", "MAPLE AVE", "PARK AVE", "CEDAR ST", "ELM ST", "PINE ST", "CHURCH ST",
    "LAKE DR", "HILL RD", "WALNUT ST", "1ST AVE", "2ND ST", "3RD AVE", "BROADWAY", "SPRING ST",
    "RIVER RD", "CENTER ST", "RIDGE RD", "SCHOOL ST", "SUNSET BLVD", "MEADOW LN", "MARKET ST",
    "COLLEGE AVE", "MILL RD", "N HIGHLAND AVE", "S STATE ST", "W UNION ST", "E GRAND AVE",
    "COUNTY ROAD 12",
];

/// The state's name as organizations write it; the code itself where it is none.
pub(super) fn state_name(code: &str) -> String {
    match code.parse::<State>() {
        Ok(state) => state.name().replace('.', "").to_ascii_uppercase(),
        Err(_) => code.to_owned(),
    }
}
