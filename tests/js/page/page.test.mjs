// The site: one build for all of it, in Chromium with and without an adapter, and in Firefox.

import { site } from './context.mjs';
import { testAttention } from './attention.mjs';
import { testBenchmark } from './benchmark.mjs';
import { testDemos } from './demos.mjs';
import { testFirefox } from './firefox.mjs';
import { testHome } from './home.mjs';
import { testLabs } from './labs.mjs';
import { testLabResults } from './labs.results.mjs';
import { testOffline } from './offline.mjs';
import { testPages } from './pages.mjs';
import { testPlayground } from './playground.mjs';
import { testPuzzles } from './puzzles.mjs';
import { testSearch } from './search.mjs';
import { testShapes } from './shapes.mjs';
import { testThreads } from './threads.mjs';
import { testVerify } from './verify.mjs';

const context = site();
testShapes();
testPages(context);
testHome(context);
testLabs(context);
testLabResults(context);
testPlayground(context);
testAttention(context);
testThreads(context);
testPuzzles(context);
testDemos(context);
testBenchmark(context);
testVerify(context);
testSearch(context);
testOffline(context);
testFirefox(context);
