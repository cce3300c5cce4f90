//
// Buffer Definitions:
//
// cbuffer Material
// {
//
//   float4 paper;                      // Offset:    0 Size:    16
//   float4 ink;                        // Offset:   16 Size:    16
//
// }
//
//
// Resource Bindings:
//
// Name                                 Type  Format         Dim      HLSL Bind  Count
// ------------------------------ ---------- ------- ----------- -------------- ------
// linearWrap                        sampler      NA          NA             s0      1
// letter                            texture  float4          2d             t0      1
// Material                          cbuffer      NA          NA            cb0      1
//
//
//
// Input signature:
//
// Name                 Index   Mask Register SysValue  Format   Used
// -------------------- ----- ------ -------- -------- ------- ------
// SV_Position              0   xyzw        0      POS   float
// NORMAL                   0   xyz         1     NONE   float
// TEXCOORD                 0   xy          2     NONE   float   xy
// COLOR                    0   xyzw        3     NONE   float   xyz
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
dcl_constantbuffer CB0[2], immediateIndexed
dcl_sampler s0, mode_default
dcl_resource_texture2d (float,float,float,float) t0
dcl_input_ps linear v2.xy
dcl_input_ps linear v3.xyz
dcl_output o0.xyzw
dcl_temps 2
sample_indexable(texture2d)(float,float,float,float) r0.x, v2.xyxx, t0.xyzw, s0
add r1.xyz, -cb0[0].xyzx, cb0[1].xyzx
mad r0.xyz, r0.xxxx, r1.xyzx, cb0[0].xyzx
mul o0.xyz, r0.xyzx, v3.xyzx
mov o0.w, l(1.000000)
ret
