//! Logarithm and exponential from additions and multiplications only: the platform's versions differ in
//! the last bit between machines, and then searches would differ too.

use regulus_game::Random;

const LN_2: f64 = std::f64::consts::LN_2;

/// The natural logarithm of a number from 1 on.
pub fn ln(x: f64) -> f64 {
    let bits = x.to_bits();
    let mut exponent = (bits >> 52) as i32 - 1023;
    let mut mantissa = f64::from_bits(bits & ((1 << 52) - 1) | (1023 << 52));
    if mantissa > std::f64::consts::SQRT_2 {
        mantissa *= 0.5;
        exponent += 1;
    }
    // ln m = 2 artanh((m - 1) / (m + 1)); the terms left out are below 2^-53.
    let s = (mantissa - 1.0) / (mantissa + 1.0);
    let square = s * s;
    // Even and odd terms apart, so that they are computed side by side.
    let fourth = square * square;
    let (mut even, mut odd) = (1.0 / 21.0, 0.0);
    for term in (0..5).rev() {
        even = even * fourth + 1.0 / f64::from(4 * term + 1);
        odd = odd * fourth + 1.0 / f64::from(4 * term + 3);
    }
    f64::from(exponent) * LN_2 + 2.0 * s * (even + odd * square)
}

/// e to the power of `x`; `x` must lie between -700 and 700.
pub fn exp(x: f64) -> f64 {
    let twos = (x / LN_2).round();
    let rest = x - twos * LN_2;
    let mut sum = 1.0;
    for term in (1..=16).rev() {
        sum = sum * rest / f64::from(term) + 1.0;
    }
    sum * f64::from_bits(((twos as i64 + 1023) as u64) << 52)
}

/// `base` to a whole power, always multiplied in the same order.
pub fn power(mut base: f64, mut exponent: u32) -> f64 {
    let mut result = 1.0;
    while exponent > 0 {
        if exponent & 1 == 1 {
            result *= base;
        }
        base *= base;
        exponent >>= 1;
    }
    result
}

/// A random real number from 0 up to but not including 1.
pub fn unit(random: &mut Random) -> f64 {
    (random.bits() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithm_and_exponential_are_right() {
        for x in (1..2000).chain([12_345, 1_000_000, 4_000_000_000u32]) {
            let x = f64::from(x);
            assert!((ln(x) - x.ln()).abs() <= 4e-15 * x.ln().max(1.0), "{x}");
        }
        for i in -400..400 {
            let x = f64::from(i) * 0.37;
            assert!((exp(x) / x.exp() - 1.0).abs() < 1e-13, "{x}");
        }
        assert_eq!(power(0.5, 3), 0.125);
        assert_eq!(power(0.2, 0), 1.0);
    }
}
