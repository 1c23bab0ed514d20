"""Prepares the recogniser of faceplugin-face-recognition-js, a MobileFaceNet of 512 numbers, for the pack.

The shipped network wants the colours in the order blue, green, red, has 177,000 weights too small for a processor's normal
numbers, which it computes with slowly, and ends in a layer whose outputs lie in fewer than 192 directions. What is written
here computes the same for a picture in the order red, green, blue, in a fraction of the time: the outputs are the shipped
network's seen along 192 axes, so that their lengths and angles stay.
"""

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

INPUT, OUTPUT = "input", "embedding"
CHIP = 112
DIMENSION = 192

# Smaller weights are 0: together they change no output by a millionth.
SMALLEST = 1e-12


def convert(source, destination):
    """Reads the shipped ONNX file and writes the pack's."""
    model = converted(onnx.load(str(source)))
    onnx.checker.check_model(model, full_check=True)
    onnx.save(model, str(destination))


def converted(shipped):
    """The pack's network, of any number of faces at a time."""
    graph = Graph(shipped.graph)
    inputs = [helper.make_tensor_value_info(INPUT, TensorProto.FLOAT, ["n", 3, CHIP, CHIP])]
    outputs = [helper.make_tensor_value_info(OUTPUT, TensorProto.FLOAT, ["n", graph.dimension])]
    made = helper.make_graph(graph.nodes, "faceplugin", inputs, outputs, graph.initializers)
    model = helper.make_model(made, opset_imports=[helper.make_opsetid("", 13)])
    model.ir_version = 8
    return model


class Graph:
    """The nodes of the shipped network, rewritten."""

    def __init__(self, shipped):
        self.constants = {tensor.name: numpy_helper.to_array(tensor) for tensor in shipped.initializer}
        self.nodes = []
        self.initializers = []
        self.input = shipped.input[0].name
        nodes = list(shipped.node)
        if [node.op_type for node in nodes[:1] + nodes[-2:]] != ["Conv", "Conv", "Reshape"]:
            raise ValueError("the network does not begin and end as expected")
        last = nodes[-2]
        for node in nodes[:-1]:
            if node.op_type == "PRelu":
                self.prelu(node)
            elif node.op_type == "Conv":
                self.convolution(node, node is nodes[0], node is last)
            elif node.op_type == "Add":
                self.emit("Add", list(node.input), node.output[0])
            else:
                raise ValueError("an operation is not expected: " + node.op_type)
        self.emit("Flatten", [last.output[0]], last.output[0] + "/flat", axis=1)
        self.emit("LpNormalization", [last.output[0] + "/flat"], OUTPUT, axis=1, p=2)

    def convolution(self, node, is_first, is_last):
        source, kernel, bias = node.input
        kernel, bias = self.constants[kernel], self.constants[bias]
        if is_first:
            if source != self.input or kernel.shape[1] != 3:
                raise ValueError("the first convolution does not read the picture")
            source, kernel = INPUT, kernel[:, ::-1]
        if is_last:
            kernel, bias = projected(kernel, bias)
            self.dimension = len(bias)
        name = node.output[0]
        attributes = {attribute.name: helper.get_attribute_value(attribute) for attribute in node.attribute}
        inputs = [source, self.constant(name + "/kernel", kernel), self.constant(name + "/bias", bias)]
        self.emit("Conv", inputs, name, **attributes)

    def prelu(self, node):
        """max(x, 0) + s·min(x, 0) of each channel, as s·x + (1 - s)·max(x, 0); see mobilefacenet.py."""
        value, slope = node.input
        slope, name = self.constants[slope].reshape(-1, 1, 1, 1), node.output[0]
        self.emit("Relu", [value], name + "/relu")
        terms = []
        for term, source, factor in (("whole", value, slope), ("positive", name + "/relu", 1.0 - slope)):
            terms.append("%s/%s" % (name, term))
            kernel = self.constant(terms[-1] + "/kernel", factor)
            self.emit("Conv", [source, kernel], terms[-1], kernel_shape=[1, 1], group=len(slope))
        self.emit("Add", terms, name)

    def emit(self, operation, inputs, output, **attributes):
        self.nodes.append(helper.make_node(operation, inputs, [output], **attributes))

    def constant(self, name, array):
        array = np.ascontiguousarray(array, dtype=np.float32)
        array = np.where(np.abs(array) < SMALLEST, np.float32(0), array)
        self.initializers.append(numpy_helper.from_array(array, name))
        return name


def projected(kernel, bias):
    """The last layer along the first left singular vectors of its own weights.

    A singular vector's sign is arbitrary, and another one would be another description: each vector's largest number is
    positive here, whatever library decomposes.
    """
    rows = kernel.shape[0]
    weights = kernel.reshape(rows, -1).astype(np.float64)
    axes = np.linalg.svd(weights)[0][:, : min(DIMENSION, rows)]
    axes = axes * np.sign(axes[np.abs(axes).argmax(axis=0), np.arange(axes.shape[1])])
    return (axes.T @ weights).reshape(-1, *kernel.shape[1:]), axes.T @ bias.astype(np.float64)
