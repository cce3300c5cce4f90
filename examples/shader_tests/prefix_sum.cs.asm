// Inclusive sums of 256 whole numbers, by Hillis and Steele: in step k each thread adds what stands 2^k before it.
cs_5_0
dcl_globalFlags refactoringAllowed
dcl_uav_structured u0, 4
dcl_input vThreadIDInGroup.x
dcl_input vThreadID.x
dcl_temps 2
dcl_tgsm_structured g0, 4, 256
dcl_thread_group 256, 1, 1
ld_structured_indexable(structured_buffer, stride=4)(mixed,mixed,mixed,mixed) r0.x, vThreadID.x, l(0), u0.xxxx
mov r1.x, l(1)
loop
  uge r0.y, r1.x, l(256)
  breakc_nz r0.y
  store_structured g0.x, vThreadIDInGroup.x, l(0), r0.x
  sync_g_t
  uge r0.y, vThreadIDInGroup.x, r1.x
  if_nz r0.y
    iadd r0.z, vThreadIDInGroup.x, -r1.x
    ld_structured r0.z, r0.z, l(0), g0.xxxx
    iadd r0.x, r0.x, r0.z
  endif
  sync_g_t
  ishl r1.x, r1.x, l(1)
endloop
store_structured u0.x, vThreadID.x, l(0), r0.x
ret
