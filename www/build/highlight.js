import { classHighlighter, highlightCode } from '@lezer/highlight';
import { parser } from '@lezer/javascript';
import { escape } from './html.js';

const parsers = { js: parser, ts: parser.configure({ dialect: 'ts' }) };

/**
 * Code as HTML with the classes that the editor uses too, so that nothing changes when it takes over. Code of any language but
 * `js` and `ts` is escaped and gets no classes.
 */
export function highlight(code, language) {
  if (!(language in parsers)) return escape(code);
  let html = '';
  const put = (text, classes) => (html += classes ? `<span class="${classes}">${escape(text)}</span>` : escape(text));
  highlightCode(code, parsers[language].parse(code), classHighlighter, put, () => (html += '\n'));
  return html;
}
