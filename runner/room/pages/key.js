import MarkdownIt from 'markdown-it'
import { html, trusted } from '../../report/index.js'

/**
 * The key to all questions: a part of the instructor's page.
 *
 * @param {readonly { number: number, title: string, answers: string }[]} lessons answers: Markdown
 */
export function keyHtml (lessons) {
  const md = new MarkdownIt()
  // They lead to files, which a room doesn't serve.
  for (const rule of ['link_open', 'link_close']) md.renderer.rules[rule] = () => ''
  return html`${lessons.map(({ number, title, answers }) => html`<details>
<summary>${number} ${title}</summary>${trusted(md.render(answers))}</details>`)}`
}
