// The site: one build and two browsers for all of it.

import { site } from './context.mjs';
import { testBenchmark } from './benchmark.mjs';
import { testDemos } from './demos.mjs';
import { testLabs } from './labs.mjs';
import { testOffline } from './offline.mjs';
import { testPages } from './pages.mjs';
import { testPlayground } from './playground.mjs';
import { testPuzzles } from './puzzles.mjs';
import { testShapes } from './shapes.mjs';

const context = site();
testShapes();
testPages(context);
testLabs(context);
testPlayground(context);
testPuzzles(context);
testDemos(context);
testBenchmark(context);
testOffline(context);
