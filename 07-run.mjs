import { loadLesson, resolveLesson } from '/usr/src/app/runner/lesson/index.js'
import { probeSandbox, regrade } from '/usr/src/app/classroom/regrade/index.js'
const sandbox = await probeSandbox()
console.log('claims:', sandbox.enforced[2])
const { record, verified } = await regrade({ lesson: await loadLesson(await resolveLesson('3')), dir: process.argv[2], sandbox, speed: false, signal: AbortSignal.timeout(60000) })
console.log({ verified, verdict: record.verdict }); console.log(record.output.map(({ text }) => text).join('\n'))
