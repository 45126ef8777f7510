#!/usr/bin/env python3
"""Write data/word_cities.txt: names of U.S. cities that are ordinary English words too.

    pip install --target /tmp/spylls spylls==0.1.7
    PYTHONPATH=/tmp/spylls scripts/word_cities.py > data/word_cities.txt

A key is the primary city of a ZIP code in normal form. A key of one word counts if the dictionary
knows the word in lower case, unless it is in NAMES: words too, but whoever writes one of them next
to a cause most likely means the city or a person. A key of several words counts if every word of it
does and it is in PHRASES, those that stand in a sentence without a place being meant.

The dictionary is Hunspell's en_US as the package spylls 0.1.7 carries it (the package: MPL 2.0; the
dictionary: made of SCOWL, © Kevin Atkinson, whose licence lets anyone use, copy, modify and
distribute the lists and what is made of them). Nothing of the dictionary is copied but which of our
own keys it has.
"""

import re
import sys
import unicodedata
from pathlib import Path

import spylls.hunspell

ROOT = Path(__file__).resolve().parent.parent

NAMES = set("""
anchorage angelica angora auburn aurora bailey barney barre bates billings bolivar boulder brooks
browning browns buffalo busby butler butte candler canton carmine chandler chesterfield chino cologne
concord conger congers cooper corning cumming cutler dale dauphin davenport deforest derby dickens
dickey dingle dobbin dobbins dodge donnybrook doss downing dozier draper drew duff dyer eddy emery fay
flagstaff flint flushing ford fords fosters freeman freer garland garner gentry glen graham griffin
grimes hale hamburg hart harts hays heath hector holly homer hull jasper jay jean jersey joiner kaiser
keeling kidder lander lee levering limerick linden lisle lulu lynch mackinaw madden madras manning
martin mason max mayo meeker mercer mesa mills minter morrow muenster napoleon nelson newton nimrod
noel nova opp oxford paisley palatine parsons phoenix pierce pollard ponce proctor providence pueblo
rand ray reeves rives riverside rogers romeo roper rowan rusk sanders sawyer sears sims smiley smith
somerset stetson stokes stonewall sully surrey swain swisher tabor tangier tanner terry thatcher
thrall tony trilby troy tucker turner turners twain ulster wade wagoner wainwright waldo warren
watts weir weld wellington wells wheeler wheeling whiting widener wilder winder winters witter
wright wrights
""".split())

PHRASES = """
bat cave; bath springs; battery park; battle ground; battle mountain; bear creek; bear lake; bear
mountain; beaver dam; beaver dams; bible school park; big horn; big prairie; big rock; big sky; big
spring; big springs; birch tree; bird in hand; bird island; black diamond; black eagle; black earth;
black hawk; black mountain; black oak; black river; black rock; blue ball; blue bell; blue eye; blue
grass; blue jay; blue lake; blue mountain; blue river; blue rock; bowling green; boys ranch; boys
town; bridal veil; broken arrow; broken bow; butternut; cannon ball; captain cook; casa; castle rock; cave
springs; center city; center line; center point; central city; central square; central valley; central
village; charter oak; cherry tree; church hill; church point; church road; church view; city of
industry; clear brook; clear creek; clear lake; clear spring; coal center; coal city; coal valley;
coffee creek; cold bay; cold spring; college park; college place; college point; college station;
commercial point; continental divide; cottage grove; cotton plant; council grove; country club hills;
crater lake; crescent city; cross plains; cross river; crystal lake; cut off; death valley; deep
river; deep water; deer creek; deer island; deer park; deer river; deer trail; desert center; devils
lake; diamond bar; diamond point; discovery bay; double springs; dry creek; due west; eagle nest;
eagle river; eagle rock; earth city; eight mile; eighty eight; eighty four; electric city; elk river;
emerald isle; evergreen park; fair haven; fair lawn; fair oaks; fair play; falling rock; falling
waters; falls church; farmer city; federal way; fish camp; fish creek; fishing creek; five points;
flat rock; floral city; floral park; flower mound; forest city; forest falls; forest grove; forest
hill; forest hills; forest home; forest lake; forest lakes; forest park; forest ranch; forest river;
foster city; fountain city; four corners; four lakes; four oaks; four states; free soil; free union;
french camp; french village; fresh meadows; garden city; garden grove; garden plain; garden prairie;
garden valley; gas city; gate city; gold beach; golden city; golden eagle; golden gate; golden
meadow; golden valley; good hope; government camp; grace city; grand canyon; grand meadow; grand
valley; grand view; grass lake; grass valley; great bend; great falls; great lakes; great meadows;
great river; great valley; green bank; green castle; green city; green creek; green forest; green
harbor; green island; green lake; green mountain; green pond; green river; green road; green spring;
green springs; green valley; green village; gulf breeze; gulf shores; half way; happy camp; happy
valley; harbor beach; harbor city; harbor view; head waters; hidden valley; high bridge; high falls;
high hill; high island; high point; high springs; high view; highland park; hill city; holy city; holy
cross; holy trinity; hop bottom; hope valley; horse creek; horse shoe; hot springs; hungry horse; iron
mountain; island city; island park; key west; king city; lake city; lake forest; lake harmony; lake
park; lake view; lake village; league city; left hand; liberty center; live oak; lone star; lone wolf;
long beach; long island; long lane; long point; lookout mountain; lost city; lost nation; many farms;
marine city; medical lake; medicine lake; medicine lodge; medicine park; middle village; mill city;
mill creek; mill valley; mineral springs; mission hill; mission hills; model city; modest town; moose
lake; morning sun; morning view; mountain center; mountain city; mountain home; mountain lake;
mountain lakes; mountain park; mountain pass; mountain ranch; mountain rest; mountain top; mountain
view; mountain village; national city; national park; natural bridge; new century; new church; new
city; new creek; new deal; new eagle; new enterprise; new era; new freedom; new harbor; new harmony;
new home; new hope; new liberty; new market; new park; new river; new roads; new site; new town; nine
mile falls; ninety six; north creek; north east; north fork; north freedom; north garden; north haven;
north hills; north lake; north liberty; north park; north plains; north pole; north port; north
prairie; north river; north star; north street; oak forest; oak grove; oak hill; oak park; ocean
beach; ocean city; ocean gate; ocean grove; ocean park; ocean shores; ocean springs; ocean view; oil
city; old bridge; old fields; old fort; old glory; old harbor; old mission; old station; old town;
olive branch; orange beach; orange city; orange grove; orange lake; orange park; orchard hill; orchard
park; pacific beach; pacific city; palm beach; palm city; palm coast; palm desert; palm harbor;
paradise inn; paradise valley; park city; park falls; park forest; park hall; park hill; park hills;
park ridge; park river; park valley; peace valley; pine apple; pine city; pine grove; pine hill; pine
island; pine lake; pine mountain; pine river; pine valley; pine village; plant city; pleasant city;
pleasant garden; pleasant hill; pleasant hope; pleasant lake; pleasant mills; pleasant plains;
pleasant prairie; pleasant unity; pleasant valley; pleasant view; point comfort; point hope; port hope;
prairie city; prairie creek; prairie farm; prairie home; prairie view; prairie village; promise city;
prospect park; queen city; rainbow city; rainbow lake; red bank; red bluff; red cliff; red cloud; red
devil; red hill; red house; red lion; red mountain; red oak; red river; red rock; red valley; red
wing; rice lake; ridge farm; rising star; rising sun; river edge; river falls; river forest; river
grove; river ranch; rock camp; rock city; rock creek; rock hall; rock hill; rock island; rock point;
rock river; rock valley; rocky hill; rocky mount; rocky point; rocky ridge; rocky river; rose city;
rose hill; rough and ready; round lake; round pond; round rock; round top; royal oak; running springs;
rural hall; rural retreat; rural ridge; rural valley; sacred heart; safety harbor; sailor springs; sale
city; sale creek; salt flat; salt rock; sand creek; sandy beach; sandy creek; sandy point; science
hill; sea cliff; sea island; seal beach; second mesa; seven mile; seven springs; shade gap; shelter
island; shelter island heights; short creek; show low; side lake; silver city; silver creek; silver
lake; silver spring; silver springs; silver star; sister bay; six lakes; six mile; sleepy eye; slippery
rock; snow camp; snow hill; snow lake; snow shoe; social circle; society hill; soldiers grove; sound
beach; south bay; south beach; south branch; south fork; south gate; south haven; south heart; south
hill; south lake; south park; south plains; south point; south range; south river; south shore; south
union; southwest harbor; spirit lake; spring church; spring city; spring creek; spring garden; spring
green; spring grove; spring hill; spring hope; spring house; spring lake; spring park; spring valley;
star city; star lake; state center; state college; state farm; state line; state park; state road;
state university; still pond; stone creek; stone harbor; stone mountain; stone park; storm lake; story
city; strong city; studio city; sugar city; sugar hill; sugar tree; summer lake; summit lake; summit
point; sun city; sun prairie; sun river; sun valley; sunny side; sunrise beach; sunset beach; sweet
grass; sweet home; sweet water; table rock; talking rock; tall timbers; temple city; ten mile; the
colony; the lakes; the plains; the rock; the sea ranch; the villages; thousand island park; three
bridges; three forks; three lakes; three oaks; three rivers; three springs; timber lake; tower city;
tower hill; town creek; trail city; travelers rest; tree top; trinity center; trout creek; trout lake;
truth or consequences; tunnel city; turtle creek; turtle lake; twelve mile; twin bridges; twin city;
twin lakes; twin oaks; twin valley; two harbors; two rivers; union bridge; union center; union church;
union city; union grove; union hall; union hill; unity house; universal city; university center;
university park; university place; upper lake; valley center; valley city; valley farms; valley park;
valley springs; valley stream; valley view; valley village; victory mills; village mills; wake forest;
walled lake; warm springs; water mill; water valley; water view; weeping water; west bend; west branch;
west camp; west end; west falls; west fork; west forks; west friendship; west green; west grove; west
haven; west hills; west liberty; west park; west plains; west point; west ridge; west river; west
union; west unity; west valley; western grove; what cheer; white bird; white castle; white city; white
cloud; white cottage; white deer; white earth; white hall; white haven; white house; white lake; white
mountain; white oak; white owl; white pine; white plains; white river; white rock; white salmon; white
stone; white swan; wild horse; wild rose; willow creek; window rock; winter beach; winter garden;
winter harbor; winter haven; winter park; wolf creek; wolf island; wolf lake; wolf point; wonder lake;
wood lake; wood river; woods hole; wounded knee; yellow jacket; yellow pine
"""

HEADER = """\
# Keys of U.S. cities (normal form) that are ordinary English words or phrases as well, one a line.
# Written by scripts/word_cities.py: the primary cities of zips.tsv that are in Hunspell's en_US
# dictionary in lower case (PyPI spylls 0.1.7, MPL 2.0; the dictionary derives from SCOWL, © Kevin
# Atkinson, free to use, copy, modify and distribute), less names, and phrases chosen by hand.
"""


def normal(name: str) -> str:
    """The normal form of a name: as queries and keys of cities are compared."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", name) if not unicodedata.combining(c))
    plain = re.sub("['’]", "", plain.lower()).replace("&", " and ")
    return re.sub("[^a-z0-9]+", " ", plain).strip()


def main() -> None:
    """Writes the table to standard output."""
    folder = Path(spylls.hunspell.__file__).parent / "data" / "en" / "en_US"
    dictionary = spylls.hunspell.Dictionary.from_files(str(folder))
    cities = set()
    for line in (ROOT / "data" / "zips.tsv").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            cities.add(normal(line.split("\t")[2]))
    cities.discard("")

    def known(key: str) -> bool:
        return all(dictionary.lookup(word) for word in key.split())

    phrases = {" ".join(phrase.split()) for phrase in PHRASES.split(";")}
    for name in sorted(NAMES - cities):
        print(f"no city: {name}", file=sys.stderr)
    single = {key for key in cities if " " not in key and known(key)} - NAMES
    several = {key for key in cities & phrases if " " in key and known(key)}
    print(f"{len(single)} words, {len(several)} phrases", file=sys.stderr)
    print(f"phrases left out: {sorted(phrases - several)}", file=sys.stderr)
    sys.stdout.write(HEADER)
    for key in sorted(single | several):
        print(key)


if __name__ == "__main__":
    main()
