#version 450
// SHA-256 (FIPS 180-4) of 65,536 messages of 64 bytes that have no padding.
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer From { uint from[]; };
layout(binding = 1) writeonly buffer To { uint to[]; };

const uint kRound[64] = uint[64](
    0x428a2f98u, 0x71374491u, 0xb5c0fbcfu, 0xe9b5dba5u, 0x3956c25bu, 0x59f111f1u, 0x923f82a4u, 0xab1c5ed5u,
    0xd807aa98u, 0x12835b01u, 0x243185beu, 0x550c7dc3u, 0x72be5d74u, 0x80deb1feu, 0x9bdc06a7u, 0xc19bf174u,
    0xe49b69c1u, 0xefbe4786u, 0x0fc19dc6u, 0x240ca1ccu, 0x2de92c6fu, 0x4a7484aau, 0x5cb0a9dcu, 0x76f988dau,
    0x983e5152u, 0xa831c66du, 0xb00327c8u, 0xbf597fc7u, 0xc6e00bf3u, 0xd5a79147u, 0x06ca6351u, 0x14292967u,
    0x27b70a85u, 0x2e1b2138u, 0x4d2c6dfcu, 0x53380d13u, 0x650a7354u, 0x766a0abbu, 0x81c2c92eu, 0x92722c85u,
    0xa2bfe8a1u, 0xa81a664bu, 0xc24b8b70u, 0xc76c51a3u, 0xd192e819u, 0xd6990624u, 0xf40e3585u, 0x106aa070u,
    0x19a4c116u, 0x1e376c08u, 0x2748774cu, 0x34b0bcb5u, 0x391c0cb3u, 0x4ed8aa4au, 0x5b9cca4fu, 0x682e6ff3u,
    0x748f82eeu, 0x78a5636fu, 0x84c87814u, 0x8cc70208u, 0x90befffau, 0xa4506cebu, 0xbef9a3f7u, 0xc67178f2u);

uint turn(uint value, uint by) { return value >> by | value << (32u - by); }

void main() {
  uint message = gl_GlobalInvocationID.x, words[64];
  for (uint at = 0u; at < 16u; ++at) words[at] = from[message * 16u + at];
  for (uint at = 16u; at < 64u; ++at) {
    uint near = words[at - 2u], far = words[at - 15u];
    words[at] = words[at - 16u] + (turn(far, 7u) ^ turn(far, 18u) ^ far >> 3) + words[at - 7u] + (turn(near, 17u) ^ turn(near, 19u) ^ near >> 10);
  }
  const uint begin[8] = uint[8](0x6a09e667u, 0xbb67ae85u, 0x3c6ef372u, 0xa54ff53au,
                                0x510e527fu, 0x9b05688cu, 0x1f83d9abu, 0x5be0cd19u);
  uint a = begin[0], b = begin[1], c = begin[2], d = begin[3], e = begin[4], f = begin[5], g = begin[6], h = begin[7];
  for (uint at = 0u; at < 64u; ++at) {
    uint one = h + (turn(e, 6u) ^ turn(e, 11u) ^ turn(e, 25u)) + (e & f ^ ~e & g) + kRound[at] + words[at];
    uint two = (turn(a, 2u) ^ turn(a, 13u) ^ turn(a, 22u)) + (a & b ^ a & c ^ b & c);
    h = g, g = f, f = e, e = d + one, d = c, c = b, b = a, a = one + two;
  }
  uint sums[8] = uint[8](a, b, c, d, e, f, g, h);
  for (uint at = 0u; at < 8u; ++at) to[message * 8u + at] = begin[at] + sums[at];
}
