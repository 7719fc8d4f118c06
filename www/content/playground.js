export function body({ t }) {
  return `<main id="main" class="playground" tabindex="-1">
      <h1>${t('playground.title')}</h1>
      <p class="lead">${t('playground.lead')}</p>
      <div id="playground"></div>
    </main>`;
}
