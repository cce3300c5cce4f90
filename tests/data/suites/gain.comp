#version 450
layout(local_size_x = 4) in;
layout(set = 0, binding = 0) uniform Parameters { vec4 gain; uint shift; } p;
layout(set = 0, binding = 1) readonly buffer Source { float numbers[]; } source;
layout(set = 0, binding = 2) buffer Result { float scaled[]; } result;
layout(set = 0, binding = 3, rgba8) uniform writeonly image2D picture;
layout(set = 1, binding = 0) uniform sampler2D tint;
layout(push_constant) uniform Push { uint bias; } push;
void main() {
  uint i = gl_GlobalInvocationID.x;
  result.scaled[i] = source.numbers[i] * p.gain.x + float(push.bias);
  vec4 color = textureLod(tint, vec2((float(i) + 0.5) / 4.0, 0.5), 0.0);
  imageStore(picture, ivec2(i & 3u, i >> 2u), color * p.gain.y);
}
