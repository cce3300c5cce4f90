target datalayout = "e-m:e-p:32:32-i1:32-i8:8-i16:16-i32:32-i64:64-f16:16-f32:32-f64:64-n8:16:32:64"
target triple = "dxil-ms-dx"

%dx.types.Handle = type { i8* }
%dx.types.ResBind = type { i32, i32, i32, i8 }
%dx.types.ResourceProperties = type { i32, i32 }
%"class.RWTexture2D<uint16_t>" = type { i16 }
%"class.RWTexture2D<int16_t>" = type { i16 }
%"class.RWBuffer<uint16_t>" = type { i16 }

define void @main() {
  %1 = call %dx.types.Handle @dx.op.createHandleFromBinding(i32 217, %dx.types.ResBind { i32 0, i32 0, i32 0, i8 1 }, i32 0, i1 false)  ; CreateHandleFromBinding(bind,index,nonUniformIndex)
  %2 = call %dx.types.Handle @dx.op.createHandleFromBinding(i32 217, %dx.types.ResBind { i32 1, i32 1, i32 0, i8 1 }, i32 1, i1 false)  ; CreateHandleFromBinding(bind,index,nonUniformIndex)
  %3 = call %dx.types.Handle @dx.op.createHandleFromBinding(i32 217, %dx.types.ResBind { i32 2, i32 2, i32 0, i8 1 }, i32 2, i1 false)  ; CreateHandleFromBinding(bind,index,nonUniformIndex)
  %4 = call %dx.types.Handle @dx.op.annotateHandle(i32 216, %dx.types.Handle %1, %dx.types.ResourceProperties { i32 4098, i32 259 })  ; AnnotateHandle(res,props)  resource: RWTexture2D<U16>
  %5 = call %dx.types.Handle @dx.op.annotateHandle(i32 216, %dx.types.Handle %2, %dx.types.ResourceProperties { i32 4098, i32 258 })  ; AnnotateHandle(res,props)  resource: RWTexture2D<I16>
  %6 = call %dx.types.Handle @dx.op.annotateHandle(i32 216, %dx.types.Handle %3, %dx.types.ResourceProperties { i32 4106, i32 259 })  ; AnnotateHandle(res,props)  resource: RWTypedBuffer<U16>
  %7 = call i32 @dx.op.threadId.i32(i32 93, i32 0)  ; ThreadId(component)
  %8 = trunc i32 %7 to i16
  %9 = sub i16 %8, 5
  call void @dx.op.textureStore.i16(i32 67, %dx.types.Handle %4, i32 %7, i32 0, i32 undef, i16 %9, i16 %9, i16 %9, i16 %9, i8 15)  ; TextureStore(srv,coord0,coord1,coord2,value0,value1,value2,value3,mask)
  call void @dx.op.textureStore.i16(i32 67, %dx.types.Handle %5, i32 %7, i32 0, i32 undef, i16 %9, i16 %9, i16 %9, i16 %9, i8 15)  ; TextureStore(srv,coord0,coord1,coord2,value0,value1,value2,value3,mask)
  call void @dx.op.bufferStore.i16(i32 69, %dx.types.Handle %6, i32 %7, i32 undef, i16 %9, i16 %9, i16 %9, i16 %9, i8 15)  ; BufferStore(uav,coord0,coord1,value0,value1,value2,value3,mask)
  ret void
}

; Function Attrs: nounwind readnone
declare i32 @dx.op.threadId.i32(i32, i32) #0

; Function Attrs: nounwind
declare void @dx.op.textureStore.i16(i32, %dx.types.Handle, i32, i32, i32, i16, i16, i16, i16, i8) #1

; Function Attrs: nounwind
declare void @dx.op.bufferStore.i16(i32, %dx.types.Handle, i32, i32, i16, i16, i16, i16, i8) #1

; Function Attrs: nounwind readnone
declare %dx.types.Handle @dx.op.annotateHandle(i32, %dx.types.Handle, %dx.types.ResourceProperties) #0

; Function Attrs: nounwind readnone
declare %dx.types.Handle @dx.op.createHandleFromBinding(i32, %dx.types.ResBind, i32, i1) #0

attributes #0 = { nounwind readnone }
attributes #1 = { nounwind }

!dx.version = !{!0}
!dx.valver = !{!1}
!dx.shaderModel = !{!2}
!dx.resources = !{!3}
!dx.entryPoints = !{!10}

!0 = !{i32 1, i32 6}
!1 = !{i32 1, i32 8}
!2 = !{!"cs", i32 6, i32 6}
!3 = !{null, !4, null, null}
!4 = !{!5, !6, !7}
!5 = !{i32 0, %"class.RWTexture2D<uint16_t>"* undef, !"unsigned", i32 0, i32 0, i32 1, i32 2, i1 false, i1 false, i1 false, !8}
!6 = !{i32 1, %"class.RWTexture2D<int16_t>"* undef, !"signed", i32 0, i32 1, i32 1, i32 2, i1 false, i1 false, i1 false, !9}
!7 = !{i32 2, %"class.RWBuffer<uint16_t>"* undef, !"buffer", i32 0, i32 2, i32 1, i32 10, i1 false, i1 false, i1 false, !8}
!8 = !{i32 0, i32 3}
!9 = !{i32 0, i32 2}
!10 = !{void ()* @main, !"main", null, !3, !11}
!11 = !{i32 0, i64 8388640, i32 4, !12}
!12 = !{i32 2, i32 1, i32 1}
