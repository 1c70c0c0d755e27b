import { allOf, readData } from '../../http/browser.js'
import { request } from './events.js'

const { slug } = readData()

for (const button of allOf('[data-solution]')) {
  button.addEventListener('click', async () => {
    try {
      await request(`/api/lessons/${slug}/solution`)
      location.reload()
    } catch (error) {
      for (const status of allOf('[role=status]')) status.textContent = error.message
    }
  })
}
