/**
 * What was measured, where and when: the content of a link and of a file.
 * @typedef {{ when: string, browser: string, cores: number, version?: string, adapter: string | null, peers: Record<string, string>,
 *   results: Record<string, Record<number, Record<string, import('./measure.js').Outcome>>> }} Run
 */

const isNumber = (value) => typeof value === 'number' && value > 0;
const isTable = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * A record out of a link, which anyone can write: null unless it can be shown.
 * @param {unknown} record @param {string[]} names workloads @param {string[]} ways @returns {Run | null}
 */
export function readRecord(record, names, ways) {
  const outcome = (each) =>
    isTable(each) &&
    (each.median === undefined
      ? ['wrong', 'lacks', 'failed'].includes(each.verdict)
      : ['exact', 'rounded'].includes(each.verdict) && [each.median, each.low, each.high].every(isNumber));
  const byWay = (each) => isTable(each) && outcome(each.loop) && Object.entries(each).every(([way, one]) => ways.includes(way) && outcome(one));
  const bySize = (each) => isTable(each) && Object.entries(each).every(([size, one]) => Number(size) > 0 && byWay(one));
  const fits =
    isTable(record) &&
    !Number.isNaN(Date.parse(record.when)) &&
    isTable(record.peers) &&
    Object.keys(record.peers).every((id) => ways.includes(id)) &&
    isTable(record.results) &&
    Object.entries(record.results).every(([name, each]) => names.includes(name) && bySize(each));
  return fits ? record : null;
}
