"""Converts the TensorFlow.js graph of MobileFaceNet to ONNX and fixes two faults of it.

The original network uses PReLU activations, which TensorFlow expresses as
relu(x) + c·(x - |x|) with c half the slope. The shipped graph differs in two ways:
the converter fused the relu into the depthwise convolutions although |x| also reads the
value before it, and it stored c with the wrong sign. Read as PReLU of the value before
the relu, with slope -2c, the network works again (LFW pairs: 58.8 % before, 99.6 % after).

TensorFlow's layout is rows, columns, channels (NHWC), ONNX's is channels, rows, columns (NCHW). Every constant is
transposed here, so the converted graph has no transposition.
"""

import base64
import json

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

INPUT, OUTPUT = "input", "embedding"
CHIP = 112
DIMENSION = 192


def convert(topology, weights, destination):
    """Reads `topology` (model.json) and `weights` (its one .bin) and writes an ONNX file."""
    description = json.loads(topology.read_text())
    graph = Graph(description["modelTopology"]["node"], read_weights(description, weights.read_bytes()))
    model = graph.model()
    onnx.checker.check_model(model, full_check=True)
    onnx.save(model, str(destination))


def read_weights(description, data):
    """The constants by name; the file is the concatenation of their bytes."""
    arrays, offset = {}, 0
    for group in description["weightsManifest"]:
        for entry in group["weights"]:
            if "quantization" in entry:
                raise ValueError("quantised weights are not expected: " + entry["name"])
            dtype = {"float32": "<f4", "int32": "<i4"}[entry["dtype"]]
            count = int(np.prod(entry["shape"]))
            arrays[entry["name"]] = np.frombuffer(data, dtype, count, offset).reshape(entry["shape"])
            offset += 4 * count
    if offset != len(data):
        raise ValueError("the weights file has %d bytes, its description %d" % (len(data), offset))
    return arrays


class Graph:
    """Translates TensorFlow's nodes to ONNX's."""

    def __init__(self, nodes, constants):
        self.by_name = {node["name"]: node for node in nodes}
        self.constants = constants
        self.nodes = []
        self.initializers = []
        self.sizes = {}  # rows (= columns) of each activation, for TensorFlow's SAME padding
        self.names = {}  # from TensorFlow's names to ONNX's

    def model(self):
        for name in self.topological_order("embeddings"):
            node = self.by_name[name]
            emit = getattr(self, "on_" + node["op"].strip("_").lower(), None)
            if emit is not None:
                emit(node)
        inputs = [helper.make_tensor_value_info(INPUT, TensorProto.FLOAT, ["n", 3, CHIP, CHIP])]
        outputs = [helper.make_tensor_value_info(OUTPUT, TensorProto.FLOAT, ["n", DIMENSION])]
        graph = helper.make_graph(self.nodes, "mobilefacenet", inputs, outputs, self.initializers)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)])
        model.ir_version = 8
        return model

    def topological_order(self, last):
        """`last` and the nodes that it depends on, each after its inputs."""
        order, seen, stack = [], set(), [(last, False)]
        while stack:
            name, inputs_done = stack.pop()
            if inputs_done:
                order.append(name)
            elif name not in seen:
                seen.add(name)
                stack.append((name, True))
                stack.extend((entry, False) for entry in self.inputs(name) if entry in self.by_name)
        return order

    def inputs(self, name):
        return [entry.split(":")[0].lstrip("^") for entry in self.by_name[name].get("input", [])]

    # One method per operation; constants and the operations that `on_add` replaces by a PReLU have none.

    def on_placeholder(self, node):
        self.names[node["name"]] = INPUT
        self.sizes[node["name"]] = CHIP

    def on_fusedconv2d(self, node):
        self.convolve(node, depthwise=False)

    def on_fuseddepthwiseconv2dnative(self, node):
        self.convolve(node, depthwise=True)

    def convolve(self, node, depthwise):
        name = node["name"]
        source, kernel, bias = self.inputs(name)
        kernel, bias = self.constants[kernel], self.constants[bias]
        rows = kernel.shape[0]
        stride = int(node["attr"]["strides"]["list"]["i"][1])
        if text(node["attr"]["padding"]) == "SAME":
            size = -(-self.sizes[source] // stride)
            total = max((size - 1) * stride + rows - self.sizes[source], 0)
            before, after = total // 2, total - total // 2
        else:
            size = (self.sizes[source] - rows) // stride + 1
            before = after = 0
        # The layout of ordinary kernels is row, column, in, out; of depthwise ones row, column, channel, 1.
        transposed = kernel.transpose(2, 3, 0, 1) if depthwise else kernel.transpose(3, 2, 0, 1)
        weight = self.constant(name + "/kernel", transposed)
        offset = self.constant(name + "/bias", bias)
        self.emit(
            "Conv",
            name,
            [self.names[source], weight, offset],
            kernel_shape=list(kernel.shape[:2]),
            strides=[stride, stride],
            pads=[before, before, after, after],
            group=kernel.shape[2] if depthwise else 1,
        )
        self.sizes[name] = size
        # A fused relu is dropped: each belongs to a PReLU, which `on_add` verifies.

    def on_add(self, node):
        """A residual addition, or the end of a PReLU."""
        name = node["name"]
        first, second = self.inputs(name)
        slope = self.prelu_slope(first, second)
        if slope is None:
            self.emit("Add", name, [self.names[first], self.names[second]])
            self.sizes[name] = self.sizes[first]
            return
        value = self.before_relu(first)
        self.prelu(name, value, slope)
        self.sizes[name] = self.sizes[value]

    def prelu(self, name, value, slope):
        """max(x, 0) + s·min(x, 0) of each channel, as s·x + (1 - s)·max(x, 0).

        ONNX Runtime's PRelu is a loop over single values that also leaves the blocked layout of the convolutions;
        products by depthwise convolutions of one pixel stay in it.
        """
        rectified = name + "/relu"
        self.nodes.append(helper.make_node("Relu", [self.names[value]], [rectified]))
        terms = []
        for term, source, factor in (("whole", self.names[value], slope), ("positive", rectified, 1.0 - slope)):
            output = "%s/%s" % (name, term)
            kernel = self.constant(output + "/kernel", factor.reshape(-1, 1, 1, 1))
            channels = factor.shape[0]
            self.nodes.append(
                helper.make_node("Conv", [source, kernel], [output], kernel_shape=[1, 1], group=channels)
            )
            terms.append(output)
        self.emit("Add", name, terms)

    def prelu_slope(self, rectified, product):
        """The slope of each channel if these are the two terms of a PReLU, otherwise None."""
        if self.by_name[product]["op"] != "Mul":
            return None
        difference, factor = self.inputs(product)
        value, magnitude = self.inputs(difference)
        if self.by_name[magnitude]["op"] != "Abs" or self.inputs(magnitude) != [value]:
            raise ValueError("not a PReLU: " + product)
        if self.before_relu(rectified) != value:
            raise ValueError("a PReLU of two different values: " + product)
        return -2.0 * self.constants[factor].reshape(-1, 1, 1)

    def before_relu(self, rectified):
        node = self.by_name[rectified]
        if node["op"] == "Relu":
            return self.inputs(rectified)[0]
        fused = [base64.b64decode(entry).decode() for entry in node["attr"]["fused_ops"]["list"]["s"]]
        if fused[-1] != "Relu":
            raise ValueError("a PReLU without its relu: " + rectified)
        return rectified

    def on_squeeze(self, node):
        self.emit("Flatten", node["name"], [self.names[self.inputs(node["name"])[0]]], axis=1)

    def on_mul(self, node):
        """The last node normalises the vector; all other products belong to PReLUs."""
        if node["name"] == "embeddings":
            vector = self.inputs(node["name"])[0]
            self.nodes.append(helper.make_node("LpNormalization", [self.names[vector]], [OUTPUT], axis=1, p=2))

    def emit(self, operation, name, inputs, **attributes):
        self.names[name] = name
        self.nodes.append(helper.make_node(operation, inputs, [name], **attributes))

    def constant(self, name, array):
        array = np.ascontiguousarray(array, dtype=np.float32)
        self.initializers.append(numpy_helper.from_array(array, name))
        return name


def text(value):
    return base64.b64decode(value["s"]).decode()
