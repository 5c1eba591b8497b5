//! Arithmetic in eight lanes, under one root a loop, on the vector unit or on eight emulated lanes.
//!
//! Row `8 i + l` is lane `l` of vector `i`. Operands and results lie in memory as the library's kernels keep them between
//! loops: as limbs of eight lanes, or where words multiply doubles as the bits of digits.

use crate::numbers::{affine, bytes, fe, jacobian, write_even, write_point};
use lab_abi::{
    Job, Op, Prepared, Refusal, Request, Shape,
    peer::not_offered,
    rows::{part, records},
};
use phalanx::internals::{P256k1, root_candidate};
use phalanx_engine::{
    curve::{Affine, Jacobian},
    field::{FeX8, Field, FieldX8, Prime},
    word::{Emulated, LANES, Machine, Op as Work, VectorUnit, Word},
};
use std::ops::Range;

/// Limbs of a field element.
const FE: usize = 5;

/// `N` limbs of eight lanes.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Limbs<const N: usize>([[u64; LANES]; N]);

pub(crate) fn prepare(request: &Request, input: &[u8]) -> Result<Prepared, Refusal> {
    let backend = match request.backend.as_deref() {
        None => VectorUnit::tested().next(),
        Some("portable") => None,
        Some(name) => Some(VectorUnit::detect(name).ok_or_else(|| format!("has no backend {name} here"))?),
    };
    let job: Box<dyn Job> = match request.op {
        Op::FieldMul => {
            let rows = records::<64>(input);
            let a = pack(rows.iter().map(|row| fe(part(row, 0)).limbs()));
            let b = pack(rows.iter().map(|row| fe(part(row, 32)).limbs()));
            Box::new(Loop::new(request, backend, Multiply, a, b))
        }
        Op::FieldSqr => Box::new(Loop::new(request, backend, Square, numbers(input), Vec::new())),
        Op::FieldInvert => Box::new(Loop::new(request, backend, Invert, numbers(input), Vec::new())),
        Op::FieldSqrt => {
            let squares = pack(records::<32>(input).iter().map(|row| fe(row).square().normalize().limbs()));
            Box::new(Loop::new(request, backend, Root, squares, Vec::new()))
        }
        Op::Double => {
            let points = pack(records::<96>(input).iter().map(jacobian_limbs));
            Box::new(Loop::new(request, backend, Double, points, Vec::new()))
        }
        Op::AddMixed => {
            let rows = records::<160>(input);
            let a = pack(rows.iter().map(|row| jacobian_limbs(part(row, 0))));
            let b = pack(rows.iter().map(|row| affine_limbs(part(row, 96))));
            Box::new(Loop::new(request, backend, AddMixed, a, b))
        }
        _ => return Err(not_offered(request)),
    };
    Ok(Prepared { job, backend: backend.map_or("portable", VectorUnit::name).into() })
}

fn numbers(input: &[u8]) -> Vec<Limbs<FE>> {
    pack(records::<32>(input).iter().map(|row| fe(row).limbs()))
}

fn affine_limbs(xy: &[u8; 64]) -> [u64; 2 * FE] {
    let point = affine(xy);
    core::array::from_fn(|i| [point.x, point.y][i / FE].limbs()[i % FE])
}

fn jacobian_limbs(xyz: &[u8; 96]) -> [u64; 3 * FE] {
    let point = jacobian(xyz);
    core::array::from_fn(|i| [point.x, point.y, point.z][i / FE].normalize().limbs()[i % FE])
}

/// Eight rows of limbs become limbs of eight lanes.
fn pack<const N: usize>(rows: impl Iterator<Item = [u64; N]>) -> Vec<Limbs<N>> {
    let rows: Vec<_> = rows.collect();
    let vectors = rows.chunks_exact(LANES);
    vectors.map(|rows| Limbs(core::array::from_fn(|limb| core::array::from_fn(|lane| rows[lane][limb])))).collect()
}

#[inline(always)]
fn words<W: Word>(limbs: &[[u64; LANES]]) -> [W; FE] {
    let word = |at: usize| W::from_lanes(limbs[at]);
    [word(0), word(1), word(2), word(3), word(4)]
}

#[inline(always)]
fn write<W: Word>(limbs: &mut [[u64; LANES]], [a, b, c, d, e]: [W; FE]) {
    (limbs[0], limbs[1], limbs[2]) = (a.to_lanes(), b.to_lanes(), c.to_lanes());
    (limbs[3], limbs[4]) = (d.to_lanes(), e.to_lanes());
}

#[inline(always)]
fn load<W: Word>(limbs: &[[u64; LANES]]) -> FeX8<P256k1, W> {
    if W::IN_DOUBLES { FeX8::from_memory(words(limbs)) } else { FeX8::from_limbs(words(limbs)) }
}

#[inline(always)]
fn store<W: Word>(value: FeX8<P256k1, W>, limbs: &mut [[u64; LANES]]) {
    write(limbs, if W::IN_DOUBLES { value.to_memory() } else { value.limbs() });
}

/// The canonical numbers of the lanes.
fn unpack(limbs: &[[u64; LANES]]) -> [[u64; 4]; LANES] {
    load::<Emulated>(limbs).normalize().to_lanes()
}

/// One operation on vectors of `A` limbs with second operands of `B` limbs, of which an operation without one has 0.
trait Step<const A: usize, const B: usize>: Copy + 'static {
    /// The value between memory and memory.
    type Value<W: Word>: Copy;

    fn load<W: Word>(limbs: &Limbs<A>) -> Self::Value<W>;
    fn store<W: Word>(value: Self::Value<W>, limbs: &mut Limbs<A>);
    /// A row by itself, or a step of a chain.
    fn step<W: Word>(value: Self::Value<W>, operand: Option<&Limbs<B>>) -> Self::Value<W>;
    /// The result of each lane.
    fn write(limbs: &Limbs<A>) -> Vec<u8>;
}

/// A step on field elements, whose second operand has `$b` limbs.
macro_rules! field_step {
    ($(#[$about:meta])* $name:ident, $b:expr, |$value:ident, $operand:ident| $step:expr, $write:expr) => {
        $(#[$about])*
        #[derive(Clone, Copy)]
        struct $name;

        impl Step<FE, { $b }> for $name {
            type Value<W: Word> = FeX8<P256k1, W>;

            #[inline(always)]
            fn load<W: Word>(limbs: &Limbs<FE>) -> Self::Value<W> {
                load(&limbs.0)
            }
            #[inline(always)]
            fn store<W: Word>(value: Self::Value<W>, limbs: &mut Limbs<FE>) {
                store(value, &mut limbs.0);
            }
            #[inline(always)]
            fn step<W: Word>($value: Self::Value<W>, $operand: Option<&Limbs<{ $b }>>) -> Self::Value<W> {
                $step
            }
            fn write(limbs: &Limbs<FE>) -> Vec<u8> {
                unpack(&limbs.0).into_iter().flat_map($write).collect()
            }
        }
    };
}

/// The same on points.
macro_rules! point_step {
    ($(#[$about:meta])* $name:ident, $b:expr, |$value:ident, $operand:ident| $step:expr) => {
        $(#[$about])*
        #[derive(Clone, Copy)]
        struct $name;

        impl Step<{ 3 * FE }, { $b }> for $name {
            type Value<W: Word> = Jacobian<FeX8<P256k1, W>>;

            #[inline(always)]
            fn load<W: Word>(limbs: &Limbs<{ 3 * FE }>) -> Self::Value<W> {
                let limbs = &limbs.0;
                Jacobian { x: load(&limbs[..FE]), y: load(&limbs[FE..]), z: load(&limbs[2 * FE..]) }
            }
            #[inline(always)]
            fn store<W: Word>(point: Self::Value<W>, limbs: &mut Limbs<{ 3 * FE }>) {
                store(point.x, &mut limbs.0[..FE]);
                store(point.y, &mut limbs.0[FE..]);
                store(point.z, &mut limbs.0[2 * FE..]);
            }
            #[inline(always)]
            fn step<W: Word>($value: Self::Value<W>, $operand: Option<&Limbs<{ $b }>>) -> Self::Value<W> {
                $step
            }
            fn write(limbs: &Limbs<{ 3 * FE }>) -> Vec<u8> {
                let [x, y, z] = [0, FE, 2 * FE].map(|from| unpack(&limbs.0[from..]));
                let point = |lane: usize| {
                    let [x, y, z] = [x, y, z].map(|of| fe(&bytes(of[lane])));
                    write_point(Jacobian { x, y, z })
                };
                (0..LANES).flat_map(point).collect()
            }
        }
    };
}

#[inline(always)]
fn second<const B: usize>(operand: Option<&Limbs<B>>) -> &[[u64; LANES]; B] {
    &operand.expect("a step with two operands is given both").0
}

field_step!(Multiply, FE, |value, operand| value.mul(load(second(operand))), bytes);
field_step!(Square, 0, |value, _operand| value.square(), bytes);
field_step!(
    /// Eight inversions at once, by the power p - 2.
    Invert, 0, |value, _operand| P256k1::invert(value), bytes
);
field_step!(
    /// The root and the test whether it is one; a lane without a root gives zero.
    Root, 0, |value, _operand| {
        let root = root_candidate(value);
        FeX8::select(root.square().equals(value), root, FeX8::zero())
    },
    |root| write_even(fe(&bytes(root)))
);
point_step!(Double, 0, |value, _operand| value.double());
point_step!(
    /// The incomplete addition, whose test (Z is zero) the library's kernels make once for many.
    AddMixed, 2 * FE, |value, operand| {
        let limbs = second(operand);
        value.add_mixed(Affine { x: load(&limbs[..FE]), y: load(&limbs[FE..]) }).0
    }
);

/// What numbers are in.
#[derive(Clone, Copy)]
enum Form {
    /// Canonical limbs.
    Limbs,
    /// What [`load`] reads.
    Memory,
}

/// Numbers of five limbs, from one form into the other.
struct Convert<'a>(&'a mut [[u64; LANES]], Form);

impl Work for Convert<'_> {
    type Output = ();

    #[inline(always)]
    fn call<W: Word>(self) {
        if !W::IN_DOUBLES {
            return;
        }
        for number in self.0.chunks_exact_mut(FE) {
            let words = words::<W>(number);
            write(
                number,
                match self.1 {
                    Form::Memory => FeX8::<P256k1, W>::from_words(words_of_limbs(words)).to_memory(),
                    Form::Limbs => limbs_of_words(FeX8::<P256k1, W>::from_memory(words).normalize().to_words()),
                },
            );
        }
    }
}

/// Canonical limbs of 52 bits as words of 64.
#[inline(always)]
fn words_of_limbs<W: Word>([a, b, c, d, e]: [W; FE]) -> [W; 4] {
    [
        a.or(b.shl::<52>()),
        b.shr::<12>().or(c.shl::<40>()),
        c.shr::<24>().or(d.shl::<28>()),
        d.shr::<36>().or(e.shl::<16>()),
    ]
}

/// The other way.
#[inline(always)]
fn limbs_of_words<W: Word>([a, b, c, d]: [W; 4]) -> [W; FE] {
    let full = W::splat((1 << 52) - 1);
    [
        a.and(full),
        a.shr::<52>().or(b.shl::<12>()).and(full),
        b.shr::<40>().or(c.shl::<24>()).and(full),
        c.shr::<28>().or(d.shl::<36>()).and(full),
        d.shr::<16>(),
    ]
}

/// A loop over vectors.
struct Loop<S, const A: usize, const B: usize> {
    backend: Option<VectorUnit>,
    step: S,
    a: Vec<Limbs<A>>,
    b: Vec<Limbs<B>>,
    results: Vec<Limbs<A>>,
    shape: Shape,
}

impl<S, const A: usize, const B: usize> Loop<S, A, B> {
    fn new(
        request: &Request,
        backend: Option<VectorUnit>,
        step: S,
        mut a: Vec<Limbs<A>>,
        mut b: Vec<Limbs<B>>,
    ) -> Self {
        if let Some(unit) = backend {
            a.iter_mut().for_each(|limbs| unit.run(Convert(&mut limbs.0, Form::Memory)));
            b.iter_mut().for_each(|limbs| unit.run(Convert(&mut limbs.0, Form::Memory)));
        }
        let count = if request.shape == Shape::Chain { 1 } else { a.len() };
        Self { backend, step, results: a[..count].to_vec(), a, b, shape: request.shape }
    }
}

/// The work of one run, compiled as a root.
struct Pass<'a, S, const A: usize, const B: usize> {
    _step: S,
    a: &'a [Limbs<A>],
    b: &'a [Limbs<B>],
    results: &'a mut [Limbs<A>],
    shape: Shape,
}

impl<S: Step<A, B>, const A: usize, const B: usize> Work for Pass<'_, S, A, B> {
    type Output = ();

    #[inline(always)]
    fn call<W: Word>(self) {
        match self.shape {
            Shape::Stream => {
                for (i, (result, a)) in self.results.iter_mut().zip(self.a).enumerate() {
                    S::store(S::step(S::load::<W>(a), self.b.get(i)), result);
                }
            }
            Shape::Chain => {
                let mut value = S::load::<W>(&self.a[0]);
                for i in 0..self.a.len() {
                    value = S::step(value, self.b.get(i));
                }
                S::store(value, &mut self.results[0]);
            }
        }
    }
}

impl<S: Step<A, B>, const A: usize, const B: usize> Job for Loop<S, A, B> {
    fn run(&mut self, rows: Range<usize>) {
        let vectors = rows.start / LANES..rows.end / LANES;
        let pass = Pass {
            _step: self.step,
            a: &self.a[vectors.clone()],
            b: if B == 0 { &[] } else { &self.b[vectors.clone()] },
            results: if self.shape == Shape::Chain { &mut self.results[..] } else { &mut self.results[vectors] },
            shape: self.shape,
        };
        match self.backend {
            Some(unit) => unit.run(pass),
            None => Emulated::root(pass),
        }
    }

    fn output(&mut self) -> Vec<u8> {
        let mut results = self.results.clone();
        if let Some(unit) = self.backend {
            results.iter_mut().for_each(|limbs| unit.run(Convert(&mut limbs.0, Form::Limbs)));
        }
        results.iter().flat_map(S::write).collect()
    }
}
