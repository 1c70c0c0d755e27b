/** Variables that a Node.js process may need to run at all, on any system. */
const passedOn = [
  'PATH', 'HOME', 'USERPROFILE', 'TMPDIR', 'TEMP', 'TMP', 'LANG', 'LC_ALL', 'TZ', 'SYSTEMROOT', 'SYSTEMDRIVE', 'WINDIR',
  'COMSPEC', 'PATHEXT', 'NUMBER_OF_PROCESSORS', 'PROCESSOR_ARCHITECTURE', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH'
]

/** What a server may see of our environment: enough to run, no secrets, no NODE_OPTIONS. */
export function passedEnvironment () {
  const wanted = new Set(passedOn)
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => wanted.has(name.toUpperCase())))
}
