import { parser } from '@lezer/javascript';

const SILENT = /^(await\s+)?(console\.|show\b|init\b)/;

/**
 * Code as the body of an async function that hands the value of each expression at its top level to `$value(line, value)`,
 * as a notebook does. Imports go: every name is in scope. A text that does not parse stays as it is; running it says why.
 * @param {string} code
 */
export function transform(code) {
  const edits = [];
  for (let node = parser.parse(code).topNode.firstChild; node; node = node.nextSibling) {
    if (node.type.isError || node.name === 'ExportDeclaration') return code;
    if (node.name === 'ImportDeclaration') edits.push([node.from, node.to, '']);
    if (node.name !== 'ExpressionStatement') continue;
    const { from, to } = node.firstChild;
    if (SILENT.test(code.slice(from, to)) || node.firstChild.name === 'AssignmentExpression') continue;
    const line = code.slice(0, from).split('\n').length;
    edits.push([from, to, `await $value(${line}, (${code.slice(from, to)}\n))`]);
  }
  let [done, at] = ['', 0];
  for (const [from, to, text] of edits) {
    done += code.slice(at, from) + text;
    at = to;
  }
  return done + code.slice(at);
}
