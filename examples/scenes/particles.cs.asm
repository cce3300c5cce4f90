cs_5_0
dcl_globalFlags refactoringAllowed
dcl_uav_structured u0, 16
dcl_input vThreadID.x
dcl_temps 2
dcl_thread_group 64, 1, 1
utof r0.x, vThreadID.x
mul r0.y, r0.x, l(2.399963)
sincos r1.x, r1.y, r0.y
mul r0.z, r0.x, l(0.003906)
sqrt r0.z, r0.z
mul r0.z, r0.z, l(0.900000)
mul r1.x, r1.x, r0.z
mul r1.y, r1.y, r0.z
mul r1.z, r0.x, l(0.003906)
mad r1.w, -r1.z, l(0.030000), l(0.050000)
store_structured u0.xyzw, vThreadID.x, l(0), r1.xyzw
ret
