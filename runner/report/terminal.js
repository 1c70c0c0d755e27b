import { capabilitiesOf, createLiveRegion } from './live-region.js'
import { afterEvent, noProgress } from './progress.js'
import { layoutEvidence, layoutResult, layoutVerdict } from './result.js'
import { layoutChecks, layoutEvent, layoutLive, layoutRun, layoutText } from './running-check.js'
import { createTheme, wrapText } from './theme.js'

/**
 * @import { CheckProgress, ResultRecord } from '../judge/index.js'
 * @import { Output } from './live-region.js'
 * @import { Run } from './progress.js'
 * @import { Theme } from './theme.js'
 */

/** The report for people: a live picture while the check runs, the verdict and its evidence at the end. */

/**
 * @typedef {object} TerminalReport
 * @property {(event: CheckProgress) => void} onProgress
 * @property {(record: ResultRecord) => void} finish ends the live picture and writes the result
 * @property {() => void} stop ends the live picture without a result; does nothing if it has ended
 * @property {(sentence: string) => void} interrupt ends it and leaves it where it is, with a sentence below
 */

/**
 * Missing options are found out from the stream and from NO_COLOR, FORCE_COLOR, TERM and the locale.
 *
 * @param {object} [options]
 * @param {Output} [options.stream] default stdout
 * @param {Run} [options.run] lesson, folder and seed for the head of the live picture
 * @param {number} [options.columns] default: the window's, also after it is resized
 * @param {boolean} [options.colour]
 * @param {boolean} [options.live] redraw in place
 * @param {boolean} [options.unicode] false: ASCII marks and bars
 * @returns {TerminalReport}
 */
export function createTerminalReport ({ stream = process.stdout, run, columns, colour, live, unicode } = {}) {
  const found = capabilitiesOf(stream)
  // The last column stays free: some consoles break the line as soon as it's filled.
  const theme = () => createTheme({
    columns: columns ?? capabilitiesOf(stream).columns - (stream.isTTY ? 1 : 0),
    colour: colour ?? found.colour,
    unicode: unicode ?? found.unicode,
    uncut: found.uncut && columns === undefined
  })
  const write = (/** @type {string[]} */ lines) => { stream.write(lines.map((line) => line + '\n').join('')) }
  const picture = live ?? found.live ? livePicture(stream, run, theme) : plainLines(run, theme, write)

  let isTold = false

  return {
    onProgress: (event) => {
      if (event.type !== 'verdict') return picture.onProgress(event)
      picture.stop()
      write(['', ...layoutVerdict(event.record, theme()), ''])
      isTold = true
      picture.goOn()
    },
    finish: (record) => {
      picture.stop()
      write(isTold ? [...layoutEvidence(record, theme()), ''] : ['', ...layoutResult(record, theme()), ''])
    },
    stop: picture.stop,
    interrupt: (sentence) => {
      picture.freeze()
      // The terminal has written ^C into the line.
      write([...stream.isTTY ? [''] : [], ...wrapText(sentence, theme().columns)])
    }
  }
}

/**
 * @param {Output} stream
 * @param {Run | undefined} run
 * @param {() => Theme} theme
 */
function livePicture (stream, run, theme) {
  const startedAt = performance.now()
  let progress = noProgress
  const height = () => (stream.rows ?? Infinity) - 1
  let region = createLiveRegion({
    stream,
    lay: () => layoutLive(progress, run, performance.now() - startedAt, theme(), height())
  })
  return {
    onProgress: (/** @type {CheckProgress} */ event) => {
      progress = afterEvent(progress, event)
      region.changed()
    },
    stop: () => region.clear(),
    freeze: () => region.freeze(),
    /** The verdict is shown above: the rest of the run needs one line. */
    goOn: () => {
      region = createLiveRegion({ stream, lay: () => layoutText(progress, theme()) })
    }
  }
}

/**
 * @param {Run | undefined} run
 * @param {() => Theme} theme
 * @param {(lines: string[]) => void} write
 */
function plainLines (run, theme, write) {
  let begun = false
  let progress = noProgress
  return {
    onProgress: (/** @type {CheckProgress} */ event) => {
      if (!begun && run !== undefined) write(layoutRun(run, theme()))
      begun = true
      const over = progress.phase === 'contract' && event.type !== 'check' ? layoutChecks(progress) : []
      progress = afterEvent(progress, event)
      const lines = [...over, ...layoutEvent(event, theme())]
      if (lines.length > 0) write(lines)
    },
    stop: () => {},
    freeze: () => {},
    goOn: () => {}
  }
}
