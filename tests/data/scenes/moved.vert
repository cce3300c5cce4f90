#version 450
// Moves places by a constant and by a buffer that a pass before writes.
layout(location = 0) in vec3 position;
layout(location = 1) in vec4 tint;
layout(location = 0) out vec4 color;
layout(set = 0, binding = 0) uniform Move { vec4 move; };
layout(set = 0, binding = 1) readonly buffer Scales { float scales[]; };

void main() {
  gl_Position = vec4(position * scales[gl_InstanceIndex] + move.xyz, 1.0);
  color = tint;
}
