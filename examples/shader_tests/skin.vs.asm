// A mesh that follows two bones a vertex: bones are three rows of a matrix each.
//
// Buffer Definitions:
//
// cbuffer Skin
// {
//
//   float4 bones[12];                  // Offset:    0 Size:   192
//
// }
//
// Resource Bindings:
//
// Name                                 Type  Format         Dim      HLSL Bind  Count
// ------------------------------ ---------- ------- ----------- -------------- ------
// Skin                              cbuffer      NA          NA            cb0      1
//
// Input signature:
//
// Name                 Index   Mask Register SysValue  Format   Used
// -------------------- ----- ------ -------- -------- ------- ------
// POSITION                 0   xyz         0     NONE   float   xyz
// BLENDINDICES             0   xy          1     NONE    uint   xy
// BLENDWEIGHT              0   xy          2     NONE   float   xy
//
// Output signature:
//
// Name                 Index   Mask Register SysValue  Format   Used
// -------------------- ----- ------ -------- -------- ------- ------
// SV_Position              0   xyzw        0      POS   float   xyzw
//
vs_5_0
dcl_globalFlags refactoringAllowed
dcl_constantbuffer CB0[12], dynamicIndexed
dcl_input v0.xyz
dcl_input v1.xy
dcl_input v2.xy
dcl_output_siv o0.xyzw, position
dcl_temps 4
imul null, r0.xy, v1.xyxx, l(3, 3, 0, 0)
mul r1.xyzw, v2.xxxx, cb0[r0.x + 0].xyzw
mad r1.xyzw, v2.yyyy, cb0[r0.y + 0].xyzw, r1.xyzw
mul r2.xyzw, v2.xxxx, cb0[r0.x + 1].xyzw
mad r2.xyzw, v2.yyyy, cb0[r0.y + 1].xyzw, r2.xyzw
mul r3.xyzw, v2.xxxx, cb0[r0.x + 2].xyzw
mad r3.xyzw, v2.yyyy, cb0[r0.y + 2].xyzw, r3.xyzw
mov r0.xyz, v0.xyzx
mov r0.w, l(1.000000)
dp4 o0.x, r1.xyzw, r0.xyzw
dp4 o0.y, r2.xyzw, r0.xyzw
dp4 o0.z, r3.xyzw, r0.xyzw
mov o0.w, l(1.000000)
ret
