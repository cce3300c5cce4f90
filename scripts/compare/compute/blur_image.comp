#version 450
// A blur of 9 by 9 texels, from a storage image to another.
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0, r32f) readonly uniform image2D from;
layout(binding = 1, r32f) writeonly uniform image2D to;

void main() {
  ivec2 here = ivec2(gl_GlobalInvocationID.xy);
  float sum = 0.0;
  for (int y = -4; y <= 4; ++y) {
    for (int x = -4; x <= 4; ++x) sum += imageLoad(from, clamp(here + ivec2(x, y), ivec2(0), ivec2(1023))).x;
  }
  imageStore(to, here, vec4(sum * (1.0 / 81.0)));
}
