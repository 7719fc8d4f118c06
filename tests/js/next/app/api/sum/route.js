import { use } from '../../use';

// Called for each request, not once during the build.
export const dynamic = 'force-dynamic';

/** The same as the page, from a route handler. */
export const GET = async () => new Response(await use());
