//
// Buffer Definitions:
//
// cbuffer Camera
// {
//
//   float3 eye;                        // Offset:    0 Size:    12
//
// }
//
//
// Resource Bindings:
//
// Name                                 Type  Format         Dim      HLSL Bind  Count
// ------------------------------ ---------- ------- ----------- -------------- ------
// linearSampler                     sampler      NA          NA             s0      1
// sky                               texture  float4        cube             t0      1
// Camera                            cbuffer      NA          NA            cb0      1
//
//
//
// Input signature:
//
// Name                 Index   Mask Register SysValue  Format   Used
// -------------------- ----- ------ -------- -------- ------- ------
// SV_Position              0   xyzw        0      POS   float
// NORMAL                   0   xyz         1     NONE   float   xyz
// POSITION                 0   xyz         2     NONE   float   xyz
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
dcl_resource_texturecube (float,float,float,float) t0
dcl_input_ps linear v1.xyz
dcl_input_ps linear v2.xyz
dcl_output o0.xyzw
dcl_temps 3
add r0.xyz, v2.xyzx, -cb0[0].xyzx
dp3 r0.w, r0.xyzx, r0.xyzx
rsq r0.w, r0.w
mul r0.xyz, r0.xyzx, r0.wwww
dp3 r0.w, v1.xyzx, v1.xyzx
rsq r0.w, r0.w
mul r1.xyz, r0.wwww, v1.xyzx
dp3 r1.w, r0.xyzx, r1.xyzx
add r0.w, r1.w, r1.w
mad r0.xyz, -r0.wwww, r1.xyzx, r0.xyzx
sample_indexable(texturecube)(float,float,float,float) r2.xyz, r0.xyzx, t0.xyzw, s0
add_sat r1.w, r1.w, l(1.000000)
mul r1.w, r1.w, r1.w
mad r1.xyz, r1.wwww, l(0.100000, 0.350000, 0.600000, 0.000000), l(0.900000, 0.650000, 0.400000, 0.000000)
mul o0.xyz, r1.xyzx, r2.xyzx
mov o0.w, l(1.000000)
ret
