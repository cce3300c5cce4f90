// Functions of angles for scenes. C libraries differ in the last bit of theirs, so that pictures would differ by platform.
#pragma once

namespace unshade::scene {

/// The double nearest to the exact value, but for one in 2^40 or so, of radians below 2^20; of others within 4 units in the last place.
/// Of infinity and NaN NaN.
double sine(double angle);
double cosine(double angle);
double tangent(double angle);

}  // namespace unshade::scene
