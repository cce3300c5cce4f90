// A vertex that four bones move, each by its weight: cb0 holds three rows for each bone, and cb1 the projection.
// Input signature:
//
// Name                 Index   Mask Register SysValue  Format   Used
// -------------------- ----- ------ -------- -------- ------- ------
// POSITION                 0   xyz         0     NONE   float   xyz
// NORMAL                   0   xyz         1     NONE   float   xyz
// BLENDWEIGHT              0   xyzw        2     NONE   float   xyzw
// BLENDINDICES             0   xyzw        3     NONE    uint   xyzw
//
// Output signature:
//
// Name                 Index   Mask Register SysValue  Format   Used
// -------------------- ----- ------ -------- -------- ------- ------
// SV_Position              0   xyzw        0      POS   float   xyzw
// NORMAL                   0   xyz         1     NONE   float   xyz
//
vs_5_0
dcl_globalFlags refactoringAllowed
dcl_constantbuffer CB0[48], dynamicIndexed
dcl_constantbuffer CB1[4], immediateIndexed
dcl_input v0.xyz
dcl_input v1.xyz
dcl_input v2.xyzw
dcl_input v3.xyzw
dcl_output_siv o0.xyzw, position
dcl_output o1.xyz
dcl_temps 6
imul null, r0.xyzw, v3.xyzw, l(3, 3, 3, 3)
mov r5.xyz, v0.xyzx
mov r5.w, l(1.000000)
mul r1.xyzw, v2.xxxx, cb0[r0.x + 0].xyzw
mul r2.xyzw, v2.xxxx, cb0[r0.x + 1].xyzw
mul r3.xyzw, v2.xxxx, cb0[r0.x + 2].xyzw
mad r1.xyzw, v2.yyyy, cb0[r0.y + 0].xyzw, r1.xyzw
mad r2.xyzw, v2.yyyy, cb0[r0.y + 1].xyzw, r2.xyzw
mad r3.xyzw, v2.yyyy, cb0[r0.y + 2].xyzw, r3.xyzw
mad r1.xyzw, v2.zzzz, cb0[r0.z + 0].xyzw, r1.xyzw
mad r2.xyzw, v2.zzzz, cb0[r0.z + 1].xyzw, r2.xyzw
mad r3.xyzw, v2.zzzz, cb0[r0.z + 2].xyzw, r3.xyzw
mad r1.xyzw, v2.wwww, cb0[r0.w + 0].xyzw, r1.xyzw
mad r2.xyzw, v2.wwww, cb0[r0.w + 1].xyzw, r2.xyzw
mad r3.xyzw, v2.wwww, cb0[r0.w + 2].xyzw, r3.xyzw
dp4 r4.x, r1.xyzw, r5.xyzw
dp4 r4.y, r2.xyzw, r5.xyzw
dp4 r4.z, r3.xyzw, r5.xyzw
mul r0.xyzw, r4.yyyy, cb1[1].xyzw
mad r0.xyzw, r4.xxxx, cb1[0].xyzw, r0.xyzw
mad r0.xyzw, r4.zzzz, cb1[2].xyzw, r0.xyzw
add o0.xyzw, r0.xyzw, cb1[3].xyzw
dp3 r0.x, r1.xyzx, v1.xyzx
dp3 r0.y, r2.xyzx, v1.xyzx
dp3 r0.z, r3.xyzx, v1.xyzx
dp3 r0.w, r0.xyzx, r0.xyzx
rsq r0.w, r0.w
mul o1.xyz, r0.wwww, r0.xyzx
ret
