#version 450
// Prefix sums of each 1,024 floats, and their whole sums.
layout(local_size_x = 512) in;
layout(binding = 0) buffer Data { float data[]; };
layout(binding = 1) buffer Sums { float sums[]; };
shared float words[2][1024];

void main() {
  uint thread = gl_LocalInvocationID.x, base = gl_WorkGroupID.x * 1024u;
  words[0][thread] = data[base + thread];
  words[0][thread + 512u] = data[base + thread + 512u];
  barrier();
  uint from = 0u;
  for (uint apart = 1u; apart < 1024u; apart <<= 1) {
    for (uint at = thread; at < 1024u; at += 512u)
      words[1u - from][at] = at >= apart ? words[from][at] + words[from][at - apart] : words[from][at];
    from = 1u - from;
    barrier();
  }
  data[base + thread] = words[from][thread];
  data[base + thread + 512u] = words[from][thread + 512u];
  if (thread == 0u) sums[gl_WorkGroupID.x] = words[from][1023];
}
