//! 256 by 256 bits with `mulx` and two carry chains (`adcx`, `adox`), for CPUs that have BMI2 and ADX.
#![allow(unsafe_code)]

use crate::full::Multiplier;
use std::arch::asm;

/// By `mulx`, `adcx` and `adox`. `main` asks the CPU before it uses this.
#[derive(Clone, Copy)]
pub struct TwoChains;

impl Multiplier for TwoChains {
    #[inline(always)]
    fn wide(a: [u64; 4], b: [u64; 4]) -> [u64; 8] {
        let (r0, r1, r2, r3): (u64, u64, u64, u64);
        let (r4, r5, r6, r7): (u64, u64, u64, u64);
        // SAFETY: only the named registers and the flags change; `a` and `b` are read by pointers to 32 bytes each, which
        // live over the block; the CPU has BMI2 and ADX, which `main` has checked.
        unsafe {
            asm!(
                // The first row: a times b[0].
                "mov rdx, [{b}]",
                "mulx {r1}, {r0}, [{a}]",
                "mulx {r2}, {t}, [{a} + 8]",
                "add {r1}, {t}",
                "mulx {r3}, {t}, [{a} + 16]",
                "adc {r2}, {t}",
                "mulx {r4}, {t}, [{a} + 24]",
                "adc {r3}, {t}",
                "adc {r4}, 0",
                // The second row; low halves on one chain, high halves on the other.
                "mov rdx, [{b} + 8]",
                "xor {r5:e}, {r5:e}",
                "mulx {h}, {t}, [{a}]",
                "adcx {r1}, {t}",
                "adox {r2}, {h}",
                "mulx {h}, {t}, [{a} + 8]",
                "adcx {r2}, {t}",
                "adox {r3}, {h}",
                "mulx {h}, {t}, [{a} + 16]",
                "adcx {r3}, {t}",
                "adox {r4}, {h}",
                "mulx {h}, {t}, [{a} + 24]",
                "adcx {r4}, {t}",
                "adox {h}, {r5}",
                "adcx {r5}, {h}",
                "mov rdx, [{b} + 16]",
                "xor {r6:e}, {r6:e}",
                "mulx {h}, {t}, [{a}]",
                "adcx {r2}, {t}",
                "adox {r3}, {h}",
                "mulx {h}, {t}, [{a} + 8]",
                "adcx {r3}, {t}",
                "adox {r4}, {h}",
                "mulx {h}, {t}, [{a} + 16]",
                "adcx {r4}, {t}",
                "adox {r5}, {h}",
                "mulx {h}, {t}, [{a} + 24]",
                "adcx {r5}, {t}",
                "adox {h}, {r6}",
                "adcx {r6}, {h}",
                "mov rdx, [{b} + 24]",
                "xor {r7:e}, {r7:e}",
                "mulx {h}, {t}, [{a}]",
                "adcx {r3}, {t}",
                "adox {r4}, {h}",
                "mulx {h}, {t}, [{a} + 8]",
                "adcx {r4}, {t}",
                "adox {r5}, {h}",
                "mulx {h}, {t}, [{a} + 16]",
                "adcx {r5}, {t}",
                "adox {r6}, {h}",
                "mulx {h}, {t}, [{a} + 24]",
                "adcx {r6}, {t}",
                "adox {h}, {r7}",
                "adcx {r7}, {h}",
                a = in(reg) a.as_ptr(),
                b = in(reg) b.as_ptr(),
                r0 = out(reg) r0,
                r1 = out(reg) r1,
                r2 = out(reg) r2,
                r3 = out(reg) r3,
                r4 = out(reg) r4,
                r5 = out(reg) r5,
                r6 = out(reg) r6,
                r7 = out(reg) r7,
                t = out(reg) _,
                h = out(reg) _,
                out("rdx") _,
                options(pure, readonly, nostack),
            );
        }
        [r0, r1, r2, r3, r4, r5, r6, r7]
    }
}
