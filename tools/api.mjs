// The package's types, read by TypeDoc: for the API reference, the tests of comments and examples, and the playground's completion.

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Application, Comment, ReflectionKind } from 'typedoc';
import { root, Trouble } from './shell.mjs';
import { readTypes } from './types.mjs';

/** The types that are documented: the name of the file, and of the entry that has them. */
const modules = { index: 'scatterwise', files: 'scatterwise/files', verify: 'scatterwise/verify', threads: 'scatterwise/threads' };
const folder = join(root, 'target', 'docs', 'types');

/** Reads the types; throws where a link in a comment leads nowhere. Resolves to `{ app, project }` of TypeDoc. */
export async function readProject() {
  await mkdir(folder, { recursive: true });
  for (const [name, entry] of Object.entries(modules)) {
    const text = name === 'index' ? await readTypes() : await readFile(join(root, 'src', 'js', `${name}.d.ts`), 'utf8');
    await writeFile(join(folder, `${name}.d.ts`), `/** @module ${entry} */\n${text}`);
  }
  const compilerOptions = { target: 'es2022', module: 'esnext', moduleResolution: 'bundler', lib: ['esnext', 'dom'], types: [], strict: true };
  const files = Object.keys(modules).map((name) => `${name}.d.ts`);
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  const app = await Application.bootstrap({
    name: 'Scatterwise',
    entryPoints: files.map((file) => join(folder, file)),
    tsconfig: join(folder, 'tsconfig.json'),
    readme: 'none',
    favicon: join(root, 'www', 'public', 'favicon.svg'),
    excludeExternals: true,
    excludePrivate: true,
    hideGenerator: true,
    disableGit: true,
    sourceLinkTemplate: '.', // nothing is linked: the types are in no repository
    sort: ['source-order'],
    validation: { notExported: false, invalidLink: true },
    logLevel: 'Warn',
  });
  const project = await app.convert();
  if (!project) throw new Trouble('TypeDoc cannot read the types.');
  app.validate(project);
  if (app.logger.hasWarnings() || app.logger.hasErrors()) throw new Trouble('TypeDoc complains about the types: see above.');
  return { app, project };
}

/**
 * Every export and member of a project: `{ id, module, name, owner, kind, isStatic, signatures, text, examples }`. `owner` is the name of the
 * class or interface of a member, and `id` has it in front. `signatures` are as the types have them; `text` is the first comment, and `examples` are those of
 * all overloads. `text` is undefined without a comment.
 */
export async function entriesOf(project) {
  const found = [];
  for (const module of project.children) {
    for (const declaration of module.children) {
      if (declaration.isReference()) continue; // the default export
      found.push(await describe(module, declaration));
      for (const member of declaration.children ?? []) if (!member.inheritedFrom) found.push(await describe(module, member, declaration.name));
    }
  }
  return found;
}

/** What a test or an editor wants to know of a declaration or of a member of `owner`. */
async function describe(module, reflection, owner) {
  const all = reflection.signatures ?? [reflection];
  const comments = all.map(({ comment }) => comment).filter(Boolean);
  const name = reflection.name === '[dispose]' ? '[Symbol.dispose]' : reflection.name;
  const kind = ReflectionKind.singularString(reflection.kind).toLowerCase();
  const examples = comments.flatMap((comment) => comment.getTags('@example')).map(({ content }) => Comment.combineDisplayParts(content).replace(/^```\w*\n|\n```$/g, ''));
  return {
    id: owner ? `${owner}.${name}` : name,
    module: module.name,
    name,
    owner: owner ?? '',
    kind,
    isStatic: reflection.flags.isStatic,
    signatures: kind === 'class' ? [`class ${name}`] : await Promise.all(all.map((each) => textOf((each.sources ?? reflection.sources)[0]))),
    text: comments[0] && Comment.combineDisplayParts(comments[0].summary),
    examples: [...new Set(examples)],
  };
}

/** The text of a declaration in the types: from its line to the one that ends it. */
async function textOf({ fullFileName, line }) {
  const lines = (await readFile(fullFileName, 'utf8')).split('\n').slice(line - 1);
  const end = lines.findIndex((each) => /[;{]$/.test(each));
  return lines.slice(0, end + 1).join('\n').replace(/^\s*(export )?(declare )?(function )?|\s*[;{]$/g, '');
}
