#version 450
// Adds the sum of all groups before.
layout(local_size_x = 256) in;
layout(binding = 0) buffer Data { float data[]; };
layout(binding = 1) buffer Sums { float sums[]; };

void main() {
  uint at = gl_GlobalInvocationID.x, group = at / 1024u;
  if (group > 0u) data[at] += sums[group - 1u];
}
