#version 450
// Inputs and outputs of all kinds that a script of Amber can have, and a buffer that a vertex shader writes.
layout(location = 0) in vec3 position;
layout(location = 2) in ivec2 number;
layout(location = 0) out vec2 uv;
layout(location = 3) flat out ivec2 twice;
layout(location = 1) out float own;
layout(set = 0, binding = 1) uniform Sizes { float scale; } sizes;
layout(set = 0, binding = 0) buffer Seen { uint seen[8]; };

void main() {
  gl_Position = vec4(position * sizes.scale, 2.0);
  uv = position.xy + 0.5;
  twice = number * 2;
  own = float(gl_VertexIndex) + 10.0 * float(gl_InstanceIndex);
  seen[gl_VertexIndex & 7] = 5u;
}
