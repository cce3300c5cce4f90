cs_5_0
dcl_globalFlags refactoringAllowed
dcl_resource_texture2d (float,float,float,float) t0
dcl_resource_buffer (uint,uint,uint,uint) t1
dcl_resource_texture2d (unorm,unorm,unorm,unorm) t2
dcl_uav_structured u0, 4
dcl_temps 2
dcl_thread_group 1, 1, 1
ld_indexable(texture2d)(float,float,float,float) r0.x, l(0,0,0,0), t0.xyzw
ld_indexable(buffer)(uint,uint,uint,uint) r0.y, l(0,0,0,0), t1.yxzw
ld_indexable(texture2d)(unorm,unorm,unorm,unorm) r0.z, l(0,0,0,0), t2.yzxw
store_structured u0.x, l(0), l(0), r0.x
store_structured u0.x, l(1), l(0), r0.y
store_structured u0.x, l(2), l(0), r0.z
ret
