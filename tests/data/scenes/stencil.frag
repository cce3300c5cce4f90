#version 450
// The stencil of a target, and its depth.
layout(binding = 0) uniform usampler2D stencil;
layout(binding = 1) uniform sampler2D depth;
layout(location = 0) out vec4 color;

void main() {
  ivec2 at = ivec2(gl_FragCoord.xy);
  color = vec4(texelFetch(stencil, at, 0).rg, texelFetch(depth, at, 0).rg);
}
