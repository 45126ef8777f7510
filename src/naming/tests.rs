//! Tables of real names, properties, and every name of the master file where it is at hand.

use proptest::prelude::*;

use super::*;

#[test]
fn names() {
    for (filed, shown) in [
        ("YMCA OF GREATER NEW YORK INC", "YMCA of Greater New York Inc"),
        ("THE@COMPASS", "The Compass"),
        ("THE@LITTLE WAY HOUSE", "The Little Way House"),
        ("VFW POST 1234 & LADIES AUXILIARY", "VFW Post 1234 & Ladies Auxiliary"),
        ("ALASKA AFL-CIO", "Alaska AFL-CIO"),
        ("PAYETTE COUNTY 4-H LEADERS", "Payette County 4-H Leaders"),
        ("KAPPA ALPHA PSI FRATERNITY", "Kappa Alpha Psi Fraternity"),
        ("ALPHA XI DELTA BUILDING ASSOCIATION", "Alpha Xi Delta Building Association"),
        ("DISTRICT XI HUMAN RESOURCE COUNCIL INC", "District XI Human Resource Council Inc"),
        ("KNIGHTS OF JOHN XXIII", "Knights of John XXIII"),
        ("CIVIL AIR PATROL DI MIX LIV", "Civil Air Patrol Di Mix Liv"),
        ("MCDONALD HOUSE", "McDonald House"),
        ("PECOS MCLEOD", "Pecos McLeod"),
        ("MACARTHUR MEMORIAL", "MacArthur Memorial"),
        ("MACK MACHINE MACON", "Mack Machine Macon"),
        ("O'BRIEN D'YOUVILLE", "O'Brien D'Youville"),
        ("CHILDREN'S HOSPITAL", "Children's Hospital"),
        ("WE DON'T QUIT", "We Don't Quit"),
        ("ST. MARY'S", "St. Mary's"),
        ("ST LUKE S HOSPITAL", "St Luke s Hospital"),
        ("WOMEN S CLUB", "Women s Club"),
        ("EDMUND S MUSKIE ARCHIVES", "Edmund S Muskie Archives"),
        ("PROTECT THE 1ST INC", "Protect the 1st Inc"),
        ("22ND STREET 101ST 3RD 4TH", "22nd Street 101st 3rd 4th"),
        ("CLASS OF THE 1960S", "Class of the 1960s"),
        ("2GETHER 4EVER K9", "2Gether 4Ever K9"),
        ("JUNIOR AUXILIARY OF MACON MS INC", "Junior Auxiliary of Macon MS Inc"),
        ("BUFFALO SOLDIERS OF LAFAYETTE LA", "Buffalo Soldiers of Lafayette LA"),
        ("CENTRO DE LA FAMILIA DE UTAH", "Centro de la Familia de Utah"),
        ("LA LECHE LEAGUE", "La Leche League"),
        ("LA CROSSE", "La Crosse"),
        ("IGLESIA DEL NAZARENO", "Iglesia del Nazareno"),
        ("FRIENDS OF DEL NORTE", "Friends of Del Norte"),
        ("SALUD Y VIDA", "Salud y Vida"),
        ("ABERDEEN FAMILY Y FOUNDATION INC", "Aberdeen Family y Foundation Inc"),
        ("HEART OF A CHILD", "Heart of a Child"),
        ("WILLIAM A FARNSWORTH LIBRARY", "William A Farnsworth Library"),
        ("A CORD OF THREE", "A Cord of Three"),
        ("C A R E CENTER", "C A R E Center"),
        ("SPART A INC", "Spart A Inc"),
        ("BOY SCOUTS BSA", "Boy Scouts BSA"),
        ("NWTF KGNU", "NWTF KGNU"),
        ("JR SR MR MRS DR MT ST FT LTD", "Jr Sr Mr Mrs Dr Mt St Ft Ltd"),
        ("US VETERANS MC", "US Veterans MC"),
        ("JAY T MC CAMIC MEMORIAL", "Jay T Mc Camic Memorial"),
        ("ROY AMBULANCE SERVICE INC C/O DAVE KALINA", "Roy Ambulance Service Inc c/o Dave Kalina"),
        ("WOMEN-S CLUB", "Women-s Club"),
        ("SINGING OUT AGAINST HUNGER-SOAH", "Singing Out Against Hunger-SOAH"),
        ("HGA - HUMANITARIAN GLOBAL ALLIANCE INC", "HGA - Humanitarian Global Alliance Inc"),
        ("VALLEY HOAS", "Valley HOAs"),
        ("MEALS-ON-WHEELS OF MAKE-A-WISH", "Meals-on-Wheels of Make-A-Wish"),
        ("OBRIEN FAMILY", "OBrien Family"),
        ("FOND DU LAC", "Fond du Lac"),
        ("W E B DU BOIS", "W E B Du Bois"),
        (
            "CONFERENCE OF THE SOCIETY OF ST VINCENT DE",
            "Conference of the Society of St Vincent de",
        ),
        ("CELEBRATE ME", "Celebrate Me"),
        ("STAND IN", "Stand In"),
        ("DEMOLAY PHD", "DeMolay PhD"),
        ("(THE) GUILD", "(The) Guild"),
        ("Already Mixed iN Case", "Already Mixed iN Case"),
        ("  TWO   BLANKS ", "Two Blanks"),
        ("ÉCOLE DU MONDE", "École du Monde"),
        ("897-MS", "897-MS"),
        ("K9S ON THE FRONT LINE", "K9s on the Front Line"),
        ("KENTUCKY MODEL A RESTORERS CLUB", "Kentucky Model A Restorers Club"),
        ("CENTRO EDUCATIVO Y DE DESARROLLO", "Centro Educativo y de Desarrollo"),
        ("GRAND LODGE AF & AM OF ARKANSAS", "Grand Lodge AF & AM of Arkansas"),
        ("ROBIN AMES FOUNDATION", "Robin Ames Foundation"),
        ("UND CENTER FOR INNOVATION", "UND Center for Innovation"),
        ("EAST BRANCH SNO-ROVERS AND ATVS INC", "East Branch Sno-Rovers and ATVs Inc"),
        ("1701", "1701"),
        ("", ""),
    ] {
        assert_eq!(display_name(filed), shown, "{filed}");
    }
}

#[test]
fn places() {
    for (filed, shown) in [
        ("PO BOX 327", "PO Box 327"),
        ("N MAIN ST", "N Main St"),
        ("123 3RD AVE NE", "123 3rd Ave NE"),
        ("MCALESTER", "McAlester"),
        ("COEUR D ALENE", "Coeur D Alene"),
        ("O FALLON", "O Fallon"),
        ("1009B MAIN ST", "1009B Main St"),
        ("1985 VALLEY RD STE 110", "1985 Valley Rd Ste 110"),
        ("RR 3 BOX 289", "RR 3 Box 289"),
        ("967 US RT 1", "967 US Rt 1"),
        ("1700 KALORAMA RD NW", "1700 Kalorama Rd NW"),
        ("CERRO LAS MESAS", "Cerro Las Mesas"),
        ("RANCHOS DE TAOS", "Ranchos de Taos"),
        ("500 DE BACA AVE", "500 De Baca Ave"),
        ("POINTE-A-LA-HACHE", "Pointe-A-La-Hache"),
        ("St. Paul", "St. Paul"),
    ] {
        assert_eq!(display_place(filed), shown, "{filed}");
    }
}

/// What display may not change.
#[test]
fn alternates() {
    for (filed, name, shown) in [
        ("WFCI", "WORLD FELLOWSHIP CHURCH INTERNATIONAL", "WFCI"),
        ("593 BLET", "BROTHERHOOD OF LOCOMOTIVE ENGINEERS AND TRAINMEN", "593 BLET"),
        ("LEAP", "LITERACY EMPOWERMENT & ACTION PROJECT", "LEAP"),
        ("MEI", "MARSHALLESE EDUCATIONAL INITIATIVE INC", "MEI"),
        (
            "UTAH CHAPTER NIGP",
            "NATIONAL INSTITUTE OF GOVERNMENTAL PURCHASING INC",
            "Utah Chapter NIGP",
        ),
        ("SAABA", "SABETHA AERA AMATEUR BASEBALL ASSOCIATION", "SAABA"),
        ("DOE", "DAUGHTERS OF ESTHER", "DOE"),
        // Three letters agree by chance unless they are the whole name.
        ("TOM", "TEMPLE OF MERCY MINISTRIES", "Tom"),
        ("HOPE CENTER", "FIRST BAPTIST CHURCH", "Hope Center"),
        ("INC", "INSTITUTE OF NEW CARE", "Inc"),
        ("Wfci", "WORLD FELLOWSHIP CHURCH INTERNATIONAL", "Wfci"),
        ("", "", ""),
    ] {
        assert_eq!(display_alternate(filed, name), shown, "{filed} of {name}");
        assert_eq!(letters(filed), letters(shown));
    }
}

fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

fn check_display(display: fn(&str) -> String, filed: &str) {
    let shown = display(filed);
    assert_eq!(letters(&shown), letters(filed), "{filed:?} shown as {shown:?}");
    assert_eq!(display(&shown), shown, "{filed:?}");
    assert_eq!(normalise(&shown), normalise(filed), "{filed:?} shown as {shown:?}");
}

proptest! {
    #[test]
    fn display_keeps_letters_and_is_its_own_display(filed in "[A-Z0-9 &@/'.()-]{0,40}") {
        check_display(display_name, &filed);
        check_display(display_place, &filed);
    }

    #[test]
    fn display_bears_any_text(filed in "\\PC{0,30}") {
        for display in [display_name, display_place] {
            let shown = display(&filed);
            prop_assert_eq!(display(&shown), shown);
        }
    }
}

/// The columns of the master file that are shown.
pub(crate) struct MasterRow {
    pub(crate) name: String,
    pub(crate) street: String,
    pub(crate) city: String,
    pub(crate) state: String,
    pub(crate) zip: String,
    pub(crate) sort_name: String,
}

/// The real master file's rows. A test that calls this needs `shared_data`.
pub(crate) fn master_rows() -> Vec<MasterRow> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/data/irs/bmf");
    let mut rows = Vec::new();
    for file in std::fs::read_dir(folder).unwrap() {
        let mut reader = csv::Reader::from_path(file.unwrap().path()).unwrap();
        let headers = reader.headers().unwrap().clone();
        let column = |name: &str| headers.iter().position(|header| header == name).unwrap();
        let columns = ["NAME", "STREET", "CITY", "STATE", "ZIP", "SORT_NAME"].map(column);
        for record in reader.records() {
            let record = record.unwrap();
            let [name, street, city, state, zip, sort_name] =
                columns.map(|column| record[column].trim().to_owned());
            rows.push(MasterRow { name, street, city, state, zip, sort_name });
        }
    }
    rows
}

#[test]
#[cfg_attr(not(shared_data), ignore = "needs ../shared/data")]
fn the_master_file_keeps_its_letters() {
    for row in &master_rows() {
        check_display(display_name, &row.name);
        check_display(display_name, &row.sort_name);
        check_display(display_place, &row.street);
        check_display(display_place, &row.city);
    }
}
