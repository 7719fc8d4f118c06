/**
 * A measurement, its machine and time: the content of a link and of a file.
 * @typedef {{ when: string, browser: string, cores: number, version?: string, adapter: string | null, peers: Record<string, string>,
 *   results: Record<string, Record<number, Record<string, import('./measure.js').Outcome>>> }} Run
 */

/** Whether this is a time in ms that a chart can show: longer than a thousandth of a nanosecond and shorter than twelve days. */
const isTime = (value) => typeof value === 'number' && value > 1e-9 && value < 1e9;
const isText = (value) => typeof value === 'string';
/** Whether the key of a table is a size in elements: a whole number of up to nine digits. */
const isSize = (text) => /^[1-9]\d{0,8}$/.test(text);
const isTable = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * The record that a link holds, or null where the views could not show it: anyone can write a link. The views rely on a time of the loop
 * at each size, and on the same implementations at all sizes of a workload.
 * @param {unknown} record @param {string[]} names of the workloads @param {string[]} ways ids of all implementations @returns {Run | null}
 */
export function readRecord(record, names, ways) {
  const isOutcome = (each) =>
    isTable(each) &&
    (each.median === undefined
      ? ['wrong', 'lacks', 'failed'].includes(each.verdict)
      : ['exact', 'rounded'].includes(each.verdict) && [each.median, each.low, each.high].every(isTime));
  const isByWay = (each) =>
    isTable(each) && each.loop?.median !== undefined && Object.entries(each).every(([way, one]) => ways.includes(way) && isOutcome(one));
  const isBySize = (each) =>
    isTable(each) && Object.entries(each).every(([size, one]) => isSize(size) && isByWay(one)) && areAlike(Object.values(each));
  const areResults = (all) => Object.entries(all).every(([name, each]) => names.includes(name) && isBySize(each));
  const fits = isTable(record) && hasFacts(record, ways) && areResults(record.results);
  return fits ? record : null;
}

/** Whether all tables have the same keys. */
const areAlike = (tables) => new Set(tables.map((each) => Object.keys(each).sort().join())).size < 2;

/** Whether a record has a table of results, and beside it everything that the views show, each of the right type. */
const hasFacts = ({ when, browser, cores, adapter, peers, results }, ways) =>
  isText(when) &&
  !Number.isNaN(Date.parse(when)) &&
  isText(browser) &&
  ['number', 'undefined'].includes(typeof cores) &&
  (adapter === null || isText(adapter)) &&
  isTable(peers) &&
  Object.entries(peers).every(([id, version]) => ways.includes(id) && isText(version)) &&
  isTable(results);
