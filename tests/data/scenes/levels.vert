#version 450
layout(location = 0) out float number;
void main() {
  number = 5 + gl_VertexIndex;
  gl_PointSize = 40 + gl_VertexIndex;
  gl_Position = vec4(0);
}
