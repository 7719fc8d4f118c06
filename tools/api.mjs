// Reads the package's types as documentation: each export and member with its comment. For `npm run docs` and the tests.

/**
 * What a `.d.ts` exports, in order: `{ kind, name, signature, isStatic, text, examples, line, isDocumented, members }`. `text` and
 * `examples` are those of its comment, `line` is that of its signature, from 1, and `members` has the same of the members of a class or
 * interface. An overload is a declaration of its own; one without a comment belongs to the one before it. It reads the layout of
 * src/js/types.d.ts, not TypeScript at large.
 */
export function readApi(source) {
  const lines = source.split('\n');
  const declarations = [];
  let comment = null;
  let owner = null;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at].trim();
    if (line.startsWith('/**')) {
      const start = at;
      while (!lines[at].includes('*/')) at++;
      comment = readComment(lines.slice(start, at + 1).join('\n'));
    } else if (owner && line === '}') {
      owner = null;
    } else if (line && !line.startsWith('//') && !line.startsWith('///')) {
      const start = at;
      while (!isWhole(lines.slice(start, at + 1).join('\n'))) at++;
      const signature = dedent(lines.slice(start, at + 1).join('\n'));
      const declaration = { ...describe(signature), ...(comment ?? { text: '', examples: [] }), line: start + 1, isDocumented: Boolean(comment), members: [] };
      comment = null;
      (owner?.members ?? declarations).push(declaration);
      if (signature.endsWith('{') && !owner) owner = declaration;
    }
  }
  const classes = declarations.flatMap((each) => joinConstructor(each, declarations));
  // Types that are not exported only help the exported ones.
  return classes.filter(({ kind, signature }) => kind !== 'export' && (signature.startsWith('export ') || !/^(import|type|interface|declare) /.test(signature)));
}

/**
 * A class whose type depends on its constructor's arguments is declared in three parts, as TypeScript's own library declares
 * `Array`: the interface of its instances, an interface `…Constructor`, and a constant. They are one class to the reader. Returns a list
 * of what takes the place of a declaration: the class for the interface of its instances, nothing for the constant, all others as they are.
 */
function joinConstructor(declaration, all) {
  const constructorOf = (name) => all.find((each) => each.name === `${name}Constructor`);
  if (declaration.kind === 'const' && constructorOf(declaration.name)) return [];
  const statics = declaration.kind === 'interface' && constructorOf(declaration.name)?.members;
  if (!statics) return [declaration];
  const ofClass = statics.filter(({ name }) => name !== 'prototype').map((each) => ({ ...each, isStatic: each.name !== 'constructor' }));
  return [{ ...declaration, kind: 'class', signature: declaration.signature.replace('interface', 'class'), members: [...ofClass, ...declaration.members] }];
}

/** Whether a text has a whole declaration: to its semicolon or last brace, or, of a class or an interface, to the brace that opens it. */
function isWhole(text) {
  // How many brackets are open, those in strings and comments not counted.
  const depth = [...text.replace(/'[^']*'|\/\*.*?\*\//gs, '')].reduce((sum, each) => sum + ('([{'.includes(each) ? 1 : 0) - (')]}'.includes(each) ? 1 : 0), 0);
  if (/^(export )?(declare )?(class|interface) /.test(text.trim())) return text.includes('{');
  return /[;}]$/.test(text.trimEnd()) && depth === 0;
}

/** `{ kind, name, signature, isStatic }` of a declaration. `kind` is its keyword; of a member 'method', 'property' or 'private'. */
function describe(signature) {
  const top = signature.match(/^(?:export )?(?:declare )?(class|interface|function|type|const) (\w+)/);
  if (top) return { kind: top[1], name: top[2], signature: signature.replace(/\s*\{\}?$/, '') };
  const member = /^(private |static |readonly |)\s*(\[[\w.]+\]|\w+)/.exec(signature.replace(/^static readonly /, 'static '));
  const name = member?.[2] ?? signature;
  if (/^export (default|\{|\*)/.test(signature)) return { kind: 'export', name: 'default', signature };
  if (/^new [<(]/.test(signature)) return { kind: 'method', name: 'constructor', signature };
  const kind = /^private /.test(signature) ? 'private' : /^[^:]*\(/.test(signature) ? 'method' : 'property';
  return { kind, name, signature, isStatic: /^static /.test(signature) };
}

/** A comment without its stars and slashes, as its text and its examples. */
function readComment(comment) {
  const text = comment.replace(/^\s*\/\*\*\s?|\s*\*\/$/g, '').split('\n').map((each) => each.replace(/^\s*\* ?/, '')).join('\n');
  const [body, ...examples] = text.split(/^@example\s*$/m);
  return { text: body.trim(), examples: examples.map((each) => each.trim()) };
}

/** A text without the indentation that its first line has, where other lines have it too. */
function dedent(text) {
  const indent = text.match(/^ */)[0].length;
  return text.split('\n').map((line) => line.slice(Math.min(indent, line.length - line.trimStart().length))).join('\n').trim();
}
