import { Client } from './client.js';
import { use } from './use';

// Rendered for each request, so that the package runs on the server, not during the build.
export const dynamic = 'force-dynamic';

/** The package's answer on the server, and below it its answer in the page. */
export default async function Page() {
  return (
    <main>
      <p id="server">{await use()}</p>
      <Client />
    </main>
  );
}
