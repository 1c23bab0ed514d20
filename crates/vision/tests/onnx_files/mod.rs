//! Writes small ONNX files: the few messages of its protocol buffers that a recogniser needs.

const FLOAT: u64 = 1;
const OPSET: u64 = 13;

/// A network from 112×112 pixels to `dimension` numbers: the mean of each 16×16, times weights drawn by lot. Without
/// `batch`, it takes any number of faces at once.
pub(crate) fn recogniser(input: &str, output: &str, batch: Option<i64>, dimension: usize) -> Vec<u8> {
    let pooled = 3 * 7 * 7;
    let side = |name: &str| {
        let attribute = [
            text(1, name),
            packed(8, &[16, 16]),
            number(20, 7), // a list of integers
        ];
        message(5, &attribute.concat())
    };
    let nodes = [
        node("AveragePool", &[input], "pooled", &[side("kernel_shape"), side("strides")].concat()),
        node("Flatten", &["pooled"], "flat", &[]),
        node("Gemm", &["flat", "weights", "bias"], output, &[]),
    ];
    let mut lot = 7u64;
    let mut draw = |count: usize| -> Vec<f32> { (0..count).map(|_| drawn(&mut lot)).collect() };
    let graph = [
        nodes.concat(),
        text(2, "recogniser"),
        tensor("weights", &[pooled, dimension], &draw(pooled * dimension)),
        tensor("bias", &[dimension], &draw(dimension)),
        value(11, input, batch, &[3, 112, 112]),
        value(12, output, batch, &[i64::try_from(dimension).unwrap()]),
    ];
    [number(1, 8), message(7, &graph.concat()), message(8, &number(2, OPSET))].concat()
}

/// Evenly from −1 to 1, by a linear congruence.
fn drawn(state: &mut u64) -> f32 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    let bits = u16::try_from(*state >> 48).unwrap();
    f32::from(bits) / 32_768.0 - 1.0
}

fn node(operation: &str, inputs: &[&str], output: &str, attributes: &[u8]) -> Vec<u8> {
    let inputs: Vec<u8> = inputs.iter().flat_map(|input| text(1, input)).collect();
    message(1, &[inputs, text(2, output), text(4, operation), attributes.to_vec()].concat())
}

fn tensor(name: &str, shape: &[usize], values: &[f32]) -> Vec<u8> {
    let shape: Vec<u64> = shape.iter().map(|side| u64::try_from(*side).unwrap()).collect();
    let raw: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
    message(5, &[packed(1, &shape), number(2, FLOAT), text(8, name), message(9, &raw)].concat())
}

/// An input or an output.
fn value(field: u64, name: &str, batch: Option<i64>, shape: &[i64]) -> Vec<u8> {
    let known = |side: i64| message(1, &number(1, u64::try_from(side).unwrap()));
    let first = batch.map_or_else(|| message(1, &text(2, "n")), known);
    let sides: Vec<u8> = first.into_iter().chain(shape.iter().flat_map(|side| known(*side))).collect();
    let tensor = [number(1, FLOAT), message(2, &sides)].concat();
    message(field, &[text(1, name), message(2, &message(1, &tensor))].concat())
}

fn text(field: u64, text: &str) -> Vec<u8> {
    message(field, text.as_bytes())
}

fn packed(field: u64, values: &[u64]) -> Vec<u8> {
    message(field, &values.iter().flat_map(|value| varint(*value)).collect::<Vec<u8>>())
}

fn message(field: u64, bytes: &[u8]) -> Vec<u8> {
    [varint((field << 3) | 2), varint(u64::try_from(bytes.len()).unwrap()), bytes.to_vec()].concat()
}

fn number(field: u64, value: u64) -> Vec<u8> {
    [varint(field << 3), varint(value)].concat()
}

fn varint(mut value: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    loop {
        let low = u8::try_from(value & 0x7f).unwrap();
        value >>= 7;
        if value == 0 {
            bytes.push(low);
            return bytes;
        }
        bytes.push(low | 0x80);
    }
}
