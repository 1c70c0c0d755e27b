const mib = 1024 ** 2

/** What a server in the sandbox may use at most, and the check beside it. */
export const limits = {
  /** threads count, too */
  server: { processes: 512, memoryBytes: 1024 * mib },
  check: { processes: 512, memoryBytes: 2048 * mib },
  openFiles: 8192,
  /** of one file */
  fileBytes: 256 * mib,
  /** of all DATA_DIRs of a check together, and of copies */
  diskBytes: 512 * mib,
  /** of a server's own /tmp */
  temporaryBytes: 64 * mib
}
