// Calls from several sources, in one page: a software adapter takes longer to compile their pipelines than to run them.

import { testConformance } from './conformance.mjs';
import { testPlans } from './plans.mjs';
import { testRandomCalls } from './random.mjs';
import { openPage } from './web.mjs';

const opened = openPage();
testConformance(opened);
testRandomCalls(opened);
testPlans(opened); // at its end the page is loaded anew
