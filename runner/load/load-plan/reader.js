import { serveOrders } from '../../process/child.js'

/** The process that imports a learner's load.js. */
serveOrders({
  ready: () => {},
  read: async ({ url }) => {
    try {
      const { default: plan } = await import(url)
      const text = JSON.stringify(plan)
      // What JSON cannot hold is no data: functions, symbols, cycles; nor is what is worked out when it is read.
      const planOfData = text === undefined ? undefined : JSON.parse(text)
      const fields = Object.getOwnPropertyDescriptors(plan ?? {})
      const lost = Object.keys(plan ?? {})
        .find((key) => fields[key].get || (plan[key] !== undefined && planOfData?.[key] === undefined))
      if (lost) return { plan: null, problem: `\`${lost}\` in load.js isn’t plain data.` }
      return { plan: planOfData, problem: null }
    } catch (error) {
      const place = /load\.js:\d+/.exec(String(error?.stack))?.[0] ?? 'load.js'
      return {
        plan: null,
        problem: `load.js cannot be read: ${error?.name ?? 'Error'}: ` +
          `${String(error?.message ?? error).split('\n')[0]} (${place}).`
      }
    }
  }
})
