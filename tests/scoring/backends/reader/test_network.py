"""The reader's network: what a piece attends to, and how its weights are stored."""

import pytest
import torch

from scoring.backends.reader.network import CLASSES, Network, pack
from scoring.backends.reader.weights import pack_weights, unpack_weights

CONFIG = {
    "hidden_size": 16,
    "intermediate_size": 32,
    "num_attention_heads": 4,
    "num_hidden_layers": 3,
    "layer_norm_eps": 1e-12,
}
MARKS = (1, 2)


def make_weights() -> dict[str, torch.Tensor]:
    torch.manual_seed(0)
    shapes: dict[str, tuple[int, ...]] = {
        "embeddings.word_embeddings.weight": (60, 16),
        "embeddings.token_type_embeddings.weight": (2, 16),
        "embeddings.position_embeddings.weight": (64, 16),
        "embeddings.LayerNorm.weight": (16,),
        "embeddings.LayerNorm.bias": (16,),
    }
    sizes = {
        "attention.self.query": (16, 16),
        "attention.self.key": (16, 16),
        "attention.self.value": (16, 16),
        "attention.output.dense": (16, 16),
        "intermediate.dense": (32, 16),
        "output.dense": (16, 32),
        "attention.output.LayerNorm": (16,),
        "output.LayerNorm": (16,),
    }
    for layer in range(3):
        for name, size in sizes.items():
            shapes[f"encoder.layer.{layer}.{name}.weight"] = size
            shapes[f"encoder.layer.{layer}.{name}.bias"] = size[:1]
    return {name: torch.randn(shape) * 0.3 for name, shape in shapes.items()}


@pytest.fixture
def network() -> Network:
    torch.manual_seed(1)
    return Network(CONFIG, make_weights()).eval()


def test_a_unit_is_read_the_same_in_any_company(network: Network) -> None:
    summary, units = [5, 6, 7, 8], [[5, 9], [6, 7, 8], [11]]
    with torch.inference_mode():
        together = network(pack([(summary, units), ([30, 31], [[32]])], MARKS))
        alone = torch.cat([network(pack([(summary, [unit])], MARKS)) for unit in units])
    assert together.shape == (4, len(CLASSES))
    assert torch.allclose(together[:3], alone, atol=1e-5)


def test_the_summary_decides(network: Network) -> None:
    with torch.inference_mode():
        one, other = (
            network.pool(pack([(text, [[9]])], MARKS)) for text in ([5, 6, 7], [40, 41, 42])
        )
    assert float((one - other).abs().max()) > 1e-3


def test_it_says_which_pieces_match() -> None:
    found = pack([([5, 6, 7], [[5, 6, 9]])], MARKS).matches[0].tolist()
    # 1: the piece is there; 2: after the same piece; 4: before the same piece.
    assert found == [0, 0, 0, 0, 0, 0, 1 + 4, 1 + 2, 0, 0]


def test_only_upper_layers_are_trained(network: Network) -> None:
    names = set(network.trained())
    assert {"out.weight", "match.weight", "layers.1.wide.weight"} <= names
    assert not any(name.startswith(("embedded", "layers.0")) for name in names)


def test_weights_in_8_bits_are_close() -> None:
    weights = {"a": torch.randn(40, 30), "b": torch.randn(40)}
    packed = pack_weights(weights)
    assert packed["a"].dtype == torch.int8
    found = unpack_weights(packed)
    assert found.keys() == weights.keys()
    assert (found["a"] - weights["a"]).abs().max() < weights["a"].abs().max() / 200
    assert torch.allclose(found["b"], weights["b"], atol=2e-3)
