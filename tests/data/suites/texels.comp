#version 460
// Storage images of cubes, whose third coordinate is the face, and of 64 bits; the corner of a cube of whole numbers.
#extension GL_EXT_shader_image_int64 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 1) in;
layout(binding = 0, r32ui) uniform uimageCube cube;
layout(binding = 1, r32ui) uniform uimageCubeArray cubes;
layout(binding = 2, r64ui) uniform u64image2D wide;
layout(binding = 3, r64i) uniform i64imageBuffer signed_wide;
layout(binding = 4) uniform isamplerCube corner;
layout(binding = 5) buffer Result {
  uint of_cube[3];
  uint of_cubes[3];
  ivec2 size;
  uint64_t of_wide[3];
  int64_t of_signed[2];
  ivec4 gathered;
} result;
void main() {
  result.of_cube[0] = imageLoad(cube, ivec3(1, 0, 5)).x;
  imageStore(cube, ivec3(0, 1, 3), uvec4(77));
  result.of_cube[1] = imageLoad(cube, ivec3(0, 1, 3)).x;
  result.of_cube[2] = imageLoad(cube, ivec3(0, 1, 0)).x;
  result.of_cubes[0] = imageAtomicAdd(cubes, ivec3(0, 0, 7), 100u);
  result.of_cubes[1] = imageLoad(cubes, ivec3(0, 0, 7)).x;
  result.of_cubes[2] = imageLoad(cubes, ivec3(0, 0, 1)).x;
  result.size = imageSize(cubes).xz;
  result.of_wide[0] = imageLoad(wide, ivec2(0, 0)).x;
  imageStore(wide, ivec2(1, 0), u64vec4(0x1234567890abcdefUL));
  result.of_wide[1] = imageAtomicAdd(wide, ivec2(1, 0), 0x100000000UL);
  result.of_wide[2] = imageLoad(wide, ivec2(1, 0)).x;
  result.of_signed[0] = imageLoad(signed_wide, 1).x;
  imageStore(signed_wide, 0, i64vec4(-5));
  result.of_signed[1] = imageLoad(signed_wide, 0).x;
  result.gathered = textureGather(corner, vec3(1, 1, 1));
}
