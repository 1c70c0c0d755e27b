import { serveOrders } from '../helper/index.js'

/** The process that imports a learner's load.js. */
serveOrders({
  ready: () => {},
  read: async ({ url }) => {
    try {
      const { default: profile } = await import(url)
      const text = JSON.stringify(profile)
      // What JSON cannot hold is no data: functions, symbols, cycles.
      const profileOfData = text === undefined ? undefined : JSON.parse(text)
      const lost = Object.keys(profile ?? {}).find((key) => profile[key] !== undefined && profileOfData?.[key] === undefined)
      if (lost) return { profile: null, problem: `\`${lost}\` in load.js is no plain data.` }
      return { profile: profileOfData, problem: null }
    } catch (error) {
      const place = /load\.js:\d+/.exec(String(error?.stack))?.[0] ?? 'load.js'
      return { profile: null, problem: `load.js cannot be read: ${error?.name ?? 'Error'}: ${String(error?.message ?? error).split('\n')[0]} (${place}).` }
    }
  }
})
