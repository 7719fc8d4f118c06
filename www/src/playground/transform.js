import { errorIn, readImport, statementsOf } from './imports.js';

/** The beginning of an expression whose value is not shown: calls that show something themselves, and the start. */
const SILENT = /^(await\s+)?(console\.|show\b|init\b)/;

/**
 * An import as a statement of a function: names of the package are taken from `$exports`, all of it is `$package`, and any other module is
 * refused. It has as many lines.
 */
function withoutImport(text) {
  const statement = importStatement(text);
  return statement + '\n'.repeat(lineBreaks(text) - lineBreaks(statement));
}

const lineBreaks = (text) => text.split('\n').length - 1;

function importStatement(text) {
  const found = readImport(text);
  if (!found) return text; // running it says why
  const { module, isOurs, all, names } = found;
  if (!isOurs) return `throw new Error(${JSON.stringify(`'${module}' cannot be imported here: the playground has scatterwise alone`)});`;
  const parts = names.length > 0 ? `const { ${names.map((pair) => pair.join(': ')).join(', ')} } = $exports;` : '';
  return all ? `const ${all} = $package;${parts}` : parts;
}

/**
 * Where the expressions are whose values are shown, as offsets: those at the top level of the code, as in a notebook, but for assignments,
 * calls that show something themselves, and the start. Code that does not parse has none.
 * @param {string} code @returns {{ from: number, to: number }[]}
 */
export function valuesIn(code) {
  if (errorIn(code) >= 0) return [];
  const expressions = statementsOf(code).filter(({ name }) => name === 'ExpressionStatement').map(({ firstChild }) => firstChild);
  return expressions.filter(({ name, from, to }) => name !== 'AssignmentExpression' && !SILENT.test(code.slice(from, to)));
}

/** Text in which each of `edits`, a range of offsets with what comes there instead, was made. They are in the order of the text. */
export function edited(text, edits) {
  let [done, at] = ['', 0]; // the new text, and how much of the old one is in it
  for (const { from, to, by } of edits) {
    done += text.slice(at, from) + by;
    at = to;
  }
  return done + text.slice(at);
}

/**
 * Code as the body of an async function that hands each value that is shown to `$value(line, value)`. Names of the package need no import. Of
 * a text that does not parse only the imports are changed; running it says why it does not. Every statement stays on its line.
 * @param {string} code
 */
export function transform(code) {
  const statements = statementsOf(code);
  if (statements.some(({ name }) => name === 'ExportDeclaration')) return code; // a function can have no export
  const imports = statements
    .filter(({ name }) => name === 'ImportDeclaration')
    .map(({ from, to }) => ({ from, to, by: withoutImport(code.slice(from, to)) }));
  const values = valuesIn(code).map(({ from, to }) => {
    const line = code.slice(0, from).split('\n').length;
    return { from, to, by: `await $value(${line}, (${code.slice(from, to)}))` };
  });
  return edited(code, [...imports, ...values].sort((a, b) => a.from - b.from));
}
