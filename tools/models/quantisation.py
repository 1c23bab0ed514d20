"""Writes the detector in 8-bit integers.

Weights become signed integers of 7 bits with a scale for each output channel, results of operators unsigned ones of 8 bits
within the range that `ranges.json` has for each (`calibrate.py` measured them once). With weights from -63 to 63 the sum of
two products is less than 2^15: processors without VNNI instructions add two of them in 16 bits. Every rounding happens here and in the same
way on every machine, so the file is the same wherever it is built.

The operators stay those of the 32-bit graph, between QuantizeLinear and DequantizeLinear; ONNX Runtime reads the three
together as one operator on integers. A ReLU goes: the range of its result begins at 0, so that rounding cuts off what
is below. What makes scores, sizes and points of the last features stays in 32 bits.

The network takes a picture's bytes as they lie, four for each pixel: red, green, blue and one that counts for nothing. For
three, ONNX Runtime's first convolution takes twice the time.
"""

import json
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

import pack

RANGES = Path(__file__).parent / "ranges.json"
CHANNELS = 4
LARGEST_WEIGHT = 2 ** (pack.WEIGHT_BITS - 1) - 1


def convert(source, destination, ranges=None):
    """Reads a detector in 32-bit floats and writes it in 8-bit integers."""
    if ranges is None:
        ranges = json.loads(RANGES.read_text())
    graph = onnx.load(str(source)).graph
    model = helper.make_model(Quantiser(graph, ranges).graph(), opset_imports=[helper.make_opsetid("", 13)])
    model.ir_version = 8
    onnx.checker.check_model(model)
    onnx.save(model, str(destination))


class Plan:
    """Which operators of a graph compute in integers, and what their results are called."""

    def __init__(self, graph):
        self.input = graph.input[0].name
        self.outputs = {tensor.name for tensor in graph.output}
        self.nodes = list(graph.node)
        self.users = {}
        for node in self.nodes:
            for name in node.input:
                self.users.setdefault(name, []).append(node)

    def in_integers(self, node):
        if node.op_type not in ("Conv", "Add"):
            return False
        result = self.result(node)
        return result not in self.outputs and all(user.op_type != "Split" for user in self.users.get(result, []))

    def result(self, node):
        """The result of a node, or of the ReLU that alone uses it."""
        rectifier = self.rectifier(node)
        return (rectifier or node).output[0]

    def rectifier(self, node):
        users = self.users.get(node.output[0], [])
        return users[0] if len(users) == 1 and users[0].op_type == "Relu" else None

    def calibrated(self):
        """The tensors whose ranges are needed, in the graph's order."""
        return [self.input] + [self.result(node) for node in self.nodes if self.in_integers(node)]


class Quantiser:
    """Translates the nodes one by one. Of a tensor, `x.raw` is before rounding, `x.integers` rounded, `x` after it."""

    def __init__(self, graph, ranges):
        self.source = graph
        self.plan = Plan(graph)
        self.weights = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
        self.scales = {name: activation_scale(*ranges[name]) for name in self.plan.calibrated()}
        self.nodes = []
        self.constants = {}

    def graph(self):
        name = self.plan.input
        self.read_bytes(name, name + ".rounded")
        renamed = {name: name + ".rounded"}
        dropped = set()
        for node in self.plan.nodes:
            if node.output[0] in dropped:
                continue
            copy = onnx.NodeProto()
            copy.CopyFrom(node)
            copy.input[:] = [renamed.get(name, name) for name in node.input]
            if self.plan.in_integers(node):
                result = self.plan.result(node)
                dropped.add(result)
                if node.op_type == "Conv":
                    copy.input[1:] = self.constant_inputs(node)
                copy.output[0] = result + ".raw"
                self.nodes.append(copy)
                self.round(result + ".raw", result, result)
            else:
                self.nodes.append(copy)
        used = {name for node in self.nodes for name in node.input}
        for name in sorted(used & set(self.weights)):
            self.constants.setdefault(name, self.weights[name])
        return helper.make_graph(
            self.nodes,
            self.source.name + "_int8",
            [helper.make_tensor_value_info(self.plan.input, TensorProto.UINT8, ["n", "height", "width", CHANNELS])],
            list(self.source.output),
            [numpy_helper.from_array(array, name) for name, array in sorted(self.constants.items())],
        )

    def read_bytes(self, tensor, destination):
        """Adds what takes a picture's bytes for the integers of `tensor`."""
        if self.scales[tensor] != (1.0, 0):
            raise ValueError("a byte of a picture is not what the network takes")
        planes = tensor + ".planes"
        self.nodes.append(helper.make_node("Transpose", [tensor], [planes], perm=[0, 3, 1, 2]))
        self.nodes.append(helper.make_node("DequantizeLinear", [planes] + self.scale_of(tensor), [destination]))

    def scale_of(self, tensor):
        """The names of the scale of `tensor`, and of the integer that stands for 0."""
        names = [tensor + ".scale", tensor + ".zero"]
        self.constants[names[0]], self.constants[names[1]] = self.scales[tensor]
        return names

    def round(self, source, tensor, destination):
        """Adds the rounding of `source` by the scale of `tensor`."""
        names = self.scale_of(tensor)
        integers = tensor + ".integers"
        self.nodes.append(helper.make_node("QuantizeLinear", [source] + names, [integers]))
        self.nodes.append(helper.make_node("DequantizeLinear", [integers] + names, [destination]))

    def constant_inputs(self, node):
        """The weights and the bias of a convolution in integers."""
        source, kernel, bias = node.input
        values = self.weights[kernel].astype(np.float64)
        largest = np.abs(values).reshape(len(values), -1).max(axis=1)
        scale = np.where(largest > 0, largest / LARGEST_WEIGHT, 1).astype(np.float32)
        by_channel = scale.astype(np.float64).reshape(-1, *[1] * (values.ndim - 1))
        integers = np.clip(np.rint(values / by_channel), -LARGEST_WEIGHT, LARGEST_WEIGHT).astype(np.int8)
        if source == self.plan.input:
            integers = np.pad(integers, [(0, 0), (0, CHANNELS - integers.shape[1]), (0, 0), (0, 0)])
        # The sum of products has the product of both scales; the bias is added to it.
        sums = (self.scales[source][0] * scale).astype(np.float32)
        shift = np.clip(np.rint(self.weights[bias] / sums.astype(np.float64)), -(2**31), 2**31 - 1).astype(np.int32)
        self.add_constant(kernel, integers, scale)
        self.add_constant(bias, shift, sums)
        return [kernel + ".value", bias + ".value"]

    def add_constant(self, name, integers, scale):
        names = [name + ".integers", name + ".scale", name + ".zero"]
        self.constants[names[0]], self.constants[names[1]] = integers, scale
        self.constants[names[2]] = np.zeros(len(scale), integers.dtype)
        self.nodes.append(helper.make_node("DequantizeLinear", names, [name + ".value"], axis=0))


def activation_scale(least, most):
    """The scale, and the integer that stands for 0, of values between `least` and `most`."""
    least, most = min(least, 0.0), max(most, 0.0)
    scale = np.float32((most - least) / 255 if most > least else 1.0)
    return scale, np.uint8(np.clip(np.rint(-least / np.float64(scale)), 0, 255))
