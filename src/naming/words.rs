//! Tables of words whose capitals do not follow from their letters.
//!
//! Every table is sorted, in capitals, and searched by bisection; a test holds the order. The
//! acronyms that contain a vowel are many and are kept as data (`data/acronyms.txt`).

use std::collections::HashSet;
use std::sync::LazyLock;

use crate::table::table;

/// Words of prose, written small inside a name.
pub(super) const SMALL: &[&str] = &[
    "AN", "AND", "AS", "AT", "BY", "FOR", "FROM", "IN", "INTO", "NOR", "OF", "ON", "OR", "THE",
    "TO", "UPON", "WITH",
];

/// Longest of [`SMALL`], [`PARTICLES`] and [`ARTICLES`], so that longer words are not looked up.
pub(super) const SMALL_LENGTH_MAX: usize = 4;

/// Small words that stay small at the very end, where a name was cut off or inverted.
pub(super) const SMALL_AT_END: &[&str] = &["AND", "FOR", "OF", "THE"];

/// Small words of Spanish, French, Dutch and German names.
pub(super) const PARTICLES: &[&str] = &["DE", "DEL", "DER", "DU", "EN", "ET", "POR", "UND"];

/// Articles of Spanish, small only after a particle (`Centro de la Familia`, but `La Crosse`).
pub(super) const ARTICLES: &[&str] = &["EL", "LA", "LAS", "LOS"];

/// Abbreviations without a vowel that are read as words, not letter by letter.
#[rustfmt::skip]
pub(super) const ABBREVIATIONS: &[&str] = &[
    "BD", "BDS", "BKS", "BLDG", "BLDGS", "BLDR", "BLVD", "BR", "BRDG", "BRN", "BROS", "CH",
    "CHARLTBL", "CHLD", "CHLDN", "CHP", "CHPT", "CHPTR", "CHR", "CHRCH", "CHRIST", "CHRL",
    "CLB", "CLBS", "CMNTY", "CMTE", "CMTY", "CNCL", "CNL", "CNTR", "CNTRL", "CNTY", "CPL", "CPT",
    "CRK", "CRT", "CTR", "CTRS", "CTY", "DBL", "DPT", "DR", "DRS", "DTD", "FDN", "FDTN", "FLD",
    "FLDS", "FND", "FNDN", "FNDTN", "FR", "FRNDS", "FRTRNTY", "FT", "FWD", "GR", "GRP", "HBR",
    "HGTS", "HMN", "HRS", "HSG", "HTS", "HWY", "JCT", "JR", "LDG", "LK", "LT", "LTD", "LTJG",
    "LTR", "MBR", "MBRS", "MDW", "MFG", "MGMT", "MGR", "MGT", "MKT", "MKTG", "MLK", "MNGMT",
    "MNR", "MNSTRS", "MR", "MRS", "MSGR", "MT", "MTG", "MTN", "MTNS", "NTL", "NTWK", "PH", "PHRM",
    "PKWY", "PRGM", "PRK", "PRKWY", "PT", "PTN", "PTR", "PVT", "PWR", "RCH", "RD", "RDG", "RR",
    "SCH", "SCHL", "SCHLS", "SGT", "SHH", "SMR", "SPG", "SPGS", "SQ", "SR", "SRS", "SSGT", "ST",
    "STD", "STG", "STR", "STS", "SVC", "SVCS", "TH", "TNR", "TR", "TRNG", "TRST", "TSGT", "TWNSHP",
    "TWP", "VLG", "VLGE", "VLLY", "VLY", "VS", "WKR", "WKRS", "WM", "XMAS",
];

/// Words with capitals inside them or an unusual mixture, plurals of acronyms among them, since a
/// rule for those would find `AMEs`: capitals → as written.
#[rustfmt::skip]
pub(super) const MIXED: &[(&str, &str)] = &[
    ("ABCS", "ABCs"), ("AMERICORPS", "AmeriCorps"), ("ATVS", "ATVs"), ("CDFIS", "CDFIs"),
    ("CEOS", "CEOS"), ("CEUS", "CEUs"), ("CPAS", "CPAs"), ("DEKALB", "DeKalb"),
    ("DEMOLAY", "DeMolay"), ("DEPAUL", "DePaul"), ("DESOTO", "DeSoto"), ("DEWITT", "DeWitt"),
    ("DUPAGE", "DuPage"), ("DUPONT", "DuPont"), ("EMTS", "EMTs"), ("HBCUS", "HBCUs"),
    ("HMOS", "HMOs"), ("HOAS", "HOAs"), ("ICARE", "iCare"), ("IPHONE", "iPhone"),
    ("LAGRANGE", "LaGrange"), ("LAPORTE", "LaPorte"), ("LASALLE", "LaSalle"), ("LLCS", "LLCs"),
    ("MACARTHUR", "MacArthur"), ("MACBRIDE", "MacBride"), ("MACCORKLE", "MacCorkle"),
    ("MACCORMACK", "MacCormack"), ("MACDILL", "MacDill"), ("MACDONALD", "MacDonald"),
    ("MACDOUGALL", "MacDougall"), ("MACDOWELL", "MacDowell"), ("MACEWEN", "MacEwen"),
    ("MACFARLAND", "MacFarland"), ("MACFARLANE", "MacFarlane"), ("MACGREGOR", "MacGregor"),
    ("MACINNES", "MacInnes"), ("MACINTOSH", "MacIntosh"), ("MACINTYRE", "MacIntyre"),
    ("MACKINNON", "MacKinnon"), ("MACLAREN", "MacLaren"), ("MACLEAN", "MacLean"),
    ("MACLEOD", "MacLeod"), ("MACMASTER", "MacMaster"), ("MACMILLAN", "MacMillan"),
    ("MACMURRAY", "MacMurray"), ("MACNAMARA", "MacNamara"), ("MACNEIL", "MacNeil"),
    ("MACNEILL", "MacNeill"), ("MACPHAIL", "MacPhail"), ("MACPHERSON", "MacPherson"),
    ("MACQUEEN", "MacQueen"), ("MACVICAR", "MacVicar"), ("MBAS", "MBAs"), ("NGOS", "NGOs"),
    ("OBRIAN", "OBrian"), ("OBRIEN", "OBrien"), ("OCONNELL", "OConnell"), ("OCONNER", "OConner"),
    ("OCONNOR", "OConnor"), ("ODONNELL", "ODonnell"), ("ODWYER", "ODwyer"), ("OFALLON", "OFallon"),
    ("OFARRELL", "OFarrell"), ("OGRADY", "OGrady"), ("OHARA", "OHara"), ("OHARE", "OHare"),
    ("OKEEFE", "OKeefe"), ("OKEEFFE", "OKeeffe"), ("OLEARY", "OLeary"), ("OMALLEY", "OMalley"),
    ("ONEAL", "ONeal"), ("ONEIL", "ONeil"), ("ONEILL", "ONeill"), ("OREILLY", "OReilly"),
    ("OROURKE", "ORourke"), ("OSHAUGHNESSY", "OShaughnessy"), ("OSHEA", "OShea"),
    ("OSULLIVAN", "OSullivan"), ("OTOOLE", "OToole"), ("PHD", "PhD"), ("PTAS", "PTAs"),
    ("PTOS", "PTOs"), ("PTSAS", "PTSAs"), ("TEDX", "TEDx"), ("UFOS", "UFOs"), ("VIPS", "VIPs"),
    ("YMCAS", "YMCAs"), ("YOUTHBUILD", "YouthBuild"), ("YWCAS", "YWCAs"),
];

/// Words after which a lone S is what an apostrophe left (`Women s Club`).
#[rustfmt::skip]
pub(super) const POSSESSORS: &[&str] = &[
    "AMERICA", "ANGEL", "AUTHOR", "BOY", "BUSINESSMEN", "CHILD", "CHILDREN", "CHRIST", "CITIZEN",
    "COMMUNITY", "DRIVER", "EMPLOYEE", "FARMER", "FATHER", "FIREFIGHTER", "FIREMAN", "FIREMEN",
    "GENTLEMEN", "GIRL", "GOD", "GRANDMA", "HEAVEN", "HER", "JESUS", "KID", "KING", "LADIES",
    "LADY", "LAWYER", "LET", "LIFE", "LORD", "MASTER", "MEN", "MERCHANT", "MOM", "MOTHER",
    "NATION", "NATURE", "PARENT", "PASTOR", "PEOPLE", "PLAYER", "POLICEMEN", "QUEEN",
    "SHEPHERD", "SPORTSMAN", "SPORTSMEN", "STUDENT", "TEACHER", "THAT", "TODAY", "TRAVELER",
    "VETERAN", "WHAT", "WOMAN", "WOMEN", "WORKER", "WORKINGMEN", "WORLD",
];

/// Given names before a middle initial A (`William A Farnsworth`).
#[rustfmt::skip]
pub(super) const GIVEN_NAMES: &[&str] = &[
    "AARON", "ABRAHAM", "ADAM", "ALAN", "ALBERT", "ALEX", "ALEXANDER", "ALFRED", "ALICE", "ALLEN",
    "ALLISON", "ALMA", "ALONZO", "ALVIN", "AMANDA", "AMY", "ANDREA", "ANDREW", "ANGELA", "ANITA",
    "ANN", "ANNA", "ANNE", "ANNIE", "ANTHONY", "ARLENE", "ARNOLD", "ARTHUR", "AUDREY", "BARBARA",
    "BEATRICE", "BEN", "BENJAMIN", "BERNARD", "BERNICE", "BERT", "BERTHA", "BESSIE", "BETH",
    "BETTY", "BEVERLY", "BILL", "BILLY", "BOB", "BONNIE", "BRADLEY", "BRENDA", "BRIAN", "BRUCE",
    "BRYAN", "CALVIN", "CARL", "CARLOS", "CAROL", "CAROLINE", "CAROLYN", "CATHERINE", "CECIL",
    "CHARLES", "CHARLOTTE", "CHESTER", "CHRIS", "CHRISTINE", "CHRISTOPHER", "CLARA", "CLARENCE",
    "CLAUDE", "CLIFFORD", "CLYDE", "CORA", "CRAIG", "CURTIS", "CYNTHIA", "DALE", "DAN", "DANIEL",
    "DAVID", "DEAN", "DEBORAH", "DEBRA", "DENNIS", "DIANA", "DIANE", "DOLORES", "DON", "DONALD",
    "DONNA", "DORIS", "DOROTHY", "DOUGLAS", "DUANE", "EARL", "EDGAR", "EDITH", "EDMUND", "EDNA",
    "EDWARD", "EDWIN", "EILEEN", "ELAINE", "ELEANOR", "ELIZABETH", "ELLA", "ELLEN", "ELMER",
    "ELSIE", "EMILY", "EMMA", "ERIC", "ERNEST", "ESTHER", "ETHEL", "EUGENE", "EUNICE", "EVA",
    "EVELYN", "FLORENCE", "FLOYD", "FRANCES", "FRANCIS", "FRANK", "FRANKLIN", "FRED", "FREDERICK",
    "GARY", "GENE", "GEORGE", "GERALD", "GERTRUDE", "GILBERT", "GLADYS", "GLEN", "GLENN", "GLORIA",
    "GORDON", "GRACE", "GREGORY", "GUY", "HARLEY", "HAROLD", "HARRIET", "HARRY", "HARVEY",
    "HAZEL", "HEATHER", "HELEN", "HENRY", "HERBERT", "HERMAN", "HOMER", "HORACE", "HOWARD", "HUGH",
    "IDA", "IRENE", "IRVING", "ISAAC", "JACK", "JACOB", "JAMES", "JANE", "JANET", "JANICE",
    "JASON", "JAY", "JEAN", "JEFFREY", "JENNIE", "JENNIFER", "JERRY", "JESSE", "JESSICA", "JIM",
    "JOAN", "JOE", "JOHN", "JON", "JONATHAN", "JOSE", "JOSEPH", "JOSEPHINE", "JOSHUA", "JOYCE",
    "JUAN", "JUDITH", "JUDY", "JULIA", "JULIE", "JUNE", "JUSTIN", "KAREN", "KARL", "KATHERINE",
    "KATHLEEN", "KATHRYN", "KEITH", "KELLY", "KENNETH", "KEVIN", "KYLE", "LARRY", "LAURA",
    "LAWRENCE", "LEE", "LEO", "LEON", "LEONARD", "LEROY", "LESLIE", "LESTER", "LEWIS", "LILLIAN",
    "LINDA", "LISA", "LLOYD", "LOIS", "LORRAINE", "LOUIS", "LOUISE", "LUCILLE", "LUCY", "LUIS",
    "LUTHER", "LYNN", "MABEL", "MARGARET", "MARIA", "MARIE", "MARILYN", "MARION", "MARJORIE",
    "MARK", "MARTHA", "MARTIN", "MARVIN", "MARY", "MATTHEW", "MAURICE", "MELVIN", "MICHAEL",
    "MICHELLE", "MIKE", "MILDRED", "MILTON", "MINNIE", "MORRIS", "NANCY", "NATHAN", "NICHOLAS",
    "NORMA", "NORMAN", "OLIVE", "OLIVER", "ORVILLE", "OSCAR", "OTTO", "PAMELA", "PATRICIA",
    "PATRICK", "PAUL", "PAULINE", "PEARL", "PETER", "PHILIP", "PHILLIP", "PHYLLIS", "RACHEL",
    "RALPH", "RAY", "RAYMOND", "REBECCA", "RICHARD", "RITA", "ROBERT", "ROGER", "RONALD", "ROSE",
    "ROSS", "ROY", "RUBY", "RUDOLPH", "RUSSELL", "RUTH", "RYAN", "SALLY", "SAM", "SAMUEL",
    "SANDRA", "SARA", "SARAH", "SCOTT", "SHARON", "SHIRLEY", "SIDNEY", "STANLEY", "STELLA",
    "STEPHANIE", "STEPHEN", "STEVE", "STEVEN", "STUART", "SUSAN", "SYLVIA", "THELMA", "THEODORE",
    "THERESA", "THOMAS", "TIMOTHY", "TOM", "TONY", "VERA", "VERNON", "VICTOR", "VINCENT", "VIOLA",
    "VIRGIL", "VIRGINIA", "VIVIAN", "WALLACE", "WALTER", "WARREN", "WAYNE", "WENDELL", "WILBUR",
    "WILLARD", "WILLIAM", "WILLIE", "WILMA", "WOODROW",
];

/// Words after which a letter names a kind (`Model A Ford Club`).
pub(super) const LETTERED: &[&str] =
    &["CLASS", "DIVISION", "GRADE", "GROUP", "HEPATITIS", "MODEL", "PART", "PLAN", "UNIT"];

/// Greek letters, between which XI is one too (`Alpha Xi Delta`, but `District XI`).
#[rustfmt::skip]
pub(super) const GREEK: &[&str] = &[
    "ALPHA", "BETA", "CHI", "DELTA", "EPSILON", "ETA", "GAMMA", "IOTA", "KAPPA", "LAMBDA", "MU",
    "NU", "OMEGA", "OMICRON", "PHI", "PI", "PSI", "RHO", "SIGMA", "TAU", "THETA", "UPSILON", "XI",
    "ZETA",
];

/// State codes that are capitals wherever they stand.
#[rustfmt::skip]
pub(super) const STATES_ANYWHERE: &[&str] = &[
    "AK", "AR", "AZ", "CA", "FL", "GA", "IA", "ID", "IL", "NE", "OH", "OK", "RI", "USVI", "UT",
    "VA", "WA", "WI", "WY",
];

/// Longest of [`STATES_ANYWHERE`].
pub(super) const STATE_LENGTH_MAX: usize = 4;

/// State codes that are also words: capitals only where a name ends.
pub(super) const STATES_AT_END: &[&str] = &["AL", "CT", "HI", "LA", "MI", "MO", "MT", "PA"];

/// Words that may follow a state's code at the end of a name.
pub(super) const ENDINGS: &[&str] =
    &["CO", "CORP", "CORPORATION", "FOUNDATION", "INC", "INCORPORATED", "LLC", "LTD", "PTA", "PTO"];

/// Whether a sorted table holds a word.
pub(super) fn holds(table: &[&str], word: &str) -> bool {
    table.binary_search(&word).is_ok()
}

/// How a word of [`MIXED`] is written.
pub(super) fn mixed(word: &str) -> Option<&'static str> {
    if !matches!(word.as_bytes().first()?, b'A' | b'C'..=b'E' | b'H' | b'I' | b'L'..=b'P' | b'T'..=b'V' | b'Y')
    {
        return None;
    }
    MIXED.binary_search_by_key(&word, |entry| entry.0).ok().map(|at| MIXED[at].1)
}

static ACRONYMS: LazyLock<HashSet<&'static str>> =
    LazyLock::new(|| table!("data/acronyms.txt").lines().flat_map(str::split_whitespace).collect());

/// Longest acronym of the list, so that longer words are not looked up.
const ACRONYM_LENGTH_MAX: usize = 8;

/// Whether a word is in the list of acronyms.
pub(super) fn is_acronym(word: &str) -> bool {
    word.len() <= ACRONYM_LENGTH_MAX && ACRONYMS.contains(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_sorted() {
        for table in [
            SMALL,
            SMALL_AT_END,
            PARTICLES,
            ARTICLES,
            ABBREVIATIONS,
            POSSESSORS,
            GIVEN_NAMES,
            GREEK,
            LETTERED,
            STATES_ANYWHERE,
            STATES_AT_END,
            ENDINGS,
        ] {
            for pair in table.windows(2) {
                assert!(pair[0] < pair[1], "{pair:?}");
            }
        }
        for pair in MIXED.windows(2) {
            assert!(pair[0].0 < pair[1].0, "{pair:?}");
        }
        for (word, written) in MIXED {
            assert_eq!(written.to_ascii_uppercase(), *word);
        }
    }

    #[test]
    fn lengths_and_first_letters_shut_nothing_out() {
        for table in [SMALL, PARTICLES, ARTICLES] {
            assert!(table.iter().all(|word| word.len() <= SMALL_LENGTH_MAX));
        }
        assert!(STATES_ANYWHERE.iter().all(|word| word.len() <= STATE_LENGTH_MAX));
        assert!(STATES_AT_END.iter().all(|word| word.len() == 2));
        assert!(MIXED.iter().all(|entry| mixed(entry.0) == Some(entry.1)));
    }

    #[test]
    fn acronyms_are_capitals_and_not_too_long() {
        for word in ACRONYMS.iter() {
            assert!(word.bytes().all(|byte| byte.is_ascii_uppercase()), "{word}");
            assert!((2..=ACRONYM_LENGTH_MAX).contains(&word.len()), "{word}");
        }
    }
}
