#version 450
layout(constant_id = 0) const float kSize = 3;
void main() {
  gl_PointSize = kSize;
  gl_Position = vec4(0.25, 0.25, 0.5, 1);
}
