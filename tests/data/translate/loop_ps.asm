// Sums of a loop that is left from inside an if, with denormals flushed and precise sums.
//
// Input signature:
//
// Name                 Index   Mask Register SysValue  Format   Used
// -------------------- ----- ------ -------- -------- ------- ------
// VALUE                    0   xy          0     NONE   float   xy
//
// Output signature:
//
// Name                 Index   Mask Register SysValue  Format   Used
// -------------------- ----- ------ -------- -------- ------- ------
// SV_Target                0   xyzw        0   TARGET   float   xyzw
//
ps_5_0
dcl_globalFlags refactoringAllowed
dcl_input_ps linear v0.xy
dcl_output o0.xyzw
dcl_temps 2
mov r0.xy, l(0,0,0,0)
loop
  ige r0.z, r0.y, l(8)
  breakc_nz r0.z
  add [precise(x)] r0.x, r0.x, v0.x
  lt r0.z, v0.y, r0.x
  if_nz r0.z
    mov r0.x, v0.y
    break
  endif
  iadd r0.y, r0.y, l(1)
endloop
mov_sat o0.xyzw, r0.xxxx
ret
