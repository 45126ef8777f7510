// Whether a second name line of the IRS's master file (column SORT_NAME) is a name of the organization. Besides chapters
// and trade names that line holds people, trustees, banks, departments and remarks. Goes by words alone, so a name that it
// takes for none is shown among the facts, never dropped.

/** Who acts for an organization, and what is written on an envelope. */
const ROLE = /\b(?:ttees?|co-?ttees?|trustees?|tr$|sole (?:mbr|member)|mbr|pres(?:ident)?|vice pres|secy?|secretary|treas(?:urer)?|ex(?:ec)?(?:utive)? dir(?:ector)?|ceo|cfo|cpa|esq|attorney|atty|agent|executors?|pers(?:onal)? rep|admin(?:istrator)?|bkkp|ptr|attn|in care of)\b|\bc[-/]o\b|%/i;
const DEPARTMENT = /\b(?:shared services?|services center|service center|tax (?:dept|department|section|div|division|office|unit)|(?:accounting|finance|payroll|legal|business|human resources|accounts? payable|controllers?|bursars?|treasurers?) (?:dept|department|office|services?|division)|accounts payable|mail ?room|mail (?:stop|code)|corporate (?:office|headquarters))\b/i;
const BANK = /\b(?:bank|trust co(?:mpany)?|bank ?na|wealth management|wells fargo|jp ?morgan|fiduciary|us bancorp|national association)\b/i;
/** Banks that keep other things than money. */
const OTHER_BANK = /\b(?:food|milk|blood|eye|tissue|bone|diaper|clothing|seed|time|land|toy|pet|book|bread|tool|furniture|gene|brain|river|west|left|piggy)\s*banks?\b/i;
const REMARK = /^(?:n[-/ ]?a|none|same|unknown|non-? ?profit|group return|inc|llc)$/i;
/** Words that no name of a person has. */
const OF_BODIES = /\b(?:foundation|fdn|fund|trust|inc|corp|co|company|llc|society|soc|club|church|chapel|ministr\w+|mission\w*|temple|parish|assn|assoc\w*|council|center|centre|ctr|school|academy|college|univ\w*|institute|hospital|clinic|health|care|home|house|hall|lodge|post|unit|aerie|chapter|chptr|chap|local|district|region|division|dept|troop|pack|branch|auxiliary|aux|grange|league|team|project|program|partners|network|alliance|coalition|committee|commission|commun\w+|friends|families|family|kids|children\w*|youth|memorial|scholarship|charit\w+|rescue|shelter|museum|library|theat\w+|arts|music|band|choir|orchestra|ranch|farm|park|garden\w*|village|county|city|town|state|of|the|for|and|in|pt[aos]|ptsa|posse|camp|guild|order|union|days?|festival|fair|booster\w*|elementary|middle|high|conference|bible|baptist|christian|st|saint|lady|fort|mount|lake|port|point|cape)\b|\d|&/i;
/** Orders whose chapters bear the names of people. */
const OF_CHAPTERS = /\b(?:daughters|sons|children|veterans?|order|knights|legion|lodge|auxiliary|aux)\b/i;
/** Given names that are common in the United States and rarely a word of their own or a place. */
const GIVEN = new Set(`aaron abigail adam adrian alan albert alejandro alex alexander alexis alice alicia allen allison alyssa amanda amy ana andrea andrew angela angie ann anna anne annette anthony antonio arlene arthur ashley audrey barbara becky ben benjamin bernard beth betty beverly bob bonnie brad bradley brandon brenda brent brett brian bruce bryan carl carla carlos carmen carol caroline carolyn carrie catherine cathy chad charlene charles charlotte cheryl chris christina christine christopher cindy clarence claudia connie craig crystal curtis cynthia dan dana daniel danielle darlene darrell dave david dawn dean deanna debbie deborah debra denise dennis diana diane dolores don donald donna dora doris dorothy douglas duane dustin dwight earl ed eddie edith edna edward edwin eileen elaine eleanor elizabeth ellen emily emma eric erica erik erin ervin esther ethan eugene eva evelyn florence frances francis frank fred frederick gail gary gayle gene george gerald gilbert gina glen glenda glenn gloria gordon greg gregory gwendolyn hannah harold harry heather heidi helen henry herbert holly howard irene isaac jack jackie jacob jacqueline jaime james jamie jan jane janet janice jared jason jay jean jeff jeffery jeffrey jennifer jeremy jerome jerry jesse jessica jill jim jimmy joan joann joanne joe joel john johnny jon jonathan jorge jose joseph joshua joyce juan juanita judith judy julia julian julie justin karen karl katherine kathleen kathryn kathy katie kay keith kelly kenneth kent kerry kevin kim kimberly kristen kristin kristina kurt kyle larry laura lauren laurie lawrence leah lee leo leon leonard leroy leslie lester lewis lillian linda lindsay lindsey lisa lloyd lois lori lorraine louis louise lucille luis lynn manuel marc marcia marcus margaret maria marian marie marilyn mario marion marjorie mark marlene marsha marshall marvin mary mathew matthew maureen maurice megan melanie melinda melissa melvin michael michele michelle miguel mike mildred mitchell monica nancy natalie nathan neil nicholas nicole nora norma norman oscar pamela patricia patrick patty paul paula pauline peggy peter phil philip phillip phyllis rachel ralph ramona randall randy raymond rebecca regina renee rhonda ricardo richard rick ricky rita rob robert roberta robin rodney roger roland ron ronald rosemary ross roy ruben russell ruth ryan sally sam samantha samuel sandra sara sarah scott sean shannon sharon shawn sheila shelly sherri sherry sherrie shirley sonia stacey stacy stanley stephanie stephen steve steven stuart sue susan suzanne sybil sylvia tamara tammy tanya tara tasha ted teresa terri terry theodore theresa thomas tiffany tim timothy tina todd tom tony tonya tracey traci tracy travis tricia troy tyler valerie vanessa vernon veronica vicki vickie victor victoria vincent virginia vivian walter wanda warren wayne wendy wesley wilbur willard william willie yolanda yvonne zachary`.split(" "));

/** Whether a text has a word that names of organizations have and those of people do not. */
export const ofBodies = (text) => OF_BODIES.test(text ?? "");

/** Whether the line reads as a person: two to four words, one of them a given name or an initial, none a word of organizations. */
function isPerson(line) {
  if (OF_BODIES.test(line)) return false;
  const words = line.toLowerCase().match(/[\p{L}'’-]+/gu) ?? [];
  if (words.length < 2 || words.length > 4) return false;
  return GIVEN.has(words[0]) || GIVEN.has(words[1]) || (words.length === 3 && words.slice(1).some((word) => word.length === 1));
}

/** Whether another name of an organization reads as a name of it: not as a person, a bank, a trustee, a department or a remark. */
export function isName(line, legalName = "") {
  const text = String(line ?? "").trim();
  if (!text || REMARK.test(text)) return false;
  if (DEPARTMENT.test(text)) return false;
  const isOwn = (pattern) => pattern.test(legalName);
  if (ROLE.test(text) && !isOwn(ROLE)) return false;
  if (/\b(?:ttees?|trustees?)\b/i.test(text)) return false;
  if (BANK.test(text) && !OTHER_BANK.test(text) && !isOwn(BANK)) return false;
  return isOwn(OF_CHAPTERS) || !isPerson(text);
}
