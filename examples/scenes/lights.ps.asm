//
// Buffer Definitions:
//
// cbuffer Lights
// {
//
//   float4 places[6];                  // Offset:    0 Size:    96
//   float4 lights[6];                  // Offset:   96 Size:    96
//
// }
//
//
// Resource Bindings:
//
// Name                                 Type  Format         Dim      HLSL Bind  Count
// ------------------------------ ---------- ------- ----------- -------------- ------
// colors                            texture  float4          2d             t0      1
// normals                           texture  float4          2d             t1      1
// surfaces                          texture  float4          2d             t2      1
// Lights                            cbuffer      NA          NA            cb0      1
//
//
//
// Input signature:
//
// Name                 Index   Mask Register SysValue  Format   Used
// -------------------- ----- ------ -------- -------- ------- ------
// SV_Position              0   xyzw        0      POS   float   xy
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
dcl_constantbuffer CB0[12], dynamicIndexed
dcl_resource_texture2d (float,float,float,float) t0
dcl_resource_texture2d (float,float,float,float) t1
dcl_resource_texture2d (float,float,float,float) t2
dcl_input_ps_siv linear noperspective v0.xy, position
dcl_output o0.xyzw
dcl_temps 7
ftou r0.xy, v0.xyxx
mov r0.zw, l(0,0,0,0)
ld_indexable(texture2d)(float,float,float,float) r1.xyzw, r0.xyww, t0.xyzw
ld_indexable(texture2d)(float,float,float,float) r2.xyz, r0.xyww, t1.xyzw
ld_indexable(texture2d)(float,float,float,float) r3.xyzw, r0.xyzw, t2.xyzw
mov r4.xyz, l(0.040000, 0.040000, 0.050000, 0.000000)
mov r0.x, l(0)
loop
uge r0.y, r0.x, l(6)
breakc_nz r0.y
add r5.xyz, -r3.xyzx, cb0[r0.x + 0].xyzx
dp3 r5.w, r5.xyzx, r5.xyzx
rsq r6.x, r5.w
mul r5.xyz, r5.xyzx, r6.xxxx
dp3_sat r6.x, r5.xyzx, r2.xyzx
add r5.w, r5.w, l(0.300000)
div r6.x, r6.x, r5.w
mad r4.xyz, r6.xxxx, cb0[r0.x + 6].xyzx, r4.xyzx
iadd r0.x, r0.x, l(1)
endloop
mul r1.xyz, r1.xyzx, r4.xyzx
mul o0.xyz, r1.xyzx, r3.wwww
mov o0.w, l(1.000000)
ret
