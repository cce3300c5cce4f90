#version 450
// 1,024 by 1,024 points of the Mandelbrot set, at most 256 rounds.
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) writeonly buffer Rounds { uint rounds[]; };

void main() {
  precise vec2 z = vec2(0.0);
  vec2 c = vec2(gl_GlobalInvocationID.xy) * (3.0 / 1024.0) - vec2(2.25, 1.5);
  uint round = 0u;
  while (round < 256u && dot(z, z) < 4.0) {
    z = vec2(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) + c;
    ++round;
  }
  rounds[gl_GlobalInvocationID.y * 1024u + gl_GlobalInvocationID.x] = round;
}
