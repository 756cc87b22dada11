import fs from "node:fs"
import { expect, test } from "vitest"
import {
  everydayFloorFile,
  isUnknownInWords,
  type Judgements,
  judgeEveryday,
} from "../../scripts/shell-floor/everyday.ts"
import {
  judgePackageCommands,
  type PackageCommands,
  packageFloorFile,
} from "../../scripts/shell-floor/package-commands.ts"

const readFloor = (file: string) => JSON.parse(fs.readFileSync(file, "utf8"))

test("everyday commands are judged at least as precisely as the recorded floor", async () => {
  const floor: Judgements = readFloor(everydayFloorFile)
  const judged = await judgeEveryday()
  expect(Object.keys(judged)).toEqual(Object.keys(floor))
  expect(Object.keys(judged).length).toBeGreaterThanOrEqual(300)
  const worse = Object.entries(floor).flatMap(([line, before]) =>
    before.some(isUnknownInWords)
      ? []
      : judged[line]!.filter((access) => !isCovered(access, before) && !isNamedRead(access)).map(
          (access) => `${line}: ${access}`,
        ),
  )
  expect(worse).toEqual(missedBefore)
})

/** They read everything here, which was not told when the floor was recorded. */
const missedBefore = [
  "git add -p: read ROOT/**",
  `rg "foo" --type-add 'web:*.{html,css}' -t web: read ROOT/**`,
  "tree -L 2: read ROOT/**",
  "du -h --max-depth=1: read ROOT/**",
]

/** A single file or folder that is read: to tell one more takes nothing away from the others. */
const isNamedRead = (access: string): boolean => access.startsWith("read ") && !access.endsWith("/**")

test("of the commands in installed packages at most 3 % of those that were understood no longer are", async () => {
  const floor: PackageCommands = readFloor(packageFloorFile)
  const { commands, known } = await judgePackageCommands()
  expect(known / commands).toBeGreaterThanOrEqual((0.97 * floor.known) / floor.commands)
})

test.each<[string, string, boolean]>([
  ["read ROOT/a", "read ROOT/a", true],
  ["read ROOT/a", "read ROOT/**", true],
  ["read ROOT/a", "read ROOT/a/**", true],
  ["read ROOT/a", "write ROOT/a", true],
  ["change ROOT/a", "write ROOT/a", true],
  ["may-change ROOT/a", "change ROOT/a", true],
  ["read ROOT/**", "read ROOT/a", false],
  ["read ROOT/ab", "read ROOT/a/**", false],
  ["write ROOT/a", "read ROOT/a", false],
  ["write ROOT/a", "change ROOT/a", false],
  ["host b", "host a", false],
  ["unclear x", "read ROOT/**", false],
])("%s is as precise as %s: %s", (access, before, expected) => {
  expect(isCovered(access, [before])).toBe(expected)
})

/** From the weakest on: whoever tells the later one tells the earlier one as well. */
const uses = ["read", "may-change", "change", "write"]

/** Whether an access was told before, or is narrower than one that was. */
function isCovered(access: string, before: readonly string[]): boolean {
  const [use, place] = inParts(access)
  return before.some((other) => {
    const [otherUse, otherPlace] = inParts(other)
    if (!uses.includes(use) || !uses.includes(otherUse)) return access === other
    if (uses.indexOf(use) > uses.indexOf(otherUse)) return false
    if (!otherPlace.endsWith("/**")) return place === otherPlace
    return place === otherPlace.slice(0, -3) || place.startsWith(otherPlace.slice(0, -2))
  })
}

function inParts(access: string): [use: string, place: string] {
  const space = access.indexOf(" ")
  return [access.slice(0, space), access.slice(space + 1)]
}
