// For each program the peer from npm that does the same on one thread in Node in the least time, as its user would write it. The libraries are
// those of benches/programs/package.json: `npm run bench -- programs` installs them, and no other command does.

/** What every peer lacks for a program, by the program's name. */
export const lacks = { chunks: 'exact sums that are saved, resumed and merged' };

/** The peer of a program: the name of its `library`, and `peer(data)`, whose results are within the program's bounds too. */
export const load = (name) => import(`./${name}.js`);
