//
// Buffer Definitions:
//
// cbuffer Fur
// {
//
//   float4x4 viewProjection;           // Offset:    0 Size:    64
//   float3 droop;                      // Offset:   64 Size:    12
//   float length;                      // Offset:   76 Size:     4
//   float3 light;                      // Offset:   80 Size:    12
//   float width;                       // Offset:   92 Size:     4
//
// }
//
//
// Resource Bindings:
//
// Name                                 Type  Format         Dim      HLSL Bind  Count
// ------------------------------ ---------- ------- ----------- -------------- ------
// Fur                               cbuffer      NA          NA            cb0      1
//
//
//
// Input signature:
//
// Name                 Index   Mask Register SysValue  Format   Used
// -------------------- ----- ------ -------- -------- ------- ------
// POSITION                 0   xyz         0     NONE   float   xyz
// NORMAL                   0   xyz         1     NONE   float   xyz
//
//
// Output signature:
//
// Name                 Index   Mask Register SysValue  Format   Used
// -------------------- ----- ------ -------- -------- ------- ------
// SV_Position              0   xyzw        0      POS   float   xyzw
// COLOR                    0   xyzw        1     NONE   float   xyzw
//
gs_5_0
dcl_globalFlags refactoringAllowed
dcl_constantbuffer CB0[6], immediateIndexed
dcl_input v[3][0].xyz
dcl_input v[3][1].xyz
dcl_temps 6
dcl_inputprimitive triangle
dcl_stream m0
dcl_outputtopology trianglestrip
dcl_output_siv o0.xyzw, position
dcl_output o1.xyzw
dcl_maxout 12
mov r0.w, l(1.000000)
mov r1.x, l(0)
loop
uge r1.y, r1.x, l(3)
breakc_nz r1.y
mov r0.xyz, v[r1.x + 0][0].xyzx
dp3_sat r1.z, v[r1.x + 0][1].xyzx, -cb0[5].xyzx
mad r1.z, r1.z, l(0.250000), l(0.080000)
dp4 o0.x, r0.xyzw, cb0[0].xyzw
dp4 o0.y, r0.xyzw, cb0[1].xyzw
dp4 o0.z, r0.xyzw, cb0[2].xyzw
dp4 o0.w, r0.xyzw, cb0[3].xyzw
mul o1.xyz, r1.zzzz, l(0.900000, 0.550000, 0.250000, 0.000000)
mov o1.w, l(1.000000)
emit_stream m0
iadd r1.x, r1.x, l(1)
endloop
cut_stream m0
mov r1.x, l(0)
loop
uge r1.y, r1.x, l(3)
breakc_nz r1.y
iadd r1.zw, r1.xxxx, l(0, 0, 1, 2)
udiv null, r1.zw, r1.zzzw, l(3, 3, 3, 3)
add r2.xyz, v[r1.z + 0][0].xyzx, v[r1.w + 0][0].xyzx
mad r2.xyz, v[r1.x + 0][0].xyzx, l(2.000000, 2.000000, 2.000000, 0.000000), r2.xyzx
mul r2.xyz, r2.xyzx, l(0.250000, 0.250000, 0.250000, 0.000000)
add r3.xyz, -v[r1.z + 0][0].xyzx, v[r1.w + 0][0].xyzx
mul r3.xyz, r3.xyzx, cb0[5].wwww
mov r4.xyz, v[r1.x + 0][1].xyzx
dp3 r2.w, r4.xyzx, r4.xyzx
rsq r2.w, r2.w
mul r4.xyz, r4.xyzx, r2.wwww
dp3_sat r4.w, r4.xyzx, -cb0[5].xyzx
mad r4.w, r4.w, l(0.800000), l(0.200000)
mad r5.xyz, r4.xyzx, cb0[4].wwww, cb0[4].xyzx
mul r5.w, r4.w, l(0.350000)
add r0.xyz, r2.xyzx, -r3.xyzx
dp4 o0.x, r0.xyzw, cb0[0].xyzw
dp4 o0.y, r0.xyzw, cb0[1].xyzw
dp4 o0.z, r0.xyzw, cb0[2].xyzw
dp4 o0.w, r0.xyzw, cb0[3].xyzw
mul o1.xyz, r5.wwww, l(0.900000, 0.550000, 0.250000, 0.000000)
mov o1.w, l(1.000000)
emit_stream m0
add r0.xyz, r2.xyzx, r5.xyzx
dp4 o0.x, r0.xyzw, cb0[0].xyzw
dp4 o0.y, r0.xyzw, cb0[1].xyzw
dp4 o0.z, r0.xyzw, cb0[2].xyzw
dp4 o0.w, r0.xyzw, cb0[3].xyzw
mul o1.xyz, r4.wwww, l(1.000000, 0.800000, 0.500000, 0.000000)
mov o1.w, l(1.000000)
emit_stream m0
add r0.xyz, r2.xyzx, r3.xyzx
dp4 o0.x, r0.xyzw, cb0[0].xyzw
dp4 o0.y, r0.xyzw, cb0[1].xyzw
dp4 o0.z, r0.xyzw, cb0[2].xyzw
dp4 o0.w, r0.xyzw, cb0[3].xyzw
mul o1.xyz, r5.wwww, l(0.900000, 0.550000, 0.250000, 0.000000)
mov o1.w, l(1.000000)
emit_stream m0
cut_stream m0
iadd r1.x, r1.x, l(1)
endloop
ret
