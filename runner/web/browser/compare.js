/* global location */
import { request } from './request.js'

const { slug } = JSON.parse(document.getElementById('data').textContent)

document.querySelector('[data-solution]')?.addEventListener('click', async ({ target }) => {
  try {
    await request(`/api/lessons/${slug}/solution`)
    location.reload()
  } catch (error) {
    target.parentElement.querySelector('[role=status]').textContent = error.message
  }
})
