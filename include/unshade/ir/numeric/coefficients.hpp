// Made by scripts/tables/numeric_coefficients.py: constants of math.hpp.
#pragma once

#include <cstdint>

#include <unshade/ir/numeric/lanes.hpp>

namespace unshade::ir::numeric {
inline namespace UNSHADE_ISA {
namespace inner {

/// Polynomials for results of f32 and less, from the highest power down.
struct Single {
  // (2^r - 1) / r, r in [-1/2, 1/2]: 2^-38.9
  static constexpr double kExp2[] = {0x1.63b2d7971923fp-20, 0x1.00c0e4e15189cp-16, 0x1.4308c7183d6a2p-13, 0x1.5d877598350dep-10,
                                     0x1.3b2ab70ad2565p-7,  0x1.c6b08da70cce3p-5,  0x1.ebfbdff82a734p-3,  0x1.62e42fef9cc69p-1};
  // log2((1 + s) / (1 - s)) / s, of s^2, s in [0, 3 - sqrt(8)]: 2^-45.1
  static constexpr double kLog2[] = {0x1.21ac9c9040d9ep-2, 0x1.4795a63079ddfp-2, 0x1.a61a2cc1ced3bp-2,
                                     0x1.2776c295f01cfp-1, 0x1.ec709dc539e76p-1, 0x1.71547652b8253p+1};
  // (sin(r) / r - 1) / r^2, of r^2, r in [0, pi/4]: 2^-45.7
  static constexpr double kSin[] = {-0x1.aa285788aaa42p-26, 0x1.71d9a9f41c5a9p-19, -0x1.a019fd9b35ee5p-13, 0x1.1111110fd3d43p-7,
                                    -0x1.555555555516bp-3};
  // (cos(r) - 1) / r^2, of r^2, r in [0, pi/4]: 2^-41.7
  static constexpr double kCos[] = {-0x1.2474e1a97d143p-22, 0x1.a01298d866458p-16, -0x1.6c16bae5ef6d4p-10, 0x1.555555514f774p-5,
                                    -0x1.fffffffffe697p-2};
  // (asin(r) / r - 1) / r^2, of r^2, r in [0, 1/2]: 2^-42.1
  static constexpr double kAsin[] = {0x1.d06eddee004bep-6, 0x1.17d722d86d4bep-10, 0x1.144d1f0d0554dp-6,
                                     0x1.14eefea06d8d9p-6, 0x1.6f347e4a44c5dp-6,  0x1.f1beb9c867b18p-6,
                                     0x1.6db6f5e9d0b98p-5, 0x1.333333133277ep-4,  0x1.555555555ba9ep-3};
  // (atan(r) / r - 1) / r^2, of r^2, r in [0, tan(pi/8)]: 2^-43.2
  static constexpr double kAtan[] = {0x1.0dfb68d0231a4p-5, -0x1.edc1cc88dd692p-5, 0x1.377e1bae7bed4p-4, -0x1.7415b658a5a9fp-4,
                                     0x1.c71963926d8dep-4, -0x1.249240dabc69ep-3, 0x1.999999885ec7fp-3, -0x1.5555555552617p-2};
  // (sinh(r) / r - 1) / r^2, of r^2, r in [0, 1]: 2^-41.9
  static constexpr double kSinh[] = {0x1.b557c78eb1ae2p-26, 0x1.71d208a299728p-19, 0x1.a01a131097a98p-13, 0x1.1111110857b52p-7,
                                     0x1.5555555558201p-3};
};

/// Polynomials for results of f64, from the highest power down.
struct Twice {
  // (2^r - 1) / r, r in [-1/2, 1/2]: 2^-55.5
  static constexpr double kExp2[] = {0x1.c4a29324a1038p-36, 0x1.e9ec1fcb69a7fp-32, 0x1.e4cf10dec0f59p-28, 0x1.b524ebd13a55fp-24,
                                     0x1.62c02242b879cp-20, 0x1.ffcbfc6da6ed1p-17, 0x1.430912f86b7dbp-13, 0x1.5d87fe78a3f9cp-10,
                                     0x1.3b2ab6fba4e79p-7,  0x1.c6b08d704a0c6p-5,  0x1.ebfbdff82c58fp-3,  0x1.62e42fefa39efp-1};
  // log2((1 + s) / (1 - s)) / s, of s^2, s in [0, 3 - sqrt(8)]: 2^-55.9
  static constexpr double kLog2[] = {0x1.87d8ebae99ae1p-3, 0x1.8774039897f75p-3, 0x1.c6a2979e03137p-3,
                                     0x1.0c9a5991b72d8p-2, 0x1.484b14487386ep-2, 0x1.a61762a7085b9p-2,
                                     0x1.2776c50ef9fccp-1, 0x1.ec709dc3a03fcp-1, 0x1.71547652b82fep+1};
  // (sin(r) / r - 1) / r^2, of r^2, r in [0, pi/4]: 2^-57.1
  static constexpr double kSin[] = {-0x1.ab17d404de5b3p-41, 0x1.61217f0b800d5p-33, -0x1.ae645412c560cp-26, 0x1.71de3a546095bp-19,
                                    -0x1.a01a01a019938p-13, 0x1.1111111111110p-7,  -0x1.5555555555555p-3};
  // (cos(r) - 1) / r^2, of r^2, r in [0, pi/4]: 2^-60.6
  static constexpr double kCos[] = {-0x1.8ff9d439a204ap-37,
                                    0x1.1eea7f259b344p-29,
                                    -0x1.27e4f8e4a2e74p-22,
                                    0x1.a01a019de131fp-16,
                                    -0x1.6c16c16c15d79p-10,
                                    0x1.5555555555551p-5,
                                    -0x1p-1};
  // (asin(r) / r - 1) / r^2, of r^2, r in [0, 1/2]: 2^-57.4
  static constexpr double kAsin[] = {0x1.d72b2bc8155f8p-6, -0x1.e6aaa8a0a04ccp-7, 0x1.1d189408314eep-6, 0x1.65a9c4dfcf8b2p-8,
                                     0x1.52420b04b37bep-7, 0x1.782651caa6547p-7,  0x1.c9cf07674736ap-7, 0x1.1c4d35cf95421p-6,
                                     0x1.6e8bb1c8209a2p-6, 0x1.f1c71c1db0623p-6,  0x1.6db6db6e31f13p-5, 0x1.3333333332ecap-4,
                                     0x1.5555555555556p-3};
  // (atan(r) / r - 1) / r^2, of r^2, r in [0, tan(pi/8)]: 2^-58.2
  static constexpr double kAtan[] = {0x1.0ad36a455cafbp-6, -0x1.1b33b923aa954p-5, 0x1.74ddd408bb4c1p-5, -0x1.ac7a938b69c93p-5,
                                     0x1.e19a13b9fc6dfp-5, -0x1.110e880a7a521p-4, 0x1.3b1392d9e785cp-4, -0x1.745d165df3f95p-4,
                                     0x1.c71c71c304b68p-4, -0x1.249249248d7eep-3, 0x1.9999999999953p-3, -0x1.5555555555555p-2};
  // (sinh(r) / r - 1) / r^2, of r^2, r in [0, 1]: 2^-56.8
  static constexpr double kSinh[] = {0x1.99f0806c2628dp-49, 0x1.ae777c36fd5b6p-41, 0x1.612467ccb2260p-33, 0x1.ae6456792a77fp-26,
                                     0x1.71de3a556f96cp-19, 0x1.a01a01a01a001p-13, 0x1.1111111111111p-7,  0x1.5555555555555p-3};
};

// pi/2 in three parts: products of the first two with numbers below 2^20 are exact.
inline constexpr double kHalfPi1 = 0x1.921fb54400000p+0;
inline constexpr double kHalfPi2 = 0x1.0b4611a600000p-34;
inline constexpr double kHalfPi3 = 0x1.3198a2e037073p-69;
inline constexpr double kTwoByPi = 0x1.45f306dc9c883p-1;
inline constexpr double kPi = 0x1.921fb54442d18p+1;
inline constexpr double kPiLow = 0x1.1a62633145c07p-53;
inline constexpr double kLog2OfE = 0x1.71547652b82fep+0;
inline constexpr double kTanPi8 = 0x1.a827999fcef32p-2;
inline constexpr double kTan3Pi8 = 0x1.3504f333f9de6p+1;
inline constexpr double kLn2High = 0x1.62e42fee00000p-1;
inline constexpr double kLn2Low = 0x1.a39ef35793c76p-33;
// The bits of 2/pi after the point.
inline constexpr std::uint32_t kTwoByPiBits[] = {
    0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab, 0xdebbc561, 0xb7246e3a, 0x424dd2e0,
    0x06492eea, 0x09d1921c, 0xfe1deb1c, 0xb129a73e, 0xe88235f5, 0x2ebb4484, 0xe99c7026, 0xb45f7e41, 0x3991d639, 0x835339f4,
    0x9c845f8b, 0xbdf9283b, 0x1ff897ff, 0xde05980f, 0xef2f118b, 0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7, 0x4f463f66, 0x9e5fea2d,
    0x7527bac7, 0xebe5f17b, 0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1, 0x1f8d5d08, 0x56033046, 0xfc7b6bab, 0xf0cfbc20, 0x9af4361d};

}  // namespace inner
}  // namespace UNSHADE_ISA
}  // namespace unshade::ir::numeric
