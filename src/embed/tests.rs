//! The embedded model against its reference, and models that are refused.

use candle_core::{DType, Device, Tensor};
use candle_nn::VarBuilder;
use candle_transformers::models::bert::BertModel;

use super::*;

mod families;

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
fn a_model_in_a_folder_gives_the_vectors_of_its_library() {
    let folder = copied();
    let bundle = Bundle::open(folder.path()).unwrap();
    let tensors = super::transformer::floating(&bundle.weights, &Device::Cpu).unwrap();
    candle_core::safetensors::save(&tensors, folder.path().join("model.safetensors")).unwrap();
    let weights = VarBuilder::from_tensors(tensors, DType::F32, &Device::Cpu);
    let theirs = BertModel::load(weights, &bundle.config().unwrap()).unwrap();
    let ours = Model::open(folder.path()).unwrap();
    assert_ne!(ours.identity(), model().identity());
    let many = ours.embed(&TEXTS, 2).unwrap();
    for (text, vector) in TEXTS.iter().zip(many.chunks(384)) {
        let ids = ours.tokens.of_text(text).unwrap();
        let ids = Tensor::from_vec(ids.clone(), (1, ids.len()), &Device::Cpu).unwrap();
        let states = theirs.forward(&ids, &ids.zeros_like().unwrap(), None).unwrap();
        let mean: Vec<f32> = states.mean(1).unwrap().flatten_all().unwrap().to_vec1().unwrap();
        for vector in [vector, &ours.embed_one(text).unwrap()] {
            let cosine = cosine(vector, &mean);
            assert!(cosine > 0.9999, "{text:?}: cosine {cosine}");
        }
    }
    let (mean, least) = cosines_to_published(&ours);
    assert!(mean >= 0.999 && least >= 0.99, "{mean} {least}");
}

/// Small models of the other families with weights of no meaning: what a folder needs, and that it is run.
#[test]
fn every_family_is_run() {
    for (family, config, tensors) in families::all() {
        let folder = copied();
        std::fs::write(folder.path().join("config.json"), config.to_string()).unwrap();
        candle_core::safetensors::save(&tensors, folder.path().join("model.safetensors")).unwrap();
        let model = Model::open(folder.path());
        let model = model.unwrap_or_else(|error| panic!("{family}: {error:?}"));
        assert_eq!(model.dimensions(), 32, "{family}");
        let vectors = model.embed(&["food banks", "food banks", "opera"], 1).unwrap();
        let [one, same, other] = [0, 1, 2].map(|at| &vectors[at * 32..][..32]);
        assert!(cosine(one, same) > 0.999_99, "{family}");
        assert!(cosine(one, other) < 0.999, "{family}");
        assert!(matches!(model.encoder(), Err(Error::NotEmbedded { .. })), "{family}");
    }
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
    let (theirs, ours) = (other.embed_one("hunger").unwrap(), model().embed_one("hunger").unwrap());
    assert!(cosine(&theirs, &ours) > 0.998);
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
        ("\"hidden_size\": 384", "\"hidden_size\": 192", "model.safetensors does not hold"),
        ("\"num_hidden_layers\": 6", "\"num_hidden_layers\": 7", "layer.6"),
        ("\"model_type\": \"bert\"", "\"model_type\": \"t5\"", "found t5"),
        ("\"vocab_size\": 30522", "\"vocab_size\": 30000", "tokenizer.json"),
        ("\"hidden_act\": \"gelu\"", "\"hidden_act\": \"gone\"", "config.json of the model"),
        ("{", "", "config.json of the model cannot be parsed"),
    ] {
        assert!(config.contains(from), "{from}");
        std::fs::write(at("config.json"), config.replacen(from, to, 1)).unwrap();
        let refused = refusal(folder.path());
        assert!(refused.contains(says), "{to}: {refused}");
    }
    std::fs::write(at("config.json"), &config).unwrap();

    let dense = br#"[{"type": "sentence_transformers.models.Dense"}]"#;
    std::fs::write(at("modules.json"), dense).unwrap();
    assert!(refusal(folder.path()).contains("modules.json"));
    std::fs::remove_file(at("modules.json")).unwrap();
    std::fs::create_dir(at("1_Pooling")).unwrap();
    std::fs::write(at("1_Pooling/config.json"), br#"{"pooling_mode_max_tokens": true}"#).unwrap();
    assert!(refusal(folder.path()).contains("1_Pooling/config.json"));
    std::fs::remove_dir_all(at("1_Pooling")).unwrap();

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
