#version 450
// Prefix sums of 1,024 sums, by one group.
layout(local_size_x = 1024) in;
layout(binding = 1) buffer Sums { float sums[]; };
shared float words[2][1024];

void main() {
  uint thread = gl_LocalInvocationID.x;
  words[0][thread] = sums[thread];
  barrier();
  uint from = 0u;
  for (uint apart = 1u; apart < 1024u; apart <<= 1) {
    words[1u - from][thread] = thread >= apart ? words[from][thread] + words[from][thread - apart] : words[from][thread];
    from = 1u - from;
    barrier();
  }
  sums[thread] = words[from][thread];
}
