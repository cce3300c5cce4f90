// Buffer Definitions:
//
// cbuffer Material
// {
//
//   float4 tint;                       // Offset:    0 Size:    16
//   float3 scale;                      // Offset:   16 Size:    12
//   uint mode;                         // Offset:   28 Size:     4
//
// }
//
// Resource Bindings:
//
// Name                                 Type  Format         Dim      HLSL Bind  Count
// ------------------------------ ---------- ------- ----------- -------------- ------
// Material                          cbuffer      NA          NA            cb2      1
//
// Input signature:
//
// Name                 Index   Mask Register SysValue  Format   Used
// -------------------- ----- ------ -------- -------- ------- ------
// SV_Position              0   xyzw        0      POS   float   x  w
// COLOR                    0   xyzw        1     NONE   float   xyzw
//
// Output signature:
//
// Name                 Index   Mask Register SysValue  Format   Used
// -------------------- ----- ------ -------- -------- ------- ------
// SV_Target                0   xyzw        0   TARGET   float   xyzw
//
ps_5_0
dcl_constantbuffer CB2[2], immediateIndexed
dcl_input_ps_siv linear noperspective v0.xw, position
dcl_input_ps linear v1.xyzw
dcl_output o0.xyzw
dcl_temps 1
switch cb2[1].w
  case l(1)
  mul o0.xyz, v1.xyzx, cb2[1].xyzx
  mov o0.w, l(1.0)
  break
  case l(2)
  case l(3)
  mul o0.xyzw, v1.xyzw, cb2[0].xyzw
  break
  default
  mul r0.x, v0.x, v0.w
  discard_nz r0.x
  mov o0.xyzw, r0.xxxx
  break
endswitch
ret
