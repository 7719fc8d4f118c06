// Browsers, their WebDriver servers and software Vulkan drivers of this machine. Each exported function returns a path, or undefined if it
// finds nothing.

import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

export const findChromium = () =>
  findProgram('chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable') ??
  [
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  ].find(isProgram);

export const findChromedriver = () => findProgram('chromedriver');

export const findFirefox = () =>
  findProgram('firefox', 'firefox-esr') ?? ['/Applications/Firefox.app/Contents/MacOS/firefox'].find(isProgram);

/** The manifest of lavapipe, Mesa's software Vulkan driver. */
export function findLavapipe() {
  const folder = '/usr/share/vulkan/icd.d';
  const file = existsSync(folder) && readdirSync(folder).find((name) => name.startsWith('lvp_icd'));
  return file ? join(folder, file) : undefined;
}

/** The manifest of SwiftShader, the software Vulkan driver that comes with Chromium. */
export const findSwiftshader = () =>
  ['/usr/lib/chromium', '/usr/lib/chromium-browser', '/opt/google/chrome']
    .map((folder) => join(folder, 'vk_swiftshader_icd.json'))
    .find(existsSync);

/** The first of `names` on PATH, as a full path. */
function findProgram(...names) {
  const folders = process.env.PATH.split(delimiter);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram);
}

/** Whether there is a file that may be run. */
function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
