import type { Argument } from "./resolve-word.ts"
import type { Scene } from "./scene.ts"

/** Tells with whom a program talks: `host`, `user@host`, `host:path`, `scheme://user@host:port/path`. */
export function address({ found }: Scene, word: Argument): void {
  if (word.value === undefined)
    return found.unclear(`with whom ${word.written} talks is not known before it runs`)
  const host = hostOf(word.value)
  // Letters of other alphabets may stand for plain ones, and programs do not agree on what a backslash ends.
  if (host === undefined || !/^[\w.-]+$|^\[[0-9a-fA-F:.%]+\]$/.test(host) || word.value.includes("\\"))
    found.unclear(`with whom ${word.written} talks is not plain`)
  else found.host(host)
}

function hostOf(text: string): string | undefined {
  const authority =
    /^[A-Za-z][A-Za-z0-9+.-]*:\/\/([^/?#\\]*)/.exec(text)?.[1] ?? /^([^/?#\\]*)/.exec(text)?.[1] ?? ""
  const host = authority.slice(authority.lastIndexOf("@") + 1)
  return /^(\[[^\]]*\]|[^:]*)/.exec(host)?.[1]
}
