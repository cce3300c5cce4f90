// Input signature:
//
// Name                 Index   Mask Register SysValue  Format   Used
// -------------------- ----- ------ -------- -------- ------- ------
// SV_Position              0   xyzw        0      POS   float
// TEXCOORD                 0   xyz         1     NONE   float   xyz
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
dcl_input_ps linear v1.xyz
dcl_output o0.xyzw
dcl_temps 1
dp2 r0.x, v1.xyxx, v1.xyxx
add_sat r0.x, -r0.x, l(1.000000)
mad r0.y, v1.z, l(0.800000), l(0.200000)
mul o0.x, r0.x, r0.y
mul o0.y, r0.x, l(0.400000)
add r0.y, -v1.z, l(1.000000)
mul o0.z, r0.x, r0.y
mov o0.w, r0.x
ret
