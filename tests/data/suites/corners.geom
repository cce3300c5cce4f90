#version 450
// Emits the corners of a triangle, with a cut after the second.
layout(triangles) in;
layout(line_strip, max_vertices = 4) out;
layout(location = 0) in vec2 uv[];
layout(location = 1) out vec2 color;
layout(location = 0) flat out int corner;

void main() {
  for (int i = 0; i < 3; ++i) {
    gl_Position = gl_in[i].gl_Position * 2.0;
    color = uv[i].yx;
    corner = i;
    EmitVertex();
    if (i == 1) EndPrimitive();
  }
}
