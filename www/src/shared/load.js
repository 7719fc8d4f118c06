/** A function that loads when it is first called, and answers with the same later. After a failure the next call tries again. */
export function once(load) {
  let loading;
  return () =>
    (loading ??= load().catch((error) => {
      loading = undefined;
      throw error;
    }));
}

/** The response of an address; an error with its status where that is not a success. */
export async function fetched(address) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  return response;
}
