"""Tests of a recogniser's conversion that need no network: .cache/models-venv/bin/python -m unittest (in tools/models)."""

import unittest
from unittest import mock

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator

import faceplugin
import sources
from build import CACHE
from downloads import Store


def shipped(outputs, seed=1):
    """A small network in the form of the shipped one: of 4 channels and `outputs` numbers, one of them of tiny weights."""
    random = np.random.default_rng(seed)
    shapes = {
        "first": (4, 3, 3, 3), "first.bias": (4,), "slope": (4, 1, 1), "each": (4, 1, 56, 56), "each.bias": (4,),
        "last": (outputs, 4, 1, 1), "last.bias": (outputs,),
    }
    constants = {name: random.normal(0, 0.5, shape).astype(np.float32) for name, shape in shapes.items()}
    constants["each"] /= 56
    constants["first"][0, 0] *= np.float32(1e-30)
    constants["shape"] = np.array([1, -1], np.int64)
    nodes = [
        helper.make_node("Conv", ["picture", "first", "first.bias"], ["1"], strides=[2, 2], pads=[1, 1, 1, 1]),
        helper.make_node("PRelu", ["1", "slope"], ["2"]),
        helper.make_node("Add", ["1", "2"], ["3"]),
        helper.make_node("Conv", ["3", "each", "each.bias"], ["4"], group=4),
        helper.make_node("Conv", ["4", "last", "last.bias"], ["5"]),
        helper.make_node("Reshape", ["5", "shape"], ["numbers"]),
    ]
    picture = helper.make_tensor_value_info("picture", TensorProto.FLOAT, [1, 3, 112, 112])
    numbers = helper.make_tensor_value_info("numbers", TensorProto.FLOAT, [1, outputs])
    tensors = [numpy_helper.from_array(array, name) for name, array in constants.items()]
    graph = helper.make_graph(nodes, "shipped", [picture], [numbers], tensors)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 9)], ir_version=8)


def pictures(count, seed=2):
    return np.random.default_rng(seed).uniform(-1, 1, (count, 3, 112, 112)).astype(np.float32)


def described(model, faces):
    """What the shipped network says of faces in the order red, green, blue, scaled to length 1."""
    network, name = ReferenceEvaluator(model), model.graph.input[0].name
    numbers = np.concatenate([network.run(None, {name: face[None, ::-1].copy()})[0] for face in faces])
    return numbers / np.linalg.norm(numbers, axis=1, keepdims=True)


def converted(model, faces):
    made = faceplugin.converted(model)
    onnx.checker.check_model(made, full_check=True)
    return ReferenceEvaluator(made).run(None, {"input": faces})[0]


class Conversion(unittest.TestCase):
    def test_without_the_projection_the_numbers_are_those_of_the_shipped_network(self):
        model, faces = shipped(6), pictures(3)
        with mock.patch.object(faceplugin, "projected", lambda kernel, bias: (kernel, bias)):
            np.testing.assert_allclose(converted(model, faces), described(model, faces), atol=1e-6)

    def test_along_the_axes_faces_are_as_alike_as_before(self):
        # 4 channels reach 4 of 6 directions, and the offset one more.
        model, faces = shipped(6), pictures(4)
        before, after = described(model, faces), converted(model, faces)
        np.testing.assert_allclose(after @ after.T, before @ before.T, atol=1e-6)
        with mock.patch.object(faceplugin, "DIMENSION", 3):
            fewer = converted(model, faces)
        self.assertEqual(fewer.shape, (4, 3))
        np.testing.assert_allclose(np.linalg.norm(fewer, axis=1), 1, atol=1e-6)

    def test_whichever_way_vectors_point_the_axes_are_the_same(self):
        # Libraries of linear algebra differ in it, and faces that two builds describe must be comparable.
        kernel, bias = np.random.default_rng(3).normal(0, 1, (6, 4, 1, 1)), np.ones(6)
        left, values, right = np.linalg.svd(kernel.reshape(6, 4))
        with mock.patch.object(np.linalg, "svd", lambda weights: (-left, values, -right)):
            other = faceplugin.projected(kernel, bias)
        for one, two in zip(faceplugin.projected(kernel, bias), other):
            np.testing.assert_array_equal(one, two)

    def test_no_weight_is_too_small_to_compute_with(self):
        for tensor in faceplugin.converted(shipped(6)).graph.initializer:
            sizes = np.abs(numpy_helper.to_array(tensor))
            self.assertFalse(((sizes > 0) & (sizes < faceplugin.SMALLEST)).any(), tensor.name)

    def test_another_network_is_refused(self):
        model = shipped(6)
        model.graph.node[1].op_type = "Tanh"
        with self.assertRaisesRegex(ValueError, "not expected: Tanh"):
            faceplugin.converted(model)
        del model.graph.node[-1]
        with self.assertRaisesRegex(ValueError, "does not begin and end"):
            faceplugin.converted(model)

    def test_the_shipped_network_keeps_its_numbers(self):
        file = Store(CACHE / "models").path(sources.FACEPLUGIN.members[0])
        if not file.exists():
            self.skipTest("no pack was built here: run `make models`")
        model, faces = onnx.load(str(file)), pictures(2)
        before = described(model, faces)
        with mock.patch.object(faceplugin, "projected", lambda kernel, bias: (kernel, bias)):
            np.testing.assert_allclose(converted(model, faces), before, atol=1e-6)
        after = converted(model, faces)
        self.assertEqual(after.shape, (2, faceplugin.DIMENSION))
        np.testing.assert_allclose(after @ after.T, before @ before.T, atol=5e-5)


if __name__ == "__main__":
    unittest.main()
