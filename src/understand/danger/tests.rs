//! Messages in danger, and others that sound like it.

use super::*;

fn check(rows: &[(&str, Option<Danger>)]) {
    let reader = Reader::shared().unwrap();
    for (text, expected) in rows {
        let message = reader.read(text, &[]).unwrap();
        assert_eq!(danger_in(text, &message).unwrap(), *expected, "{text}");
    }
}

#[test]
fn patterns_are_written_as_messages_are_compared() {
    fn all(of: &[Pattern]) {
        for element in of.iter().flatten() {
            match element {
                Element::Word(form) => assert_eq!(normalise(form), *form),
                Element::OneOf(of) | Element::Optional(of) => all(of),
                Element::Gap => {}
            }
        }
    }
    TABLE.patterns.iter().for_each(|(_, _, of)| all(of));
    assert!(TABLE.patterns.len() > 10);
}

#[test]
fn a_pattern_has_classes_and_gaps_and_bears_a_typing_error() {
    let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
    let classes = HashMap::from([("who", Arc::from(vec![vec![Element::Word("daughter")]]))]);
    let pattern = parsed("my {who}? ... pills", &classes).unwrap();
    for (text, expected) in [
        ("my dauhgter took many pills", 5),
        ("my pills", 2),
        ("my daughter took very many of the pills", 0),
    ] {
        let found = ends(&pattern, &words(text), 0);
        assert_eq!(found.last().copied().unwrap_or_default(), expected, "{text}");
    }
    assert!(parsed("my {dog}", &classes).is_none());
}

#[test]
fn who_seeks_treatment_is_in_no_immediate_danger_and_who_must_be_gone_is() {
    check(&[
        ("my brother is hooked on pills bad, need a rehab in Louisville", Some(Danger::Treatment)),
        ("he wont wake up and is turning blue, he was in rehab", Some(Danger::Immediate)),
        ("I have to be gone with the kids before he's back", Some(Danger::PartnerViolence)),
    ]);
}

#[test]
fn who_is_being_hit_is_a_person_of_the_asker() {
    check(&[
        ("shelter for my sister who is being hit, Gulfport", Some(Danger::PartnerViolence)),
        ("groups for towns being hit by hurricanes", None),
        ("substance abuse shelter in Reno", None),
    ]);
}

#[test]
fn a_husband_in_a_story_is_no_violence() {
    let reader = Reader::shared().unwrap();
    for (text, expected) in [
        (
            "She doesn't always know it's me. I work four days, my husband is on the boat from March \
             to December, and the neighbor who used to sit with her moved.",
            Some(Danger::Caregiving),
        ),
        (
            "We have two kids. My husband hit me again last night and I am scared of him.",
            Some(Danger::PartnerViolence),
        ),
    ] {
        let message = reader.read(text, &[]).unwrap();
        assert_eq!(danger_in_stretch(text, &message).unwrap(), expected, "{text}");
    }
}

/// Where it is looked for in all that follows a preposition, a message of some lines takes longer than it may.
#[test]
fn a_place_is_looked_for_right_behind_a_preposition() {
    let text = "she came to the house with all the help that anybody could want and more in Boise";
    let message =
        Message { spans: Vec::new(), ..Reader::shared().unwrap().read(text, &[]).unwrap() };
    assert_eq!(
        bare(text, &message),
        "she came to the house with all the help that anybody could want and more"
    );
}

#[test]
fn danger_is_known_in_both_languages() {
    check(&[
        ("quiero morir", Some(Danger::SelfHarm)),
        ("quiero suicidarme", Some(Danger::SelfHarm)),
        ("suicide", Some(Danger::SelfHarm)),
        ("mi hijo tomó muchas pastillas", Some(Danger::Poisoning)),
        ("mi bebé tomó cloro", Some(Danger::Poisoning)),
        ("my dauhgter swallowed a battery", Some(Danger::Poisoning)),
        ("sobredosis", Some(Danger::Overdose)),
        ("overdose help Dayton Ohio", Some(Danger::Overdose)),
        ("my boyfriend overdosed he is not waking up", Some(Danger::Overdose)),
        ("child abuse Jackson MS", Some(Danger::ChildAbuse)),
        ("maltrato infantil en El Paso", Some(Danger::ChildAbuse)),
        ("i took all my pills because i want to die", Some(Danger::SelfHarm)),
        ("mi mamá me pega con el cable y me duele mucho", Some(Danger::ChildAbuse)),
    ]);
}

#[test]
fn one_word_tells_its_language() {
    for (text, expected) in [("sobredosis", Language::Spanish), ("overdose", Language::English)] {
        assert_eq!(language_in_danger(text, Language::English), expected, "{text}");
    }
}

#[test]
fn need_is_known_without_a_sentence() {
    check(&[
        ("necesito un lugar para dormir con mis hijos en Las Cruces", Some(Danger::Shelter)),
        ("homeless shelter tonight in Boise", Some(Danger::Shelter)),
        ("hambre en Ponce", Some(Danger::Hunger)),
        ("necesito comida hoy en San Juan", Some(Danger::Hunger)),
        ("food tonight in Boise", Some(Danger::Hunger)),
        ("where can I eat tonight in Little Rock", Some(Danger::Hunger)),
        ("hungry in Providence RI", Some(Danger::Hunger)),
        ("kids are hungry Sioux Falls", Some(Danger::Hunger)),
        ("family of 4 needs a place to stay tonight", Some(Danger::Shelter)),
        ("me sacan del apartamento mañana", Some(Danger::Eviction)),
        ("me van a desalojar en Albuquerque", Some(Danger::Eviction)),
        ("I was raped last night in Anchorage", Some(Danger::SexualAssault)),
        ("me violaron anoche", Some(Danger::SexualAssault)),
        ("aviso de desalojo", Some(Danger::Eviction)),
        ("necesito ayuda con la renta en Reno", Some(Danger::Eviction)),
        ("What about help with the rent?", Some(Danger::Eviction)),
        (
            "the rent went up and we have three kids, we honestly need groceries this week",
            Some(Danger::Hunger),
        ),
        ("I owe $2,300 in back rent and court is Thursday.", Some(Danger::Eviction)),
        (
            "mi esposo perdió el trabajo en agosto y necesitamos comida esta semana",
            Some(Danger::Hunger),
        ),
    ]);
}

#[test]
fn a_home_without_power_is_a_danger() {
    check(&[
        (
            "client in Wheeling WV, power is being shut off friday, baby on oxygen. who can help pay the bill",
            Some(Danger::Shutoff),
        ),
        ("they are disconnecting our gas tomorrow in Fargo", Some(Danger::Shutoff)),
        ("we got a water shutoff notice", Some(Danger::Shutoff)),
        ("I can't pay my electric bill", Some(Danger::Shutoff)),
        ("our lights get shut off tomorrow and my son uses a nebulizer", Some(Danger::Shutoff)),
        ("they turned off the gas at my moms place, she is 81", Some(Danger::Shutoff)),
        ("me van a cortar la luz el viernes", Some(Danger::Shutoff)),
        (
            "¿Dónde puedo conseguir ayuda para pagar la luz en Omaha, Nebraska?",
            Some(Danger::Shutoff),
        ),
        ("nos cortaron el agua y tengo un bebé", Some(Danger::Shutoff)),
        ("ayuda para pagar la luz en Reno", Some(Danger::Shutoff)),
        ("nonprofits that help with utility bills in Ohio", None),
        ("electric cooperatives in Montana", None),
        ("clean water charities in Nevada", None),
    ]);
}

#[test]
fn losses_arrests_and_courts_are_needs_of_their_own() {
    check(&[
        ("my neighbor's house burned down in Laramie Wyoming", Some(Danger::Disaster)),
        ("tornado destroyed my house in Little Rock", Some(Danger::Disaster)),
        ("se nos quemó la casa en Ponce", Some(Danger::Disaster)),
        ("ICE took my husband, Boise", Some(Danger::Immigration)),
        ("la migra se llevó a mi esposo", Some(Danger::Immigration)),
        ("mi jefe no me paga y me amenaza con la migra en Boise", Some(Danger::Immigration)),
        ("my husband hits me and says ICE will take me", Some(Danger::PartnerViolence)),
        ("my patron lost his benefits, SSI stopped, Little Rock", Some(Danger::Benefits)),
        ("me quitaron el Medicaid en Reno", Some(Danger::Benefits)),
        ("my daughter has an eating disorder, Boise", Some(Danger::EatingDisorder)),
        ("a trafficking victim came in, in Reno", Some(Danger::Trafficking)),
        ("my parents kicked me out, I'm 16", Some(Danger::Runaway)),
        ("mi hijo quiere dejar las drogas", Some(Danger::Treatment)),
        ("I can't afford a lawyer for custody", Some(Danger::Lawyer)),
        ("no puedo pagar un abogado", Some(Danger::Lawyer)),
        ("I need someone to sit with my mother, Belfast Maine", Some(Danger::Caregiving)),
        ("the shelter turned us away, four kids, Fargo North Dakota", Some(Danger::Shelter)),
        ("elder abuse hotline Kansas", Some(Danger::ElderAbuse)),
        ("tornado relief groups in Arkansas with over $1 million", None),
        ("immigration museum in Boise", None),
        ("rehab after knee surgery, who needs rehab in Reno", None),
    ]);
}

#[test]
fn who_is_put_out_of_a_home_needs_a_bed_and_no_court() {
    check(&[
        (
            "my elderly neighbor in Ketchikan was evicted and sleeps in her car",
            Some(Danger::Shelter),
        ),
        ("a mi vecina la desalojaron y duerme en el carro", Some(Danger::Shelter)),
        ("the landlord turned his heat off", Some(Danger::Shutoff)),
        ("my neighbor in Missoula Montana has no heat", Some(Danger::Shutoff)),
    ]);
}

#[test]
fn an_animal_is_no_child_and_a_roof_no_abuse() {
    check(&[
        ("mi vecino le pega a su perro en Reno", None),
        ("my neighbor beats his dog", None),
        ("can't afford insulin", Some(Danger::Medicine)),
        ("looking for a rehab for owls in Maine", None),
        ("my daughter's boyfriend choked her and kicked the dog", Some(Danger::PartnerViolence)),
        ("dad is unconscious, smoke everywhere, the cat is inside", Some(Danger::Immediate)),
        ("he hit me and my dog, I am scared of my husband", Some(Danger::PartnerViolence)),
        ("would they take a dog? he'd hurt her if I left her", Some(Danger::PartnerViolence)),
        (
            "She's 78 and living on her Social Security. Does that open another door, something for \
             old people in Calcasieu Parish?",
            None,
        ),
    ]);
}

#[test]
fn who_flees_violence_or_asks_for_a_safe_place_is_in_danger() {
    check(&[
        (
            "is there a women's shelter in Tulsa that takes us tonight",
            Some(Danger::PartnerViolence),
        ),
        ("domestic violence hotline", Some(Danger::PartnerViolence)),
        (
            "I have to be gone with the two kids before he's back tonight. Where can we go?",
            Some(Danger::PartnerViolence),
        ),
        ("I had to get away from my boyfriend, where can I sleep", Some(Danger::PartnerViolence)),
        ("necesito un refugio para mujeres maltratadas", Some(Danger::PartnerViolence)),
        ("is there an animal shelter open tonight", None),
    ]);
}

#[test]
fn names_causes_and_donors_are_in_none() {
    for text in [
        "domestic violence shelters in Maine",
        "My daughter has been sober for three months, I need to find her a sober living house",
        "my nephew is out of jail and clean for sixty days, where is a recovery house",
        "I need a list of domestic violence shelters in Ohio",
        "Suicide Prevention Coalition of Montana",
        "suicide prevention Montana",
        "No Kill Louisville",
        "Overdose Lifeline Inc",
        "Anti-Violence Project",
        "domestic violence shelter in Reno",
        "donate food today in Shreveport",
        "volunteer tonight at a soup kitchen in Dayton",
        "quiero donar comida hoy en San Juan",
        "homeless shelters in Omaha",
        "eviction prevention nonprofits in Cleveland",
        "organizaciones que ayudan con la renta en Phoenix",
        "do they help with rent",
    ] {
        check(&[(text, None)]);
    }
}
