#version 450
// A step of a fluid in a box of 16 by 16 cells: what moves along itself, made free of divergence, moves dye.
layout(local_size_x = 16, local_size_y = 16) in;
layout(std430, binding = 0) buffer Velocity { vec2 velocity[256]; };
layout(std430, binding = 1) buffer Dye { float dye[256]; };

shared vec2 flow[256];
shared float pressure[256];
shared float amount[256];

const float kStep = 0.75;

uint cell(ivec2 p) {
  p = clamp(p, ivec2(0), ivec2(15));
  return uint(p.y * 16 + p.x);
}

vec2 flowAt(vec2 p) {
  p = clamp(p, vec2(0.0), vec2(15.0));
  vec2 low = floor(p);
  vec2 t = p - low;
  ivec2 i = ivec2(low);
  vec2 a = flow[cell(i)], b = flow[cell(i + ivec2(1, 0))];
  vec2 c = flow[cell(i + ivec2(0, 1))], d = flow[cell(i + ivec2(1, 1))];
  vec2 top = a + (b - a) * t.x;
  vec2 bottom = c + (d - c) * t.x;
  return top + (bottom - top) * t.y;
}

float amountAt(vec2 p) {
  p = clamp(p, vec2(0.0), vec2(15.0));
  vec2 low = floor(p);
  vec2 t = p - low;
  ivec2 i = ivec2(low);
  float a = amount[cell(i)], b = amount[cell(i + ivec2(1, 0))];
  float c = amount[cell(i + ivec2(0, 1))], d = amount[cell(i + ivec2(1, 1))];
  float top = a + (b - a) * t.x;
  float bottom = c + (d - c) * t.x;
  return top + (bottom - top) * t.y;
}

void main() {
  ivec2 here = ivec2(gl_LocalInvocationID.xy);
  uint at = cell(here);
  flow[at] = velocity[at];
  amount[at] = dye[at];
  pressure[at] = 0.0;
  barrier();
  vec2 moved = flowAt(vec2(here) - flow[at] * kStep);
  barrier();
  flow[at] = moved;
  barrier();
  uint left = cell(here - ivec2(1, 0)), right = cell(here + ivec2(1, 0));
  uint up = cell(here - ivec2(0, 1)), down = cell(here + ivec2(0, 1));
  float divergence = 0.5 * ((flow[right].x - flow[left].x) + (flow[down].y - flow[up].y));
  for (int round = 0; round < 20; ++round) {
    float next = 0.25 * (((pressure[left] + pressure[right]) + (pressure[up] + pressure[down])) - divergence);
    barrier();
    pressure[at] = next;
    barrier();
  }
  moved -= 0.5 * vec2(pressure[right] - pressure[left], pressure[down] - pressure[up]);
  velocity[at] = moved;
  dye[at] = amountAt(vec2(here) - moved * kStep);
}
