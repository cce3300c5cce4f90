/** The shortest number that is the same 32-bit float. */
export function shortest(float: number): number {
  for (let digits = 1; digits < 9; ++digits) {
    const short = Number(float.toPrecision(digits));
    if (Math.fround(short) === float) return short;
  }
  return float;
}
