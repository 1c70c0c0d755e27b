import { post } from './session.js'

/**
 * The emitter of this thread with the most listeners for one event.
 *
 * @returns {Promise<{ event: string, listeners: number }>}
 */
export async function mostListeners () {
  const { result: own } = await post('Runtime.evaluate', { expression: 'process' })
  const { result: prototype } = await post('Runtime.callFunctionOn', {
    objectId: own.objectId,
    functionDeclaration: String(emitterPrototype)
  })
  const { objects } = await post('Runtime.queryObjects', { prototypeObjectId: prototype.objectId })
  const { result } = await post('Runtime.callFunctionOn', {
    objectId: objects.objectId,
    functionDeclaration: String(most),
    returnByValue: true
  })
  await post('Runtime.releaseObject', { objectId: objects.objectId })
  return result.value
}

/** Runs in the inspector. @this {any} */
function emitterPrototype () {
  let prototype = Object.getPrototypeOf(this)
  while (!Object.hasOwn(prototype, 'emit')) prototype = Object.getPrototypeOf(prototype)
  return prototype
}

/** Runs in the inspector. @this {any[]} */
function most () {
  let found = { event: '', listeners: 0 }
  for (const emitter of this) {
    const events = emitter._events
    if (!events || typeof events !== 'object') continue
    for (const event of Reflect.ownKeys(events)) {
      const listeners = Array.isArray(events[event]) ? events[event].length : 1
      if (listeners > found.listeners) found = { event: String(event), listeners }
    }
  }
  return found
}
