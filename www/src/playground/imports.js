import { parser } from '@lezer/javascript';

/** The entries of the package that have all of its names. */
const OURS = /^scatterwise(\/threads|(\/cpu)?(\/inline)?)$/;

/** The offset of the first syntax error of a module; -1 without an error. @param {string} code */
export function errorIn(code) {
  let first = -1;
  parser.parse(code).iterate({
    enter({ type, from }) {
      if (type.isError && first < 0) first = from;
      return first < 0;
    },
  });
  return first;
}

/** Statements of a module. @param {string} code @returns {import('@lezer/common').SyntaxNode[]} */
export function statementsOf(code) {
  const all = [];
  for (let node = parser.parse(code).topNode.firstChild; node; node = node.nextSibling) all.push(node);
  return all;
}

/** An import declaration: the name of the default import, that of all, the names in braces, and the module. */
const IMPORT = /^import\s*(?:([$\w]+)\s*,?\s*)?(?:\*\s*as\s+([$\w]+)|\{([^}]*)\})?\s*(?:from)?\s*['"]([^'"]+)['"]/;

/**
 * An import declaration: the module, whether that is the package, the name for all of the module, and the names for parts of it, each
 * as it is called there and here. `null` where the declaration is not finished.
 * @typedef {{ module: string, isOurs: boolean, all: string | undefined, names: [there: string, here: string][] }} Import
 * @param {string} text @returns {Import | null}
 */
export function readImport(text) {
  const found = IMPORT.exec(text);
  if (!found) return null;
  const [, defaultName, all, inBraces = '', module] = found;
  const parts = inBraces.split(',').map((part) => part.trim()).filter(Boolean);
  const names = parts.map((part) => part.split(/\s+as\s+/)).map(([there, here = there]) => [there, here]);
  if (defaultName) names.unshift(['default', defaultName]);
  return { module, isOurs: OURS.test(module), all, names };
}
