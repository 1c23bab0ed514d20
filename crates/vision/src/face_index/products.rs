//! Products of 8-bit rows with 16-bit queries: the loop that a search spends its time in.
//!
//! Whole numbers, so that every processor gets the same sums, in whatever order it adds.

/// Rows and queries are padded with zeros to a multiple of this.
pub(super) const LANES: usize = 16;

/// The product of each row with each query: `products[query * number of rows + row]`. `rows` has `stride` numbers a
/// row, as has each query; `stride` is a multiple of [`LANES`]. The sums have to fit 32 bits.
pub(super) fn products(rows: &[i8], stride: usize, queries: &[&[i16]], products: &mut [i32]) {
    debug_assert!(stride.is_multiple_of(LANES) && queries.iter().all(|query| query.len() == stride));
    #[cfg(target_arch = "x86_64")]
    if let Some(simd) = pulp::x86::V3::try_new() {
        return x86::products(simd, rows, stride, queries, products);
    }
    portable(rows, stride, queries, products);
}

/// For processors without AVX2. Compilers find the vector instructions that others have.
fn portable(rows: &[i8], stride: usize, queries: &[&[i16]], products: &mut [i32]) {
    let rows = rows.chunks_exact(stride);
    for (query, products) in queries.iter().zip(products.chunks_exact_mut(rows.len().max(1))) {
        for (row, product) in rows.clone().zip(products) {
            *product = row.iter().zip(*query).map(|(row, query)| i32::from(*row) * i32::from(*query)).sum();
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use pulp::x86::V3;
    use pulp::{NullaryFnOnce, cast};

    /// Queries that one walk over the rows multiplies at once; more would not fit the registers.
    const TOGETHER: usize = 4;

    pub(super) fn products(simd: V3, rows: &[i8], stride: usize, queries: &[&[i16]], products: &mut [i32]) {
        let count = rows.len() / stride;
        let groups = queries.chunks(TOGETHER).zip(products.chunks_mut((count * TOGETHER).max(1)));
        for (queries, products) in groups {
            match *queries {
                [one] => multiply(simd, rows, [one], products),
                [one, two] => multiply(simd, rows, [one, two], products),
                [one, two, three] => multiply(simd, rows, [one, two, three], products),
                [one, two, three, four] => multiply(simd, rows, [one, two, three, four], products),
                _ => {}
            }
        }
    }

    fn multiply<const QUERIES: usize>(
        simd: V3,
        rows: &[i8],
        queries: [&[i16]; QUERIES],
        products: &mut [i32],
    ) {
        simd.vectorize(Walk { simd, rows, queries, products });
    }

    struct Walk<'a, const QUERIES: usize> {
        simd: V3,
        rows: &'a [i8],
        queries: [&'a [i16]; QUERIES],
        products: &'a mut [i32],
    }

    impl<const QUERIES: usize> NullaryFnOnce for Walk<'_, QUERIES> {
        type Output = ();

        #[inline(always)]
        fn call(self) {
            let V3 { avx, avx2, .. } = self.simd;
            let stride = self.queries[0].len();
            let queries = self.queries.map(|query| query.as_chunks::<16>().0);
            let count = self.products.len() / QUERIES;
            for (at, row) in self.rows.chunks_exact(stride).enumerate() {
                let mut sums = [avx._mm256_setzero_si256(); QUERIES];
                for (at, part) in row.as_chunks::<16>().0.iter().enumerate() {
                    let part = avx2._mm256_cvtepi8_epi16(cast(*part));
                    for (sum, query) in sums.iter_mut().zip(&queries) {
                        *sum = avx2._mm256_add_epi32(*sum, avx2._mm256_madd_epi16(part, cast(query[at])));
                    }
                }
                for (query, sum) in sums.into_iter().enumerate() {
                    let [a, b, c, d, e, f, g, h] = cast::<_, [i32; 8]>(sum);
                    self.products[query * count + at] = ((a + e) + (b + f)) + ((c + g) + (d + h));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_processor_gets_the_same_products(
            chunks in 1usize..20, rows in 0usize..20, queries in 1usize..10, seed in any::<u64>(),
        ) {
            let stride = chunks * LANES;
            let mut state = seed | 1;
            let mut next = || {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (state >> 48) as u16 as i16
            };
            // The extremes too, which have the longest sums.
            let mut draw = |limit: i16| match next() {
                n if n % 5 == 0 => if n % 2 == 0 { limit } else { -limit },
                n => (i32::from(n) * i32::from(limit) / 32_768) as i16,
            };
            let values: Vec<i8> = (0..rows * stride).map(|_| draw(127) as i8).collect();
            let queries: Vec<Vec<i16>> =
                (0..queries).map(|_| (0..stride).map(|_| draw(32_767)).collect()).collect();
            let queries: Vec<&[i16]> = queries.iter().map(Vec::as_slice).collect();
            let (mut here, mut anywhere) = (vec![0; rows * queries.len()], vec![0; rows * queries.len()]);
            products(&values, stride, &queries, &mut here);
            portable(&values, stride, &queries, &mut anywhere);
            prop_assert_eq!(here, anywhere);
        }
    }
}
