import { html, nothing, render } from 'lit-html';
import { choices, choose, chosen, onChoice, ready } from './devices.js';
import { t } from './messages.js';

/** Fills every `data-devices` of the page with the switch between the devices, and says there why WebGPU cannot be chosen, if it cannot. */
export async function startDeviceSwitch() {
  const places = [...document.querySelectorAll('[data-devices]')];
  const draw = (obstacle) => places.forEach((place, at) => render(switchView(at, obstacle), place));
  const obstacle = await ready;
  draw(obstacle);
  onChoice(() => draw(obstacle));
}

/** @param {number} at which switch of the page it is @param {string | null} obstacle why there is no WebGPU, as a key of the messages */
function switchView(at, obstacle) {
  const option = (device) => html`<label>
    <input
      type="radio" name=${`device-${at}`} value=${device} .checked=${chosen() === device}
      ?disabled=${obstacle !== null && device !== 'cpu'}
      @change=${() => choose(device)}
    /><span>${t(`device.${device}`)}</span>
  </label>`;
  return html`<fieldset class="switch">
      <legend class="hidden">${t('device.legend')}</legend>
      ${choices.map(option)}
    </fieldset>
    ${obstacle ? html`<p class="status" role="status">${t(obstacle)} ${t('device.calm')}</p>` : nothing}`;
}
