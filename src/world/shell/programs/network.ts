import { reportHost } from "../address.ts"
import {
  type CallJudge,
  findLastOptionValue,
  hasOption,
  listOptionValues,
  type ProgramCall,
  readDashAsName,
} from "../known-program.ts"
import { makePlainArgument, type ShellArgument } from "../resolve-word.ts"
import { reportAccess, reportChange, reportIfExists, resolvePaths } from "../scene.ts"
import { carryLinks, getArgumentFolder, reportBehindLinks } from "./coreutils.ts"

/** Programs that talk to other machines: they report the hosts. */
export const networkPrograms: Readonly<Record<string, CallJudge>> = {
  curl,
  wget: (call) => {
    const { scene, state } = call
    if (call.options.some(({ option, value }) => option.takes === "required" && !value))
      scene.findings.addUnclear("wget reads its words a second time, in another order")
    const documents = listOptionValues(call, "-O", "--output-document")
    const folder = findLastOptionValue(call, "-P", "--directory-prefix") ?? here
    if (documents.length === 0 && !hasOption(call, "--spider", "--help", "--version", "-V", "-h"))
      reportAccess(scene, "write", folder, state, "below")
    for (const word of [...call.operands, ...listOptionValues(call, "-B", "--base")]) reportHost(scene, word)
  },
  ssh: (call) => {
    judgeSettings(call)
    // A value with a slash in it is not a port but a socket, here or on the other machine.
    if (listOptionValues(call, "-L", "-R", "-D", "-W").some(({ value }) => value?.includes("/") !== false))
      call.scene.findings.addUnclear("ssh creates or uses a socket file")
    for (const word of [...listOptionValues(call, "-J", "-W"), ...call.operands.slice(0, 1)])
      reportHost(call.scene, word)
  },
  scp: (call) => {
    judgeSettings(call)
    for (const word of listOptionValues(call, "-J")) reportHost(call.scene, word)
    judgeCopies(call)
    if (hasOption(call, "-r")) reportBehindLinks(call, "read", call.operands.slice(0, -1))
  },
  rsync: (call) => {
    if (call.operands.some(({ pattern }) => pattern === ""))
      call.scene.findings.addUnclear("rsync may read a file's name as an option")
    judgeCopies(call)
    // rsync compares the existing target with the source.
    if (call.operands.length > 1)
      for (const target of call.operands.slice(-1).filter((word) => !isFar(word)))
        reportAccess(call.scene, "read", readDashAsName(target), call.state, "below")
    // rsync starts from existing files whose names are similar to the name of the target.
    if (hasOption(call, "-y", "--fuzzy"))
      for (const target of call.operands.slice(-1).filter((word) => !isFar(word)))
        reportAccess(call.scene, "read", getArgumentFolder(readDashAsName(target)), call.state, "below")
    // Backups of a file lie beside it.
    if (hasOption(call, "-b", "--backup", "--suffix"))
      for (const target of call.operands.slice(-1).filter((word) => !isFar(word)))
        reportChange(call.scene, getArgumentFolder(readDashAsName(target)), call.state, "below")
    if (hasOption(call, "-L", "--copy-links", "--copy-unsafe-links", "-k", "--copy-dirlinks"))
      reportBehindLinks(call, "read", call.operands.slice(0, -1))
    if (hasOption(call, "-K", "--keep-dirlinks")) call.scene.findings.addPath("write", "/", "below")
    for (const place of listOptionValues(
      call,
      "-T",
      "--temp-dir",
      "--backup-dir",
      "--partial-dir",
      "--log-file",
    ))
      reportChange(call.scene, place, call.state, "below")
  },
  nc: (call) => {
    for (const word of hasOption(call, "-l") ? [] : call.operands.slice(0, 1)) reportHost(call.scene, word)
  },
  ...Object.fromEntries(
    ["ping", "dig", "host", "nslookup"].map((name): [string, CallJudge] => [
      name,
      ({ scene, operands }) => {
        const targets = operands.filter(({ value = "." }) => !/^\+/.test(value) && !records.test(value))
        if (targets.length === 0) scene.findings.addUnclear(`the host that ${name} asks cannot be determined`)
        for (const word of targets)
          reportHost(scene, { ...word, ...(word.value && { value: word.value.replace(/^@/, "") }) })
      },
    ]),
  ),
}

const here = makePlainArgument(".")

/** Types and classes of DNS records. */
const records =
  /^(?:A|AAAA|ANY|AXFR|CAA|CNAME|DNSKEY|DS|HINFO|HTTPS|IXFR|LOC|MX|NAPTR|NS|NSEC3?|PTR|RRSIG|SOA|SPF|SRV|SSHFP|SVCB|TLSA|TXT|URI|IN|CH|HS)$/i

/** ssh also reads options behind the host, up to the command. */
export function moveHostLast(words: readonly ShellArgument[]): readonly ShellArgument[] {
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

function curl(call: ProgramCall): void {
  const { scene, state } = call
  if (hasOption(call, "-n", "--netrc", "--netrc-optional"))
    reportAccess(scene, "read", makePlainArgument(`${scene.home}/.netrc`), state)
  const folder = findLastOptionValue(call, "--output-dir")
  for (const file of listOptionValues(call, "-o", "--output")) {
    if (file.value?.includes("#")) scene.findings.addUnclear("curl derives a file's name from the address")
    const inside = folder?.value !== undefined && file.value !== undefined && !file.value.startsWith("/")
    if (file.value !== "-")
      reportAccess(scene, "write", inside ? makePlainArgument(`${folder.value}/${file.value}`) : file, state)
  }
  if (hasOption(call, "-O", "--remote-name", "--remote-name-all", "-J", "--remote-header-name"))
    reportAccess(scene, "write", folder ?? here, state, "below")
  for (const file of listOptionValues(call, "--hsts", "--alt-svc"))
    for (const type of ["read", "write"] as const)
      if (file.value !== "") reportAccess(scene, type, file, state)
  for (const certificate of listOptionValues(call, "-E", "--cert", "--proxy-cert"))
    if (certificate.value === undefined || /^pkcs11:/i.test(certificate.value))
      scene.findings.addUnclear("curl takes a certificate from an unknown place")
    else
      for (const name of new Set([certificate.value, certificate.value.replace(/:.*$/s, "")]))
        reportAccess(scene, "read", makePlainArgument(name), state)
  for (const name of ["-d", "--data-ascii", "--data-binary", "--json", "-H", "--proxy-header", "-w"])
    for (const { value } of listOptionValues(call, name))
      if (value?.startsWith("@")) reportSent(call, value.slice(1))
  for (const name of ["--data-urlencode", "--url-query", "-F"])
    for (const { value } of listOptionValues(call, name)) {
      const file = /^[^=@<]*=?[@<](.+)$/s.exec(value ?? "")?.[1] ?? /(?:^|=)[@<](.+)$/s.exec(value ?? "")?.[1]
      // A form may name several files, separated by commas, with more about each behind a semicolon.
      for (const part of file?.split(name === "-F" ? /[,;]/ : /$^/) ?? [])
        reportSent(call, part.replace(/^.*file(?:name)?=|^headers="?[@<]/, "").replaceAll('"', ""))
    }
  if (listOptionValues(call, "-w").some(({ value }) => value?.includes("%output{") !== false))
    scene.findings.addUnclear("curl writes to the files that its format names")
  for (const { value } of listOptionValues(call, "-b", "--cookie"))
    if (value && !value.includes("=")) reportSent(call, value)
  for (const word of listOptionValues(call, "-z", "--time-cond")) reportIfExists(scene, "read", word, state)
  const uploads = listOptionValues(call, "-T", "--upload-file")
  for (const word of uploads) {
    if (/[{}[\]]/.test(word.value ?? ""))
      scene.findings.addUnclear(`curl expands ${word.written} to files itself`)
    if (word.value !== ".") reportAccess(scene, "read", word, state)
  }
  for (const word of [...call.operands, ...listOptionValues(call, "--url")])
    judgeAddress(call, word, uploads.length > 0)
  for (const word of listOptionValues(call, "--connect-to", "--resolve")) {
    reportHost(scene, word)
    // The host that curl really talks to. With several of them, or one in brackets, it cannot be determined.
    const other = /^[^:[\]]*:[0-9*]*:([^:,[\]]*)(?::[0-9]*)?$/.exec(word.value ?? "")?.[1]
    if (other === undefined)
      scene.findings.addUnclear(`the host that curl talks to for ${word.written} cannot be determined`)
    else if (other !== "") reportHost(scene, makePlainArgument(other))
  }
}

/** Reports a file that curl sends, as in `@file`. */
function reportSent({ scene, state }: ProgramCall, file: string): void {
  reportAccess(scene, "read", makePlainArgument(file), state)
}

/** Reports an address of another machine, or of a file. */
function judgeAddress(call: ProgramCall, word: ShellArgument, uploads: boolean): void {
  const { scene, state } = call
  if (/^[a-z][a-z0-9+.-]*:\/(?!\/)/i.test(word.value ?? "") && !/^file:/i.test(word.value!))
    return scene.findings.addUnclear(`the host that curl talks to for ${word.written} cannot be determined`)
  if (!/^file:/i.test(word.value ?? "")) return reportHost(scene, word)
  const place = /^file:(?:\/\/[^/]*)?(\/.*)$/is.exec(word.value!)?.[1]
  if (place === undefined || /[{}[\]]/.test(place))
    return scene.findings.addUnclear(`the file that ${word.written} means cannot be determined`)
  let name = place.replace(/[?#].*$/s, "")
  try {
    name = decodeURIComponent(name)
  } catch {
    scene.findings.addUnclear(`the file that ${word.written} means cannot be determined`)
  }
  // A file that is uploaded to a folder keeps its name.
  const reach = uploads && place.endsWith("/") ? "below" : "itself"
  for (const path of new Set([name, place]))
    reportAccess(scene, uploads ? "write" : "read", makePlainArgument(path), state, reach)
}

/** Reports a `-o Name=value`, unless it only says how to connect. */
function judgeSettings(call: ProgramCall): void {
  for (const { value } of listOptionValues(call, "-o"))
    if (
      !/^(?:StrictHostKeyChecking|BatchMode|ConnectTimeout|ConnectionAttempts|ServerAliveInterval|ServerAliveCountMax|LogLevel|Port|User|Compression|IdentitiesOnly|PasswordAuthentication|PreferredAuthentications|AddressFamily|RequestTTY)[= ]/i.test(
        value ?? "",
      )
    )
      call.scene.findings.addUnclear("an option of ssh may run a program or load settings")
}

const isFar = ({ value }: ShellArgument) => value !== undefined && /^[^/]+:|:\/\//.test(value)

function judgeCopies(call: ProgramCall): void {
  const { scene, state, operands } = call
  for (const word of operands) if (word.reason !== undefined || isFar(word)) reportHost(scene, word)
  const target = operands.length > 1 ? operands.at(-1)! : undefined
  for (const word of (target ? operands.slice(0, -1) : operands).filter((source) => !isFar(source))) {
    reportAccess(scene, "read", readDashAsName(word), state, "below")
    if (hasOption(call, "--remove-source-files")) reportChange(scene, word, state, "below")
  }
  if (!target || isFar(target)) return
  carryLinks(call, { sources: operands.slice(0, -1).filter((source) => !isFar(source)), target })
  for (const { path } of resolvePaths(scene, target, state)) scene.findings.addLink(path, "itself")
  reportChange(scene, target, state, "below")
}
