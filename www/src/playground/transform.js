import { errorIn, readImport, statementsOf } from './imports.js';

/** The beginning of an expression whose value is not shown: calls that show something themselves, and the start. */
const SILENT = /^(await\s+)?(console\.|show\b|init\b)/;

/**
 * An import as a statement of a function: names of the package are taken from `$exports`, all of it is `$package`, and any other module is
 * refused.
 */
function withoutImport(text) {
  const found = readImport(text);
  if (!found) return text; // running it says why
  const { module, isOurs, all, names } = found;
  if (!isOurs) return `throw new Error(${JSON.stringify(`'${module}' cannot be imported here: the playground has scatterwise alone`)});`;
  const parts = names.length > 0 ? `const { ${names.map((pair) => pair.join(': ')).join(', ')} } = $exports;` : '';
  return all ? `const ${all} = $package;${parts}` : parts;
}

/**
 * Code as the body of an async function that hands the value of each expression at its top level to `$value(line, value)`,
 * as a notebook does. Assignments are not handed over, nor what is SILENT. Names of the package need no import. Of a text that does not
 * parse only the imports are changed; running it says why it does not.
 * @param {string} code
 */
export function transform(code) {
  const edits = []; // from, to, and the text that comes in between instead
  const isWrong = errorIn(code) >= 0;
  for (const node of statementsOf(code)) {
    if (node.name === 'ExportDeclaration') return code; // a function can have no export
    if (isWrong && node.name !== 'ImportDeclaration') continue;
    if (node.name === 'ImportDeclaration') edits.push([node.from, node.to, withoutImport(code.slice(node.from, node.to))]);
    if (node.name !== 'ExpressionStatement') continue;
    const { from, to } = node.firstChild;
    if (SILENT.test(code.slice(from, to)) || node.firstChild.name === 'AssignmentExpression') continue;
    const line = code.slice(0, from).split('\n').length;
    edits.push([from, to, `await $value(${line}, (${code.slice(from, to)}\n))`]);
  }
  let [done, at] = ['', 0]; // the new text, and how much of the old one is in it
  for (const [from, to, text] of edits) {
    done += code.slice(at, from) + text;
    at = to;
  }
  return done + code.slice(at);
}
