// What a day with a GPU says, as Markdown: pure functions of the JSON that run.mjs writes.

/** The adapter of a day: { name, isSoftware, float32 }; undefined if no benchmark has named one. */
export function adapterOf({ steps }) {
  for (const { output = '' } of Object.values(steps)) {
    const [, name, kind] = /^Adapter: (.*?), a (software|hardware) adapter/m.exec(output) ?? [];
    const [, float32] = /^float32 products of multiplies: (\w+)\./m.exec(output) ?? [];
    if (name) return { name: name.replace(/ \(\)$/, ''), isSoftware: kind === 'software', float32: float32?.toLowerCase() ?? 'unknown' };
  }
  return undefined;
}

/** The name of a file for an adapter. */
export const slug = (name) => name.toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '').slice(0, 40);

/** How many tests passed and failed in all suites, and the names of those that failed. */
export function testsOf({ steps }) {
  const all = { passed: 0, failed: 0, names: [], unfinished: [] };
  for (const [id, { state, output = '' }] of Object.entries(steps)) {
    if (!id.startsWith('suite-')) continue;
    const [, passed, failed] = /test result: .*? (\d+) passed; (\d+) failed/.exec(output) ?? [];
    // A suite that was cut off has no last line.
    all.passed += Number(passed ?? (output.match(/^test .* ok$/gm) ?? []).length);
    all.failed += Number(failed ?? (output.match(/^test .* FAILED$/gm) ?? []).length);
    all.names.push(...[...output.matchAll(/^test (.*) \.\.\. FAILED$/gm)].map(([, name]) => name));
    if (passed === undefined) all.unfinished.push(`${id.slice('suite-'.length)} (${state})`);
  }
  return all;
}

/** How many results of the native benchmark had other bits than the CPU's. */
export const wrongOf = ({ steps }) => Object.values(steps).flatMap(({ output = '' }) => output.match(/\bWRONG\b/g) ?? []).length;

/** The verdict in one cell. */
function verdict(day) {
  const { passed, failed, unfinished } = testsOf(day);
  const tests = `${passed} of ${passed + failed} tests${unfinished.length > 0 ? `, cut off: ${unfinished.join(', ')}` : ''}`;
  return failed + wrongOf(day) === 0 ? `${tests}, all bits the CPU's` : `${tests}, ${wrongOf(day)} wrong results of the benchmark`;
}

/** The row of docs/ADAPTERS.md, in the table *Natively*. */
export function rowOf(day) {
  const { name, float32, isSoftware } = adapterOf(day);
  const cells = [`${name}${isSoftware ? ' (software)' : ''}`, day.machine.system, `\`benches/gpu-day\`: ${verdict(day)}`, float32, day.commit, day.date];
  return `| ${cells.join(' | ')} |`;
}

/** The text of docs/ADAPTERS.md with a row below those of the table *Natively*. A row that is there stays alone. */
export function withRow(text, row) {
  if (text.includes(row)) return text;
  const lines = text.split('\n');
  const begin = lines.indexOf('## Natively');
  const end = lines.findIndex((line, at) => at > begin && lines[at - 1].startsWith('|') && !line.startsWith('|'));
  if (begin < 0 || end < 0) throw new Error('docs/ADAPTERS.md has no table below "## Natively"');
  return [...lines.slice(0, end), row, ...lines.slice(end)].join('\n');
}

/** The page of a day. */
export function pageOf(day) {
  const { name, isSoftware, float32 } = adapterOf(day);
  const { names } = testsOf(day);
  const { machine, date, commit, quick, steps } = day;
  const blocks = [
    `# ${name}`,
    `\`node benches/gpu-day/report.mjs\` writes this page. ${date}, ${commit}, ${machine.cpu}, ${machine.cores} cores, ${machine.system}.${quick ? ' A quick run: its times say little.' : ''}`,
    isSoftware ? 'This adapter computes on the CPU. Its times say nothing about a graphics card.' : '',
    `## Verdict\n\n${verdict(day)}. Products of float32: ${float32}.${names.length > 0 ? `\n\nThese failed: ${names.map((test) => `\`${test}\``).join(', ')}.` : ''}`,
    `| step | state | seconds |\n| :-- | :-- | --: |\n${Object.values(steps).map(({ title, state, seconds, why }) => `| ${title} | ${state}${why ? `: ${why}` : ''} | ${seconds ?? '–'} |`).join('\n')}`,
    ...['constants', 'forced', 'browser'].filter((id) => steps[id]?.output).map((id) => `## ${steps[id].title}\n\n${tablesOf(steps[id].output)}`),
  ];
  return `${blocks.filter(Boolean).join('\n\n')}\n`;
}

/** The tables in a program's output, with the headings before them, one level deeper. A folded table has its title as one. */
function tablesOf(output) {
  const titled = output.replace(/^<details><summary>(.*)<\/summary>$/gm, '## $1');
  const all = titled.split('\n').filter((line) => /^(\||#+ )/.test(line));
  // A heading stays if a table or a deeper heading follows.
  const depth = (line) => /^#*/.exec(line)[0].length;
  const lines = all.filter((line, at) => line.startsWith('|') || (at + 1 < all.length && (depth(all[at + 1]) === 0 || depth(all[at + 1]) > depth(line))));
  const blocks = lines.map((line, at) => {
    if (line.startsWith('#')) return `\n#${line}\n`;
    return line.startsWith('|') && !lines[at - 1]?.startsWith('|') ? `\n${line}` : line;
  });
  return blocks.join('\n').replace(/\n{3,}/g, '\n\n').trim();
}
