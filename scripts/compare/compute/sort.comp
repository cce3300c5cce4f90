#version 450
// One step of a bitonic sort, in place: 2^20 words, a thread for each.
layout(local_size_x = 256) in;
layout(binding = 0) buffer Data { uint data[]; };
layout(push_constant) uniform Step { uint whole, apart; };

void main() {
  uint here = gl_GlobalInvocationID.x, there = here ^ apart;
  if (there <= here) return;
  uint a = data[here], b = data[there];
  if ((a > b) == ((here & whole) == 0u)) {
    data[here] = b;
    data[there] = a;
  }
}
