#version 450
// Fills a buffer with 0.5, 0.25 and so on.
layout(local_size_x = 4) in;
layout(set = 0, binding = 0) buffer Scales { float scales[4]; };

void main() { scales[gl_LocalInvocationIndex] = 1.0 / float(2 << gl_LocalInvocationIndex); }
