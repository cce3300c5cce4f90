#version 450
// Captures a point in each of two streams: the vertex's number thrice in buffer 0, numbers beside it in buffer 1.
layout(points) in;
layout(points, max_vertices = 3) out;
layout(stream = 0, xfb_buffer = 0, xfb_stride = 24, xfb_offset = 0, location = 0) out vec2 thrice[3];
layout(stream = 1, xfb_buffer = 1, xfb_stride = 20, xfb_offset = 4, location = 3) out mat2 beside;

void main() {
  for (int k = 0; k < 3; ++k) thrice[k] = vec2(gl_PrimitiveIDIn, k);
  EmitStreamVertex(0);
  EndStreamPrimitive(0);
  for (int k = 1; k < 3; ++k) {
    beside = mat2(gl_PrimitiveIDIn, k, 3, 4);
    EmitStreamVertex(1);
    EndStreamPrimitive(1);
  }
}
