// Divides elements of one buffer by another's. Names of the elements are not known.
cs_5_0
dcl_globalFlags refactoringAllowed
dcl_resource_structured t0, 8
dcl_uav_structured u1, 8
dcl_input vThreadID.x
dcl_temps 2
dcl_thread_group 4, 1, 1
ld_structured r0.xy, vThreadID.x, l(0), t0.xyxx
udiv r0.x, r0.y, r0.x, r0.y
ishl r0.x, r0.x, r0.y
store_structured u1.xy, vThreadID.x, l(0), r0.xyxx
ret
