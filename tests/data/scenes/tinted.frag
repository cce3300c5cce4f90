#version 450
// A color of the vertices, half of it as the alpha says.
layout(location = 0) in vec4 color;
layout(location = 0) out vec4 target;

void main() { target = color; }
