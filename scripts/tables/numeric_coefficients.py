#!/usr/bin/env python3
"""Makes include/unshade/ir/numeric/coefficients.hpp, the constants of math.hpp: numeric_coefficients.py | clang-format-19 > FILE. Needs mpmath.

Each polynomial interpolates its function at Chebyshev nodes, which is within a small factor of the best one. Single is for results of f32 and less,
Twice for f64. The relative error stands beside each.
"""
import mpmath
from mpmath import mp, mpf

mp.dps = 60
PI = mp.pi

# Each row: name, what it is, (the function that the polynomial approximates, what it and its value give, what they should give), range of the
# polynomial's argument, terms of Single and Twice.
def odd(f):
    return (lambda z: (f(mp.sqrt(z)) / mp.sqrt(z) - 1) / z, lambda z, p: 1 + z * p, lambda z: f(mp.sqrt(z)) / mp.sqrt(z))

POLYNOMIALS = [
    ("Exp2", "(2^r - 1) / r, r in [-1/2, 1/2]",
     (lambda r: (mpf(2) ** r - 1) / r, lambda r, p: 1 + r * p, lambda r: mpf(2) ** r), (mpf(-1) / 2, mpf(1) / 2), (8, 12)),
    ("Log2", "log2((1 + s) / (1 - s)) / s, of s^2, s in [0, 3 - sqrt(8)]",
     (lambda z: 2 * mp.atanh(mp.sqrt(z)) / mp.sqrt(z) / mp.log(2), lambda z, p: p,
      lambda z: 2 * mp.atanh(mp.sqrt(z)) / mp.sqrt(z) / mp.log(2)), (mpf(0), (3 - mp.sqrt(8)) ** 2), (6, 9)),
    ("Sin", "(sin(r) / r - 1) / r^2, of r^2, r in [0, pi/4]", odd(mp.sin), (mpf(0), (PI / 4) ** 2), (5, 7)),
    ("Cos", "(cos(r) - 1) / r^2, of r^2, r in [0, pi/4]",
     (lambda z: (mp.cos(mp.sqrt(z)) - 1) / z, lambda z, p: 1 + z * p, lambda z: mp.cos(mp.sqrt(z))), (mpf(0), (PI / 4) ** 2), (5, 7)),
    ("Asin", "(asin(r) / r - 1) / r^2, of r^2, r in [0, 1/2]", odd(mp.asin), (mpf(0), mpf(1) / 4), (9, 13)),
    ("Atan", "(atan(r) / r - 1) / r^2, of r^2, r in [0, tan(pi/8)]", odd(mp.atan), (mpf(0), mp.tan(PI / 8) ** 2), (8, 12)),
    ("Sinh", "(sinh(r) / r - 1) / r^2, of r^2, r in [0, 1]", odd(mp.sinh), (mpf(0), mpf(1)), (5, 8)),
]


def text(value):
    """The nearest double, as a hexadecimal literal."""
    return float(value).hex().replace("0x1.0000000000000p", "0x1p")


def error(parts, interval, coefficients):
    _, whole, exact = parts
    low, high = interval
    worst = mpf(0)
    for i in range(1, 400):
        z = low + (high - low) * i / 400
        worst = max(worst, abs(whole(z, mp.polyval(coefficients, z)) / exact(z) - 1))
    return worst


def cut(value, bits):
    """The bits of value that stand first, and the rest."""
    unit = mpf(2) ** (mp.floor(mp.log(value, 2)) - bits + 1)
    head = mp.floor(value / unit) * unit
    return head, value - head


def main():
    print("// Made by scripts/tables/numeric_coefficients.py: constants of math.hpp.")
    print("#pragma once\n\n#include <cstdint>\n\n#include <unshade/ir/numeric/lanes.hpp>\n")
    print("namespace unshade::ir::numeric {\ninline namespace UNSHADE_ISA {\nnamespace inner {\n")
    for column, tag in enumerate(("Single", "Twice")):
        print(f"/// Polynomials for results of {'f32 and less' if column == 0 else 'f64'}, from the highest power down.")
        print(f"struct {tag} {{")
        for name, what, parts, interval, terms in POLYNOMIALS:
            coefficients = [mpf(float(c)) for c in mpmath.chebyfit(parts[0], interval, terms[column])]
            print(f"  // {what}: 2^{float(mp.log(error(parts, interval, coefficients), 2)):.1f}")
            print(f"  static constexpr double k{name}[] = {{{', '.join(text(c) for c in coefficients)}}};")
        print("};\n")
    half_pi_1, rest = cut(PI / 2, 32)
    half_pi_2, rest = cut(rest, 32)
    print("// pi/2 in three parts: products of the first two with numbers below 2^20 are exact.")
    for name, value in (("kHalfPi1", half_pi_1), ("kHalfPi2", half_pi_2), ("kHalfPi3", rest), ("kTwoByPi", 2 / PI),
                        ("kPi", PI), ("kPiLow", PI - mpf(float(PI))), ("kLog2OfE", 1 / mp.log(2)),
                        ("kTanPi8", mp.tan(PI / 8)), ("kTan3Pi8", mp.tan(3 * PI / 8))):
        print(f"inline constexpr double {name} = {text(value)};")
    ln2_1, ln2_2 = cut(mp.log(2), 32)
    print(f"inline constexpr double kLn2High = {text(ln2_1)};\ninline constexpr double kLn2Low = {text(ln2_2)};")
    mp.dps = 420
    words = [int(mp.floor(2 / mp.pi * mpf(2) ** (32 * (i + 1)))) & 0xFFFFFFFF for i in range(40)]
    print("// The bits of 2/pi behind the point.")
    print("inline constexpr std::uint32_t kTwoByPiBits[] = {" + ", ".join(f"{w:#010x}" for w in words) + "};")
    print("\n}  // namespace inner\n}  // namespace UNSHADE_ISA\n}  // namespace unshade::ir::numeric")


main()
