#version 450
layout(location = 0) flat in vec4 levels;
layout(location = 1) flat in vec4 values;
layout(location = 0) out vec4 to_levels;
layout(location = 1) out vec4 to_values;
void main() {
  to_levels = levels;
  to_values = values;
}
