import { use } from '../../use.js';

export const dynamic = 'force-dynamic';

export const GET = async () => new Response(await use());
