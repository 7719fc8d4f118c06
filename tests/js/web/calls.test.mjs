// Calls from several sources, in one page: a software adapter takes longer to compile their pipelines than to run them.

import { testConformance, testFiles } from './conformance.mjs';
import { testOwnCalls } from './own.mjs';
import { testPlans } from './plans.mjs';
import { testRandomCalls } from './random.mjs';
import { openPage } from './web.mjs';

const opened = openPage();
testFiles();
testConformance(opened);
testRandomCalls(opened);
testOwnCalls(opened);
testPlans(opened); // it reloads the page at its end
