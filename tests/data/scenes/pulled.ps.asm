// Input signature:
//
// Name                 Index   Mask Register SysValue  Format   Used
// -------------------- ----- ------ -------- -------- ------- ------
// SV_Position              0   xyzw        0      POS   float
// TEXCOORD                 0   xy          1     NONE   float   xy
//
//
// Output signature:
//
// Name                 Index   Mask Register SysValue  Format   Used
// -------------------- ----- ------ -------- -------- ------- ------
// SV_Target                0   xyzw        0   TARGET   float   xyzw
// SV_Target                1   xyzw        1   TARGET   float   xyzw
//
ps_5_0
dcl_globalFlags refactoringAllowed
dcl_input_ps linear v1.xy
dcl_output o0.xyzw
dcl_output o1.xyzw
dcl_temps 1
eval_snapped r0.xy, v1.xyxx, l(-8, 7, 0, 0)
mov o0.xy, r0.xyxx
eval_sample_index r0.xy, v1.xyxx, l(1)
mov o0.zw, r0.xxxy
eval_centroid r0.xy, v1.xyxx
mov o1.xy, r0.xyxx
mov o1.zw, v1.xxxy
ret
