#version 450
// A picture that a pass before drew, its colors turned around.
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 target;
layout(set = 0, binding = 2) uniform sampler2D before;

void main() { target = vec4(1.0 - texture(before, uv).rgb, 1.0); }
