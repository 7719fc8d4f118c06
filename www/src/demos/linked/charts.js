/** The cells of the map. */
export const GRID = { columns: 320, rows: 200 };
/** Pixels of a histogram's canvas from bottom to top; it has one for each bin from left to right. */
export const HEIGHT = 96;

/**
 * The three histograms, and what the map can show the mean of. Values below `low` are in the first bin, those above `high` in the last one.
 * `colours` are the means that get the first and the last colour of the map.
 */
export const charts = {
  minutes: { bins: 144, low: 0, high: 1440, colours: [360, 1260] },
  delays: { bins: 60, low: -60, high: 180, colours: [-10, 40] },
  miles: { bins: 50, low: 0, high: 5000, colours: [0, 2500] },
};
export const names = Object.keys(charts);

/** Where a bin begins. The end of the last one is where the bin behind it would begin. */
export const edgeOf = (name, bin) => charts[name].low + (bin * (charts[name].high - charts[name].low)) / charts[name].bins;

/** All bins of each histogram: nothing is left out. @typedef {Record<string, [number, number]>} Brushes first bin, and the one behind the last */
export const everything = () => Object.fromEntries(names.map((name) => [name, [0, charts[name].bins]]));
