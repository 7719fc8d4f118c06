import { html, nothing } from 'lit-html';
import { formatShape } from '../../shared/picture.js';
import { has, t } from '../../shared/messages.js';

/**
 * An error: its kind and place, the allowed values, the rule, and fixes.
 * @param {{ failure: import('../../engine/client.js').Failure, unchanged: boolean | null, fixes: import('../fixes.js').Fix[], page?: string }} state
 *   `unchanged` is whether self kept its bits, null where that is not known; `page` the address of the operator's page, with its errors
 * @param {(model: import('../code.js').Model) => void} [apply] gets the call that a fix makes
 */
export function failureView({ failure, unchanged, fixes, page }, apply) {
  const { name, message, facts } = failure;
  const rule = `rule.${facts.code}`;
  return html`<section class="failure" role="status">
    <h5>${name} ${page && facts.code ? html`<a class="code" href=${`${page}#error-${facts.code}`}>${facts.code}</a>` : html`<span class="code">${facts.code ?? ''}</span>`}</h5>
    <p>${message}</p>
    ${has(rule) ? html`<p class="rule"><b>${t('failure.rule')}</b> ${t(rule)}</p>` : nothing}
    ${typeof facts.allowed?.[0] === 'number' && facts.value !== undefined ? rangeView(facts) : nothing}
    ${factsView(facts)}
    ${unchanged === null ? nothing : html`<p class="unchanged">${unchanged ? `✓ ${t('failure.unchanged')}` : `✗ ${t('failure.changed')}`}</p>`}
    ${fixes.length > 0 ? html`<p class="fixes">${fixes.map((fix) => html`<button type="button" class="primary fix" @click=${() => apply(fix.model)}>${t(fix.key, fix.words)}</button>`)}</p>` : nothing}
  </section>`;
}

/** The allowed numbers as a band, and the value that is not among them. Nothing where they are no finite numbers. */
function rangeView({ allowed: [low, high], value }) {
  const bad = Number(value);
  if (!Number.isFinite(bad) || !Number.isFinite(low) || !Number.isFinite(high) || low > high) return nothing;
  const reach = Math.max(high - low, 1);
  const near = Math.min(Math.max(bad, low - reach), high + reach); // a value that is far out is drawn nearer
  const [left, right] = [Math.min(low, near), Math.max(high, near)];
  // Between 6 and 94 % of the width, so that the numbers at the ends fit.
  const at = (number) => `${(6 + (88 * (number - left)) / (right - left || 1)).toFixed(2)}%`;
  return html`<div class="range" role="img" aria-label=${t('failure.range', { value: String(value), low, high })}>
    <span class="band" style=${`left: ${at(low)}; right: calc(100% - ${at(high)})`}></span>
    <span class="end" style=${`left: ${at(low)}`}>${low}</span>
    ${high === low ? nothing : html`<span class="end" style=${`left: ${at(high)}`}>${high}</span>`}
    <span class="outside" style=${`left: ${at(near)}`}>${String(value)}</span>
  </div>`;
}

/** The text of each fact of an error. */
const factTexts = {
  op: String,
  argument: String,
  dim: String,
  position: (position) => `[${position.join(', ')}]`,
  value: String,
  allowed: (allowed) =>
    typeof allowed[0] === 'number' ? t('failure.span', { low: allowed[0], high: allowed[1] }) : allowed.join(', '),
  shapes: (shapes) =>
    Object.entries(shapes)
      .map(([name, shape]) => `${name} ${formatShape(shape)}`)
      .join(', '),
};

/** A list of the facts that an error has, in the order of `factTexts`. */
function factsView(facts) {
  const known = Object.keys(factTexts).filter((name) => facts[name] !== undefined);
  if (known.length === 0) return nothing;
  return html`<dl>${known.map((name) => html`<div><dt>${t(`fact.${name}`)}</dt><dd>${factTexts[name](facts[name])}</dd></div>`)}</dl>`;
}
