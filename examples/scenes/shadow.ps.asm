//
// Buffer Definitions:
//
// cbuffer Light
// {
//
//   float3 direction;                  // Offset:    0 Size:    12
//   float repeat;                      // Offset:   12 Size:     4
//
// }
//
//
// Resource Bindings:
//
// Name                                 Type  Format         Dim      HLSL Bind  Count
// ------------------------------ ---------- ------- ----------- -------------- ------
// wrapSampler                       sampler      NA          NA             s0      1
// shadowSampler                   sampler_c      NA          NA             s1      1
// checker                           texture  float4          2d             t0      1
// shadowMap                         texture   float          2d             t1      1
// Light                             cbuffer      NA          NA            cb0      1
//
//
//
// Input signature:
//
// Name                 Index   Mask Register SysValue  Format   Used
// -------------------- ----- ------ -------- -------- ------- ------
// SV_Position              0   xyzw        0      POS   float
// NORMAL                   0   xyz         1     NONE   float   xyz
// TEXCOORD                 0   xy          2     NONE   float   xy
// TEXCOORD                 1   xyzw        3     NONE   float   xyz
//
//
// Output signature:
//
// Name                 Index   Mask Register SysValue  Format   Used
// -------------------- ----- ------ -------- -------- ------- ------
// SV_Target                0   xyzw        0   TARGET   float   xyzw
//
ps_5_0
dcl_globalFlags refactoringAllowed
dcl_constantbuffer CB0[1], immediateIndexed
dcl_sampler s0, mode_default
dcl_sampler s1, mode_comparison
dcl_resource_texture2d (float,float,float,float) t0
dcl_resource_texture2d (float,float,float,float) t1
dcl_input_ps linear v1.xyz
dcl_input_ps linear v2.xy
dcl_input_ps linear v3.xyz
dcl_output o0.xyzw
dcl_temps 2
mul r0.xy, v2.xyxx, cb0[0].wwww
sample_indexable(texture2d)(float,float,float,float) r0.xyz, r0.xyxx, t0.xyzw, s0
mad r1.xy, v3.xyxx, l(0.500000, -0.500000, 0.000000, 0.000000), l(0.500000, 0.500000, 0.000000, 0.000000)
sample_c_lz_indexable(texture2d)(float,float,float,float) r0.w, r1.xyxx, t1.xxxx, s1, v3.z
dp3 r1.x, v1.xyzx, v1.xyzx
rsq r1.x, r1.x
mul r1.xyz, r1.xxxx, v1.xyzx
dp3_sat r1.x, r1.xyzx, -cb0[0].xyzx
mul r1.x, r0.w, r1.x
mad r1.x, r1.x, l(0.850000), l(0.150000)
mul o0.xyz, r0.xyzx, r1.xxxx
mov o0.w, l(1.000000)
ret
