// Time limits of promises: some platforms never answer.

/** The result of a promise. Rejects with the error that `late` makes if the promise is not settled within `most` milliseconds. */
export async function inTime(promise, most, late) {
  let timer;
  const limit = new Promise((_resolve, reject) => {
    timer = setTimeout(() => reject(late()), most);
  });
  try {
    return await Promise.race([promise, limit]);
  } finally {
    clearTimeout(timer);
  }
}
