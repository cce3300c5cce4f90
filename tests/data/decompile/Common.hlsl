// What the shaders of an engine share.
#ifndef COMMON_HLSL
#define COMMON_HLSL

#define MAX_LIGHTS 3

struct Light {
  float3 direction;
  float intensity;
};

cbuffer Frame : register(b0) {
  row_major float4x4 world : packoffset(c4);
  float4x4 viewProjection : packoffset(c12);
  float3 eye : packoffset(c8);
  float time : packoffset(c8.w);
  Light lights[MAX_LIGHTS] : packoffset(c9);
};

cbuffer Material : register(b1) {
  float4 tint;
  float alphaCutoff;
  int mode;
};

Texture2D<float4> albedo : register(t0);
SamplerState linearWrap : register(s0);

float4 sampled(float2 uv) {
  return albedo.Sample(linearWrap, uv) * tint;
}

#endif
