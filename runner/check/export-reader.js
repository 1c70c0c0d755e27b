import { types } from 'node:util'
import { serveOrders } from '../process/child.js'

/** The process that imports a learner's file, and says what it exports. */
serveOrders({
  ready: () => {},
  read: async ({ url, name }) => {
    try {
      const { default: value } = await import(url)
      // What it is may change from one look to the next.
      if (types.isProxy(value)) return { value: null, problem: `${name} exports a Proxy, which isn’t plain data.` }
      const text = JSON.stringify(value)
      // What JSON cannot hold is no data: functions, symbols, cycles; nor is what is worked out when it is read.
      const data = text === undefined ? undefined : JSON.parse(text)
      const lost = lostIn(value, data)
      if (lost) return { value: null, problem: `\`${lost}\` in ${name} isn’t plain data.` }
      return { value: data, problem: null }
    } catch (error) {
      const line = String(error?.stack).split(name).map((after) => /^:\d+/.exec(after)?.[0]).find(Boolean) ?? ''
      return {
        value: null,
        problem: `${name} cannot be read: ${error?.name ?? 'Error'}: ` +
          `${String(error?.message ?? error).split('\n')[0]} (${name}${line}).`
      }
    }
  }
})

/**
 * The first field, at any depth, that JSON loses or that is worked out when it is read.
 *
 * @param {any} value
 * @param {any} data what JSON made of it
 * @returns {string | undefined}
 */
function lostIn (value, data) {
  if (Object(value) !== value) return undefined
  const fields = Object.getOwnPropertyDescriptors(value)
  for (const key of Object.keys(value)) {
    const isLost = fields[key].get || types.isProxy(value[key]) ||
      (value[key] !== undefined && data?.[key] === undefined)
    const inner = isLost ? undefined : lostIn(value[key], data?.[key])
    if (isLost || inner) return [key, inner].filter(Boolean).join('.')
  }
}
