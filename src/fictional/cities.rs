//! Places that fictional organizations are put in: real cities, states and ZIP codes, weighted by
//! population, so that filters by place and the abbreviations of city names have something to do.
//! Nothing stands at the addresses: street names and box numbers are made up.

/// A city as the master file writes it.
#[derive(Debug, Clone, Copy)]
pub(super) struct City {
    /// Upper case, abbreviated where the IRS does.
    pub(super) name: &'static str,
    /// USPS code.
    pub(super) state: &'static str,
    /// ZIP codes, separated by a blank.
    pub(super) zips: &'static str,
}

/// The part of the master file that a state's organizations stand in: the IRS's four regions.
pub(super) fn region(state: &str) -> usize {
    match state {
        "CT" | "ME" | "MA" | "NH" | "NJ" | "NY" | "RI" | "VT" => 0,
        "DE" | "DC" | "IL" | "IN" | "IA" | "KY" | "MD" | "MI" | "MN" | "NE" | "NC" | "ND"
        | "OH" | "PA" | "SC" | "SD" | "VA" | "WV" | "WI" => 1,
        "" | "PR" | "VI" | "GU" | "AS" | "MP" | "AA" | "AE" | "AP" => 3,
        _ => 2,
    }
}

/// Countries, as the master file puts them in the city column of addresses abroad.
pub(super) const COUNTRIES: [&str; 8] =
    ["CANADA", "ISRAEL", "UNITED KINGDOM", "JAPAN", "MEXICO", "GERMANY", "KENYA", "INDIA"];

const fn city(
    weight: u64,
    name: &'static str,
    state: &'static str,
    zips: &'static str,
) -> (u64, City) {
    (weight, City { name, state, zips })
}

/// Weight in thousands of people (smaller towns stand for the many of their kind) and city.
#[rustfmt::skip]
pub(super) const CITIES: &[(u64, City)] = &[
    city(8300, "NEW YORK", "NY", "10001 10016 10022 10025"), city(2600, "BROOKLYN", "NY", "11201 11215 11230"),
    city(1400, "BRONX", "NY", "10451 10467"), city(490, "STATEN ISLAND", "NY", "10301 10314"),
    city(280, "BUFFALO", "NY", "14201 14214"), city(210, "ROCHESTER", "NY", "14604 14618"),
    city(150, "SYRACUSE", "NY", "13202 13210"), city(400, "ALBANY", "NY", "12203 12207"),
    city(3900, "LOS ANGELES", "CA", "90001 90012 90024 90036"), city(1380, "SAN DIEGO", "CA", "92101 92117"),
    city(1010, "SAN JOSE", "CA", "95112 95126"), city(870, "SAN FRANCISCO", "CA", "94102 94110 94118"),
    city(540, "FRESNO", "CA", "93702 93720"), city(520, "SACRAMENTO", "CA", "95814 95825"),
    city(460, "LONG BEACH", "CA", "90802 90806"), city(440, "OAKLAND", "CA", "94601 94612"),
    city(400, "BAKERSFIELD", "CA", "93301 93309"), city(310, "RIVERSIDE", "CA", "92501 92506"),
    city(320, "STOCKTON", "CA", "95202 95207"), city(310, "IRVINE", "CA", "92602 92614"),
    city(140, "PASADENA", "CA", "91101 91107"), city(180, "SANTA ROSA", "CA", "95401 95404"),
    city(220, "SN BERNRDNO", "CA", "92404 92407"), city(120, "BERKELEY", "CA", "94703 94704"),
    city(2700, "CHICAGO", "IL", "60601 60614 60625 60637"), city(180, "AURORA", "IL", "60505 60506"),
    city(150, "ROCKFORD", "IL", "61101 61107"), city(114, "SPRINGFIELD", "IL", "62701 62704"),
    city(113, "PEORIA", "IL", "61602 61614"), city(78, "EVANSTON", "IL", "60201 60202"),
    city(2300, "HOUSTON", "TX", "77002 77019 77024 77096"), city(1450, "SAN ANTONIO", "TX", "78205 78212"),
    city(1300, "DALLAS", "TX", "75201 75225 75230"), city(970, "AUSTIN", "TX", "78701 78745"),
    city(940, "FT WORTH", "TX", "76102 76107"), city(680, "EL PASO", "TX", "79901 79912"),
    city(290, "PLANO", "TX", "75023 75024"), city(320, "CORPUS CHRISTI", "TX", "78401 78412"),
    city(260, "LUBBOCK", "TX", "79401 79423"), city(140, "WACO", "TX", "76701 76710"),
    city(200, "AMARILLO", "TX", "79101 79109"), city(100, "TYLER", "TX", "75701 75703"),
    city(1600, "PHILADELPHIA", "PA", "19103 19106 19130"), city(300, "PITTSBURGH", "PA", "15213 15219 15222"),
    city(125, "ALLENTOWN", "PA", "18101 18104"), city(95, "ERIE", "PA", "16501 16506"),
    city(250, "HARRISBURG", "PA", "17101 17110"), city(240, "LANCASTER", "PA", "17601 17603"),
    city(1610, "PHOENIX", "AZ", "85003 85016 85032"), city(545, "TUCSON", "AZ", "85701 85719"),
    city(500, "MESA", "AZ", "85201 85204"), city(240, "SCOTTSDALE", "AZ", "85251 85260"),
    city(75, "FLAGSTAFF", "AZ", "86001 86004"), city(950, "JACKSONVILLE", "FL", "32202 32207"),
    city(440, "MIAMI", "FL", "33101 33130 33176"), city(390, "TAMPA", "FL", "33602 33609"),
    city(310, "ORLANDO", "FL", "32801 32803"), city(260, "ST PETERSBURG", "FL", "33701 33704"),
    city(200, "TALLAHASSEE", "FL", "32301 32303"), city(180, "FT LAUDERDALE", "FL", "33301 33304"),
    city(140, "GAINESVILLE", "FL", "32601 32605"), city(90, "FT MYERS", "FL", "33901 33907"),
    city(900, "COLUMBUS", "OH", "43201 43215 43229"), city(370, "CLEVELAND", "OH", "44102 44114"),
    city(310, "CINCINNATI", "OH", "45202 45220"), city(270, "TOLEDO", "OH", "43604 43615"),
    city(190, "AKRON", "OH", "44302 44313"), city(140, "DAYTON", "OH", "45402 45419"),
    city(880, "CHARLOTTE", "NC", "28202 28211"), city(470, "RALEIGH", "NC", "27601 27609"),
    city(300, "GREENSBORO", "NC", "27401 27410"), city(285, "DURHAM", "NC", "27701 27707"),
    city(250, "WINSTON SALEM", "NC", "27101 27106"), city(95, "ASHEVILLE", "NC", "28801 28804"),
    city(880, "INDIANAPOLIS", "IN", "46202 46220"), city(265, "FORT WAYNE", "IN", "46802 46804"),
    city(115, "EVANSVILLE", "IN", "47708 47714"), city(103, "SOUTH BEND", "IN", "46601 46614"),
    city(740, "SEATTLE", "WA", "98101 98103 98118"), city(230, "SPOKANE", "WA", "99201 99205"),
    city(220, "TACOMA", "WA", "98402 98406"), city(92, "BELLINGHAM", "WA", "98225 98226"),
    city(710, "DENVER", "CO", "80202 80205 80218"), city(480, "COLORADO SPGS", "CO", "80903 80918"),
    city(170, "FT COLLINS", "CO", "80524 80525"), city(108, "BOULDER", "CO", "80301 80302"),
    city(690, "WASHINGTON", "DC", "20001 20005 20009 20036"), city(650, "BOSTON", "MA", "02108 02116 02130"),
    city(205, "WORCESTER", "MA", "01602 01609"), city(155, "SPRINGFIELD", "MA", "01103 01109"),
    city(118, "CAMBRIDGE", "MA", "02138 02139"), city(115, "LOWELL", "MA", "01850 01852"),
    city(690, "NASHVILLE", "TN", "37203 37211"), city(620, "MEMPHIS", "TN", "38103 38117"),
    city(195, "KNOXVILLE", "TN", "37902 37919"), city(185, "CHATTANOOGA", "TN", "37402 37421"),
    city(630, "DETROIT", "MI", "48201 48226"), city(200, "GRAND RAPIDS", "MI", "49503 49506"),
    city(112, "LANSING", "MI", "48910 48933"), city(123, "ANN ARBOR", "MI", "48103 48104"),
    city(73, "KALAMAZOO", "MI", "49001 49008"), city(685, "OKLAHOMA CITY", "OK", "73102 73112"),
    city(410, "TULSA", "OK", "74103 74105"), city(640, "PORTLAND", "OR", "97201 97202 97214"),
    city(176, "EUGENE", "OR", "97401 97405"), city(177, "SALEM", "OR", "97301 97302"),
    city(645, "LAS VEGAS", "NV", "89101 89117 89123"), city(265, "RENO", "NV", "89501 89509"),
    city(630, "LOUISVILLE", "KY", "40202 40205"), city(320, "LEXINGTON", "KY", "40502 40507"),
    city(72, "BOWLING GREEN", "KY", "42101 42104"), city(580, "BALTIMORE", "MD", "21201 21218"),
    city(78, "FREDERICK", "MD", "21701 21702"), city(84, "SILVER SPRING", "MD", "20901 20910"),
    city(570, "MILWAUKEE", "WI", "53202 53211"), city(270, "MADISON", "WI", "53703 53711"),
    city(107, "GREEN BAY", "WI", "54301 54303"), city(560, "ALBUQUERQUE", "NM", "87102 87110"),
    city(88, "SANTA FE", "NM", "87501 87505"), city(500, "ATLANTA", "GA", "30303 30309 30318"),
    city(147, "SAVANNAH", "GA", "31401 31405"), city(200, "AUGUSTA", "GA", "30901 30909"),
    city(508, "KANSAS CITY", "MO", "64105 64111"), city(300, "SAINT LOUIS", "MO", "63101 63108 63130"),
    city(169, "SPRINGFIELD", "MO", "65802 65807"), city(490, "OMAHA", "NE", "68102 68114"),
    city(291, "LINCOLN", "NE", "68502 68510"), city(230, "RICHMOND", "VA", "23219 23220"),
    city(455, "VIRGINIA BCH", "VA", "23451 23454"), city(150, "ALEXANDRIA", "VA", "22301 22314"),
    city(100, "ROANOKE", "VA", "24011 24015"), city(430, "MINNEAPOLIS", "MN", "55401 55404 55408"),
    city(310, "SAINT PAUL", "MN", "55101 55105"), city(86, "DULUTH", "MN", "55802 55804"),
    city(395, "WICHITA", "KS", "67202 67208"), city(126, "TOPEKA", "KS", "66603 66604"),
    city(380, "NEW ORLEANS", "LA", "70112 70115"), city(225, "BATON ROUGE", "LA", "70801 70808"),
    city(185, "SHREVEPORT", "LA", "71101 71106"), city(345, "HONOLULU", "HI", "96813 96816"),
    city(310, "NEWARK", "NJ", "07102 07104"), city(290, "JERSEY CITY", "NJ", "07302 07306"),
    city(280, "TRENTON", "NJ", "08608 08618"), city(290, "ANCHORAGE", "AK", "99501 99508"),
    city(200, "BIRMINGHAM", "AL", "35203 35205"), city(190, "MONTGOMERY", "AL", "36104 36106"),
    city(215, "DES MOINES", "IA", "50309 50312"), city(137, "CEDAR RAPIDS", "IA", "52401 52402"),
    city(200, "SALT LAKE CTY", "UT", "84101 84103 84111"), city(115, "PROVO", "UT", "84601 84604"),
    city(202, "LITTLE ROCK", "AR", "72201 72205"), city(64, "N LITTLE ROCK", "AR", "72114 72116"),
    city(235, "BOISE", "ID", "83702 83706"), city(190, "PROVIDENCE", "RI", "02903 02906"),
    city(120, "HARTFORD", "CT", "06103 06105"), city(134, "NEW HAVEN", "CT", "06510 06511"),
    city(150, "COLUMBIA", "SC", "29201 29205"), city(150, "CHARLESTON", "SC", "29401 29403"),
    city(150, "JACKSON", "MS", "39201 39211"), city(190, "SIOUX FALLS", "SD", "57103 57104"),
];

/// Towns of the states that [`CITIES`] leaves thin.
#[rustfmt::skip]
pub(super) const TOWNS: &[(u64, City)] = &[
    city(115, "MANCHESTER", "NH", "03101 03104"), city(68, "PORTLAND", "ME", "04101 04103"),
    city(45, "BURLINGTON", "VT", "05401 05408"), city(70, "WILMINGTON", "DE", "19801 19806"),
    city(48, "CHARLESTON", "WV", "25301 25311"), city(30, "MORGANTOWN", "WV", "26501 26505"),
    city(125, "FARGO", "ND", "58102 58103"), city(74, "BISMARCK", "ND", "58501 58503"),
    city(117, "BILLINGS", "MT", "59101 59102"), city(75, "MISSOULA", "MT", "59801 59802"),
    city(65, "CHEYENNE", "WY", "82001 82009"), city(58, "CASPER", "WY", "82601 82609"),
    city(75, "RAPID CITY", "SD", "57701 57702"), city(320, "SAN JUAN", "PR", "00907 00926"),
];
