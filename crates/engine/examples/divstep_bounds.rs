//! How many division steps suffice, computed with exact integers: the program behind `docs/safegcd.md` of this crate.
//!
//! A division step on (f, g) applies one of three fixed linear maps; which one depends on the parity of g and on the
//! sign of delta. Forget the parity and let an adversary choose: what he can reach from the triangle 0 <= g <= f <=
//! 2^bits is, for each delta, inside a convex polygon, because linear maps take convex hulls to convex hulls. A polygon
//! all of whose points have |g| < 1 holds no pair of integers with g other than 0, and g stays 0 from there, so it may
//! be dropped. The steps after which no polygon is left suffice for every input.
//!
//! Run it in release mode; 256 bits take about a minute.

use num_bigint::BigInt;
use std::collections::BTreeMap;

/// A pair (f, g), both times 2^(steps done), so that the halvings stay exact.
type Point = (BigInt, BigInt);

/// The steps that suffice for 0 <= g <= f <= 2^bits from `twice_delta` / 2.
pub(crate) fn sufficient_steps(bits: u32, twice_delta: i32) -> u32 {
    let largest = BigInt::from(1) << bits;
    let triangle = vec![(BigInt::ZERO, BigInt::ZERO), (largest.clone(), BigInt::ZERO), (largest.clone(), largest)];
    let mut polygons = BTreeMap::from([(twice_delta, triangle)]);
    let mut steps = 0;
    while !polygons.is_empty() {
        let mut reached: BTreeMap<i32, Vec<Point>> = BTreeMap::new();
        for (delta, polygon) in polygons {
            // The adversary may call any g odd, and any g even.
            let (odd_delta, odd): (i32, Vec<Point>) = if delta > 0 {
                (2 - delta, polygon.iter().map(|(f, g)| (g << 1u32, g - f)).collect())
            } else {
                (2 + delta, polygon.iter().map(|(f, g)| (f << 1u32, g + f)).collect())
            };
            reached.entry(odd_delta).or_default().extend(odd);
            reached.entry(2 + delta).or_default().extend(polygon.into_iter().map(|(f, g)| (f << 1u32, g)));
        }
        steps += 1;
        let one: BigInt = BigInt::from(1) << steps;
        reached.retain(|_, points| points.iter().any(|(_, g)| g.magnitude() >= one.magnitude()));
        polygons = reached.into_iter().map(|(delta, points)| (delta, convex_hull(points))).collect();
    }
    steps
}

/// The corners of the convex hull, by Andrew's monotone chain.
fn convex_hull(mut points: Vec<Point>) -> Vec<Point> {
    points.sort_unstable();
    points.dedup();
    if points.len() < 3 {
        return points;
    }
    let mut corners = chain(points.iter());
    corners.pop();
    corners.extend(chain(points.iter().rev()));
    corners.pop();
    corners.into_iter().cloned().collect()
}

/// The corners from the first point to the last that have everything else on their left.
fn chain<'a>(points: impl Iterator<Item = &'a Point>) -> Vec<&'a Point> {
    let mut chain: Vec<&Point> = Vec::new();
    for c in points {
        while let [.., a, b] = chain.as_slice() {
            let turns_left = (&b.0 - &a.0) * (&c.1 - &a.1) > (&b.1 - &a.1) * (&c.0 - &a.0);
            if turns_left {
                break;
            }
            chain.pop();
        }
        chain.push(c);
    }
    chain
}

#[allow(dead_code, reason = "the test that shares this file calls the function above")]
fn main() {
    for bits in [64, 128, 256] {
        for (name, twice_delta) in [("1/2", 1), ("1", 2)] {
            println!("{bits} bits from delta = {name}: {} steps", sufficient_steps(bits, twice_delta));
        }
    }
}
