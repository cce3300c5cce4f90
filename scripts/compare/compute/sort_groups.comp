#version 450
// Sorts each 1,024 words in memory of the group.
layout(local_size_x = 512) in;
layout(binding = 0) buffer Data { uint data[]; };
shared uint words[1024];

void main() {
  uint thread = gl_LocalInvocationID.x, base = gl_WorkGroupID.x * 1024u;
  words[thread] = data[base + thread];
  words[thread + 512u] = data[base + thread + 512u];
  barrier();
  for (uint whole = 2u; whole <= 1024u; whole <<= 1) {
    for (uint apart = whole >> 1; apart > 0u; apart >>= 1) {
      uint here = 2u * thread - (thread & (apart - 1u)), there = here + apart;
      uint a = words[here], b = words[there];
      if ((a > b) == ((here & whole) == 0u)) {
        words[here] = b;
        words[there] = a;
      }
      barrier();
    }
  }
  data[base + thread] = words[thread];
  data[base + thread + 512u] = words[thread + 512u];
}
