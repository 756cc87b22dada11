import { execFileSync, spawnSync } from "node:child_process"
import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { findInstalledPrograms } from "../../src/world/shell/machine.ts"
import { gitVerbs } from "../../src/world/shell/programs/git-verbs.ts"
import { knownPrograms } from "../../src/world/shell/programs/known.ts"
import { parseTable } from "../../src/world/shell/table.ts"

interface Data {
  readonly programs: Readonly<
    Record<string, { readonly order: string; readonly options: Readonly<Record<string, string>> }>
  >
}

const data: Data = JSON.parse(
  fs.readFileSync(
    path.resolve(import.meta.dirname, "../../src/world/shell/programs/data/options.json"),
    "utf8",
  ),
)
const machine = findInstalledPrograms()
const tableOf = (name: string) => parseTable(knownPrograms.get(name)!.table)

/** What a program takes for a moment and then refuses, or reads in a way of its own, which its table leaves out on purpose. */
const leftOut: Readonly<Record<string, readonly string[]>> = {
  chmod: ["-+", "-,", "-="],
  cksum: ["-b", "-t"],
  flock: ["-?"],
  gzip: ["-?"],
  zcat: ["-?"],
  printenv: ["-i", "-u"],
  sed: ["-V"],
  seq: ["-."],
}
/** Options that end a program, after which it cannot be asked for more. */
const ends = ["id -Z", "man -V", "more -V", "rev -V", "tput -V", "hostname -V"]

describe("a table has every option that the program was found to have, and no other", () => {
  test.each(Object.entries(data.programs))("%s", (name, { options, order }) => {
    const table = tableOf(name)
    const isNumber = (option: string) => /^-[0-9]$/.test(option)
    const expected = Object.entries(options).filter(
      ([option]) =>
        !leftOut[name]?.includes(option) && !(isNumber(option) && table.optionsByName.has("-NUM")),
    )
    const found = expected.filter(([option, takes]) => table.optionsByName.get(option)?.takes !== takes)
    expect(found.filter(([option]) => !ends.includes(`${name} ${option}`))).toEqual([])
    const surplus = [...table.optionsByName.keys()].filter(
      (option) => !(option in options) && option !== "-NUM",
    )
    expect(surplus.filter((option) => !ends.includes(`${name} ${option}`))).toEqual([])
    // Of these the first word is read in a way of its own, and hides it.
    if (name !== "tar" && name !== "man") expect(table.stops ? "stops" : "permutes").toBe(order)
  })
})

let folder: string
beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "cadre-tables-"))
  execFileSync("git", ["init", "-q", folder])
})
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

function said(program: string, words: readonly string[]): string {
  const { stdout, stderr } = spawnSync(program, words, {
    cwd: folder,
    encoding: "utf8",
    timeout: 10_000,
    env: { PATH: process.env.PATH, HOME: folder, LC_ALL: "C" },
    stdio: ["ignore", "pipe", "pipe"],
  })
  return `${stdout}${stderr}`
}

/** Loud, because a table that nobody compares may be wrong. */
function isInstalled(name: string, version: string): boolean {
  const there = machine.has(name, version)
  if (!there)
    console.warn(`SKIPPED: ${name} of ${version} is not installed, so its table is not compared with it.`)
  return there
}

describe("every long option that an installed program tells of is in its table", () => {
  test.each(Object.keys(data.programs))("%s", (name) => {
    if (!isInstalled(name, knownPrograms.get(name)!.table.version)) return
    // An empty name is short for all of them.
    const told = [...said(name, ["--=x"]).matchAll(/'(--[^']+)'/g)].map(([, option]) => option!)
    expect(
      told.filter((option) => !option.includes("=x") && !tableOf(name).optionsByName.has(option)),
    ).toEqual([])
  })

  test.each([
    ["curl", ["--help", "all"], /^ {1,6}(?:(-.), )?(--[\w.-]+)/gm],
    ["rg", ["-h"], /^ {4,8}(?:(-.), )?(--[\w-]+)/gm],
    ["rsync", ["--help"], /^(--[\w-]+)(?:=\S+)?(?:, (-\w))?/gm],
    ["bzip2", ["--help"], /^ {3}(-\w) (--[\w-]+)/gm],
    ["tree", ["--help"], /^ {2}(--?[a-zA-Z][\w-]*)/gm],
  ] as const)("%s", (name, words, pattern) => {
    if (!isInstalled(name, knownPrograms.get(name)!.table.version)) return
    const told = [...said(name, words).matchAll(pattern)].flatMap(
      ([, ...names]) => names.filter(Boolean) as string[],
    )
    expect(told.length).toBeGreaterThan(10)
    const known = tableOf(name).optionsByName
    expect(
      told.filter(
        (option) => !known.has(option) && !["--no-OPTION", "--daemon", "--config"].includes(option),
      ),
    ).toEqual([])
  })

  // `annotate` is another name of `blame`, and tells of options that it does not have.
  test.each([...gitVerbs].filter(([verb]) => verb !== "annotate"))("git %s", (verb, { table }) => {
    if (!isInstalled("git", table.version)) return
    const { optionsByName } = parseTable(table)
    const isKnown = (option: string) =>
      optionsByName.has(option) || (option.startsWith("--no-") && optionsByName.has(`--${option.slice(5)}`))
    const told = said("git", [...verb.split(" "), "--git-completion-helper-all"])
    if (/^(?:fatal|error|usage)/m.test(told)) return
    const options = told
      .split(/\s+/)
      .flatMap((word) => (/^--[a-z]/.test(word) ? [word.replace(/=$/, "")] : []))
    expect(options.filter((option) => option !== "--git-completion-helper-all" && !isKnown(option))).toEqual(
      [],
    )
  })
})
