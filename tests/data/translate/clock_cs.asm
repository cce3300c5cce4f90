// What Vulkan's core does not have.
cs_5_0
dcl_uav_raw u0
dcl_input vCycleCounter.x
dcl_thread_group 1, 1, 1
store_raw u0.x, l(0), vCycleCounter.x
ret
