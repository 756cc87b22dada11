import { address } from "../address.ts"
import { asName, type Call, has, type Judged, lastValue, valuesOf } from "../known-program.ts"
import { type Argument, plainArgument } from "../resolve-word.ts"
import { change, placesOf, touch, touchIfThere } from "../scene.ts"
import { behindLinks, beside, carryLinks } from "./coreutils.ts"

/** Programs that talk to other machines: with whom. */
export const network: Readonly<Record<string, Judged>> = {
  curl,
  wget: (call) => {
    const { scene, state } = call
    if (call.options.some(({ option, value }) => option.takes === "required" && !value))
      scene.found.unclear("wget reads its words twice, and the second time in another order")
    const documents = valuesOf(call, "-O", "--output-document")
    const folder = lastValue(call, "-P", "--directory-prefix") ?? here
    if (documents.length === 0 && !has(call, "--spider", "--help", "--version", "-V", "-h"))
      touch(scene, "write", folder, state, "below")
    for (const word of [...call.operands, ...valuesOf(call, "-B", "--base")]) address(scene, word)
  },
  ssh: (call) => {
    settings(call)
    // What has a slash in it is no port: it is a socket, which lies here or there.
    if (valuesOf(call, "-L", "-R", "-D", "-W").some(({ value }) => value?.includes("/") !== false))
      call.scene.found.unclear("ssh makes or uses a socket that is a file")
    for (const word of [...valuesOf(call, "-J", "-W"), ...call.operands.slice(0, 1)])
      address(call.scene, word)
  },
  scp: (call) => {
    settings(call)
    for (const word of valuesOf(call, "-J")) address(call.scene, word)
    copies(call)
    if (has(call, "-r")) behindLinks(call, "read", call.operands.slice(0, -1))
  },
  rsync: (call) => {
    if (call.operands.some(({ pattern }) => pattern === ""))
      call.scene.found.unclear("a file's name may be an option of rsync")
    copies(call)
    // What is there already is compared with what is to come.
    if (call.operands.length > 1)
      for (const target of call.operands.slice(-1).filter((word) => !isFar(word)))
        touch(call.scene, "read", asName(target), call.state, "below")
    // Files whose names are like that of the target are taken as a start.
    if (has(call, "-y", "--fuzzy"))
      for (const target of call.operands.slice(-1).filter((word) => !isFar(word)))
        touch(call.scene, "read", beside(asName(target)), call.state, "below")
    // Backups of a file lie beside it.
    if (has(call, "-b", "--backup", "--suffix"))
      for (const target of call.operands.slice(-1).filter((word) => !isFar(word)))
        change(call.scene, beside(asName(target)), call.state, "below")
    if (has(call, "-L", "--copy-links", "--copy-unsafe-links", "-k", "--copy-dirlinks"))
      behindLinks(call, "read", call.operands.slice(0, -1))
    if (has(call, "-K", "--keep-dirlinks")) call.scene.found.path("write", "/", "below")
    for (const place of valuesOf(call, "-T", "--temp-dir", "--backup-dir", "--partial-dir", "--log-file"))
      change(call.scene, place, call.state, "below")
  },
  nc: (call) => {
    for (const word of has(call, "-l") ? [] : call.operands.slice(0, 1)) address(call.scene, word)
  },
  ...Object.fromEntries(
    ["ping", "dig", "host", "nslookup"].map((name): [string, Judged] => [
      name,
      ({ scene, operands }) => {
        const asked = operands.filter(({ value = "." }) => !/^\+/.test(value) && !records.test(value))
        if (asked.length === 0) scene.found.unclear(`whom ${name} asks, and for what, is not plain`)
        for (const word of asked)
          address(scene, { ...word, ...(word.value && { value: word.value.replace(/^@/, "") }) })
      },
    ]),
  ),
}

const here = plainArgument(".")

/** Kinds of records, and classes of them. */
const records =
  /^(?:A|AAAA|ANY|AXFR|CAA|CNAME|DNSKEY|DS|HINFO|HTTPS|IXFR|LOC|MX|NAPTR|NS|NSEC3?|PTR|RRSIG|SOA|SPF|SRV|SSHFP|SVCB|TLSA|TXT|URI|IN|CH|HS)$/i

/** ssh reads options behind the host, too, up to the command. */
export function hostLast(words: readonly Argument[]): readonly Argument[] {
  const end = (start: number): number => {
    let index = start
    for (; /^-[^-]/.test(words[index]?.value ?? ""); index++) {
      const letters = words[index]!.value!.slice(1)
      const valued = [...letters].findIndex((letter) => "BbcDEeFIiJLlmOopQRSWw".includes(letter))
      if (valued >= 0 && valued === letters.length - 1) index++
    }
    return index
  }
  const first = end(0)
  const second = end(first + 1)
  return [
    ...words.slice(0, first),
    ...words.slice(first + 1, second),
    ...words.slice(first, first + 1),
    ...words.slice(second),
  ]
}

function curl(call: Call): void {
  const { scene, state } = call
  if (has(call, "-n", "--netrc", "--netrc-optional"))
    touch(scene, "read", plainArgument(`${scene.home}/.netrc`), state)
  const folder = lastValue(call, "--output-dir")
  for (const file of valuesOf(call, "-o", "--output")) {
    if (file.value?.includes("#")) scene.found.unclear("curl makes a file's name of an address")
    const inside = folder?.value !== undefined && file.value !== undefined && !file.value.startsWith("/")
    if (file.value !== "-")
      touch(scene, "write", inside ? plainArgument(`${folder.value}/${file.value}`) : file, state)
  }
  if (has(call, "-O", "--remote-name", "--remote-name-all", "-J", "--remote-header-name"))
    touch(scene, "write", folder ?? here, state, "below")
  for (const file of valuesOf(call, "--hsts", "--alt-svc"))
    for (const type of ["read", "write"] as const) if (file.value !== "") touch(scene, type, file, state)
  for (const given of valuesOf(call, "-E", "--cert", "--proxy-cert"))
    if (given.value === undefined || /^pkcs11:/i.test(given.value))
      scene.found.unclear("curl takes a certificate from elsewhere")
    else
      for (const name of new Set([given.value, given.value.replace(/:.*$/s, "")]))
        touch(scene, "read", plainArgument(name), state)
  for (const name of ["-d", "--data-ascii", "--data-binary", "--json", "-H", "--proxy-header", "-w"])
    for (const { value } of valuesOf(call, name)) if (value?.startsWith("@")) sent(call, value.slice(1))
  for (const name of ["--data-urlencode", "--url-query", "-F"])
    for (const { value } of valuesOf(call, name)) {
      const file = /^[^=@<]*=?[@<](.+)$/s.exec(value ?? "")?.[1] ?? /(?:^|=)[@<](.+)$/s.exec(value ?? "")?.[1]
      // A form names several, separated by commas, and says more of each behind a semicolon.
      for (const part of file?.split(name === "-F" ? /[,;]/ : /$^/) ?? [])
        sent(call, part.replace(/^.*file(?:name)?=|^headers="?[@<]/, "").replaceAll('"', ""))
    }
  if (valuesOf(call, "-w").some(({ value }) => value?.includes("%output{") !== false))
    scene.found.unclear("curl writes where its format says")
  for (const { value } of valuesOf(call, "-b", "--cookie"))
    if (value && !value.includes("=")) sent(call, value)
  for (const word of valuesOf(call, "-z", "--time-cond")) touchIfThere(scene, "read", word, state)
  const uploads = valuesOf(call, "-T", "--upload-file")
  for (const word of uploads) {
    if (/[{}[\]]/.test(word.value ?? ""))
      scene.found.unclear(`which files ${word.written} is, curl makes out`)
    if (word.value !== ".") touch(scene, "read", word, state)
  }
  for (const word of [...call.operands, ...valuesOf(call, "--url")]) location(call, word, uploads.length > 0)
  for (const word of valuesOf(call, "--connect-to", "--resolve")) {
    address(scene, word)
    // The one it really talks to; of several, and of those in brackets, nobody tells.
    const other = /^[^:[\]]*:[0-9*]*:([^:,[\]]*)(?::[0-9]*)?$/.exec(word.value ?? "")?.[1]
    if (other === undefined) scene.found.unclear(`with whom ${word.written} has curl talk is not plain`)
    else if (other !== "") address(scene, plainArgument(other))
  }
}

/** `@file`, as curl reads it. */
function sent({ scene, state }: Call, file: string): void {
  touch(scene, "read", plainArgument(file), state)
}

/** An address of another machine, or of a file. */
function location(call: Call, word: Argument, uploads: boolean): void {
  const { scene, state } = call
  if (/^[a-z][a-z0-9+.-]*:\/(?!\/)/i.test(word.value ?? "") && !/^file:/i.test(word.value!))
    return scene.found.unclear(`with whom ${word.written} has curl talk is not plain`)
  if (!/^file:/i.test(word.value ?? "")) return address(scene, word)
  const place = /^file:(?:\/\/[^/]*)?(\/.*)$/is.exec(word.value!)?.[1]
  if (place === undefined || /[{}[\]]/.test(place))
    return scene.found.unclear(`which file ${word.written} is, is not plain`)
  let name = place.replace(/[?#].*$/s, "")
  try {
    name = decodeURIComponent(name)
  } catch {
    scene.found.unclear(`which file ${word.written} is, is not plain`)
  }
  // What is put into a folder keeps its name.
  const reach = uploads && place.endsWith("/") ? "below" : "itself"
  for (const path of new Set([name, place]))
    touch(scene, uploads ? "write" : "read", plainArgument(path), state, reach)
}

/** `-o Name=value`: what only says how to connect. */
function settings(call: Call): void {
  for (const { value } of valuesOf(call, "-o"))
    if (
      !/^(?:StrictHostKeyChecking|BatchMode|ConnectTimeout|ConnectionAttempts|ServerAliveInterval|ServerAliveCountMax|LogLevel|Port|User|Compression|IdentitiesOnly|PasswordAuthentication|PreferredAuthentications|AddressFamily|RequestTTY)[= ]/i.test(
        value ?? "",
      )
    )
      call.scene.found.unclear("ssh runs a program, or reads its settings, as an option says")
}

const isFar = ({ value }: Argument) => value !== undefined && /^[^/]+:|:\/\//.test(value)

function copies(call: Call): void {
  const { scene, state, operands } = call
  for (const word of operands) if (word.reason !== undefined || isFar(word)) address(scene, word)
  const target = operands.length > 1 ? operands.at(-1)! : undefined
  for (const word of (target ? operands.slice(0, -1) : operands).filter((source) => !isFar(source))) {
    touch(scene, "read", asName(word), state, "below")
    if (has(call, "--remove-source-files")) change(scene, word, state, "below")
  }
  if (!target || isFar(target)) return
  carryLinks(call, { sources: operands.slice(0, -1).filter((source) => !isFar(source)), target })
  for (const { path } of placesOf(scene, target, state)) scene.found.linked(path, "itself")
  change(scene, target, state, "below")
}
