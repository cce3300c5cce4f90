// Inclusive sums of 64 numbers for each group, in place: each step adds what is 1, 2, 4, ... before.
cs_5_0
dcl_globalFlags refactoringAllowed
dcl_uav_structured u0, 4
dcl_input vThreadIDInGroupFlattened
dcl_input vThreadID.x
dcl_temps 2
dcl_tgsm_structured g0, 4, 64
dcl_thread_group 64, 1, 1
ld_structured r0.x, vThreadID.x, l(0), u0.xxxx
store_structured g0.x, vThreadIDInGroupFlattened.x, l(0), r0.x
mov r0.y, l(1)
loop
  uge r0.z, r0.y, l(64)
  breakc_nz r0.z
  sync_g_t
  uge r0.z, vThreadIDInGroupFlattened.x, r0.y
  mov r1.x, l(0)
  if_nz r0.z
    iadd r0.w, vThreadIDInGroupFlattened.x, -r0.y
    ld_structured r1.x, r0.w, l(0), g0.xxxx
  endif
  sync_g_t
  iadd r0.x, r0.x, r1.x
  store_structured g0.x, vThreadIDInGroupFlattened.x, l(0), r0.x
  ishl r0.y, r0.y, l(1)
endloop
store_structured u0.x, vThreadID.x, l(0), r0.x
ret
