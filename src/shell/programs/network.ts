import { hasFlag, readOptions, valuesOf } from "../options.ts"
import { type Argument, plainArgument } from "../resolve-word.ts"
import { change, type Program, type Scene, touch } from "../scene.ts"

/** Programs that talk to other machines: with whom. */
export const network: Readonly<Record<string, Program>> = {
  curl: (scene, words, state) => {
    const options = readOptions(words, {
      short: "AbcCdDeEFhHKmoPQrtTuUwxXyYz",
      long: `request header data data-raw data-binary data-urlencode form output user user-agent url proxy max-time connect-timeout
        retry retry-delay write-out upload-file cookie cookie-jar referer cacert cert key resolve interface range config`.split(
        /\s+/,
      ),
    })
    if (hasFlag(options, "-K", "--config", "--proto-redir", "--libcurl"))
      scene.found.unclear("curl reads its options from a file")
    for (const file of valuesOf(options, "-o", "--output", "-D", "--dump-header", "-c", "--cookie-jar"))
      touch(scene, "write", file, state)
    if (hasFlag(options, "-O", "--remote-name"))
      touch(scene, "write", { written: ".", value: "." }, state, "below")
    for (const file of valuesOf(options, "-T", "--upload-file", "--cacert", "--cert", "--key", "-E"))
      touch(scene, "read", file, state)
    for (const { value } of valuesOf(
      options,
      "-d",
      "--data",
      "--data-binary",
      "--data-urlencode",
      "-F",
      "--form",
    )) {
      const file = /(?:^|=)[@<](.+)$/s.exec(value ?? "")?.[1]?.replace(/;.*$/s, "")
      if (file) touch(scene, "read", { written: file, value: file }, state)
    }
    const hosts = [
      ...options.operands,
      ...valuesOf(options, "--url", "-x", "--proxy", "--preproxy", "--connect-to", "--resolve", "--doh-url"),
    ]
    for (const word of hosts) address(scene, word)
    return undefined
  },
  wget: (scene, words, state) => {
    const options = readOptions(words, {
      short: "oOaieBtTwQPUlADRIX",
      long: [
        "output-document",
        "output-file",
        "directory-prefix",
        "user-agent",
        "header",
        "post-data",
        "post-file",
        "timeout",
        "tries",
        "execute",
        "input-file",
      ],
    })
    if (
      hasFlag(
        options,
        "-i",
        "-e",
        "--input-file",
        "--execute",
        "--use-askpass",
        "--config",
        "--post-file",
        "--body-file",
      )
    )
      scene.found.unclear("wget takes addresses or settings from elsewhere")
    const named = valuesOf(options, "-O", "--output-document", "-o", "--output-file")
    for (const file of named) touch(scene, "write", file, state)
    if (named.length === 0)
      touch(
        scene,
        "write",
        valuesOf(options, "-P", "--directory-prefix")[0] ?? { written: ".", value: "." },
        state,
        "below",
      )
    for (const word of options.operands) address(scene, word)
    return undefined
  },
  ssh: (scene, words) => {
    const options = readOptions(words, { short: "bcDEeFIiJLlmOopQRSWw", stops: true })
    if (
      hasFlag(options, "-F", "-I", "-S", "-E") ||
      valuesOf(options, "-o").some(({ value }) =>
        /command|include|match|exec|provider|helper|proxy|knownhosts/i.test(value ?? "x"),
      )
    )
      scene.found.unclear("ssh runs a program, or reads its settings, as an option says")
    for (const jump of valuesOf(options, "-J")) address(scene, jump)
    if (options.operands[0]) address(scene, options.operands[0])
    return undefined
  },
  scp: copies("scp", "cFiJloPSX"),
  sftp: copies("sftp", "BbcDFiJloPRSX"),
  rsync: copies("rsync", "efBMT"),
  ...Object.fromEntries(
    ["nc", "ncat", "netcat", "telnet", "ftp", "socat"].map((name) => [name, connects] as const),
  ),
  ...Object.fromEntries(
    ["ping", "ping6", "dig", "host", "nslookup", "traceroute", "whois", "getent"].map(
      (name) => [name, asks] as const,
    ),
  ),
}

/** `host`, `user@host`, `host:path`, `scheme://user@host:port/path`. */
export function address(scene: Scene, word: Argument): void {
  if (word.value === undefined)
    return scene.found.unclear(`with whom ${word.written} talks is not known before it runs`)
  const host = hostOf(word.value)
  if (host === undefined || !/^[\p{L}\p{N}_.-]+$|^\[[0-9a-fA-F:.%]+\]$/u.test(host))
    scene.found.unclear(`with whom ${word.written} talks is not plain`)
  else scene.found.host(host)
}

function hostOf(text: string): string | undefined {
  const authority =
    /^[A-Za-z][A-Za-z0-9+.-]*:\/\/([^/?#\\]*)/.exec(text)?.[1] ?? /^([^/?#\\]*)/.exec(text)?.[1] ?? ""
  const host = authority.slice(authority.lastIndexOf("@") + 1)
  return /^(\[[^\]]*\]|[^:]*)/.exec(host)?.[1]
}

function copies(name: string, short: string): Program {
  return (scene, words, state) => {
    const options = readOptions(words, { short, long: copyValues })
    if (
      hasFlag(options, "-S", "-F", "-e", "-D", "-b", "--rsh", "--rsync-path") ||
      valuesOf(options, "-o").length > 0 ||
      words.some((word) => word.pattern !== undefined && !/[^*?[]/.test(word.pattern))
    )
      scene.found.unclear(`${name} runs a program, or reads its settings, as an option says`)
    const isFar = ({ value }: Argument) => value !== undefined && /^[^/]+:|:\/\//.test(value)
    for (const word of options.operands)
      if (word.value === undefined || name === "sftp" || isFar(word)) address(scene, word)
    const sources = options.operands.slice(0, -1)
    const target = options.operands.length > 1 ? options.operands.at(-1)! : undefined
    for (const word of sources.filter((source) => !isFar(source))) {
      touch(scene, "read", word, state, "below")
      if (hasFlag(options, "--remove-source-files")) change(scene, word, state, "below")
    }
    if (target ? !isFar(target) : name === "sftp") change(scene, target ?? here, state, "below")
    for (const place of valuesOf(options, "-T", "--temp-dir", "--backup-dir", "--partial-dir", "--log-file"))
      change(scene, place, state, "below")
    return undefined
  }
}

const here = plainArgument(".")

/** Options of rsync that name a file, or something else that is none of its operands. */
const copyValues =
  `temp-dir backup-dir partial-dir log-file include exclude filter include-from exclude-from files-from bwlimit
  timeout suffix port chmod chown compare-dest copy-dest link-dest max-size min-size info debug out-format password-file`.split(
    /\s+/,
  )

function connects(scene: Scene, words: readonly Argument[]): undefined {
  const options = readOptions(words, { short: "ipqwsxXTOIm" })
  if (
    hasFlag(options, "-e", "-c", "-U", "--exec", "--sh-exec", "--lua-exec") ||
    words.some((word) => /exec|system|unix/i.test(word.value ?? ""))
  )
    scene.found.unclear("it hands a connection to a program")
  if (options.operands[0]) address(scene, options.operands[0])
}

function asks(scene: Scene, words: readonly Argument[]): undefined {
  const { operands } = readOptions(words, { short: "cistwIWpqfkx" })
  for (const word of operands)
    if (word.value?.includes(".") || word.value === undefined)
      address(scene, { ...word, ...(word.value && { value: word.value.replace(/^@/, "") }) })
}
