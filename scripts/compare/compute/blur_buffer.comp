#version 450
// A blur of 9 by 9 floats, from a storage buffer to another.
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) readonly buffer From { float from[]; };
layout(binding = 1) writeonly buffer To { float to[]; };

void main() {
  ivec2 here = ivec2(gl_GlobalInvocationID.xy);
  float sum = 0.0;
  for (int y = -4; y <= 4; ++y) {
    for (int x = -4; x <= 4; ++x) {
      ivec2 at = clamp(here + ivec2(x, y), ivec2(0), ivec2(1023));
      sum += from[at.y * 1024 + at.x];
    }
  }
  to[here.y * 1024 + here.x] = sum * (1.0 / 81.0);
}
