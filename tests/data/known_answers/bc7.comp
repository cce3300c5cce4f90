#version 450
// Blocks of BC7: a group is a block, each of its threads a texel, packed as RGBA8.
layout(local_size_x = 4, local_size_y = 4) in;
layout(std430, binding = 0) readonly buffer Blocks { uvec4 blocks[]; };
layout(std430, binding = 1) writeonly buffer Texels { uint texels[]; };

// which texels are of subset 1, and in the lowest digit the texel whose index lacks its highest bit
const uint kHalves[64] = uint[64](
    0xccccfu, 0x8888fu, 0xeeeefu, 0xecc8fu, 0xc880fu, 0xfeecfu, 0xfec8fu, 0xec80fu,
    0xc800fu, 0xffecfu, 0xfe80fu, 0xe800fu, 0xffe8fu, 0xff00fu, 0xfff0fu, 0xf000fu,
    0xf710fu, 0x008e2u, 0x71008u, 0x08ce2u, 0x008c2u, 0x73108u, 0x31008u, 0x8ccefu,
    0x088c2u, 0x31108u, 0x66662u, 0x366c2u, 0x17e88u, 0x0ff08u, 0x718e2u, 0x399c2u,
    0xaaaafu, 0xf0f0fu, 0x5a5a6u, 0x33cc8u, 0x3c3c2u, 0x55aa8u, 0x9696fu, 0xa55afu,
    0x73ce2u, 0x13c88u, 0x324c2u, 0x3bdc2u, 0x69962u, 0xc33cfu, 0x9966fu, 0x06606u,
    0x02726u, 0x04e42u, 0x4e406u, 0x27208u, 0xc936fu, 0x936cfu, 0x39c62u, 0x639c2u,
    0x9336fu, 0x9cc6fu, 0x817efu, 0xe718fu, 0xccf0fu, 0x0fcc2u, 0x77442u, 0xee22fu);
// which texels are of subset 1, and above of subset 2
const uint kThirds[64] = uint[64](
    0xf60008ccu, 0x73008cc8u, 0x3310cc80u, 0x00ceec00u, 0xcc003300u, 0xcc0000ccu,
    0x00ccff00u, 0x3300ccccu, 0xf0000f00u, 0xf0000ff0u, 0xff0000f0u, 0x88884444u,
    0x88886666u, 0xcccc2222u, 0xec80136cu, 0x7310008cu, 0xc80036c8u, 0x310008ceu,
    0xccc03330u, 0x0cccf000u, 0xee0000eeu, 0x77008888u, 0xcc0022c0u, 0x33004430u,
    0x00cc0c22u, 0xfc880344u, 0x06606996u, 0x66009960u, 0xc88c0330u, 0xf9000066u,
    0x0cc0c22cu, 0x73108c00u, 0xec801300u, 0x08cec400u, 0xec80004cu, 0x44442222u,
    0x0f0000f0u, 0x49242492u, 0x42942942u, 0x0c30c30cu, 0x03c0c03cu, 0xff0000aau,
    0x5500aa00u, 0xcccc3030u, 0x0c0cc0c0u, 0x66669090u, 0x0ff0a00au, 0x5550aaa0u,
    0xf0000aaau, 0x0e0ee0e0u, 0x88887070u, 0x99906660u, 0xe00e0ee0u, 0x88880770u,
    0xf0000666u, 0x99006600u, 0xff000066u, 0xc00c0cc0u, 0xcccc0330u, 0x90006000u,
    0x08088080u, 0xeeee1010u, 0xfff0000au, 0x731008ceu);
// the texels of subset 1, and above of subset 2, whose indices lack their highest bits
const uint kThirdAnchors[64] = uint[64](
    0xf3u, 0x83u, 0x8fu, 0x3fu, 0xf8u, 0xf3u, 0x3fu, 0x8fu, 0xf8u, 0xf8u, 0xf6u, 0xf6u,
    0xf6u, 0xf5u, 0xf3u, 0x83u, 0xf3u, 0x83u, 0xf8u, 0x3fu, 0xf3u, 0x83u, 0xf6u, 0x8au,
    0x35u, 0xf8u, 0x68u, 0xa6u, 0xf8u, 0xf5u, 0xafu, 0x8fu, 0xf8u, 0x3fu, 0xf3u, 0xa5u,
    0xa6u, 0x8au, 0x98u, 0xafu, 0x6fu, 0xf3u, 0x8fu, 0xf5u, 0x3fu, 0x6fu, 0x6fu, 0x8fu,
    0xf3u, 0x3fu, 0xf5u, 0xf5u, 0xf5u, 0xf8u, 0xf5u, 0xfau, 0xf5u, 0xfau, 0xf8u, 0xfdu,
    0x3fu, 0xfcu, 0xf3u, 0x83u);

uvec4 block;

uint bitsAt(uint place, uint count) {
  uint value = 0u;
  for (uint k = 0u; k < count; ++k) {
    uint bit = place + k;
    value |= (block[bit >> 5] >> (bit & 31u) & 1u) << k;
  }
  return value;
}

uint weighted(uint a, uint b, uint index, uint bits) {
  // 64 / (2^bits - 1) * index, to the nearest
  uint steps = (1u << bits) - 1u;
  uint weight = (index * 64u + steps / 2u) / steps;
  return ((64u - weight) * a + weight * b + 32u) >> 6;
}

void main() {
  uint number = gl_WorkGroupID.x;
  uint texel = gl_LocalInvocationIndex;
  block = blocks[number];
  int mode = findLSB(block.x & 0xffu);
  if (mode < 0) {
    texels[number * 16u + texel] = 0u;
    return;
  }
  const uint subsetsOf[8] = uint[8](3u, 2u, 3u, 2u, 1u, 1u, 1u, 2u);
  const uint partitionOf[8] = uint[8](4u, 6u, 6u, 6u, 0u, 0u, 0u, 6u);
  const uint colorOf[8] = uint[8](4u, 6u, 5u, 7u, 5u, 7u, 7u, 5u);
  const uint alphaOf[8] = uint[8](0u, 0u, 0u, 0u, 6u, 8u, 7u, 5u);
  const uint indexOf[8] = uint[8](3u, 3u, 2u, 2u, 2u, 2u, 4u, 2u);
  uint subsets = subsetsOf[mode];
  uint place = uint(mode) + 1u;
  uint shape = bitsAt(place, partitionOf[mode]);
  place += partitionOf[mode];
  uint rotation = 0u, selection = 0u;
  if (mode == 4 || mode == 5) {
    rotation = bitsAt(place, 2u);
    place += 2u;
  }
  if (mode == 4) selection = bitsAt(place++, 1u);

  uint subset = 0u, anchor1 = 16u, anchor2 = 16u;
  if (subsets == 2u) {
    uint row = kHalves[shape];
    subset = row >> (texel + 4u) & 1u;
    anchor1 = row & 15u;
  } else if (subsets == 3u) {
    uint row = kThirds[shape];
    subset = (row >> texel & 1u) + 2u * (row >> (texel + 16u) & 1u);
    anchor1 = kThirdAnchors[shape] & 15u;
    anchor2 = kThirdAnchors[shape] >> 4;
  }

  uvec4 low = uvec4(255u), high = uvec4(255u);
  for (int k = 0; k < 4; ++k) {
    uint bits = k < 3 ? colorOf[mode] : alphaOf[mode];
    if (bits == 0u) break;
    low[k] = bitsAt(place + 2u * subset * bits, bits);
    high[k] = bitsAt(place + (2u * subset + 1u) * bits, bits);
    place += 2u * subsets * bits;
  }
  uint more = 0u;
  if (mode == 0 || mode == 3 || mode >= 6) {
    uint a = bitsAt(place + 2u * subset, 1u), b = bitsAt(place + 2u * subset + 1u, 1u);
    low = low << 1 | a;
    high = high << 1 | b;
    place += 2u * subsets;
    more = 1u;
  } else if (mode == 1) {
    uint a = bitsAt(place + subset, 1u);
    low = low << 1 | a;
    high = high << 1 | a;
    place += subsets;
    more = 1u;
  }
  for (int k = 0; k < 4; ++k) {
    uint bits = (k < 3 ? colorOf[mode] : alphaOf[mode]) + more;
    if (k == 3 && alphaOf[mode] == 0u) {
      low.a = high.a = 255u;
      break;
    }
    low[k] = (low[k] << (8u - bits) | low[k] >> (2u * bits - 8u)) & 255u;
    high[k] = (high[k] << (8u - bits) | high[k] >> (2u * bits - 8u)) & 255u;
  }

  uint bits = indexOf[mode];
  uint before = texel == 0u ? 0u : 1u + (texel > anchor1 ? 1u : 0u) + (texel > anchor2 ? 1u : 0u);
  bool isAnchor = texel == 0u || texel == anchor1 || texel == anchor2;
  uint index = bitsAt(place + texel * bits - before, isAnchor ? bits - 1u : bits);
  uint colorIndex = index, alphaIndex = index, colorBits = bits, alphaBits = bits;
  if (mode == 4 || mode == 5) {
    place += 16u * bits - 1u;
    uint secondBits = mode == 4 ? 3u : 2u;
    uint second = texel == 0u ? bitsAt(place, secondBits - 1u) : bitsAt(place + texel * secondBits - 1u, secondBits);
    if (selection != 0u) {
      colorIndex = second;
      colorBits = secondBits;
    } else {
      alphaIndex = second;
      alphaBits = secondBits;
    }
  }
  uvec4 made;
  for (int k = 0; k < 3; ++k) made[k] = weighted(low[k], high[k], colorIndex, colorBits);
  made.a = weighted(low.a, high.a, alphaIndex, alphaBits);
  if (rotation == 1u) made = made.agbr;
  if (rotation == 2u) made = made.rabg;
  if (rotation == 3u) made = made.rgab;
  texels[number * 16u + texel] = made.r | made.g << 8 | made.b << 16 | made.a << 24;
}
