// Depth and whole numbers as a picture: the first component, from black (the least) to white.
export function greys(numbers: Float32Array): Uint8ClampedArray {
  let least = Infinity;
  let most = -Infinity;
  for (let at = 0; at < numbers.length; at += 4) {
    const number = numbers[at]!;
    if (!Number.isFinite(number)) continue;
    least = Math.min(least, number);
    most = Math.max(most, number);
  }
  const scale = most > least ? 255 / (most - least) : 0;
  const colors = new Uint8ClampedArray(numbers.length);
  for (let at = 0; at < numbers.length; at += 4) {
    colors.fill((numbers[at]! - least) * scale, at, at + 3);
    colors[at + 3] = 255;
  }
  return colors;
}
