// Input signature:
//
// Name                 Index   Mask Register SysValue  Format   Used
// -------------------- ----- ------ -------- -------- ------- ------
// SV_VertexID              0   x           0   VERTID    uint   x
//
//
// Output signature:
//
// Name                 Index   Mask Register SysValue  Format   Used
// -------------------- ----- ------ -------- -------- ------- ------
// SV_Position              0   xyzw        0      POS   float   xyzw
// COLOR                    0   xyzw        1     NONE   float   xyzw
//
vs_5_0
dcl_globalFlags refactoringAllowed
dcl_input_sgv v0.x, vertex_id
dcl_output_siv o0.xyzw, position
dcl_output o1.xyzw
dcl_temps 2
udiv r0.x, r0.y, v0.x, l(3)
utof r0.z, r0.x
ieq r0.w, r0.y, l(2)
and r0.w, r0.w, l(0.400000)
add r0.z, r0.z, r0.w
mul r0.z, r0.z, l(0.261799)
sincos r1.x, r1.y, r0.z
movc r0.y, r0.y, l(0.950000), l(0.000000)
mul o0.xy, r1.xyxx, r0.yyyy
mov o0.zw, l(0.000000, 0.000000, 0.000000, 1.000000)
utof r0.x, r0.x
mul r0.x, r0.x, l(0.041667)
mov o1.x, r0.x
add o1.y, -r0.x, l(1.000000)
mov o1.zw, l(0.000000, 0.000000, 0.400000, 1.000000)
ret
