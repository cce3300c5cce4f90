#version 450
layout(triangles) in;
layout(location = 1) in float numbers[];
layout(location = 2) patch in vec2 both;
layout(location = 0) flat out vec4 levels;
layout(location = 1) flat out vec4 values;
void main() {
  levels = vec4(gl_TessLevelOuter[0], gl_TessLevelOuter[1], gl_TessLevelOuter[2], gl_TessLevelInner[0]);
  values = vec4(numbers[0], both, gl_in[1].gl_PointSize);
  gl_Position = vec4(gl_TessCoord.xy * 4 - 1, 0.5, 1);
}
