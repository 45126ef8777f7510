//! Over tiny models with weights of chance and a vocabulary of bytes, written by the tests themselves: what they write means
//! nothing, but must be a text that is allowed.

use std::cell::Cell;
use std::fs;
use std::path::PathBuf;

use candle_core::quantized::gguf_file::{self, Value};
use candle_core::quantized::{GgmlDType, QTensor};
use candle_core::{Device, Tensor};
use proptest::prelude::*;
use tempfile::TempDir;

use super::generator::Writing;
use super::network::Network;
use super::tokens::Tokens;
use super::*;

/// Blocks, width and heads of the tiny models.
const BLOCKS: usize = 2;
const WIDTH: usize = 32;
const HEADS: usize = 2;
const FEED: usize = 64;

/// The signs of all bytes, a few merges, and control tokens.
fn vocabulary() -> (Vec<String>, Vec<&'static str>) {
    let printed: Vec<char> =
        ('!'..='~').chain('\u{A1}'..='\u{AC}').chain('\u{AE}'..='\u{FF}').collect();
    let others = ('\u{100}'..).take(256 - printed.len());
    let mut tokens: Vec<String> = printed.iter().copied().chain(others).map(String::from).collect();
    let merges = vec!["r e", "re v", "Ġ t", "\" ,"];
    tokens.extend(merges.iter().map(|merge| merge.replace(' ', "")));
    tokens.extend(["<|im_start|>", "<|im_end|>"].map(str::to_owned));
    (tokens, merges)
}

fn strings<S: ToString>(texts: &[S]) -> Value {
    Value::Array(texts.iter().map(|text| Value::String(text.to_string())).collect())
}

fn metadata(architecture: &str) -> Vec<(String, Value)> {
    let (tokens, merges) = vocabulary();
    let text = |text: &str| Value::String(text.to_owned());
    let count = |count: usize| Value::U32(count as u32);
    let types = (0..tokens.len()).map(|at| Value::I32(if at + 2 < tokens.len() { 1 } else { 3 }));
    let mut all = vec![
        ("general.architecture".to_owned(), text(architecture)),
        ("tokenizer.ggml.model".to_owned(), text("gpt2")),
        ("tokenizer.ggml.tokens".to_owned(), strings(&tokens)),
        ("tokenizer.ggml.merges".to_owned(), strings(&merges)),
        ("tokenizer.ggml.token_type".to_owned(), Value::Array(types.collect())),
        ("tokenizer.ggml.eos_token_id".to_owned(), count(tokens.len() - 1)),
    ];
    let sizes = [
        ("block_count", BLOCKS),
        ("context_length", 512),
        ("embedding_length", WIDTH),
        ("feed_forward_length", FEED),
        ("attention.head_count", HEADS),
        ("attention.head_count_kv", HEADS),
        ("attention.key_length", WIDTH / HEADS),
        ("rope.dimension_count", WIDTH / HEADS),
    ];
    all.extend(sizes.map(|(key, size)| (format!("{architecture}.{key}"), count(size))));
    let epsilon = format!("{architecture}.attention.layer_norm_rms_epsilon");
    all.extend([
        (epsilon, Value::F32(1e-5)),
        (format!("{architecture}.rope.freq_base"), Value::F32(10_000.0)),
    ]);
    all
}

/// Names and shapes of the tensors of an architecture.
fn shapes(architecture: &str) -> Vec<(String, Vec<usize>)> {
    let tokens = vocabulary().0.len();
    let mut all = vec![
        ("token_embd.weight".to_owned(), vec![tokens, WIDTH]),
        ("output_norm.weight".to_owned(), vec![WIDTH]),
        ("output.weight".to_owned(), vec![tokens, WIDTH]),
    ];
    for block in 0..BLOCKS {
        let mut add = |name: &str, shape: &[usize]| {
            all.push((format!("blk.{block}.{name}"), shape.to_vec()));
        };
        add("attn_norm.weight", &[WIDTH]);
        add("ffn_norm.weight", &[WIDTH]);
        add("attn_output.weight", &[WIDTH, WIDTH]);
        add("ffn_down.weight", &[WIDTH, FEED]);
        if architecture == "phi3" {
            add("attn_qkv.weight", &[3 * WIDTH, WIDTH]);
            add("ffn_up.weight", &[2 * FEED, WIDTH]);
            continue;
        }
        add("ffn_gate.weight", &[FEED, WIDTH]);
        add("ffn_up.weight", &[FEED, WIDTH]);
        for part in ["attn_q", "attn_k", "attn_v"] {
            add(&format!("{part}.weight"), &[WIDTH, WIDTH]);
            if architecture == "qwen2" {
                add(&format!("{part}.bias"), &[WIDTH]);
            }
        }
        if architecture == "qwen3" {
            add("attn_q_norm.weight", &[WIDTH / HEADS]);
            add("attn_k_norm.weight", &[WIDTH / HEADS]);
        }
    }
    all
}

/// A whole file of an architecture; the same bytes each time.
fn model(architecture: &str) -> Vec<u8> {
    file_of(&metadata(architecture), architecture)
}

fn file_of(metadata: &[(String, Value)], architecture: &str) -> Vec<u8> {
    let mut chance = fastrand::Rng::with_seed(7);
    let tensors: Vec<(String, QTensor)> = shapes(architecture)
        .into_iter()
        .map(|(name, shape)| {
            let values: Vec<f32> =
                (0..shape.iter().product()).map(|_| chance.f32() - 0.5).collect();
            let tensor = Tensor::from_vec(values, shape, &Device::Cpu).unwrap();
            (name, QTensor::quantize(&tensor, GgmlDType::F32).unwrap())
        })
        .collect();
    let metadata: Vec<_> = metadata.iter().map(|(key, value)| (&**key, value)).collect();
    let tensors: Vec<_> = tensors.iter().map(|(name, tensor)| (&**name, tensor)).collect();
    let mut file = std::io::Cursor::new(Vec::new());
    gguf_file::write(&mut file, &metadata, &tensors).unwrap();
    file.into_inner()
}

fn written(bytes: &[u8]) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tiny.gguf");
    fs::write(&path, bytes).unwrap();
    (folder, path)
}

fn opened(architecture: &str) -> Generator {
    let (_folder, path) = written(&model(architecture));
    Generator::open(&path).unwrap()
}

fn prompt() -> Prompt {
    Prompt::of("What is asked for?\n{message}\n", "who runs it", "")
}

fn acts_automaton() -> Automaton {
    Automaton::of_lists(&DialogueAct::predicted(), ACTS_MAX)
}

#[test]
fn every_architecture_writes_acts_and_nothing_else() {
    for architecture in ARCHITECTURES {
        let mut generator = opened(architecture);
        let automaton = acts_automaton();
        let form = Form::List(&automaton);
        let cold = generator.write(&prompt(), &form, &|| false).unwrap();
        assert!(parse_acts(&cold).is_some(), "{architecture}: {cold}");
        assert_eq!(generator.write(&prompt(), &form, &|| false).unwrap(), cold, "{architecture}");
        generator.warm(&prompt()).unwrap();
        assert_eq!(generator.write(&prompt(), &form, &|| false).unwrap(), cold, "{architecture}");
    }
}

#[test]
fn a_prompt_is_read_alike_at_once_and_in_pieces() {
    for architecture in ARCHITECTURES {
        let read = |pieces: &[&[u32]]| {
            let mut file = std::io::Cursor::new(model(architecture));
            let content = gguf_file::Content::read(&mut file).unwrap();
            let mut network = Network::of(content, &mut file).unwrap();
            let mut writing = Writing::new(&mut network, 0, &|| false);
            for piece in pieces {
                writing.read(piece).unwrap();
            }
            writing.logits
        };
        let tokens: Vec<u32> = (1..=75).collect();
        let whole = read(&[&tokens]);
        for at in [1, 2, 33, 40, 74] {
            let parts = read(&[&tokens[..at], &tokens[at..]]);
            let differs = whole.iter().zip(&parts).any(|(one, other)| (one - other).abs() > 1e-3);
            assert!(!differs && whole.len() == vocabulary().0.len(), "{architecture} {at}");
        }
    }
}

#[test]
fn a_text_ends_when_its_time_is_over() {
    let mut generator = opened("llama");
    let automaton = acts_automaton();
    for looks_max in [0, 1, 3] {
        let looks = Cell::new(0);
        let is_over = || {
            looks.set(looks.get() + 1);
            looks.get() > looks_max
        };
        let form = Form::List(&automaton);
        let late = generator.write(&prompt(), &form, &is_over);
        assert!(matches!(late, Err(Failure::Late)), "{late:?}");
        assert_eq!(looks.get(), looks_max + 1);
    }
    let long = Prompt::of("{message}", &"a".repeat(CONTEXT_TOKENS_MAX + 1), "");
    let refused = generator.write(&long, &Form::Line { bytes_max: 4 }, &|| false);
    assert!(matches!(refused, Err(Failure::Long)));
}

#[test]
fn who_finds_it_at_work_goes_without() {
    let (_folder, path) = written(&model("llama"));
    let settings = Settings { limit: Duration::from_secs(60), name: None, key: None };
    let model = LanguageModel::open(&ModelSource::File(path), settings).unwrap();
    assert_eq!(model.name(), "tiny.gguf");
    let until = model.deadline();
    let Engine::File(generator) = &model.engine else { panic!("a file") };
    let held = generator.lock().unwrap();
    assert!(matches!(model.acts("who runs it", until), Err(Failure::Busy)));
    drop(held);
    // A vocabulary of bytes has no room for the whole prompt of the program.
    assert!(matches!(model.acts("who runs it", until), Err(Failure::Long)));
    let written = model.write(&prompt(), &Form::List(&model.acts), until).unwrap();
    assert!(parse_acts(&written).is_some());
}

#[test]
fn files_that_cannot_be_used_are_refused() {
    let whole = model("llama");
    let check = |bytes: &[u8], expected: &str| {
        let (_folder, path) = written(bytes);
        let error = Generator::open(&path).err().expect(expected);
        let text = format!("{error} {:?}", std::error::Error::source(&error));
        assert!(text.contains(expected), "{text} is not about {expected}");
    };
    check(b"", "whole GGUF file");
    check(b"<!doctype html>", "whole GGUF file");
    check(&whole[..whole.len() / 2], "whole GGUF file");
    check(&whole[..200], "whole GGUF file");
    check(&model_without("general.architecture"), "architecture");
    check(&model_without("tokenizer.ggml.model"), "gpt2 or llama");
    check(&model_without("tokenizer.ggml.tokens"), "list of tokens");
    check(&model_without("llama.attention.head_count"), "whole GGUF file");
    for (key, value) in [("llama.block_count", u32::MAX), ("llama.rope.dimension_count", 0)] {
        check(&model_with(key, Value::U32(value)), key);
    }
    check(&model_with("general.architecture", Value::String("bloom".into())), "bloom");
    let missing = Generator::open(&PathBuf::from("/nowhere/tiny.gguf")).err().unwrap();
    assert!(matches!(missing, OpenError::Unreadable { .. }));
}

fn model_without(key: &str) -> Vec<u8> {
    rewritten(|metadata| metadata.retain(|(own, _)| own != key))
}

fn model_with(key: &str, value: Value) -> Vec<u8> {
    rewritten(|metadata| {
        metadata.retain(|(own, _)| own != key);
        metadata.push((key.to_owned(), value.clone()));
    })
}

fn rewritten(change: impl Fn(&mut Vec<(String, Value)>)) -> Vec<u8> {
    let mut metadata = metadata("llama");
    change(&mut metadata);
    file_of(&metadata, "llama")
}

#[test]
fn lists_that_are_no_acts_are_refused() {
    use DialogueAct as Act;
    for (text, expected) in [
        (r#"{"acts":["mission","revenue"]}"#, Some(vec![Act::Mission, Act::Revenue])),
        (r#" {"acts": ["search", "search"]} "#, Some(vec![Act::Search])),
        (r#"{"acts":[]}"#, None),
        (r#"{"acts":["mission","revenue","pay","size","score"]}"#, None),
        (r#"{"acts":["self_harm"]}"#, None),
        (r#"{"acts":["mission"],"more":1}"#, None),
        (r#"{"acts":"mission"}"#, None),
        ("mission", None),
        ("", None),
    ] {
        assert_eq!(parse_acts(text), expected, "{text}");
    }
    let long = format!(r#"{{"acts":["mission"{}]}}"#, " ".repeat(LIST_BYTES_MAX));
    assert_eq!(parse_acts(&long), None);
}

#[test]
fn what_fills_a_prompt_has_no_slots() {
    let prompt = Prompt::of("Acts: {acts}. {message} | {answer}\n", "{answer} {acts}", "{message}");
    assert!(prompt.fixed.starts_with("Acts: revenue, expenses") && prompt.fixed.ends_with(". "));
    assert_eq!(prompt.rest, "{answer} {acts} | {message}");
}

/// What a tokenizer makes of a text and back.
fn round_trip(tokens: &Tokens, text: &str) -> String {
    let encoded = tokens.encode(text).unwrap();
    let bytes: Vec<u8> =
        encoded.iter().flat_map(|token| tokens.bytes(*token).unwrap()).copied().collect();
    String::from_utf8(bytes).unwrap()
}

fn sentence_piece() -> Tokens {
    let words = ["<unk>", "▁", "a", "b", "ab", "▁ab"];
    let bytes = (0..=u8::MAX).map(|byte| format!("<0x{byte:02X}>"));
    let tokens: Vec<String> = words.map(str::to_owned).into_iter().chain(bytes).collect();
    let types =
        (0..tokens.len()).map(|at| Value::I32([2, 1, 1, 1, 1, 1].get(at).copied().unwrap_or(6)));
    let scores = (0..tokens.len()).map(|at| Value::F32(-(at as f32)));
    let metadata = [
        ("tokenizer.ggml.model", Value::String("llama".to_owned())),
        ("tokenizer.ggml.tokens", strings(&tokens)),
        ("tokenizer.ggml.token_type", Value::Array(types.collect())),
        ("tokenizer.ggml.scores", Value::Array(scores.collect())),
    ];
    let metadata = metadata.into_iter().map(|(key, value)| (key.to_owned(), value)).collect();
    Tokens::of(&metadata).unwrap()
}

#[test]
fn what_is_typed_is_no_control_token() {
    let tokens = Tokens::of(&metadata("llama").into_iter().collect()).unwrap();
    let controls = [tokens.opening[0], tokens.closing[0]];
    assert!(controls.iter().all(|token| tokens.bytes(*token).is_none()));
    let typed = tokens.encode("<|im_end|><|im_start|>").unwrap();
    assert!(typed.len() > 2 && !typed.iter().any(|token| controls.contains(token)));
    assert_eq!(tokens.encode("rev").unwrap().len(), 1);
    assert_eq!(sentence_piece().encode("ab").unwrap().len(), 1);
}

proptest! {
    #[test]
    fn texts_become_tokens_and_back(text in "[^▁]{0,40}") {
        let tokens = Tokens::of(&metadata("llama").into_iter().collect()).unwrap();
        prop_assert_eq!(round_trip(&tokens, &text), text.clone());
        let shown = round_trip(&sentence_piece(), &text);
        prop_assert_eq!(shown.strip_prefix(' ').unwrap_or(&shown), text);
    }

    #[test]
    fn flipped_bytes_are_refused_or_read(at in any::<prop::sample::Index>(), bit in 0..8, far in any::<bool>()) {
        let mut bytes = model("llama");
        // Most of what can go wrong stands before the tensors.
        let within = if far { bytes.len() } else { bytes.len() / 4 };
        bytes[at.index(within)] ^= 1u8 << bit;
        let (_folder, path) = written(&bytes);
        if let Ok(mut generator) = Generator::open(&path) {
            let automaton = acts_automaton();
            if let Ok(text) = generator.write(&prompt(), &Form::List(&automaton), &|| false) {
                prop_assert!(parse_acts(&text).is_some());
            }
        }
    }
}
