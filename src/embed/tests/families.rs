//! Models of each family but BERT, small and of no meaning: their configuration and the tensors that it calls for.

use std::collections::HashMap;

use candle_core::{Device, Tensor};
use serde_json::{Value, json};

const HIDDEN: usize = 32;
const WIDE: usize = 64;
const VOCABULARY: usize = 30_522;
const POSITIONS: usize = 64;

/// Tensors by name, and the state of the numbers that fill them.
struct Tensors {
    named: HashMap<String, Tensor>,
    random: fastrand::Rng,
}

impl Tensors {
    fn new() -> Self {
        Self { named: HashMap::new(), random: fastrand::Rng::with_seed(1) }
    }

    fn add(&mut self, name: &str, shape: &[usize]) {
        let count = shape.iter().product();
        let values: Vec<f32> = (0..count).map(|_| self.random.f32() - 0.5).collect();
        let tensor = Tensor::from_vec(values, shape, &Device::Cpu).unwrap();
        self.named.insert(name.to_owned(), tensor);
    }

    fn linear(&mut self, name: &str, inputs: usize, outputs: usize) {
        self.add(&format!("{name}.weight"), &[outputs, inputs]);
        self.add(&format!("{name}.bias"), &[outputs]);
    }

    fn norm(&mut self, name: &str) {
        self.add(&format!("{name}.weight"), &[HIDDEN]);
        self.add(&format!("{name}.bias"), &[HIDDEN]);
    }
}

pub(super) fn all() -> [(&'static str, Value, HashMap<String, Tensor>); 4] {
    [
        ("DistilBERT", distilbert_config(), distilbert()),
        ("XLM-RoBERTa", roberta_config(), roberta()),
        ("ModernBERT", modernbert_config(), modernbert()),
        ("Nomic BERT", nomic_config(), nomic()),
    ]
}

fn distilbert_config() -> Value {
    json!({
        "model_type": "distilbert", "dim": HIDDEN, "hidden_dim": WIDE, "n_layers": 1, "n_heads": 2,
        "vocab_size": VOCABULARY, "max_position_embeddings": POSITIONS, "activation": "gelu",
        "initializer_range": 0.02, "pad_token_id": 0,
    })
}

fn distilbert() -> HashMap<String, Tensor> {
    let mut tensors = Tensors::new();
    tensors.add("distilbert.embeddings.word_embeddings.weight", &[VOCABULARY, HIDDEN]);
    tensors.add("distilbert.embeddings.position_embeddings.weight", &[POSITIONS, HIDDEN]);
    tensors.norm("distilbert.embeddings.LayerNorm");
    let layer = "distilbert.transformer.layer.0";
    for part in ["q_lin", "k_lin", "v_lin", "out_lin"] {
        tensors.linear(&format!("{layer}.attention.{part}"), HIDDEN, HIDDEN);
    }
    tensors.norm(&format!("{layer}.sa_layer_norm"));
    tensors.linear(&format!("{layer}.ffn.lin1"), HIDDEN, WIDE);
    tensors.linear(&format!("{layer}.ffn.lin2"), WIDE, HIDDEN);
    tensors.norm(&format!("{layer}.output_layer_norm"));
    tensors.named
}

fn roberta_config() -> Value {
    json!({
        "model_type": "xlm-roberta", "hidden_size": HIDDEN, "intermediate_size": WIDE,
        "num_hidden_layers": 1, "num_attention_heads": 2, "vocab_size": VOCABULARY,
        "max_position_embeddings": POSITIONS, "type_vocab_size": 1, "pad_token_id": 1,
        "layer_norm_eps": 1e-5, "attention_probs_dropout_prob": 0.1, "hidden_dropout_prob": 0.1,
        "position_embedding_type": "absolute", "hidden_act": "gelu",
    })
}

fn roberta() -> HashMap<String, Tensor> {
    let mut tensors = Tensors::new();
    tensors.add("roberta.embeddings.word_embeddings.weight", &[VOCABULARY, HIDDEN]);
    tensors.add("roberta.embeddings.position_embeddings.weight", &[POSITIONS, HIDDEN]);
    tensors.add("roberta.embeddings.token_type_embeddings.weight", &[1, HIDDEN]);
    tensors.norm("roberta.embeddings.LayerNorm");
    let layer = "roberta.encoder.layer.0";
    for part in ["self.query", "self.key", "self.value", "output.dense"] {
        tensors.linear(&format!("{layer}.attention.{part}"), HIDDEN, HIDDEN);
    }
    tensors.norm(&format!("{layer}.attention.output.LayerNorm"));
    tensors.linear(&format!("{layer}.intermediate.dense"), HIDDEN, WIDE);
    tensors.linear(&format!("{layer}.output.dense"), WIDE, HIDDEN);
    tensors.norm(&format!("{layer}.output.LayerNorm"));
    tensors.named
}

fn modernbert_config() -> Value {
    json!({
        "model_type": "modernbert", "hidden_size": HIDDEN, "intermediate_size": WIDE,
        "num_hidden_layers": 2, "num_attention_heads": 2, "vocab_size": VOCABULARY,
        "max_position_embeddings": POSITIONS, "layer_norm_eps": 1e-5, "pad_token_id": 0,
        "global_attn_every_n_layers": 2, "global_rope_theta": 160_000.0, "local_attention": 16,
        "local_rope_theta": 10_000.0,
    })
}

/// As sentence models are saved: without the prefix of the model with its head.
fn modernbert() -> HashMap<String, Tensor> {
    let mut tensors = Tensors::new();
    tensors.add("embeddings.tok_embeddings.weight", &[VOCABULARY, HIDDEN]);
    for norm in ["embeddings.norm", "final_norm", "layers.1.attn_norm"] {
        tensors.add(&format!("{norm}.weight"), &[HIDDEN]);
    }
    for layer in ["layers.0", "layers.1"] {
        tensors.add(&format!("{layer}.attn.Wqkv.weight"), &[3 * HIDDEN, HIDDEN]);
        tensors.add(&format!("{layer}.attn.Wo.weight"), &[HIDDEN, HIDDEN]);
        tensors.add(&format!("{layer}.mlp_norm.weight"), &[HIDDEN]);
        tensors.add(&format!("{layer}.mlp.Wi.weight"), &[2 * WIDE, HIDDEN]);
        tensors.add(&format!("{layer}.mlp.Wo.weight"), &[HIDDEN, WIDE]);
    }
    tensors.named
}

fn nomic_config() -> Value {
    json!({
        "model_type": "nomic_bert", "n_embd": HIDDEN, "n_inner": WIDE, "n_layer": 1, "n_head": 2,
        "vocab_size": VOCABULARY, "n_positions": POSITIONS, "type_vocab_size": 2,
    })
}

fn nomic() -> HashMap<String, Tensor> {
    let mut tensors = Tensors::new();
    tensors.add("embeddings.word_embeddings.weight", &[VOCABULARY, HIDDEN]);
    tensors.add("embeddings.token_type_embeddings.weight", &[2, HIDDEN]);
    tensors.norm("emb_ln");
    let layer = "encoder.layers.0";
    tensors.add(&format!("{layer}.attn.Wqkv.weight"), &[3 * HIDDEN, HIDDEN]);
    tensors.add(&format!("{layer}.attn.out_proj.weight"), &[HIDDEN, HIDDEN]);
    tensors.add(&format!("{layer}.mlp.fc11.weight"), &[WIDE, HIDDEN]);
    tensors.add(&format!("{layer}.mlp.fc12.weight"), &[WIDE, HIDDEN]);
    tensors.add(&format!("{layer}.mlp.fc2.weight"), &[HIDDEN, WIDE]);
    tensors.norm(&format!("{layer}.norm1"));
    tensors.norm(&format!("{layer}.norm2"));
    tensors.named
}
