/** The exact results, of numbers or bigints, by the sign of the operation. */
const exactly = { '+': (a, b) => a + b, '−': (a, b) => a - b, '×': (a, b) => a * b };
/** Dtypes whose exact sums, differences and products float64 can show. */
const narrow = { float16: true, bfloat16: true, float32: true };

/**
 * What a sum, a difference or a product was before it was put into its dtype: rounded, or wrapped around. Null where it came out exact. Nothing is said of
 * other operators (`sign` is none of `exactly`), of bool, of results that are infinite or NaN, and of float64: the arithmetic here is done in it.
 * Float64 holds a product of two float32 exactly, and a sum to more digits than the 12 that are shown; the lost digits count as exact.
 * @param {number | bigint | boolean} before @param {string | null} sign @param {number | bigint | boolean} operand
 * @param {number | bigint | boolean} after the result in the dtype @param {string} dtype
 * @returns {{ kind: 'rounded' | 'wrapped', exact: string } | null}
 */
export function roundingOf(before, sign, operand, after, dtype) {
  if (!Object.hasOwn(exactly, sign) || dtype === 'bool') return null;
  if (/^u?int/.test(dtype)) {
    const exact = exactly[sign](BigInt(before), BigInt(operand));
    return exact === BigInt(after) ? null : { kind: 'wrapped', exact: String(exact) };
  }
  if (!narrow[dtype] || !Number.isFinite(after)) return null;
  const exact = exactly[sign](before, operand);
  return exact === after ? null : { kind: 'rounded', exact: String(Number(exact.toPrecision(12))) };
}
