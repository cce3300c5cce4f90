//
// Buffer Definitions:
//
// cbuffer Frame
// {
//
//   float4x4 worldViewProjection;      // Offset:    0 Size:    64
//   float height;                      // Offset:   64 Size:     4
//
// }
//
//
// Resource Bindings:
//
// Name                                 Type  Format         Dim      HLSL Bind  Count
// ------------------------------ ---------- ------- ----------- -------------- ------
// Frame                             cbuffer      NA          NA            cb0      1
//
//
//
// Patch Constant signature:
//
// Name                 Index   Mask Register SysValue  Format   Used
// -------------------- ----- ------ -------- -------- ------- ------
// SV_TessFactor            0   x           0 QUADEDGE   float
// SV_TessFactor            1   x           1 QUADEDGE   float
// SV_TessFactor            2   x           2 QUADEDGE   float
// SV_TessFactor            3   x           3 QUADEDGE   float
// SV_InsideTessFactor      0   x           4  QUADINT   float
// SV_InsideTessFactor      1   x           5  QUADINT   float
//
//
// Input signature:
//
// Name                 Index   Mask Register SysValue  Format   Used
// -------------------- ----- ------ -------- -------- ------- ------
// POSITION                 0   xyz         0     NONE   float   xyz
//
//
// Output signature:
//
// Name                 Index   Mask Register SysValue  Format   Used
// -------------------- ----- ------ -------- -------- ------- ------
// SV_Position              0   xyzw        0      POS   float   xyzw
// COLOR                    0   xyzw        1     NONE   float   xyzw
//
ds_5_0
dcl_input_control_point_count 4
dcl_tessellator_domain domain_quad
dcl_globalFlags refactoringAllowed
dcl_constantbuffer CB0[5], immediateIndexed
dcl_input vDomain.xy
dcl_input vicp[4][0].xyz
dcl_output_siv o0.xyzw, position
dcl_output o1.xyzw
dcl_temps 3
add r0.xyz, -vicp[0][0].xyzx, vicp[1][0].xyzx
mad r0.xyz, vDomain.xxxx, r0.xyzx, vicp[0][0].xyzx
add r1.xyz, -vicp[2][0].xyzx, vicp[3][0].xyzx
mad r1.xyz, vDomain.xxxx, r1.xyzx, vicp[2][0].xyzx
add r1.xyz, -r0.xyzx, r1.xyzx
mad r0.xyz, vDomain.yyyy, r1.xyzx, r0.xyzx
mul r1.xy, vDomain.xyxx, l(3.141593, 6.283185, 0.000000, 0.000000)
sincos r1.xy, null, r1.xyxx
mul r1.x, r1.y, r1.x
mad r0.y, r1.x, cb0[4].x, r0.y
mov r0.w, l(1.000000)
dp4 o0.x, r0.xyzw, cb0[0].xyzw
dp4 o0.y, r0.xyzw, cb0[1].xyzw
dp4 o0.z, r0.xyzw, cb0[2].xyzw
dp4 o0.w, r0.xyzw, cb0[3].xyzw
mad o1.x, r1.x, l(0.500000), l(0.500000)
mov o1.yz, vDomain.xxyx
mov o1.w, l(1.000000)
ret
