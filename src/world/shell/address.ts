import type { ShellArgument } from "./resolve-word.ts"
import type { Scene } from "./scene.ts"

/**
 * Reports the host that a program talks to: `host`, `user@host`, `host:path`, `scheme://user@host:port/path`.
 */
export function reportHost({ findings }: Scene, word: ShellArgument): void {
  if (word.value === undefined)
    return findings.addUnclear(`the host in ${word.written} is only known when the command runs`)
  const host = hostOf(word.value)
  // Letters of other alphabets can look like plain ones, and programs disagree about what a backslash ends.
  if (host === undefined || !/^[\w.-]+$|^\[[0-9a-fA-F:.%]+\]$/.test(host) || word.value.includes("\\"))
    findings.addUnclear(`the host in ${word.written} cannot be determined`)
  else findings.addHost(host)
}

function hostOf(text: string): string | undefined {
  const authority =
    /^[A-Za-z][A-Za-z0-9+.-]*:\/\/([^/?#\\]*)/.exec(text)?.[1] ?? /^([^/?#\\]*)/.exec(text)?.[1] ?? ""
  const host = authority.slice(authority.lastIndexOf("@") + 1)
  return /^(\[[^\]]*\]|[^:]*)/.exec(host)?.[1]
}
