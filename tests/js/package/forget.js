// A training loop in small: it forgets its tensors, and awaits a number in each round. tests/js/matrix runs it in other runtimes.

/** Runs rounds with tensors of `mib` MiB. Resolves to the most memory that the library had after a round, in MiB. */
export async function forget({ Tensor, memory }, mib, rounds) {
  let w = Tensor.ones([mib * 2 ** 18], { device: 'cpu' });
  let most = 0;
  for (let round = 0; round < rounds; round++) {
    w = w.sub(w.mul(0.01));
    await w.mul(w).sum().item();
    const { cpu_bytes, cpu_reserved_bytes } = memory();
    most = Math.max(most, (cpu_bytes + cpu_reserved_bytes) / 2 ** 20);
  }
  return Math.ceil(most);
}
