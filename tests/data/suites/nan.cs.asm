cs_5_0
dcl_globalFlags refactoringAllowed
dcl_resource_raw t0
dcl_uav_raw u0
dcl_temps 4
dcl_thread_group 1, 1, 1
ld_raw_indexable(raw_buffer)(mixed,mixed,mixed,mixed) r0.xyzw, l(0), t0.xyzw
div r1.x, r0.w, r0.w
sqrt r1.y, l(-1.000000)
add r1.z, r0.z, -r0.z
mul r1.w, r0.x, l(1.000000)
store_raw u0.xyzw, l(0), r1.xyzw
div r1.x, l(0.000000), l(0.000000)
mad r1.y, r0.y, r0.x, r0.z
dp4 r1.z, r0.xyzw, r0.wzyx
round_ne r1.w, r0.y
store_raw u0.xyzw, l(16), r1.xyzw
mov r2.xyzw, r0.xyzw
store_raw u0.xyzw, l(32), r2.xyzw
mov r2.xyzw, -r0.xyzw
store_raw u0.xyzw, l(48), r2.xyzw
max r2.x, r0.x, r0.y
min r2.y, r0.x, l(1.000000)
movc r2.z, l(1), r0.y, l(0.000000)
mov r2.w, |r0.y|
store_raw u0.xyzw, l(64), r2.xyzw
f32tof16 r3.x, r0.y
ld_raw_indexable(raw_buffer)(mixed,mixed,mixed,mixed) r3.y, l(16), t0.xxxx
f16tof32 r3.z, r3.y
mov_sat r3.w, r0.y
store_raw u0.xyzw, l(80), r3.xyzw
ret
