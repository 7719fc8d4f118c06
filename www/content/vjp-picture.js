/** The call of the picture: the first example of docs/operators/vjp.md. */
const call = { self: [5, 6, 7], index: [2, 0, 2], cotangent: [1, 10, 100] };

const [CELL, GAP, TOP, BOTTOM] = [84, 20, 34, 150]; // in units of the view box: the size of a cell's step, and where the rows of cells are
const x = (at) => GAP + at * (CELL + GAP);
const HEIGHT = 40;

/** A row of cells with their values, and their numbers above or below. */
function rowHtml(values, y, kind, name) {
  const cells = values.map((value, at) => `<rect class="${kind}" x="${x(at)}" y="${y}" width="${CELL}" height="${HEIGHT}" rx="3" /><text x="${x(at) + CELL / 2}" y="${y + 26}">${value}</text>`);
  return `<text class="name" x="${x(0)}" y="${y === TOP ? y - 10 : y + HEIGHT + 22}">${name}</text>${cells.join('')}`;
}

/** An arrow for each entry of the index, between the place that it names and the entry: down where it reads, up where its gradient goes back. */
function arrowsHtml(isUp) {
  const line = (place, entry) => {
    const ends = [
      [x(place) + CELL / 2, TOP + HEIGHT + 4],
      [x(entry) + CELL / 2, BOTTOM - 4],
    ];
    const [[fromX, fromY], [toX, toY]] = isUp ? ends.reverse() : ends;
    return `<path class="flow" d="M${fromX},${fromY}L${toX},${toY}" marker-end="url(#vjp-tip)" />`;
  };
  return call.index.map(line).join('');
}

const figureHtml = (id, title, code, label, drawing) => `<figure aria-labelledby="vjp-${id}">
          <figcaption id="vjp-${id}"><b>${title}</b> <code>${code}</code></figcaption>
          <svg viewBox="0 0 ${x(3)} ${BOTTOM + HEIGHT + 34}" role="img" aria-label="${label}">${drawing}</svg>
        </figure>`;

/** What a gradient is, before its formulas: a gather, and the scatter that takes its gradient back. @param {import('../build/page.js').Context} context */
export function vjpPicture({ t }) {
  const { self, index, cotangent } = call;
  const read = index.map((place) => self[place]);
  const terms = self.map((_value, place) => cotangent.filter((_each, entry) => index[entry] === place));
  const sums = terms.map((some) => (some.length > 1 ? `${some.join(' + ')}` : String(some[0] ?? 0)));
  const tip = '<defs><marker id="vjp-tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path d="M0,0.5L8,4L0,7.5Z" /></marker></defs>';
  return `<div class="vjp-picture">
        ${figureHtml('forward', t('vjp.forward'), `t.gather(0, [${index.join(', ')}])`, t('vjp.forward.label'), `${tip}${rowHtml(self, TOP, 'place', 't')}${arrowsHtml(false)}${rowHtml(read, BOTTOM, 'entry', t('vjp.read'))}`)}
        ${figureHtml('backward', t('vjp.backward'), `vjp('gather', c, t, 0, [${index.join(', ')}]).self`, t('vjp.backward.label'), `${rowHtml(sums, TOP, 'place', t('vjp.gradient'))}${arrowsHtml(true)}${rowHtml(cotangent, BOTTOM, 'entry', t('vjp.cotangent'))}`)}
        <p>${t('vjp.text')}</p>
      </div>`;
}
