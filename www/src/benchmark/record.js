/**
 * What was measured, where and when: the content of a link and of a file.
 * @typedef {{ when: string, browser: string, cores: number, version?: string, adapter: string | null, peers: Record<string, string>,
 *   results: Record<string, Record<number, Record<string, import('./measure.js').Outcome>>> }} Run
 */

/** A time in ms, between what no clock sees and some days: a scale has room for it. */
const isTime = (value) => typeof value === 'number' && value > 1e-9 && value < 1e9;
const isText = (value) => typeof value === 'string';
const isSize = (text) => /^[1-9]\d{0,8}$/.test(text);
const isTable = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * A record out of a link, which anyone can write: null unless it can be shown. The views find the loop's time at each size, and
 * the same ways at all sizes of a workload.
 * @param {unknown} record @param {string[]} names workloads @param {string[]} ways @returns {Run | null}
 */
export function readRecord(record, names, ways) {
  const outcome = (each) =>
    isTable(each) &&
    (each.median === undefined
      ? ['wrong', 'lacks', 'failed'].includes(each.verdict)
      : ['exact', 'rounded'].includes(each.verdict) && [each.median, each.low, each.high].every(isTime));
  const byWay = (each) =>
    isTable(each) && each.loop?.median !== undefined && Object.entries(each).every(([way, one]) => ways.includes(way) && outcome(one));
  const bySize = (each) =>
    isTable(each) && Object.entries(each).every(([size, one]) => isSize(size) && byWay(one)) && areAlike(Object.values(each));
  const fits = isTable(record) && hasFacts(record, ways) && Object.entries(record.results).every(([name, each]) => names.includes(name) && bySize(each));
  return fits ? record : null;
}

const areAlike = (tables) => new Set(tables.map((each) => Object.keys(each).sort().join())).size < 2;

/** When and where it was measured, as text. */
const hasFacts = ({ when, browser, cores, adapter, peers, results }, ways) =>
  isText(when) &&
  !Number.isNaN(Date.parse(when)) &&
  isText(browser) &&
  ['number', 'undefined'].includes(typeof cores) &&
  (adapter === null || isText(adapter)) &&
  isTable(peers) &&
  Object.entries(peers).every(([id, version]) => ways.includes(id) && isText(version)) &&
  isTable(results);
