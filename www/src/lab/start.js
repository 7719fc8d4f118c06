import { reloadOnLink } from '../shared/address.js';
import { Lab } from './lab.js';

/** Starts each lab of the page when it comes near the screen; the editors, which are heavy, come after the pictures. */
export function startLabs() {
  const labs = new Map([...document.querySelectorAll('[data-lab]')].map((element) => [element, new Lab(element)]));
  const inAddress = new URLSearchParams(location.hash.slice(1)); // a link has the state of one lab, under its id
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target: element, isIntersecting } of entries) {
        if (!isIntersecting) continue;
        observer.unobserve(element);
        begin(labs.get(element));
      }
    },
    { rootMargin: '300px' },
  );
  for (const [element, lab] of labs) {
    if (inAddress.has(element.dataset.lab)) element.scrollIntoView();
    reloadOnLink(element.dataset.lab);
    observer.observe(lab.element);
  }
}

/** Runs a lab, then puts an editor into it. */
async function begin(lab) {
  await lab.start({ autoplay: 'autoplay' in lab.element.dataset });
  const { createEditor } = await import('../shared/editor.js');
  lab.mount(createEditor);
}
