#version 450
#extension GL_EXT_mesh_shader : require
layout(location = 0) perprimitiveEXT in float tint;
layout(location = 1) in float corner;
layout(location = 0) out vec4 color;
void main() { color = vec4(tint, corner, gl_PrimitiveID, 1); }
