cs_5_0
dcl_globalFlags refactoringAllowed
dcl_immediateConstantBuffer { { 1.000000, 0, 0, 0}, { -1.000000, 0, 0, 0}, { 0, 1.000000, 0, 0}, { 0, -1.000000, 0, 0}, { 0, 0, 1.000000, 0}, { 0, 0, -1.000000, 0}, { 0, 0, -1.000000, 0}, { 0, 0, 1.000000, 0}, { 1.000000, 0, 0, 0}, { 1.000000, 0, 0, 0}, { 1.000000, 0, 0, 0}, { -1.000000, 0, 0, 0}, { 0, -1.000000, 0, 0}, { 0, -1.000000, 0, 0}, { 0, 0, 1.000000, 0}, { 0, 0, -1.000000, 0}, { 0, -1.000000, 0, 0}, { 0, -1.000000, 0, 0} }
dcl_uav_typed_texture2darray (float,float,float,float) u0
dcl_input vThreadID.xyz
dcl_temps 4
dcl_thread_group 8, 8, 1
utof r0.xy, vThreadID.xyxx
add r0.xy, r0.xyxx, l(0.500000, 0.500000, 0.000000, 0.000000)
mad r0.xy, r0.xyxx, l(0.031250, 0.031250, 0.000000, 0.000000), l(-1.000000, -1.000000, 0.000000, 0.000000)
mad r1.xyz, r0.xxxx, icb[vThreadID.z + 6].xyzx, icb[vThreadID.z + 0].xyzx
mad r1.xyz, r0.yyyy, icb[vThreadID.z + 12].xyzx, r1.xyzx
dp3 r1.w, r1.xyzx, r1.xyzx
rsq r1.w, r1.w
mul r1.xyz, r1.xyzx, r1.wwww
mad_sat r0.x, r1.y, l(1.200000), l(0.100000)
mad r2.xyz, r0.xxxx, l(-0.650000, -0.450000, -0.150000, 0.000000), l(0.900000, 0.850000, 0.800000, 0.000000)
dp3_sat r0.y, r1.xyzx, l(0.557086, 0.557086, -0.615900, 0.000000)
mul r0.z, r0.y, r0.y
mul r0.z, r0.z, r0.z
mul r0.z, r0.z, r0.z
mul r0.z, r0.z, r0.z
mul r0.z, r0.z, r0.z
mul r0.z, r0.z, r0.z
mad r2.xyz, r0.zzzz, l(3.000000, 2.500000, 1.500000, 0.000000), r2.xyzx
div r3.xy, r1.xzxx, -r1.yyyy
round_ni r3.xy, r3.xyxx
add r0.w, r3.y, r3.x
mul r0.w, r0.w, l(0.500000)
frc r0.w, r0.w
mad r3.xyz, r0.wwww, l(0.900000, 0.700000, 0.500000, 0.000000), l(0.150000, 0.120000, 0.100000, 0.000000)
lt r0.x, r1.y, l(-0.080000)
movc r2.xyz, r0.xxxx, r3.xyzx, r2.xyzx
mov r2.w, l(1.000000)
store_uav_typed u0.xyzw, vThreadID.xyzz, r2.xyzw
ret
