import { Client } from './client.js';
import { use } from './use.js';

export const dynamic = 'force-dynamic';

export default async function Page() {
  return (
    <main>
      <p id="server">{await use()}</p>
      <Client />
    </main>
  );
}
