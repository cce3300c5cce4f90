#version 450
// More control points than it is given, each from the values of another.
layout(vertices = 3) out;
layout(location = 0) in float number[];
layout(location = 1) out float numbers[];
layout(location = 2) patch out vec2 both;
void main() {
  numbers[gl_InvocationID] = number[gl_InvocationID & 1] * 10 + gl_InvocationID;
  gl_out[gl_InvocationID].gl_PointSize = gl_in[gl_InvocationID & 1].gl_PointSize + 1;
  barrier();
  if (gl_InvocationID == 0) {
    both = vec2(numbers[1], numbers[2]);
    gl_TessLevelOuter[0] = 2;
    gl_TessLevelOuter[1] = 3;
    gl_TessLevelOuter[2] = 4;
    gl_TessLevelInner[0] = 5;
  }
}
