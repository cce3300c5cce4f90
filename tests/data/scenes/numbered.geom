#version 450
layout(points) in;
layout(triangle_strip, max_vertices = 3) out;
void main() {
  for (int i = 0; i < 3; ++i) {
    gl_PrimitiveID = 30 + i;
    gl_Position = vec4(i == 1 ? 3 : -1, i == 2 ? 3 : -1, 0.5, 1);
    EmitVertex();
  }
}
