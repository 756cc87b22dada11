/**
 * The reason why a command is refused that plainly reads the environment of other processes, which may
 * contain keys. Without a sandbox the system allows that. Only the text is checked: reads by a program itself
 * are not seen.
 */
export function refuseEnvironmentReads(command: string): string | undefined {
  const plain = command.replace(/\\\n|["'\\]/g, "")
  return readsFile(plain) || listsProcesses(plain) ? reason : undefined
}

const reason =
  "it reads the environment of other processes, which may contain keys. Use `env` for its own variables, and `ps -ef` for processes."

/**
 * `/proc/1/environ`, wherever the number comes from; the full name may only be known when the command runs.
 */
function readsFile(command: string): boolean {
  if (/(?:^|[^\w.-])\/proc\b/.test(command) && /\benviron\b/.test(command)) return true
  const below = command.matchAll(/\/proc\/+(?:[^\s/;|&<>]+\/+)(?:task\/+[^\s/;|&<>]+\/+)?([^\s/;|&<>]*)/g)
  return [...below].some(([, name]) => /[*?[\]{}$`]/.test(name!) || name === "environ" || name === "mem")
}

/** `ps e` and `ps auxeww` show the environment; `ps -e` does not. */
function listsProcesses(command: string): boolean {
  const calls = command.matchAll(/(?:^|[\s;|&(`/])ps\s+([^;|&<>)`\n]*)/g)
  return [...calls].some(([, text]) => {
    const words = text!.trim().split(/\s+/)
    return words.some(
      (word, index) =>
        /^[A-Za-z]*e[A-Za-z]*$/.test(word) &&
        !/^-(?:[A-Za-z]*[CpuUgGtoOqsNk]|-\w+)$/.test(words[index - 1] ?? ""),
    )
  })
}
