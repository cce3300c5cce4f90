// Each thread of a group passes a word to its neighbour, through group memory.
cs_5_0
dcl_globalFlags refactoringAllowed
dcl_uav_raw u0
dcl_input vThreadIDInGroupFlattened
dcl_input vThreadID.x
dcl_temps 1
dcl_tgsm_structured g0, 4, 8
dcl_thread_group 8, 1, 1
ishl r0.x, vThreadID.x, l(2)
ld_raw r0.y, r0.x, u0.xxxx
store_structured g0.x, vThreadIDInGroupFlattened.x, l(0), r0.y
sync_g_t
iadd r0.y, vThreadIDInGroupFlattened.x, l(1)
and r0.y, r0.y, l(7)
ld_structured r0.y, r0.y, l(0), g0.xxxx
store_raw u0.x, r0.x, r0.y
ret
