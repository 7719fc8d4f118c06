// The package's page: src/js/README.md, whose links to documents lead into the repository.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './shell.mjs';

/** The text of the page. npm has no other file of the repository: a link to one is its address there, or, without a repository, its text alone. */
export function readme(repository) {
  const text = readFileSync(join(root, 'src', 'js', 'README.md'), 'utf8');
  return text.replace(/\[([^\]]+)\]\((?:\.\.\/)+([^)]+)\)/g, repository ? `[$1](${repository}/blob/main/$2)` : '$1');
}
