//! The schemas of the answers, one line a field, for the interface's description. A test holds
//! them against real answers.

use serde_json::{Map, Value, json};

/// Name, description, and fields as `name:kind`; `!` marks what is never null, `?` what is there only where it
/// is asked for. A kind is a word of
/// [`kind`], the name of another schema, or either in brackets for a list.
#[rustfmt::skip]
const SCHEMAS: &[(&str, &str, &str)] = &[
    ("NonprofitDetails", "The full profile of one nonprofit. `inactive` is null where no revocation \
      list was loaded.",
     "ein:ein! name:str! url:str summary:str streetAddress:str city:str state:state zipCode5:zip \
      ntee:str issueArea:str yearFounded:int filingYear:int revenueGrandTotal:num netAssets:num \
      foundation:bool inactive:bool irsRulingDate:date sdgs:[sdg] formType:str lat:num lng:num \
      alt_name:str gcVetted:bool logo:str gcVideoUrl:str gcDonationUrl:str irsFilingUrl:str \
      impactSummary:str"),
    ("NonprofitStanding", "What a nonprofit is in the eyes of the tax code, by the IRS's lists.",
     "ein:ein! exemption:str subsection:str deductible:bool publication_78:[str]! inactive:bool \
      ruling:date revoked:date revocation_posted:date reinstated:date group_number:int \
      ntee_title:str other_names:[str]! in_care_of:str county:str size:size in_master_file:bool \
      checks:StandingChecks! snapshot:str!"),
    ("NonprofitProvenance", "Where each value of a nonprofit's details is from.",
     "ein:ein! snapshot:str! fields:[FieldProvenance]!"),
    ("FieldProvenance", "A value of details: the kind of source that says it; the list or file of returns that it is from, in a list the column, \
      in a return the elements as XPaths by local names; the last month of the tax period that a figure is of; \
      the day that the row itself gives; how it was made of what stands there; and of null why.",
     "field:str! value:any kind:str! source:List return:ReturnOf column:str paths:[str]! tax_period:str row_date:date \
      derived:str missing:missing"),
    ("ReturnOf", "The return that states a value.",
     "form_type:str! tax_year:int! period_end:date! filed:time object_id:str file_url:str"),
    ("RelianceReport", "What Rev. Proc. 2018-32 asks a third party to report for grantors and contributors to rely on; \
      `caveats` says what it lacks, and what speaks against relying on it.",
     "ein:ein! legal_name:str! exemption:str foundation_code:int classification:CharityClassification deductible:state3! \
      publication_78:[str]! revoked:state3! lists:[ListAsked]! statement:str! complete:bool! caveats:[str]! \
      provided_at:time! snapshot:str! built_at:time! citation:str!"),
    ("CharityClassification", "What the FOUNDATION code of the master file says: in words, the paragraph of section 509(a) \
      of a public charity, and the type of a supporting organization.",
     "description:str! section:str supporting:str"),
    ("ListAsked", "A question, what the lists say, and which of them says it.",
     "question:str! state:state3! listed:bool list:List sha256:str"),
    ("Coverage", "What the data covers, counted when the snapshot was built.",
     "snapshot:str! built_at:time! organizations:int! in_master_file:int! lists:[LoadedList]! \
      states:[StateCovered]! without_state:int! fields:[FieldKnown]! returns:[ReturnsOfYear]!"),
    ("LoadedList", "A kind of source, and the files of it that were loaded.",
     "kind:str! title:str! loaded:bool! rows:int! files:[List]!"),
    ("StateCovered", "What there is of a state; who is in no master file is known from returns alone.",
     "state:state! name:str! organizations:int! in_master_file:int! counties:[CountyCovered]!"),
    ("CountyCovered", "A county by the ZIP codes of addresses.", "county:str! organizations:int!"),
    ("FieldKnown", "Of how many nonprofits a value is known, and which share of all that is.",
     "field:str! known:int! share:num!"),
    ("ReturnsOfYear", "Returns of a tax year.", "tax_year:int! returns:int!"),
    ("StandingChecks", "What the lists that were loaded say, one question each.",
     "exemption:Check! deductibility:Check! revocation:Check!"),
    ("Check", "What a list says, `not checked` where none was loaded or none decides; whether the \
      list has a row of the nonprofit; and the day that the row gives.",
     "state:state3! listed:bool row_date:date list:List"),
    ("List", "A list that was loaded. `dated_by` says what the date is taken from: the latest posting in the list, \
      a date in its name, the latest ruling or filing in it, or only the file's own day, `downloaded`.",
     "kind:str! title:str! file:str! date:date dated_by:dated_by downloaded:date"),
    ("ChangePage", "One page of changes, the latest first.",
     "items:[Change]! total:int! page:int! size:int!"),
    ("Change", "What changed of a nonprofit: the value before and after, the snapshot that first has it, and when that \
      was built.",
     "ein:ein! kind:str! name:str! state:state before:str after:str snapshot:str! seen:time!"),
    ("Financials", "The returns of a nonprofit, the latest first. `timestamp` is when the return was filed, or \
      where it does not say the last day of its tax period; `file_url` is empty where the IRS's number of it is \
      not known.",
     "ein:ein! returns:[FiledReturn]!"),
    ("FiledReturn", "A return that was filed.",
     "tax_year:int! return_type:str! timestamp:str! file_url:str!"),
    ("Related", "Nonprofits like one, and articles about what it does.",
     "ein:ein! nonprofits:[NonprofitDetails]! articles:[Article]!"),
    ("ArticlePage", "One page of articles.", "items:[Article]! total:int! page:int! size:int!"),
    ("NonprofitPage", "One page of nonprofits.",
     "items:[NonprofitItem]! total:int! page:int! size:int!"),
    ("NonprofitItem", "A nonprofit in full. `sources` names the lists that have it.",
     "ein:ein! name:str! url:str summary:str streetAddress:str city:str state:state zipCode5:zip \
      ntee:str issueArea:str yearFounded:int filingYear:int revenueGrandTotal:num netAssets:num \
      foundation:bool inactive:bool irsRulingDate:date sdgs:[sdg] formType:str lat:num lng:num \
      alt_name:str gcVetted:bool logo:str gcVideoUrl:str gcDonationUrl:str irsFilingUrl:str \
      impactSummary:str altName:str county:str expensesGrandTotal:num categoryGroup:str deductibility:str \
      organizationForm:str employees:int organizationType:str principalOfficerName:str \
      businessOfficerName:str gcImpactUrl:str sources:[str]! socialAccounts:object cnScore:num cnRating:num \
      cnSize:size vectorScore:num"),
    ("FilingPage", "One page of returns.", "items:[Filing]! total:int! page:int! size:int!"),
    ("Filing", "A return of the Form 990 series; amounts in whole US dollars.",
     "ein:ein! form_type:str! tax_year:int! period_end:date! filed:time amended:bool! revenue:num \
      expenses:num assets:num liabilities:num net_assets:num employees:int volunteers:int \
      mission:str officers:[Officer]! programs:[Program]! url:str"),
    ("Officer", "Somebody whom a return names as an officer, director, trustee or key employee.",
     "name:str! title:str hours:num compensation:num"),
    ("Program", "A programme service of a return.",
     "description:str! expenses:num grants:num revenue:num"),
    ("Typeahead", "Suggestions, best match first.",
     "query:str! count:int! results:[Suggestion]!"),
    ("Suggestion", "A nonprofit suggested.",
     "ein:ein! name:str! city:str state:state score:num!"),
    ("StoryPage", "One page of stories.", "items:[Story]! total:int! page:int! size:int!"),
    ("Story", "A story of how a nonprofit changed something.",
     "ein:ein! organization_name:str story_title:str story_id:str emotional_hook:str \
      full_quote:str quote_attribution:str protagonist:str before_state:str \
      transformation_moment:str after_state:str time_to_impact:str obstacles_overcome:[str] \
      metrics:[StoryMetric] ripple_effect:str call_to_action:str story_category:str \
      identity_alignment:str date_extracted:time source_url:str report_year:int \
      power_score:num confidence_score:num"),
    ("StoryMetric", "A figure within a story.",
     "metric_id:str metric_text:str metric_type:str metric_value:num unit:str geo_impact:str \
      time_aggregation:str"),
    ("MetricPage", "One page of metrics.", "items:[Metric]! total:int! page:int! size:int!"),
    ("Metric", "A figure that a nonprofit reports.",
     "metric_id:str! ein:ein! metric_text:str metric_type:str metric_value:num unit:str \
      geo_impact:str time_aggregation:str time_aggregation_text:str source_snippet:str url:str \
      report_year:int date_added:time"),
    ("PostPage", "One page of posts.", "items:[Post]! total:int! page:int! size:int!"),
    ("Post", "A post that a nonprofit published.",
     "organization_ein:ein! post_title:str! organization_name:str! organization_city:str \
      organization_state:state post_id:str! post_classification:str post_description:str \
      post_content:str post_url:str post_published_date:time post_author:str \
      post_categories:[str] post_tags:[str]"),
    ("NonprofitSearch", "How the request was understood, and what it found.",
     "intentDetails:SearchIntent! nonprofits:[NonprofitFound]! facets:object?"),
    ("SearchIntent", "How the request was understood.",
     "llm_response:Interpretation! intent:str prompt:str cause:str city:str state:state zip:zip \
      min_revenue:num max_revenue:num sdgs:[sdg] ntee_codes:[str] organization_name:str \
      organization_ein:ein min_score:num max_score:num min_rating:num max_rating:num \
      org_size:[size]"),
    ("Interpretation", "What the interpreter decided.",
     "function_name:str! arguments:object! message:str!"),
    ("NonprofitFound", "A nonprofit found by the search.",
     "ein:ein! name:str! url:str summary:str streetAddress:str city:str state:state zipCode5:zip \
      ntee:str issueArea:str yearFounded:int filingYear:int revenueGrandTotal:num netAssets:num \
      foundation:bool inactive:bool irsRulingDate:date sdgs:[sdg] formType:str lat:num lng:num \
      cnScore:num cnRating:num cnSize:size vectorScore:num alt_name:str"),
    ("Chat", "The answer to a message.",
     "messageId:str! message:str intent:str intentDetails:ChatIntent nonprofits:[NonprofitShown] \
      articles:[Article] article:ArticleText suggestions:[ChatSuggestion] \
      kbSources:[KnowledgeSource] funds:[Fund]"),
    ("ChatIntent", "How the message was understood.",
     "llm_response:Interpretation! intent:str prompt:str cause:str city:str state:state zip:zip \
      min_revenue:num max_revenue:num gc_vetted:bool sdgs:[sdg] ntee_codes:[str] \
      organization_name:str organization_ein:ein keywords:str query:str article_id:int"),
    ("NonprofitShown", "A nonprofit in an answer of the chat.",
     "ein:ein! name:str! url:str summary:str streetAddress:str city:str state:state zipCode5:zip \
      ntee:str issueArea:str yearFounded:int filingYear:int revenueGrandTotal:num netAssets:num \
      foundation:bool inactive:bool irsRulingDate:date sdgs:[sdg] formType:str lat:num lng:num \
      alt_name:str gcVetted:bool logo:str gcVideoUrl:str gcDonationUrl:str"),
    ("Article", "An article.",
     "id:int! title:str excerpt:str url:str publisher:str is_gc_original:bool date_added:time \
      date_modified:time evergreen:bool"),
    ("ArticleText", "An article in full.", "id:int! title:str url:str text:str"),
    ("ChatSuggestion", "What could be asked next.",
     "label:str message:str url:str content_id:str"),
    ("KnowledgeSource", "Where an answer is from.", "article_id:str title:str url:str"),
    ("Health", "The process lives.", "status:str!"),
    ("Ready", "A snapshot is open.", "status:str! snapshot:str!"),
    ("Version", "The program, and the snapshot that is open.",
     "program:str! snapshot:str format:int built_at:time built_by:str organizations:int \
      sources:[Source] model:str awaits_model:str awaited_share:num"),
    ("Source", "A file that the snapshot was built from; `modified` is the date of its content.",
     "name:str! kind:str! bytes:int! sha256:str! modified:time rows:int! rejects:int!"),
    ("Fund", "A fund.",
     "id:int! title:str content:str purpose:str sponsor:str about_sponsor:str fund_url:str \
      fund_sponsor_url:str fund_minimum_investment:str gc_medium_image:str website:str logo:str \
      ein:ein type:str address:object category:object"),
];

/// The schema of a kind of value.
fn kind(name: &str) -> Value {
    match name {
        "ein" => json!({ "type": "string", "pattern": r"^\d{9}$" }),
        "zip" => json!({ "type": "string", "pattern": r"^\d{5}$" }),
        "state" => json!({ "type": "string", "pattern": "^[A-Z]{2}$" }),
        "str" => json!({ "type": "string" }),
        "int" => json!({ "type": "integer" }),
        "num" => json!({ "type": "number" }),
        "bool" => json!({ "type": "boolean" }),
        "object" => json!({ "type": "object" }),
        "date" => json!({ "type": "string", "format": "date" }),
        "time" => json!({ "type": "string", "description": "A date or an RFC 3339 time in UTC." }),
        "sdg" => json!({ "type": "integer", "minimum": 1, "maximum": 17 }),
        "state3" => json!({ "type": "string", "enum": ["yes", "no", "not checked"] }),
        "dated_by" => {
            json!({ "type": "string", "enum": ["posting", "name", "ruling", "filing", "download"] })
        }
        "any" => json!({}),
        "missing" => json!({ "type": "string", "enum": [
            "not filed", "not in this list", "list not loaded", "withheld", "unreadable",
        ] }),
        "size" => json!({ "type": "string", "enum": ["Small", "Medium", "Large", "Super-Size"] }),
        other => match other.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            Some(item) => json!({ "type": "array", "items": kind(item) }),
            None => json!({ "$ref": format!("#/components/schemas/{other}") }),
        },
    }
}

/// A schema that takes null as well.
fn nullable(mut schema: Value) -> Value {
    match schema.get("type").and_then(Value::as_str).map(str::to_owned) {
        Some(name) if schema.get("enum").is_none() => {
            schema["type"] = json!([name, "null"]);
            schema
        }
        _ => json!({ "anyOf": [schema, { "type": "null" }] }),
    }
}

/// Every schema of an answer, by name.
pub(super) fn all() -> Map<String, Value> {
    let object = |(name, description, fields): &(&str, &str, &str)| {
        let mut properties = Map::new();
        let mut required = Vec::new();
        for field in fields.split_whitespace() {
            let (field, of) = field.split_once(':').unwrap_or((field, "str"));
            let schema = match (of.strip_suffix('!'), of.strip_suffix('?')) {
                (Some(bare), _) | (_, Some(bare)) => kind(bare),
                (None, None) => nullable(kind(of)),
            };
            if !of.ends_with('?') {
                required.push(field.to_owned());
            }
            properties.insert(field.to_owned(), schema);
        }
        let schema = json!({
            "type": "object",
            "description": description,
            "properties": properties,
            "required": required,
        });
        ((*name).to_owned(), schema)
    };
    SCHEMAS.iter().map(object).collect()
}
