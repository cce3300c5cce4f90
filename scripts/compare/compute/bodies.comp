#version 450
// One step of 4,096 bodies that attract each other.
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer From { vec4 from[]; };
layout(binding = 1) writeonly buffer To { vec4 to[]; };

void main() {
  vec4 me = from[gl_GlobalInvocationID.x];
  precise vec3 pull = vec3(0.0);
  for (uint at = 0u; at < 4096u; ++at) {
    vec4 other = from[at];
    vec3 way = other.xyz - me.xyz;
    precise float squared = way.x * way.x + way.y * way.y + way.z * way.z + 0.01;
    precise float inverse = 1.0 / sqrt(squared);
    pull += way * (other.w * inverse * inverse * inverse);
  }
  to[gl_GlobalInvocationID.x] = vec4(me.xyz + pull * 0.001, me.w);
}
