"""The sentence model that the binary embeds, in torch: its lower layers are shared, its upper ones tuned."""

import sys
from pathlib import Path

import torch
from torch import nn
from tokenizers import Tokenizer

sys.path.append(str(Path(__file__).parents[1] / "model"))
import quantise

FOLDER = Path(__file__).parents[2] / "models" / "all-MiniLM-L6-v2"
HIDDEN, HEADS, INTERMEDIATE, LAYERS = 384, 12, 1536, 6
EPSILON = 1e-12


def read_tensors(path):
    """Tensors of a safetensors file by name, as f32."""
    tensors = quantise.dequantised(quantise.read_tensors(Path(path).read_bytes()))
    return {name: torch.from_numpy(values) for name, values in tensors.items()}


def write_tensors(path, tensors):
    """Writes tensors: matrices in half precision, vectors in single; the same bytes each time."""
    arrays = {name: values.detach().numpy() for name, values in tensors.items()}
    Path(path).write_bytes(quantise.write_tensors(arrays))


class Layer(nn.Module):
    """One layer of BERT, named as published."""

    def __init__(self, tensors, number, dropout):
        super().__init__()
        def linear(name, inputs, outputs):
            module = nn.Linear(inputs, outputs)
            module.weight.data = tensors[f"encoder.layer.{number}.{name}.weight"].clone()
            module.bias.data = tensors[f"encoder.layer.{number}.{name}.bias"].clone()
            return module
        def norm(name):
            module = nn.LayerNorm(HIDDEN, eps=EPSILON)
            module.weight.data = tensors[f"encoder.layer.{number}.{name}.weight"].clone()
            module.bias.data = tensors[f"encoder.layer.{number}.{name}.bias"].clone()
            return module
        self.query = linear("attention.self.query", HIDDEN, HIDDEN)
        self.key = linear("attention.self.key", HIDDEN, HIDDEN)
        self.value = linear("attention.self.value", HIDDEN, HIDDEN)
        self.attention_out = linear("attention.output.dense", HIDDEN, HIDDEN)
        self.attention_norm = norm("attention.output.LayerNorm")
        self.widen = linear("intermediate.dense", HIDDEN, INTERMEDIATE)
        self.narrow = linear("output.dense", INTERMEDIATE, HIDDEN)
        self.norm = norm("output.LayerNorm")
        self.dropout = nn.Dropout(dropout)

    def forward(self, rows, mask):
        texts, tokens, _ = rows.shape
        split = lambda x: x.view(texts, tokens, HEADS, HIDDEN // HEADS).transpose(1, 2)
        drop = self.dropout.p if self.training else 0.0
        context = nn.functional.scaled_dot_product_attention(
            split(self.query(rows)), split(self.key(rows)), split(self.value(rows)),
            attn_mask=mask[:, None, None, :], dropout_p=drop)
        context = context.transpose(1, 2).reshape(texts, tokens, HIDDEN)
        rows = self.attention_norm(rows + self.dropout(self.attention_out(context)))
        wide = nn.functional.gelu(self.widen(rows))
        return self.norm(rows + self.dropout(self.narrow(wide)))

    def tensors(self, number):
        names = {
            "attention.self.query": self.query, "attention.self.key": self.key,
            "attention.self.value": self.value, "attention.output.dense": self.attention_out,
            "attention.output.LayerNorm": self.attention_norm, "intermediate.dense": self.widen,
            "output.dense": self.narrow, "output.LayerNorm": self.norm,
        }
        for name, module in names.items():
            yield f"encoder.layer.{number}.{name}.weight", module.weight
            yield f"encoder.layer.{number}.{name}.bias", module.bias


def tokenizer():
    tokens = Tokenizer.from_file(str(FOLDER / "tokenizer.json"))
    tokens.no_padding()
    tokens.enable_truncation(128)
    return tokens


class Lower(nn.Module):
    """The embeddings and the first layers, as they are."""

    def __init__(self, layers):
        super().__init__()
        tensors = read_tensors(FOLDER / "model.safetensors")
        self.words = tensors["embeddings.word_embeddings.weight"]
        self.positions = (tensors["embeddings.position_embeddings.weight"]
                          + tensors["embeddings.token_type_embeddings.weight"][0])
        self.norm = nn.LayerNorm(HIDDEN, eps=EPSILON)
        self.norm.weight.data = tensors["embeddings.LayerNorm.weight"]
        self.norm.bias.data = tensors["embeddings.LayerNorm.bias"]
        self.layers = nn.ModuleList(Layer(tensors, number, 0.0) for number in range(layers))

    @torch.no_grad()
    def forward(self, ids, mask):
        rows = self.norm(self.words[ids] + self.positions[:ids.shape[1]])
        for layer in self.layers:
            rows = layer(rows, mask)
        return rows
