; Writes feedback by each of the four operations. TEXCOORD: place, element of the array, level.
target datalayout = "e-m:e-p:32:32-i1:32-i8:32-i16:32-i32:32-i64:64-f16:32-f32:32-f64:64-n8:16:32:64"
target triple = "dxil-ms-dx"

%dx.types.Handle = type { i8* }
%"class.Texture2D<vector<float, 4> >" = type { <4 x float>, %"class.Texture2D<vector<float, 4> >::mips_type" }
%"class.Texture2D<vector<float, 4> >::mips_type" = type { i32 }
%"class.Texture2DArray<vector<float, 4> >" = type { <4 x float>, %"class.Texture2DArray<vector<float, 4> >::mips_type" }
%"class.Texture2DArray<vector<float, 4> >::mips_type" = type { i32 }
%"class.FeedbackTexture2D<0>" = type { i32 }
%"class.FeedbackTexture2D<1>" = type { i32 }
%"class.FeedbackTexture2DArray<1>" = type { i32 }
%struct.SamplerState = type { i32 }

define void @main() {
  %1 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 1, i32 3, i32 3, i1 false)
  %2 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 1, i32 2, i32 2, i1 false)
  %3 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 1, i32 1, i32 1, i1 false)
  %4 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 1, i32 0, i32 0, i1 false)
  %5 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 0, i32 1, i32 1, i1 false)
  %6 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 0, i32 0, i32 0, i1 false)
  %7 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 3, i32 0, i32 0, i1 false)
  %8 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 0, i32 undef)
  %9 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 1, i32 undef)
  %10 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 2, i32 undef)
  %11 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 3, i32 undef)
  call void @dx.op.writeSamplerFeedback(i32 174, %dx.types.Handle %4, %dx.types.Handle %6, %dx.types.Handle %7, float %8, float %9, float undef, float undef, float undef)
  call void @dx.op.writeSamplerFeedbackBias(i32 175, %dx.types.Handle %3, %dx.types.Handle %6, %dx.types.Handle %7, float %8, float %9, float undef, float undef, float 1.000000e+00, float undef)
  call void @dx.op.writeSamplerFeedbackLevel(i32 176, %dx.types.Handle %2, %dx.types.Handle %6, %dx.types.Handle %7, float %8, float %9, float undef, float undef, float %11)
  call void @dx.op.writeSamplerFeedbackGrad(i32 177, %dx.types.Handle %1, %dx.types.Handle %5, %dx.types.Handle %7, float %8, float %9, float %10, float undef, float 1.250000e-01, float 0.000000e+00, float undef, float 0.000000e+00, float 1.250000e-01, float undef, float undef)
  ret void
}

; Function Attrs: nounwind readnone
declare float @dx.op.loadInput.f32(i32, i32, i32, i8, i32) #0

; Function Attrs: nounwind readonly
declare %dx.types.Handle @dx.op.createHandle(i32, i8, i32, i32, i1) #1

; Function Attrs: nounwind
declare void @dx.op.writeSamplerFeedback(i32, %dx.types.Handle, %dx.types.Handle, %dx.types.Handle, float, float, float, float, float) #2

; Function Attrs: nounwind
declare void @dx.op.writeSamplerFeedbackBias(i32, %dx.types.Handle, %dx.types.Handle, %dx.types.Handle, float, float, float, float, float, float) #2

; Function Attrs: nounwind
declare void @dx.op.writeSamplerFeedbackLevel(i32, %dx.types.Handle, %dx.types.Handle, %dx.types.Handle, float, float, float, float, float) #2

; Function Attrs: nounwind
declare void @dx.op.writeSamplerFeedbackGrad(i32, %dx.types.Handle, %dx.types.Handle, %dx.types.Handle, float, float, float, float, float, float, float, float, float, float, float) #2

attributes #0 = { nounwind readnone }
attributes #1 = { nounwind readonly }
attributes #2 = { nounwind }

!dx.version = !{!0}
!dx.valver = !{!1}
!dx.shaderModel = !{!2}
!dx.resources = !{!3}
!dx.entryPoints = !{!15}

!0 = !{i32 1, i32 5}
!1 = !{i32 1, i32 6}
!2 = !{!"ps", i32 6, i32 5}
!3 = !{!4, !8, null, !13}
!4 = !{!5, !7}
!5 = !{i32 0, %"class.Texture2D<vector<float, 4> >"* undef, !"", i32 0, i32 0, i32 1, i32 2, i32 0, !6}
!6 = !{i32 0, i32 9}
!7 = !{i32 1, %"class.Texture2DArray<vector<float, 4> >"* undef, !"", i32 0, i32 1, i32 1, i32 7, i32 0, !6}
!8 = !{!9, !11, !12, !20}
!9 = !{i32 0, %"class.FeedbackTexture2D<0>"* undef, !"", i32 0, i32 0, i32 1, i32 17, i1 false, i1 false, i1 false, !10}
!10 = !{i32 2, i32 0}
!11 = !{i32 1, %"class.FeedbackTexture2D<0>"* undef, !"", i32 0, i32 1, i32 1, i32 17, i1 false, i1 false, i1 false, !10}
!12 = !{i32 2, %"class.FeedbackTexture2D<1>"* undef, !"", i32 0, i32 2, i32 1, i32 17, i1 false, i1 false, i1 false, !21}
!13 = !{!14}
!14 = !{i32 0, %struct.SamplerState* undef, !"", i32 0, i32 0, i32 1, i32 0, null}
!15 = !{void ()* @main, !"main", !16, !3, null}
!16 = !{!17, null, null}
!17 = !{!18}
!18 = !{i32 0, !"TEXCOORD", i8 9, i8 0, !19, i8 2, i32 1, i8 4, i32 0, i8 0, !22}
!19 = !{i32 0}
!20 = !{i32 3, %"class.FeedbackTexture2DArray<1>"* undef, !"", i32 0, i32 3, i32 1, i32 18, i1 false, i1 false, i1 false, !21}
!21 = !{i32 2, i32 1}
!22 = !{i32 3, i32 15}
