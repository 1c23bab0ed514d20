"""Converts dlib's residual network for faces to ONNX.

dlib writes a network as its layers from the input to the last one. Each begins with its name; what lies between two layers
belongs to training and is passed over. Integers have a byte of length and sign before them, floats are a mantissa and an
exponent of two, tensors are the numbers of samples, channels, rows and columns with the values as little-endian floats.

Each convolution is followed by a scale and an offset for each channel, which become part of it. A block of two convolutions
ends with the addition of what came in. Where it halves the size, that is averaged over 2×2 pixels, and the smaller one of
the two terms is filled up with zeros, in channels as well as in rows and columns.

What the network says of any two faces is alike: the cosine of strangers is 0.84 in the middle. The mean of many faces is
taken away (`dlib_mean.json`, of 1,193 pictures of 416 people), after which it is 0, as it is for other recognisers; the search's rules
are made for that.
"""

import json
import re
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

INPUT, OUTPUT = "input", "embedding"
CHIP = 150
DIMENSION = 128

LAYERS = ("con_4", "affine_", "relu_", "max_pool_2", "avg_pool_2", "add_prev_", "fc_2")
_NAME = re.compile(b"|".join(b"\\x01" + bytes([len(name)]) + name.encode() for name in LAYERS))


def convert(weights, destination):
    """Reads `weights` (dlib_face_recognition_resnet_model_v1.dat) and writes an ONNX file."""
    mean = json.loads((Path(__file__).parent / "dlib_mean.json").read_text())
    model = Graph(read_layers(weights.read_bytes())).model(mean)
    onnx.checker.check_model(model, full_check=True)
    onnx.save(model, str(destination))


def read_layers(data):
    """The layers from the input to the last, each a name and what is known of it."""
    layers = []
    for match in _NAME.finditer(data):
        name = match.group()[2:].decode()
        read = getattr(Reader(data, match.end()), "on_" + name, None)
        layers.append((name, read() if read is not None else {}))
    return layers


class Reader:
    """Reads values one after another."""

    def __init__(self, data, offset):
        self.data = data
        self.offset = offset

    def integer(self):
        control = self.data[self.offset]
        size, negative = control & 0x0F, bool(control & 0x80)
        start = self.offset + 1
        self.offset = start + size
        value = int.from_bytes(self.data[start : self.offset], "little")
        return -value if negative else value

    def tensor(self):
        version = self.integer()
        if version != 2:
            raise ValueError("a tensor of version %d" % version)
        shape = [self.integer() for _ in range(4)]
        count = int(np.prod(shape))
        values = np.frombuffer(self.data, "<f4", count, self.offset)
        self.offset += 4 * count
        return values

    def on_con_4(self):
        parameters = self.tensor()
        filters, rows, columns, *strides_and_padding = (self.integer() for _ in range(7))
        strides, padding = strides_and_padding[:2], strides_and_padding[2:]
        kernels, offsets = parameters[:-filters], parameters[-filters:]
        kernels = kernels.reshape(filters, -1, rows, columns)
        return {"kernels": kernels, "offsets": offsets, "strides": strides, "padding": padding}

    def on_affine_(self):
        scales, offsets = np.split(self.tensor(), 2)
        return {"scales": scales, "offsets": offsets}

    def pool(self):
        rows, columns, *strides_and_padding = (self.integer() for _ in range(6))
        return {"window": [rows, columns], "strides": strides_and_padding[:2], "padding": strides_and_padding[2:]}

    on_max_pool_2 = on_avg_pool_2 = pool

    def on_fc_2(self):
        outputs, inputs = self.integer(), self.integer()
        return {"weights": self.tensor().reshape(inputs, outputs)}


class Graph:
    """Translates the layers to ONNX's nodes."""

    def __init__(self, layers):
        self.layers = list(reversed(layers))
        self.nodes = []
        self.initializers = []
        self.shapes = {INPUT: (3, CHIP, CHIP)}  # channels, rows, columns

    def model(self, mean):
        value = self.convolution(INPUT)
        value = self.rectification(value)
        value = self.pooling(value, "max_pool_2", "MaxPool")
        while self.following() == "con_4":
            value = self.block(value)
        value = self.average_of_everything(value)
        value = self.product(value)
        if self.layers or self.shapes[value] != (DIMENSION,):
            raise ValueError("%d layers are left after %s" % (len(self.layers), self.shapes[value]))
        value = self.emit("Sub", [value, self.constant("mean", np.array(mean, dtype=np.float32))], (DIMENSION,))
        self.nodes.append(helper.make_node("LpNormalization", [value], [OUTPUT], axis=1, p=2))
        inputs = [helper.make_tensor_value_info(INPUT, TensorProto.FLOAT, ["n", 3, CHIP, CHIP])]
        outputs = [helper.make_tensor_value_info(OUTPUT, TensorProto.FLOAT, ["n", DIMENSION])]
        graph = helper.make_graph(self.nodes, "dlib", inputs, outputs, self.initializers)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)])
        model.ir_version = 8
        return model

    def following(self):
        return self.layers[-1][0] if self.layers else None

    def take(self, name):
        """The fields of the next layer, which is one of that name."""
        if self.following() != name:
            raise ValueError("%s where %s is expected" % (self.following(), name))
        return self.layers.pop()[1]

    def block(self, before):
        value = self.rectification(self.convolution(before))
        value = self.convolution(value)
        if self.following() == "avg_pool_2":
            before = self.pooling(before, "avg_pool_2", "AveragePool")
        self.take("add_prev_")
        shape = tuple(max(sizes) for sizes in zip(self.shapes[value], self.shapes[before]))
        terms = [self.filled_up(term, shape) for term in (value, before)]
        return self.rectification(self.emit("Add", terms, shape))

    def convolution(self, value):
        convolution, affine = self.take("con_4"), self.take("affine_")
        kernels = convolution["kernels"] * affine["scales"].reshape(-1, 1, 1, 1)
        offsets = convolution["offsets"] * affine["scales"] + affine["offsets"]
        filters, channels, *window = kernels.shape
        if channels != self.shapes[value][0]:
            raise ValueError("%d channels for a convolution of %d" % (self.shapes[value][0], channels))
        inputs = [value, self.constant("kernels", kernels), self.constant("offsets", offsets)]
        return self.windows("Conv", inputs, filters, window, convolution)

    def pooling(self, value, name, operation):
        pool = self.take(name)
        return self.windows(operation, [value], self.shapes[value][0], pool["window"], pool)

    def windows(self, operation, inputs, channels, window, fields):
        """A node that looks at each `window` of its first input."""
        strides, padding = fields["strides"], fields["padding"]
        steps = zip(self.shapes[inputs[0]][1:], window, strides, padding)
        sizes = tuple((size + 2 * pad - length) // stride + 1 for size, length, stride, pad in steps)
        attributes = {"kernel_shape": window, "strides": strides, "pads": padding * 2}
        return self.emit(operation, inputs, (channels, *sizes), **attributes)

    def rectification(self, value):
        self.take("relu_")
        return self.emit("Relu", [value], self.shapes[value])

    def average_of_everything(self, value):
        self.take("avg_pool_2")
        pooled = self.emit("GlobalAveragePool", [value], (self.shapes[value][0], 1, 1))
        return self.emit("Flatten", [pooled], self.shapes[pooled][:1], axis=1)

    def product(self, value):
        weights = self.take("fc_2")["weights"]
        return self.emit("MatMul", [value, self.constant("weights", weights)], weights.shape[1:])

    def filled_up(self, value, shape):
        """The value with zeros after its channels, rows and columns where `shape` has more."""
        missing = [wanted - size for wanted, size in zip(shape, self.shapes[value])]
        if not any(missing):
            return value
        pads = self.constant("pads", np.array([0] * 5 + missing, dtype=np.int64))
        return self.emit("Pad", [value, pads], shape)

    def emit(self, operation, inputs, shape, **attributes):
        name = "%s_%d" % (operation.lower(), len(self.nodes))
        self.shapes[name] = shape
        self.nodes.append(helper.make_node(operation, inputs, [name], **attributes))
        return name

    def constant(self, name, array):
        name = "%s_%d" % (name, len(self.nodes))
        self.initializers.append(numpy_helper.from_array(np.ascontiguousarray(array), name))
        return name
