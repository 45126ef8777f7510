//! The embedded model against its reference, and models that are refused.

use candle_core::Device;

use super::*;

/// The embedded model, prepared once for all tests.
pub(super) fn model() -> &'static Model {
    static MODEL: std::sync::OnceLock<Model> = std::sync::OnceLock::new();
    MODEL.get_or_init(|| Model::embedded().unwrap())
}

fn cosine(one: &[f32], other: &[f32]) -> f64 {
    let dot: f64 = one.iter().zip(other).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum();
    let length = |v: &[f32]| v.iter().map(|a| f64::from(*a) * f64::from(*a)).sum::<f64>().sqrt();
    dot / (length(one) * length(other))
}

const TEXTS: [&str; 9] = [
    "food banks",
    "",
    "!!! ??? ...",
    "Café Olé: 50% off — naïve façade test",
    "日本語のテキスト",
    "Habitat for Humanity International Inc. Housing Development, Construction & Management",
    "a",
    "To champion lifelong commitment to Peace Corps ideals by connecting, engaging and promoting \
     its members and member groups as they continue to make a difference in communities in the \
     United States and around the world, with advocacy, scholarships and service projects.",
    "food banks",
];

/// What the published weights make of texts, in f32: `scripts/model/prepare.py` writes it.
#[derive(serde::Deserialize)]
struct Example {
    text: String,
    vector: Vec<f32>,
}

/// The mean and the least cosine of a model's vectors to those of the published weights.
fn cosines_to_published(model: &Model) -> (f64, f64) {
    let text = include_str!("../../models/all-MiniLM-L6-v2/examples.json");
    let examples: Vec<Example> = serde_json::from_str(text).unwrap();
    let cosines: Vec<f64> = examples
        .iter()
        .map(|example| cosine(&model.embed_one(&example.text).unwrap(), &example.vector))
        .collect();
    let mean = cosines.iter().sum::<f64>() / cosines.len() as f64;
    (mean, cosines.into_iter().fold(1.0, f64::min))
}

#[test]
fn eight_bits_are_near_the_published_weights() {
    let (mean, least) = cosines_to_published(model());
    assert!(mean >= 0.999 && least >= 0.99, "{mean} {least}");
}

#[test]
fn the_encoder_is_near_stock_candle_with_the_same_weights() {
    let stock = Model::load_on(None, &Device::Cpu).unwrap();
    assert_ne!(stock.bulk_identity(), model().bulk_identity());
    assert_eq!(stock.identity(), model().identity());
    let vectors = stock.embed(&TEXTS, 2).unwrap();
    for (text, theirs) in TEXTS.iter().zip(vectors.chunks(384)) {
        let ours = model().embed_one(text).unwrap();
        assert_eq!(stock.embed_one(text).unwrap(), ours, "single texts are the encoder's");
        assert_eq!(ours.len(), 384);
        let cosine = cosine(&ours, theirs);
        assert!(cosine > 0.998, "{text:?}: cosine {cosine}");
    }
}

#[test]
fn floating_weights_are_rounded_when_they_are_read() {
    let folder = copied();
    let tensors = super::stock::floating(&Bundle::embedded().weights, &Device::Cpu).unwrap();
    candle_core::safetensors::save(&tensors, folder.path().join("model.safetensors")).unwrap();
    let floating = Model::open(folder.path()).unwrap();
    let (mean, least) = cosines_to_published(&floating);
    assert!(mean >= 0.997 && least >= 0.985, "{mean} {least}");
}

#[test]
fn vectors_have_unit_length() {
    for text in TEXTS {
        let vector = model().embed_one(text).unwrap();
        let square: f64 = vector.iter().map(|value| f64::from(*value) * f64::from(*value)).sum();
        assert!((square - 1.0).abs() < 1e-5, "{text:?}: {square}");
    }
}

#[test]
fn a_batch_gives_the_same_vectors_as_one_by_one() {
    let many: Vec<String> = (0..300)
        .map(|number| format!("{} {}", TEXTS[number % TEXTS.len()], "of Ohio ".repeat(number % 5)))
        .collect();
    for threads in [1, 2, 5] {
        let vectors = model().embed(&many, threads).unwrap();
        for (text, vector) in many.iter().zip(vectors.chunks(384)) {
            assert_eq!(vector, model().embed_one(text).unwrap(), "{text:?} on {threads} threads");
        }
    }
    assert!(model().embed::<&str>(&[], 2).unwrap().is_empty());
}

#[test]
fn a_long_text_is_cut_at_the_limit() {
    let long = "hunger ".repeat(10_000);
    assert_eq!(model().count_tokens(&long).unwrap(), 256);
    assert_eq!(model().tokens_max(), 256);
    let cut = "hunger ".repeat(254);
    assert_eq!(model().embed_one(&long).unwrap(), model().embed_one(&cut).unwrap());
    let bytes = "é".repeat(100_001);
    assert!(model().embed_one(&bytes).is_ok());
}

/// A copy of the embedded model's files in a folder.
fn copied() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let bundle = Bundle::embedded();
    for (name, bytes) in [
        ("config.json", &bundle.config),
        ("tokenizer.json", &bundle.tokenizer),
        ("model.safetensors", &bundle.weights),
    ] {
        std::fs::write(folder.path().join(name), bytes).unwrap();
    }
    folder
}

fn refusal(folder: &Path) -> String {
    let mut text = String::new();
    let error = Model::open(folder).unwrap_err();
    let mut cause: Option<&dyn std::error::Error> = Some(&error);
    while let Some(error) = cause {
        text = format!("{text}{error}\n");
        cause = error.source();
    }
    text
}

#[test]
fn a_folder_gives_the_model_that_is_in_it() {
    let folder = copied();
    let limit = br#"{"max_seq_length": 256}"#;
    std::fs::write(folder.path().join("sentence_bert_config.json"), limit).unwrap();
    let other = Model::open(folder.path()).unwrap();
    assert_eq!(other.embed_one("hunger").unwrap(), model().embed_one("hunger").unwrap());
    assert_eq!(other.dimensions(), 384);
    assert!(folder.path().ends_with(other.name()));
}

#[test]
fn a_damaged_or_foreign_folder_is_refused_by_its_file() {
    let folder = copied();
    let at = |name: &str| folder.path().join(name);
    let whole = |name: &str| std::fs::read(at(name)).unwrap();
    let config = String::from_utf8(whole("config.json")).unwrap();
    for (from, to, says) in [
        ("\"hidden_size\": 384", "\"hidden_size\": 385", "hidden_size a multiple of 16"),
        ("\"hidden_size\": 384", "\"hidden_size\": 192", "model.safetensors: tensor"),
        ("\"num_attention_heads\": 12", "\"num_attention_heads\": 0", "num_attention_heads"),
        ("\"num_hidden_layers\": 6", "\"num_hidden_layers\": 7", "layer.6"),
        ("\"vocab_size\": 30522", "\"vocab_size\": 30000", "tokenizer.json"),
        ("\"hidden_act\": \"gelu\"", "\"hidden_act\": \"relu\"", "hidden_act gelu, found relu"),
        ("{", "", "config.json of the model cannot be parsed"),
    ] {
        assert!(config.contains(from), "{from}");
        std::fs::write(at("config.json"), config.replacen(from, to, 1)).unwrap();
        let refused = refusal(folder.path());
        assert!(refused.contains(says), "{to}: {refused}");
    }
    std::fs::write(at("config.json"), &config).unwrap();

    let weights = whole("model.safetensors");
    std::fs::write(at("model.safetensors"), &weights[..weights.len() / 2]).unwrap();
    assert!(refusal(folder.path()).contains("model.safetensors"));
    std::fs::write(at("model.safetensors"), &weights).unwrap();

    std::fs::write(at("tokenizer.json"), b"{}").unwrap();
    assert!(refusal(folder.path()).contains("tokenizer.json"));
    std::fs::remove_file(at("tokenizer.json")).unwrap();
    assert!(refusal(folder.path()).contains("a model folder holds"));
}

#[test]
fn identities_tell_models_apart() {
    let folder = copied();
    let identity = || Bundle::open(folder.path()).unwrap().identity().unwrap();
    let one = identity();
    std::fs::write(folder.path().join("sentence_bert_config.json"), b"{\"max_seq_length\": 64}")
        .unwrap();
    assert_ne!(one, identity());
    assert_eq!(model().identity().len(), 64);
    assert_eq!(model().identity(), Bundle::embedded().identity().unwrap());
}
