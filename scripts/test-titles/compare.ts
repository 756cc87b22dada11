import type { Titled } from "./titles-in.ts"

export type Titles = ReadonlyMap<string, Titled>

/** Two tests of one title, in one file or in two, count as one. */
export function joinTitles(files: readonly (readonly (readonly [string, Titled])[])[]): Titles {
  const titles = new Map<string, Titled>()
  for (const [title, { tests, assertions }] of files.flat()) {
    const before = titles.get(title) ?? { tests: 0, assertions: 0 }
    titles.set(title, { tests: before.tests + tests, assertions: before.assertions + assertions })
  }
  return titles
}

/** What became of the tests before, and which are new, line by line. */
export function compareTitles(before: Titles, now: Titles): readonly string[] {
  const both = [...before.keys()].filter((title) => now.has(title))
  const fewer = (what: keyof Titled) =>
    both
      .filter((title) => now.get(title)![what] < before.get(title)![what])
      .map((title) => `${title}: ${before.get(title)![what]}, now ${now.get(title)![what]}`)
  return [
    `before: ${sum(before)}`,
    `now:    ${sum(now)}`,
    ...section(
      "gone",
      [...before.keys()].filter((title) => !now.has(title)),
    ),
    ...section("fewer rows", fewer("tests")),
    ...section("fewer assertions", fewer("assertions")),
    ...section(
      "new",
      [...now.keys()].filter((title) => !before.has(title)),
    ),
  ]
}

const section = (name: string, lines: readonly string[]): readonly string[] => [
  "",
  `${name}: ${lines.length}`,
  ...lines.map((line) => `  ${line}`),
]

function sum(titles: Titles): string {
  const all = [...titles.values()]
  const total = (what: keyof Titled) => all.reduce((count, titled) => count + titled[what], 0)
  return `${titles.size} titles, ${total("tests")} tests that are written out, ${total("assertions")} assertions`
}
