/** A function that loads when it is first called, and answers with the same later. After a failure the next call tries again. */
export function once(load) {
  let loading;
  return () =>
    (loading ??= load().catch((error) => {
      loading = undefined;
      throw error;
    }));
}
