"""Fixes the ONNX graph of CenterFace as its package ships it.

The shipped graph has a fixed input of ten images of 32 by 32 pixels and a batch normalisation after each transposed
convolution. Here batch size, height and width become dynamic (multiples of 32), the tensors get names, and each
normalisation is folded into the convolution before it: y = s·(conv(x) - m)/sqrt(v + e) + b. The four convolutions of one
pixel that make the outputs become one: each would read the features, and rearrange them for itself, once more.
"""

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

NAMES = {"input.1": "input", "537": "heatmap", "538": "scale", "539": "offset", "540": "landmarks"}
CHANNELS = {"heatmap": 1, "scale": 2, "offset": 2, "landmarks": 10}


def convert(source, destination):
    """Reads the shipped file and writes the fixed one."""
    graph = onnx.load(str(source)).graph
    weights = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    producers = {name: node for node in graph.node for name in node.output}
    nodes = []
    for node in graph.node:
        if node.op_type == "BatchNormalization":
            convolution = producers[node.input[0]]
            nodes.remove(convolution)
            node = fold(convolution, node, weights)
        nodes.append(node)
    nodes = joined([renamed(node) for node in nodes], weights)
    used = {name for node in nodes for name in node.input}
    model = helper.make_model(
        helper.make_graph(
            nodes,
            "centerface",
            [helper.make_tensor_value_info("input", TensorProto.FLOAT, ["n", 3, "height", "width"])],
            [
                helper.make_tensor_value_info(name, TensorProto.FLOAT, ["n", channels, "rows", "columns"])
                for name, channels in CHANNELS.items()
            ],
            [numpy_helper.from_array(array, name) for name, array in sorted(weights.items()) if name in used],
        ),
        opset_imports=[helper.make_opsetid("", 13)],
    )
    model.ir_version = 8
    onnx.checker.check_model(model)
    onnx.save(model, str(destination))


def fold(convolution, normalisation, weights):
    """A transposed convolution equivalent to `convolution` followed by the batch `normalisation`."""
    if convolution.op_type != "ConvTranspose" or attribute(convolution, "group", 1) != 1:
        raise ValueError("expected an ungrouped ConvTranspose before " + normalisation.output[0])
    gain, bias, mean, variance = (weights[name] for name in normalisation.input[1:5])
    factor = gain / np.sqrt(variance + attribute(normalisation, "epsilon", 1e-5))
    kernel = weights[convolution.input[1]]
    before = weights[convolution.input[2]] if len(convolution.input) > 2 else np.zeros_like(mean)
    folded, shift = convolution.output[0] + ".kernel", convolution.output[0] + ".bias"
    # The layout of a transposed convolution's kernel is input channel, output channel, row, column.
    weights[folded] = (kernel * factor.reshape(1, -1, 1, 1)).astype(np.float32)
    weights[shift] = ((before - mean) * factor + bias).astype(np.float32)
    node = helper.make_node("ConvTranspose", [convolution.input[0], folded, shift], list(normalisation.output))
    node.attribute.extend(convolution.attribute)
    return node


def joined(nodes, weights):
    """The nodes with one convolution in the place of those that make the outputs, of the same features."""
    makers = {name: node for node in nodes for name in node.output}
    score = makers["heatmap"]
    heads = [makers[score.input[0]]] + [makers[name] for name in CHANNELS if name != "heatmap"]
    features = {head.input[0] for head in heads}
    if len(features) != 1 or any(attribute(head, "kernel_shape", []) != [1, 1] for head in heads):
        raise ValueError("expected outputs of one pixel of the same features")
    for place, name in ((1, "heads.kernel"), (2, "heads.bias")):
        weights[name] = np.concatenate([weights[head.input[place]] for head in heads])
    weights["heads.channels"] = np.array(list(CHANNELS.values()), np.int64)
    parts = [output for head in heads for output in head.output]
    return [node for node in nodes if node is not score and node not in heads] + [
        helper.make_node("Conv", [features.pop(), "heads.kernel", "heads.bias"], ["heads"], kernel_shape=[1, 1]),
        helper.make_node("Split", ["heads", "heads.channels"], parts, axis=1),
        score,
    ]


def renamed(node):
    copy = onnx.NodeProto()
    copy.CopyFrom(node)
    copy.input[:] = [NAMES.get(name, name) for name in node.input]
    copy.output[:] = [NAMES.get(name, name) for name in node.output]
    return copy


def attribute(node, name, default):
    for item in node.attribute:
        if item.name == name:
            return helper.get_attribute_value(item)
    return default
