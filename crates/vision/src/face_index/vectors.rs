//! Arithmetic on embeddings in 32-bit floats.

pub(super) fn add(sum: &mut [f32], values: &[f32]) {
    for (sum, value) in sum.iter_mut().zip(values) {
        *sum += value;
    }
}

/// Scales to length 1; what has no direction stays.
pub(super) fn normalise(sum: &mut [f32]) {
    let length = dot(sum, sum).sqrt();
    if length.is_normal() {
        sum.iter_mut().for_each(|value| *value /= length);
    }
}

/// The sum of products. Sixteen running sums, because one would make every step wait for the one before.
pub(crate) fn dot(one: &[f32], other: &[f32]) -> f32 {
    let (one, one_rest) = one.as_chunks::<16>();
    let (other, other_rest) = other.as_chunks::<16>();
    let mut sums = [0.0f32; 16];
    for (left, right) in one.iter().zip(other) {
        for index in 0..16 {
            sums[index] += left[index] * right[index];
        }
    }
    let rest: f32 = one_rest.iter().zip(other_rest).map(|(left, right)| left * right).sum();
    sums.iter().sum::<f32>() + rest
}
