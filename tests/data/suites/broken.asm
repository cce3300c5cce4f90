vs_5_0
mov o0.xyzw, v0.xyzw
twirl o0.xyzw
ret
