const narrow = { float16: true, bfloat16: true, float32: true };

/**
 * What a sum or product was before it was put into its dtype, where that made a difference. Of floats that are narrower than
 * JavaScript's numbers the arithmetic is done in these, which hold the product of two float32 exactly and of a sum more than
 * is shown; of float64 nothing is said.
 * @returns {{ kind: 'rounded' | 'wrapped', exact: string } | null}
 */
export function roundingOf(before, sign, operand, after, dtype) {
  if (!sign || dtype === 'bool') return null;
  if (/^u?int/.test(dtype)) {
    const [a, b] = [BigInt(before), BigInt(operand)];
    const exact = sign === '+' ? a + b : a * b;
    return exact === BigInt(after) ? null : { kind: 'wrapped', exact: String(exact) };
  }
  if (!narrow[dtype] || !Number.isFinite(after)) return null;
  const exact = sign === '+' ? before + operand : before * operand;
  return exact === after ? null : { kind: 'rounded', exact: String(Number(exact.toPrecision(12))) };
}
