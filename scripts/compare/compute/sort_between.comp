#version 450
// One step of a bitonic sort from one buffer to another: 2^20 words, a thread for each.
layout(local_size_x = 256) in;
layout(binding = 0) readonly buffer From { uint from[]; };
layout(binding = 1) writeonly buffer To { uint to[]; };
layout(push_constant) uniform Step { uint whole, apart; };

void main() {
  uint here = gl_GlobalInvocationID.x, there = here ^ apart;
  uint mine = from[here], other = from[there];
  bool least = (here < there) == ((here & whole) == 0u);
  to[here] = least ? min(mine, other) : max(mine, other);
}
