/** Backup, disabled and example copies of files. */
export const isBackupCopy = (name: string): boolean =>
  /(?:~|#|\.(?:bak|backup|disabled|dist|example|off|old|orig|rej|sample|save|sw[a-p]|template|tmp))$/i.test(
    name,
  )

/** Notes and scripts, which often lie beside files of settings and hooks. */
export const isNoteOrScript = (name: string): boolean => isNote.test(name) || isScript.test(name)

const isNote =
  /^(?:(?:authors|changelog|codeowners|contributing|copying|licen[cs]e|notice|readme|todo)|.*\.(?:adoc|html?|mdx?|markdown|pdf|png|rst|svg|txt))$/i
const isScript =
  /\.(?:bash|bat|cjs|cmd|cts|fish|go|js|jsx|lua|mjs|mts|php|pl|ps1|py|pyc|rb|rs|sh|ts|tsx|zsh)$/i
